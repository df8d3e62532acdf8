//! Several environments and groups of one project in one lock, and a machine's own choices.

use insta::assert_snapshot;
use rocmenv_tests::channels::every_wheel_channel_with;
use rocmenv_tests::{Index, Sandbox, WheelBuilder, World};

use super::{connected, node, rocmenv, served, snapshot};

/// What a lab builds itself. Of vLLM for ROCm 10.1.0 the public serves a container image and, in a
/// staging folder, a pre-release (AMD-Ecosystem/ai-ecosystem, docs/inference/include/vllm): no
/// index of releases has it. TensorFlow's wheels are on AMD's index of frameworks.
fn lab() -> Index {
    let tag = |series: &str| format!("cp{series}-cp{series}-linux_x86_64");
    let fast = |series: &str| WheelBuilder::new("fastmath", "1.0").tag(&tag(series));
    Index::new("lab")
        .wheel(
            WheelBuilder::new("vllm", "0.29.0+rocm10.1.0")
                .tag(&tag("314"))
                .requires("torch==2.13.*"),
        )
        .wheel(fast("312"))
        .wheel(fast("314"))
}

/// AMD's index as public files show it, with the general one and the lab's own. Of torchaudio for
/// 10.1.0 they show nothing and of the torchvision of 2.14 only a pre-release: those are made up.
fn three_environments() -> (rocmenv_tests::channels::Internet, Sandbox) {
    let made_up = [
        ("torchaudio", "2.11.0.2+rocm10.1.0"),
        ("torchvision", "0.29.0+rocm10.1.0"),
        ("amd-torchvision-device-gfx942", "0.29.0+rocm10.1.0"),
        ("amd-torchvision-device-gfx942", "0.28.0+rocm10.1.0"),
    ];
    let world: World =
        every_wheel_channel_with("3.14", &made_up).index(lab().at("https://wheels.lab.test/"));
    let (internet, sandbox) = connected(world);
    sandbox.write(
        "rocm.toml",
        format!(
            "[env.vllm.requires]\nrocm = \"10.1.0\"\npython = \"3.14\"\npytorch = \"2.13\"\n\
             [env.vllm.python-packages]\nvllm = {{ version = \"*\", index = \"lab\" }}\n\n\
             [env.train.requires]\nrocm = \"10.1.0\"\npython = \"3.14\"\npytorch = \"2.14\"\n\n\
             [env.tf.requires]\nrocm = \"10.1.0\"\npython = \"3.12\"\n\
             tensorflow = \"2.21\"\n\n\
             [groups.bench]\nfastmath = {{ version = \"*\", index = \"lab\" }}\n\n\
             [indexes.lab]\nurl = \"https://wheels.lab.test/\"\n\n{}",
            node("\"MI300X\"")
        ),
    );
    (internet, sandbox)
}

#[test]
fn one_lock_holds_vllm_training_and_tensorflow_for_rocm_10_1() {
    let (_internet, sandbox) = three_environments();
    let locked = rocmenv(&sandbox, "lock");
    assert_eq!(locked.code, 0, "{}", locked.snapshot());
    let stacks: Vec<&str> =
        locked.stderr.lines().filter(|line| line.starts_with("locked")).collect();
    assert_snapshot!(stacks.join("\n"), @r"
        locked 2 packages for `node/tf`: ROCm 10.1.0 (therock), Python 3.12
        locked 18 packages for `node/train`: ROCm 10.1.0 (therock), Python 3.14
        locked 19 packages for `node/vllm`: ROCm 10.1.0 (therock), Python 3.14
        ");
    let versions = |env: &str| {
        let listed = rocmenv(&sandbox, &format!("list -e {env} --group bench --json"));
        let json: serde_json::Value = serde_json::from_str(&listed.stdout).expect("JSON");
        let packages = json["packages"].as_array().expect("packages").iter();
        let shown = ["torch", "triton", "vllm", "tensorflow-rocm", "fastmath"];
        let lines = packages.filter(|it| shown.contains(&it["name"].as_str().unwrap_or_default()));
        let lines = lines.map(|it| it["files"][0]["name"].as_str().unwrap_or_default().to_owned());
        lines.collect::<Vec<_>>().join("\n")
    };
    let each = ["vllm", "train", "tf"].map(|env| format!("{env}:\n{}", versions(env)));
    assert_snapshot!(each.join("\n"), @r"
        vllm:
        fastmath-1.0-cp314-cp314-linux_x86_64.whl
        torch-2.13.0+rocm10.1.0-cp314-cp314-linux_x86_64.whl
        triton-3.8.0+git669b31ac.rocm10.1.0-cp314-cp314-linux_x86_64.whl
        vllm-0.29.0+rocm10.1.0-cp314-cp314-linux_x86_64.whl
        train:
        fastmath-1.0-cp314-cp314-linux_x86_64.whl
        torch-2.14.0+rocm10.1.0-cp314-cp314-linux_x86_64.whl
        triton-3.8.0+git669b31ac.rocm10.1.0-cp314-cp314-linux_x86_64.whl
        tf:
        fastmath-1.0-cp312-cp312-linux_x86_64.whl
        tensorflow_rocm-2.21.0+rocm10.1.0-cp312-cp312-linux_x86_64.whl
        ");
    // The same again, and each by itself, change no byte.
    let lock = sandbox.read("rocm.lock");
    for words in ["lock", "lock -e vllm", "lock -e tf --target node", "lock --check"] {
        let again = rocmenv(&sandbox, words);
        assert_eq!(again.code, 0, "{words}: {}", again.snapshot());
        assert_eq!(sandbox.read("rocm.lock"), lock, "{words}");
    }
}

#[test]
fn two_environments_of_one_target_get_the_wheels_of_their_own_pythons() {
    let (_internet, sandbox) = three_environments();
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    for (env, python) in [("vllm", "cp314"), ("tf", "cp312")] {
        let words = format!("sync -e {env} --group bench --target node --dry-run --json");
        let plan = rocmenv(&sandbox, &words);
        let json: serde_json::Value = serde_json::from_str(&plan.stdout).expect("JSON");
        let added = json["plan"]["add"].as_array().expect("a plan").iter();
        let file = added.clone().find(|it| it["name"] == "fastmath").expect("fastmath");
        assert!(file["file"].as_str().expect("a file").contains(python), "{env}: {file}");
        let without = rocmenv(&sandbox, &words.replace("--group bench ", ""));
        assert!(!without.stdout.contains("fastmath"), "{env}");
    }
}

#[test]
fn a_lock_of_one_environment_leaves_the_others() {
    let (_internet, sandbox) = three_environments();
    assert_eq!(rocmenv(&sandbox, "lock -q -e tf").code, 0);
    let first = sandbox.read("rocm.lock");
    assert!(first.contains("env = \"tf\"") && !first.contains("env = \"vllm\""));
    assert_eq!(rocmenv(&sandbox, "lock -q -e vllm").code, 0);
    let both = sandbox.read("rocm.lock");
    let part = |text: &str, env: &str| {
        let parts = text.split("\n\n").filter(|part| part.contains(&format!("env = \"{env}\"")));
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(part(&first, "tf"), part(&both, "tf"));
    assert!(both.contains("env = \"vllm\""));
}

#[test]
fn misspelt_names_are_answered_with_the_nearest() {
    let (_internet, sandbox) = three_environments();
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    let said = [
        "lock -e vlm",
        "sync -e trian",
        "sync",
        "sync -e tf --group bnech",
        "list -e tff",
        "tree -e tf --group bnch",
        "run -e vllmm true",
        "run -e vllm true",
        "status --group benhc",
    ]
    .map(|words| snapshot(&sandbox, words));
    assert_snapshot!(said.join("\n"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-environment]: no environment `vlm` in `rocm.toml`; did you mean `vllm`?
        help: -e vllm

        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-environment]: no environment `trian` in `rocm.toml`; did you mean `train`?
        help: -e train

        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-environment]: every environment of `rocm.toml` has a name: tf, train, vllm
        help: -e tf or -e train or -e vllm

        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-group]: no group `bnech` in `rocm.toml`; did you mean `bench`?
        help: --group bench

        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-environment]: no environment `tff` in `rocm.toml`; did you mean `tf`?
        help: -e tf

        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-group]: no group `bnch` in `rocm.toml`; did you mean `bench`?
        help: --group bench

        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-environment]: no environment `vllmm` in `rocm.toml`; did you mean `vllm`?
        help: -e vllm

        exit: 3
        --- stdout ---
        --- stderr ---
        error[environment-missing]: the environment `vllm` of this project was not made yet
        help: rocmenv sync -e vllm

        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-group]: no group `benhc` in `rocm.toml`; did you mean `bench`?
        help: --group bench
        ");
}

#[test]
fn run_says_that_the_environment_lacks_a_group() {
    let index = Index::new("main")
        .wheel(WheelBuilder::new("app", "1.0"))
        .wheel(WheelBuilder::new("tests", "1.0"));
    let (_server, sandbox) = served(index);
    sandbox.write("rocm.toml", "[python-packages]\napp = \"*\"\n\n[groups.dev]\ntests = \"*\"\n");
    assert_eq!(rocmenv(&sandbox, "sync -q").code, 0);
    assert_snapshot!(snapshot(&sandbox, "run --group dev python -c pass"), @r"
        exit: 3
        --- stdout ---
        --- stderr ---
        error[group-not-installed]: the environment was made without the group `dev`
        help: rocmenv sync --group dev
        ");
    assert_snapshot!(snapshot(&sandbox, "status --group dev --json").lines().take(1).collect::<String>(), @"exit: 0");
    assert_eq!(rocmenv(&sandbox, "run -q --sync --group dev python -c pass").code, 0);
    assert_eq!(rocmenv(&sandbox, "run -q --group dev python -c pass").code, 0);
    assert!(rocmenv(&sandbox, "tree").stdout.contains("tests"));
    assert!(!rocmenv(&sandbox, "activate bash --group dev").stdout.is_empty());
}

#[test]
fn a_machines_own_choice_lies_over_the_committed_one_and_is_said() {
    let index = Index::new("main")
        .wheel(WheelBuilder::new("app", "1.0"))
        .wheel(WheelBuilder::new("app", "2.0"));
    let (_server, sandbox) = served(index);
    sandbox.write("rocm.toml", "[python-packages]\napp = \"*\"\n");
    sandbox.write("rocm.local.toml", "[tune]\nHSA_NO_SCRATCH_RECLAIM = \"1\"\n");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 1 package for `host`: Python [3]
         + app 2.0
        ");
    let committed = sandbox.read("rocm.lock");
    assert_eq!(rocmenv(&sandbox, "sync -q").code, 0);
    let shown = rocmenv(&sandbox, "run -q printenv HSA_NO_SCRATCH_RECLAIM");
    assert_eq!((shown.code, shown.stdout.trim()), (0, "1"));
    sandbox.write("rocm.local.toml", "[python-packages]\napp = \"==1.0\"\n");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        warning: rocm.local.toml changes what is locked, so this rocm.lock is for this machine alone
        locked 1 package for `host`: Python [3]
         ~ app 2.0 -> 1.0
        ");
    assert_ne!(sandbox.read("rocm.lock"), committed);
    sandbox.write("rocm.local.toml", "[python-packages]\napp = \"newest\"\n");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[manifest-invalid]: rocm.local.toml:2:7: `newest` is not a version requirement (such as `10.0`, `>=2.12` or `>=7.2,<10`)
        help: rocmenv explain manifest-invalid
        ");
}

#[test]
fn an_index_without_dates_is_said_with_exclude_newer() {
    let dated = |version: &str| WheelBuilder::new("app", version);
    let index = Index::new("main")
        .wheel(dated("1.0"))
        .uploaded("2026-01-01T00:00:00Z")
        .wheel(dated("2.0"))
        .uploaded("2026-06-01T00:00:00Z");
    let (_server, sandbox) = served(index);
    let text = "exclude-newer = \"2026-03-01\"\n[python-packages]\napp = \"*\"\n";
    sandbox.write("rocm.toml", text);
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 1 package for `host`: Python [3]
         + app 1.0
        ");
    let (_server, sandbox) = served(Index::new("main").wheel(dated("2.0")).without_upload_times());
    sandbox.write("rocm.toml", text);
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 1 package for `host`: Python [3]
         + app 2.0
        note: index `python` does not say when its files came, so `exclude-newer` left none of them out
        ");
}

#[test]
fn an_override_stands_in_for_what_a_package_asks() {
    let index = Index::new("main")
        .wheel(WheelBuilder::new("app", "1.0").requires("base<2"))
        .wheel(WheelBuilder::new("base", "1.0"))
        .wheel(WheelBuilder::new("base", "2.0"));
    let (_server, sandbox) = served(index);
    sandbox.write("rocm.toml", "[python-packages]\napp = \"*\"\n\n[overrides]\nbase = \"==2.0\"\n");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 2 packages for `host`: Python [3]
         + app 1.0
         + base 2.0
        ");
}
