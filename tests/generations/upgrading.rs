//! An upgrade from its plan to its end: stages of the host and of the environment, a verification
//! that fails, and the ways back.

use fs_err as fs;

use crate::node::Node;

#[test]
fn stages_of_the_host_and_of_the_environment_are_passed_in_turn() {
    let node = Node::new();
    let wish = "upgrade --to 10.0 --driver 31.50.0";
    insta::assert_snapshot!(node.snapshot("first", wish), @r"
        exit: 0
        --- stdout ---
        driver 30.20.1 -> 31.50.0, firmware none -> 01.26.00.04, ROCm 7.2.4 -> 10.0.0, jax 0.30.0 -> 0.32.0: 3 stages, 1 reboot

        stage 1 (you): firmware none -> 01.26.00.04
          costs     1 reboot; download and disk not known (the maker of the machine hands it out)
          verified  you say that firmware is 01.26.00.04; the driver shows AMD Instinct MI300X
          undone    by a backup of the firmware only
          note: the maker of the machine gives the bundle 01.26.00.04 for AMD Instinct MI300X
          note: where the driver does not show it, `rocmenv upgrade --continue --yes` says that it is done

        stage 2 (you): driver 30.20.1 -> 31.50.0
          costs     the reboot of the stage before does for it, too; download and disk not known (AMD's list of its packages is not in the cache)
          loses     driver no longer serves ROCm 6.3 6.4: older generations need the former one
          verified  driver is 31.50.0; the driver shows AMD Instinct MI300X
          undone    by installing driver 30.20.1 again
          do:
            sudo apt autoremove amdgpu-dkms
            sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
            echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/31.50/ubuntu noble main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
            sudo apt update
            sudo apt install amdgpu-dkms
            sudo reboot
          hold:
            sudo apt-mark hold amdgpu-dkms amdgpu-dkms-firmware
          way back:
            sudo apt-mark unhold amdgpu-dkms amdgpu-dkms-firmware
            sudo apt autoremove amdgpu-dkms
            sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
            echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/30.20.1/ubuntu noble main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
            sudo apt update
            sudo apt install amdgpu-dkms
            sudo reboot
          note: the driver's packages are kept when the step comes, where you trust a key for AMD's repository; then it installs from files
          note: the packages of driver 30.20.1 are not kept: the way back needs AMD's repository

        stage 3 (rocmenv): ROCm 7.2.4 -> 10.0.0, jax 0.30.0 -> 0.32.0
          costs     download and disk not known (no index page with these builds is in the cache)
          loses     ROCm Bandwidth Test (use TransferBench or ROCm Validation Suite); rocALUTION; hipfort; MIVisionX; rocAL; rocPyDecode; MIGraphX (use MIGraphX and ONNX Runtime apart from the SDK)
          moves     jax -> jax-rocm10-plugin; rocm-sdk-libraries-FAMILY -> rocm-sdk-libraries with rocm-sdk-device-GFX; rocm-*, hip-* -> amdrocm-*; /opt/rocm-X.Y.Z -> /opt/rocm/core-X.Y; https://repo.radeon.com/rocm/manylinux/ -> https://repo.amd.com/rocm/whl-multi-arch/; https://repo.radeon.com/rocm/apt/ -> https://repo.amd.com/rocm/packages-multi-arch/; https://repo.amd.com/rocm/whl-multi-arch/ -> https://stable.repo.amd.com/rocm/whl-next/; https://repo.amd.com/rocm/packages-multi-arch/ -> https://stable.repo.amd.com/rocm/core/packages/; jax-rocm7-plugin, jax-rocm7-pjrt -> jax-rocm10-plugin, jax-rocm10-pjrt
          unproven  jax 0.32.0 with ROCm 10.0.0
          footing   built, not listed
          notes     first technology preview of TheRock; first production release of TheRock; RHEL 10.1 and 9.7: RHEL 10.2, 10.0, 9.8, 9.6, 9.4, 8.10; version numbers go from 7.14 to 10.0; ROCm 7.2.4 or older installed by a package manager or runfile: uninstall it first
          verified  jax is imported; the commands of [verify] succeed
          undone    by the generation before, at once and offline

        in all: 1 reboot; download not known; disk not known
        rocmenv upgrade --apply begins
        --- stderr ---
        registry of [DATE]
        ");
    let plan = node.call("first", &format!("{wish} --json"));
    let plan: serde_json::Value = serde_json::from_str(&plan.stdout).expect("JSON");
    assert_eq!(plan["stages"].as_array().map(Vec::len), Some(3), "{plan:#}");
    // Nobody has allowed the commands yet, so that nothing could be verified.
    insta::assert_snapshot!(node.snapshot("first", &format!("{wish} --apply")), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[not-allowed]: nobody has allowed the commands of this rocm.toml to be run, so no stage can be verified
        help: rocmenv upgrade --apply --yes
        ");
    // `--yes` allows them, and says that the firmware is there. Next comes the driver.
    insta::assert_snapshot!(node.snapshot("first", &format!("{wish} --apply --yes")), @r"
        exit: 6
        --- stdout ---
        stage 2 is yours: driver 30.20.1 -> 31.50.0
          driver has to become 31.50.0; this host has 30.20.1
        do:
          sudo apt autoremove amdgpu-dkms
          sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/31.50/ubuntu noble main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
          sudo apt update
          sudo apt install amdgpu-dkms
          sudo reboot
        hold:
          sudo apt-mark hold amdgpu-dkms amdgpu-dkms-firmware
        way back:
          sudo apt-mark unhold amdgpu-dkms amdgpu-dkms-firmware
          sudo apt autoremove amdgpu-dkms
          sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/30.20.1/ubuntu noble main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
          sudo apt update
          sudo apt install amdgpu-dkms
          sudo reboot
        note: the driver's packages are not kept (no key that you trust for repo.radeon.com is in your apt sources or rocm.toml): they come from AMD's repository
        note: the packages of driver 30.20.1 are not kept: the way back needs AMD's repository
        then: rocmenv upgrade --continue (or `rocmenv upgrade --abort`)
        --- stderr ---
        stage 1: firmware none -> 01.26.00.04: so you say
        ");
    insta::assert_snapshot!(node.snapshot("first", &format!("{wish} --apply")), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[upgrade-under-way]: an upgrade of [TIME] is under way: 1 of 3 stages are done
        help: rocmenv upgrade --continue (or `rocmenv upgrade --abort`)
        ");
    assert_eq!(node.call("first", "upgrade --continue").code, 6, "the host is not so yet");
    // Then the ROCm of the host itself, which is what this project uses.
    insta::assert_snapshot!(node.snapshot("driver", "upgrade --continue"), @r"
        exit: 6
        --- stdout ---
        stage 3 is yours: ROCm of the host 7.2.4 -> 10.0.0
          ROCm has to become 10.0.0; this host has 7.2.4
        do:
          sudo apt autoremove rocm-core
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://stable.repo.amd.com/rocm/core/packages/ubuntu2404/ stable main' | sudo tee /etc/apt/sources.list.d/rocm.list && sudo apt update
          sudo apt install amdrocm-core-sdk10.0
        way back:
          sudo apt remove amdrocm-core-sdk10.0
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/rocm/apt/7.2.4 noble main' | sudo tee /etc/apt/sources.list.d/rocm.list && sudo apt update
          sudo apt install rocm
        kernels that AMD names: 6.17 HWE; 6.17 OEM; 6.8 GA
        note: AMD's guide has ROCm 7.2.4 removed before 10.0.0 is installed
        then: rocmenv upgrade --continue (or `rocmenv upgrade --abort`)
        --- stderr ---
        stage 2: driver 30.20.1 -> 31.50.0: the host is so
        ");
    let before = (node.file("rocm.toml"), node.file("rocm.lock"));
    node.sandbox.write("broken", "");
    let failed = node.call("last", "upgrade --continue");
    assert_eq!(failed.code, 1, "{}", failed.snapshot());
    assert!(failed.stderr.contains("error[upgrade-taken-back]"), "{}", failed.stderr);
    let evidence = failed.stderr.split('`').find(|text| text.ends_with("evidence-3.json"));
    let evidence = fs::read_to_string(evidence.expect("a path")).expect("the evidence is kept");
    assert!(evidence.contains("test ! -e broken"), "{evidence}");
    assert_eq!(node.jax(), "0.30.0", "taken back");
    assert_eq!((node.file("rocm.toml"), node.file("rocm.lock")), before);
    let status = node.call("last", "status").stdout;
    assert!(status.contains("2 of 3 stages done, the last stage was taken back"), "{status}");
    fs::remove_file(node.sandbox.project().join("broken")).expect("removed");
    insta::assert_snapshot!(node.snapshot("last", "upgrade --continue"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        stage 3: ROCm 7.2.4 -> 10.0.0, jax 0.30.0 -> 0.32.0: generation 3, verified
        all 3 stages are done
        ");
    assert_eq!(node.jax(), "0.32.0");
    assert!(node.file("rocm.toml").contains("jax = \">=0.30\"  # any"), "the wish stays");
    insta::assert_snapshot!(node.snapshot("last", "generations diff 1 3"), @r"
        exit: 0
        --- stdout ---
        ROCm 7.2.4 -> 10.0.0: needs driver in 30.10..31.50.99, jax 0.30.0 -> 0.32.0
         ~ jax 0.30.0 -> 0.32.0
         + jax-rocm10-pjrt 0.32.0
         + jax-rocm10-plugin 0.32.0
         - jax-rocm7-pjrt 0.30.0
         - jax-rocm7-plugin 0.30.0
         ~ jaxlib 0.30.0 -> 0.32.0
        --- stderr ---
        ");
    // By hand, to the first one, whose driver the host has no more.
    insta::assert_snapshot!(node.snapshot("last", "rollback --to 1"), @r"
        exit: 0
        --- stdout ---
        ROCm 10.0.0 -> 7.2.4: needs driver in 6.4..31.50.99, jax 0.32.0 -> 0.30.0
         ~ jax 0.32.0 -> 0.30.0
         - jax-rocm10-pjrt 0.32.0
         - jax-rocm10-plugin 0.32.0
         + jax-rocm7-pjrt 0.30.0
         + jax-rocm7-plugin 0.30.0
         ~ jaxlib 0.32.0 -> 0.30.0
        --- stderr ---
        warning: generation 1 is not for this host: the lock needs `host rocm = 7.2`; this host has ROCm 10.0.0
        generation 1 is current, 3 was
        rocm.toml and rocm.lock were left as they are; `sync` waits for `rocmenv rollback --files` or `rocmenv sync --unpin`
        ");
    assert_eq!(node.jax(), "0.30.0");
    insta::assert_snapshot!(node.snapshot("last", "upgrade --continue"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[upgrade-none]: no upgrade is under way
        help: rocmenv upgrade --apply
        ");
}

#[test]
fn an_upgrade_that_was_begun_can_be_left() {
    let node = Node::new();
    let before = (node.file("rocm.toml"), node.file("rocm.lock"));
    node.must("rocm", "upgrade --to 10.0 --apply --yes");
    assert_eq!((node.jax().as_str(), node.generation()), ("0.32.0", 2));
    insta::assert_snapshot!(node.snapshot("rocm", "upgrade --abort"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[upgrade-none]: no upgrade is under way
        help: rocmenv upgrade --apply
        ");
    node.must("rocm", "rollback --to 1 --files");
    let code = node.call("rocm", "upgrade --to 10.0 --driver 31.50.0 --apply").code;
    assert_eq!(code, 6);
    insta::assert_snapshot!(node.snapshot("rocm", "upgrade --abort"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        returned to where the upgrade began: generation 1, rocm.toml and rocm.lock
        ");
    assert_eq!((node.file("rocm.toml"), node.file("rocm.lock")), before);
    assert_eq!(node.jax(), "0.30.0");
    assert!(!node.sandbox.exists(".rocmenv/upgrade.json"));
}

#[test]
fn a_program_that_runs_across_an_upgrade_keeps_its_files() {
    let node = Node::new();
    let code = "import jax, sys, time, pathlib\n\
                pathlib.Path('started').touch()\n\
                while not pathlib.Path('upgraded').exists(): time.sleep(0.01)\n\
                import jax.late\n\
                print(jax.__version__, jax.late.VERSION)";
    std::thread::scope(|scope| {
        let program = scope.spawn(|| {
            let words = ["run", "python", "-B", "-c", code];
            node.sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run()
        });
        while !node.sandbox.exists("started") {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        node.must("rocm", "upgrade --to 10.0 --apply --yes");
        assert_eq!(node.jax(), "0.32.0");
        node.sandbox.write("upgraded", "");
        let output = program.join().expect("the program ends");
        assert_eq!(output.stdout, "0.30.0 0.30.0\n", "{}", output.snapshot());
    });
}

#[test]
fn steps_that_share_a_reboot_are_shown_together_and_firmware_that_is_seen_is_believed() {
    let node = Node::new();
    for (name, driver, bundle) in [
        ("old", "30.20.1", "0x01250312"),
        ("half", "31.50.0", "0x01250312"),
        ("new", "31.50.0", "0x01260004"),
    ] {
        let host = node.file("first.json").replace("30.20.1", driver);
        let host = host
            .replace("MI300X\"", &format!("MI300X\", \"firmware\": {{ \"pldm\": \"{bundle}\" }}"));
        node.sandbox.write(&format!("{name}.json"), host);
    }
    // What a probe reads is not confirmed by a word.
    let wish = "upgrade --to 10.0 --driver 31.50.0 --apply --yes";
    insta::assert_snapshot!(node.snapshot("old", wish), @r"
        exit: 6
        --- stdout ---
        stage 1 is yours: firmware 01.26.00.04
          firmware has to become 01.26.00.04; this host has 01.25.03.12
        note: the maker of the machine gives the bundle 01.26.00.04 for AMD Instinct MI300X
        note: the driver shows it, so that `rocmenv upgrade --continue` sees when it is done
        stage 2 is yours: driver 30.20.1 -> 31.50.0
          driver has to become 31.50.0; this host has 30.20.1
        do:
          sudo apt autoremove amdgpu-dkms
          sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/31.50/ubuntu noble main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
          sudo apt update
          sudo apt install amdgpu-dkms
          sudo reboot
        hold:
          sudo apt-mark hold amdgpu-dkms amdgpu-dkms-firmware
        way back:
          sudo apt-mark unhold amdgpu-dkms amdgpu-dkms-firmware
          sudo apt autoremove amdgpu-dkms
          sudo mkdir --parents --mode=0755 /etc/apt/keyrings && wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg --dearmor | sudo tee /etc/apt/keyrings/rocm.gpg > /dev/null
          echo 'deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/amdgpu/30.20.1/ubuntu noble main' | sudo tee /etc/apt/sources.list.d/amdgpu.list
          sudo apt update
          sudo apt install amdgpu-dkms
          sudo reboot
        note: the driver's packages are not kept (no key that you trust for repo.radeon.com is in your apt sources or rocm.toml): they come from AMD's repository
        note: the packages of driver 30.20.1 are not kept: the way back needs AMD's repository
        then: rocmenv upgrade --continue (or `rocmenv upgrade --abort`)
        --- stderr ---
        ");
    insta::assert_snapshot!(node.snapshot("half", "upgrade --continue --yes"), @r"
        exit: 6
        --- stdout ---
        stage 1 is yours: firmware 01.26.00.04
          firmware has to become 01.26.00.04; this host has 01.25.03.12
        note: the maker of the machine gives the bundle 01.26.00.04 for AMD Instinct MI300X
        note: the driver shows it, so that `rocmenv upgrade --continue` sees when it is done
        then: rocmenv upgrade --continue (or `rocmenv upgrade --abort`)
        --- stderr ---
        ");
    let output = node.call("new", "upgrade --continue");
    assert_eq!(output.code, 6, "{}", output.snapshot());
    assert!(output.stdout.contains("stage 3 is yours: ROCm of the host"), "{}", output.stdout);
    assert!(output.stderr.contains("firmware 01.25.03.12 -> 01.26.00.04: the host is so"));
    node.must("new", "upgrade --abort");
    // Firmware that will do is no stage.
    let plan = node.call("new", "upgrade --to 10.0").stdout;
    assert!(!plan.contains("firmware"), "{plan}");
}
