//! What changed, and which generation broke something.

use crate::Project;

#[test]
fn what_changes_is_said_of_generations_and_of_locks() {
    let project = Project::with_two_generations();
    insta::assert_snapshot!(project.snapshot("generations diff 1 2"), @r"
        exit: 0
        --- stdout ---
         ~ demo 1.0 -> 2.0
         + extra 0.1
        --- stderr ---
        ");
    assert_eq!(
        project.json("generations diff 1 2")["difference"]["plan"]["add"][0]["name"],
        "extra"
    );
    insta::assert_snapshot!(project.snapshot("lock diff"), @r"
        exit: 0
        --- stdout ---
        the same 2 packages
        --- stderr ---
        ");
    project.ask("demo = \"==2.0\"", "");
    assert_eq!(project.call("lock").code, 0);
    insta::assert_snapshot!(project.snapshot("lock diff"), @r"
        exit: 0
        --- stdout ---
         - extra 0.1
        --- stderr ---
        ");
    let old = ".rocmenv/host/generations/1/rocm.lock";
    insta::assert_snapshot!(project.snapshot(&format!("lock diff {old}")), @r"
        exit: 0
        --- stdout ---
         ~ demo 1.0 -> 2.0
        --- stderr ---
        ");
}

#[test]
fn the_generation_that_broke_it_is_found_where_it_lies() {
    let project = Project::with_two_generations();
    project.sync("demo = \"==2.0\"");
    project.sync("demo = \"==2.0\"\nbroken = \"*\"");
    let bisect = |words: &[&str]| {
        let words = ["bisect"].into_iter().chain(words.iter().copied());
        project.sandbox.command(env!("CARGO_BIN_EXE_rocmenv")).args(words).run().snapshot()
    };
    let is_old = "import demo; assert demo.__version__ == '1.0', 'demo is too new'";
    insta::assert_snapshot!(bisect(&["--", "python", "-B", "-c", is_old]), @r"
        exit: 0
        --- stdout ---
        generation 2 broke it (1 works):
         ~ demo 1.0 -> 2.0
         + extra 0.1
        --- stderr ---
        generation 4: bad (code 1: AssertionError: demo is too new)
        generation 1: good
        generation 3: bad (code 1: AssertionError: demo is too new)
        generation 2: bad (code 1: AssertionError: demo is too new)
        ");
    // What cannot be told is passed over and named.
    let unsure = "import demo, importlib.util as u, sys\n\
                  sys.exit(125 if u.find_spec('extra') else demo.__version__ != '1.0')";
    insta::assert_snapshot!(bisect(&["python", "-B", "-c", unsure]), @r"
        exit: 0
        --- stdout ---
        generation 3 broke it (1 works):
         ~ demo 1.0 -> 2.0
        --- stderr ---
        generation 4: bad (code 1)
        generation 1: good
        generation 3: bad (code 1)
        generation 2: cannot tell (code 125)
        warning: the command could not tell in generation 2, so it may have been there already
        ");
    insta::assert_snapshot!(bisect(&["--good", "3", "python", "-B", "-c", is_old]), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        generation 4: bad (code 1: AssertionError: demo is too new)
        generation 3: bad (code 1: AssertionError: demo is too new)
        error[bisect-ends]: generation 3 should be good, and the command fails in it
        help: name one that works: `--good N` (see `rocmenv generations`)
        ");
    insta::assert_snapshot!(bisect(&[]), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[bisect-command]: no command was given and rocm.toml has none in `[verify]`
        help: rocmenv bisect -- python test.py
        ");
    assert_eq!(project.json("status")["environment"]["generation"], 4, "nothing was switched");
}

#[test]
fn the_commands_of_rocm_toml_tell_where_none_is_given() {
    let project = Project::with_two_generations();
    let verify = "\n[verify]\ncommands = [\"python -B -c 'import demo; assert demo.__version__ < str(2)'\"]\n";
    project.ask("demo = \"==2.0\"\nextra = \"*\"", verify);
    insta::assert_snapshot!(project.snapshot("bisect"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[not-allowed]: nobody has allowed the commands of this rocm.toml to be run
        help: rocmenv bisect --yes
        ");
    let found = project.json("bisect --yes");
    assert_eq!((&found["good"], &found["bad"]), (&1.into(), &2.into()));
}

#[test]
fn a_kernel_update_is_answered_before_it_is_made() {
    let project = Project::new();
    let host = project.sandbox.write("node.json", NODE);
    project.sandbox.write("rocm.toml", "[project]\n\n[requires]\nrocm = \"7.2\"\n");
    let ask = |kernel: &str| {
        project.snapshot(&format!("--host {} check --kernel {kernel}", host.display()))
    };
    insta::assert_snapshot!(ask("6.17.0-5-generic"), @r"
        exit: 0
        --- stdout ---
        this host with kernel 6.17.0-5-generic: yes, ROCm 7.2.4 (classic): listed

          VERDICT  WHAT                                 WITH        SOURCE                     WHY
          listed   driver 30.20.1                       ROCm 7.2.4  ad-matrix-10.0 il-ukm-7.2  a document lists it
          listed   AMD Instinct MI300X on ubuntu-24.04  ROCm 7.2.4  lg-matrix-7.2              OS set differs per GPU, see os-support.toml
          listed   ubuntu-24.04                         ROCm 7.2.4  lg-matrix-7.2              a document lists it
          amdgpu-dkms 30.20.1 was seen to build for kernel 6.17.0-5-generic (reporter)
          not described, so not checked: Python (--python)
        --- stderr ---
        registry of [DATE]
        ");
    insta::assert_snapshot!(ask("6.8.0-90-generic"), @r"
        exit: 0
        --- stdout ---
        this host with kernel 6.8.0-90-generic: yes, ROCm 7.2.4 (classic): listed

          VERDICT  WHAT                                 WITH        SOURCE                     WHY
          listed   driver 30.20.1                       ROCm 7.2.4  ad-matrix-10.0 il-ukm-7.2  a document lists it
          listed   AMD Instinct MI300X on ubuntu-24.04  ROCm 7.2.4  lg-matrix-7.2              OS set differs per GPU, see os-support.toml
          listed   ubuntu-24.04                         ROCm 7.2.4  lg-matrix-7.2              a document lists it
          amdgpu-dkms 6.16.6-2255209 is built for kernel 6.8.0-90-generic already
          not described, so not checked: Python (--python)
        --- stderr ---
        registry of [DATE]
        ");
    insta::assert_snapshot!(ask("newest"), @r#"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[fact-invalid]: a kernel release begins with numbers, such as `6.8`, not `newest`
        help: rocmenv check --kernel "$(uname -r)"
        "#);
}

/// A node with AMD's own driver.
const NODE: &str = r#"{
    "schema": 1,
    "os": { "family": "linux", "release": "ubuntu-24.04" },
    "kernel": { "release": "6.8.0-45-generic" },
    "driver": { "flavour": "dkms", "release": "30.20.1", "dkms": [
        { "version": "6.16.6-2255209", "has-source": true,
          "kernels": ["6.8.0-45-generic", "6.8.0-90-generic"] } ] },
    "gpus": [ { "gfx": "gfx942", "product": "AMD Instinct MI300X" } ]
}"#;
