//! `check` and `status` from the outside.

use rocmenv_tests::Sandbox;

use crate::{rocmenv, snapshot, with_environment};

#[test]
fn a_refused_stack_says_why_and_what_would_do() {
    let sandbox = Sandbox::new();
    let output = sandbox
        .command(env!("CARGO_BIN_EXE_rocmenv"))
        .args(["check", "rocm==7.2", "pytorch==2.9.1", "--gpu", "RX 6700 XT"])
        .args(["--os", "ubuntu-24.04", "--driver", "30.20.0"])
        .run();
    insta::assert_snapshot!(output.snapshot(), @r#"
        exit: 1
        --- stdout ---
        the described host: no, not with ROCm 7.2.4 (classic)
          pytorch: torch 2.9.1+rocm7.2.4.lw.git39497456 from `amd-manylinux-7.2.4`
            brings no ROCm: the host's own is used
            torchvision 0.24 belongs to it
            torchaudio 2.9 belongs to it
            AMD lists 2.9.1 2.8.0 2.7.1
          Python: 3.13 3.12

          VERDICT    WHAT                                   WITH        SOURCE                                WHY
          listed     driver 30.20.0                         ROCm 7.2.4  ad-matrix-10.0 il-ukm-7.2             a document lists it
          not known  AMD Radeon RX 6700 XT on ubuntu-24.04  ROCm 7.2.4                                        no document that was read speaks of AMD Radeon RX 6700 XT on ubuntu-24.04 with ROCm 7.2.4
          listed     ubuntu-24.04                           ROCm 7.2.4  lg-matrix-7.2                         a document lists it
          listed     pytorch 2.9.1                          ROCm 7.2.4  lg-matrix-7.2                         a document lists it
          known bad  gfx103x-classic-torch                  ROCm 7.2.4  gh-nomad-1076 gh-unsloth-9829 iw-624  classic builds hold no kernels for this target; people run them under an override; take a release with device wheels (7.14 and newer)

          because with ROCm 7.2.4: classic builds hold no kernels for this target; people run them under an override; take a release with device wheels (7.14 and newer)
          would do: ask for rocm 10.0.0 and ask for pytorch 2.13.0 (ROCm 10.0.0, torch[device-gfx1031] 2.13.0+rocm10.0.0; built, not listed)
          not described, so not checked: kernel (--kernel), Python (--python)
        --- stderr ---
        registry of 2026-11-30
        "#);
}

#[test]
fn an_old_driver_is_named_with_its_value() {
    let sandbox = Sandbox::new();
    let words = "check rocm==10.0 jax --gpu gfx942 --os ubuntu-24.04 --driver 6.2.0 --json";
    let output = rocmenv(&sandbox, words);
    assert_eq!(output.code, 1);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(json[0]["answer"]["verdict"], "stated-no");
    assert!(json[0]["answer"]["remedies"].as_array().is_some_and(|all| !all.is_empty()));
}

#[test]
fn the_targets_of_the_project_are_checked_without_words() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "rocm.toml",
        "[requires]\nrocm = \"10.1\"\npython = \"3.12\"\njax = \"*\"\n\n[targets.cluster]\n\
         os = \"ubuntu-24.04\"\ngpus = [\"MI300X\"]\ndriver = \"31.50.0\"\n",
    );
    let output = rocmenv(&sandbox, "check");
    assert_eq!(output.code, 0, "{}", output.snapshot());
    assert!(output.stdout.starts_with("target cluster: yes, ROCm 10.1.0"));
}

#[test]
fn unknown_names_are_usage_with_the_nearest() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "check pytroch --gpu MI300X"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-framework]: `pytroch` is not known to the registry; the nearest known name is `pytorch`
        help: rocmenv matrix framework
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "check pytorch --gpu gfx1199"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-product]: `gfx1199` is not a GPU of the registry; the nearest known name is `gfx909`
        help: rocmenv matrix gpu
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "check rocm==8.1 --os ubuntu-24.04"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-release]: no known ROCm release satisfies `==8.1`
        help: rocmenv matrix rocm
        "#);
    insta::assert_snapshot!(snapshot(&sandbox, "check"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error: nothing to check: neither a requirement nor a project
        help: rocmenv check "rocm==10.0" pytorch --gpu "RX 7900 XTX"
        "#);
}

#[test]
fn status_names_what_is_missing_and_the_commands() {
    let sandbox = Sandbox::new();
    sandbox.write("rocm.toml", "[project]\nname = \"demo\"\n");
    insta::assert_snapshot!(snapshot(&sandbox, "status"), @r#"
        exit: 0
        --- stdout ---
        project      demo in `[TEMP]/project`
        lock         none: rocmenv lock
        environment  none yet: rocmenv sync
        registry     registry of 2026-11-30
        --- stderr ---
        "#);
}

#[test]
fn status_says_how_the_environment_differs_from_the_lock() {
    let sandbox = Sandbox::new();
    with_environment(&sandbox);
    crate::generations::record(&sandbox, 1, &[("demo", "1.0")]);
    insta::assert_snapshot!(snapshot(&sandbox, "status"), @r"
    exit: 0
    --- stdout ---
    project      p in `[TEMP]/project`
    lock         rocm.toml asks for something else by now: rocmenv lock
    environment  `host`: generation 1 of 2026-11-01T12:00:00Z, 1 package
    verified     not yet: rocmenv verify
    libraries    LD_LIBRARY_PATH leads to 1 folder(s) of the ROCm prefix
    registry     registry of 2026-11-30
    ! rocm.lock is not what is installed (0 to add, 0 to change, 1 to remove): rocmenv sync
    --- stderr ---
    ");
}

#[test]
fn a_misspelt_system_is_told_from_one_that_no_table_has() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "check rocm==10.0 --os ubunut-24.04"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-name]: no system `ubunut-24.04` is known; did you mean `ubuntu-24.04`?
        help: --os ubuntu-24.04
        ");
    let other = rocmenv(&sandbox, "check rocm==10.0 --os gentoo");
    assert_eq!(other.code, 0, "{}", other.snapshot());
    sandbox.write("rocm.toml", "[targets.node]\nos = \"debain-12\"\ngpus = []\n");
    insta::assert_snapshot!(snapshot(&sandbox, "lock --offline"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[unknown-name]: rocm.toml:2: target `node`: no system `debain-12` is known; did you mean `debian-12`?
        help: rocmenv explain unknown-name
        ");
}

/// A release known by name alone, a series of a framework of which no build is known, and a pair on
/// which AMD's documents disagree.
#[test]
fn what_the_tables_of_amd_say_is_told_also_where_little_else_is_known() {
    let sandbox = Sandbox::new();
    for (words, code, part) in [
        ("check rocm==5.3.0 --driver 5.3.0", 0, "listed"),
        ("check rocm==7.2.4 pytorch==2.7 --os ubuntu-22.04", 0, "pytorch 2.7.1"),
        (
            "check rocm==7.1.1 --driver 6.3.3",
            0,
            "AMD's documents disagree on driver 6.3.3 with ROCm 7.1.1",
        ),
    ] {
        let output = rocmenv(&sandbox, words);
        assert_eq!(output.code, code, "{words}\n{}", output.snapshot());
        assert!(output.stdout.contains(part), "{words}\n{}", output.snapshot());
        assert!(!output.stdout.contains("no source"), "{words}\n{}", output.snapshot());
    }
}
