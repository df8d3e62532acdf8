//! What a lock keeps, and when it is out of date.

use insta::assert_snapshot;
use rocmenv_tests::{WheelBuilder, World};

use super::{GREETING, greeting_after, pass_a_second, rocmenv, served, small, snapshot};

#[test]
fn a_lock_keeps_what_it_had_unless_it_is_asked() {
    let (mut server, sandbox) = greeting_after("lock -q");
    let before = sandbox.read("rocm.lock");
    pass_a_second();
    server.replace(World::new().index(small().wheel(WheelBuilder::new("words", "2.0"))));
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    assert_eq!(sandbox.read("rocm.lock"), before);
    assert_snapshot!(snapshot(&sandbox, "lock --upgrade-package wrods"), @r"
    exit: 2
    --- stdout ---
    --- stderr ---
    error[unknown-package]: `wrods` is not in this project; did you mean `words`?
    help: rocmenv explain unknown-package
    ");
    assert_snapshot!(snapshot(&sandbox, "lock --upgrade-package words"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
    locked 2 packages for `host`: Python [3]
     ~ words 1.1 -> 2.0
    ");
}

#[test]
fn a_lock_that_does_not_fit_is_told_from_one_that_does() {
    let (_server, sandbox) = served(small());
    sandbox.write("rocm.toml", GREETING);
    assert_snapshot!(snapshot(&sandbox, "sync --frozen"), @r"
    exit: 3
    --- stdout ---
    --- stderr ---
    error[no-lock]: no `rocm.lock`
    help: rocmenv lock
    ");
    assert_snapshot!(snapshot(&sandbox, "lock --check"), @r"
    exit: 3
    --- stdout ---
    --- stderr ---
    warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
    would lock 2 packages for `host`: Python [3]
     + greet 1.0
     + words 1.1
    error[lock-outdated]: `rocm.lock` is not up to date
    help: rocmenv lock
    ");
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    assert_snapshot!(snapshot(&sandbox, "lock --check"), @r"
    exit: 0
    --- stdout ---
    --- stderr ---
    rocm.lock is up to date; nothing was written
    ");
    sandbox.write("rocm.toml", format!("{GREETING}words = \"1.0\"\n"));
    assert_snapshot!(snapshot(&sandbox, "sync --locked"), @r"
    exit: 3
    --- stdout ---
    --- stderr ---
    error[lock-outdated]: `rocm.lock` is not up to date
    help: rocmenv lock
    ");
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        warning: target `host`: no AMD GPU is known, so architecture and driver were not checked and no wheels for a GPU were chosen
        locked 2 packages for `host`: Python [3]
         + greet 1.0
         + words 1.0
        made generation 1 for `host`: 2 packages on Python [3]
        ");
}

#[test]
fn a_comment_or_another_order_does_not_make_a_lock_old() {
    let (_server, sandbox) = greeting_after("lock -q");
    sandbox
        .write("rocm.toml", "# why\n[python-packages]\ngreet = \"*\"\n[project]\nname = \"x\"\n");
    assert_eq!(rocmenv(&sandbox, "sync -q --locked").code, 0);
}

#[test]
fn one_target_is_locked_and_the_others_keep_their_bytes() {
    let (mut server, sandbox) = served(small());
    let targets = "[requires]\npython = \"3.12\"\n[targets.a]\nos = \"ubuntu-24.04\"\n\
                   [targets.b]\nos = \"debian-12\"\n";
    sandbox.write("rocm.toml", format!("{GREETING}{targets}"));
    assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
    pass_a_second();
    server.replace(World::new().index(small().wheel(WheelBuilder::new("words", "2.0"))));
    assert_eq!(rocmenv(&sandbox, "lock -q --upgrade --target b").code, 0);
    let lock = sandbox.read("rocm.lock");
    let words: Vec<&str> =
        lock.split("[[package]]").filter(|p| p.contains("\"words\"\nv")).collect();
    assert_eq!(words.len(), 2, "{lock}");
    assert!(words[0].contains("version = \"1.1\"") && words[0].contains("for = [\"a\"]"));
    assert!(words[1].contains("version = \"2.0\"") && words[1].contains("for = [\"b\"]"));
}
