//! Bad input: a clear error with its code, and the old environment still runs.

use insta::assert_snapshot;
use rocmenv_tests::{Damage, Fault, Index, IndexServer, Validity, WheelBuilder, World};

use super::{GREETING, greeting_after, pass_a_second, rocmenv, served, small, snapshot};

#[test]
fn a_wrong_hash_is_refused_and_the_old_generation_runs_on() {
    let (mut server, sandbox) = greeting_after("sync -q");
    let bad = small().wheel(WheelBuilder::new("more", "1.0")).lying_hash();
    server.replace(World::new().index(bad));
    sandbox.write("rocm.toml", format!("{GREETING}more = \"*\"\n"));
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 5
    --- stdout ---
    --- stderr ---
    error[hash-mismatch]: `more-1.0-py3-none-any.whl` has sha256 533af5b572f800705626075725457accc06106e89619928015d5a0873da4358b, expected 100ef6a71bac925f709fe9c114c60460bf6e472cfdb9d44bd8adf1698135260f
    help: rocmenv explain hash-mismatch
    ");
    assert_snapshot!(snapshot(&sandbox, "run -q greet"), @r"
    exit: 0
    --- stdout ---
    hello 1.1
    --- stderr ---
    ");
}

#[test]
fn archives_that_leave_their_tree_are_refused_by_name() {
    let evil = WheelBuilder::new("evil", "1.0").damage(Damage::Named("../../outside.py".into()));
    let (_server, sandbox) = served(Index::new("main").wheel(evil));
    sandbox.write("rocm.toml", "[python-packages]\nevil = \"*\"\n");
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 5
    --- stdout ---
    --- stderr ---
    error[archive-refused]: cannot unpack `evil-1.0-py3-none-any.whl`
      caused by: the archive is refused because of its entry `../../outside.py`, which leaves its tree through `..`
    help: rocmenv explain archive-refused
    ");
    assert!(!sandbox.path("outside.py").exists());
}

#[test]
fn a_locked_file_that_is_gone_is_named() {
    let (mut server, sandbox) = greeting_after("lock -q");
    server.replace(
        World::new().index(small()).fault("/words-1.1-py3-none-any.whl", Fault::Status(404)),
    );
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 4
    --- stdout ---
    --- stderr ---
    error[network]: `http://127.0.0.1:[PORT]/main/files/words-1.1-py3-none-any.whl` answered 404 Not Found
    help: rocmenv explain network
    ");
}

#[test]
fn half_a_download_is_finished_by_the_next_try() {
    let (mut server, sandbox) = greeting_after("lock -q");
    server.replace(World::new().index(small()).fault_first(
        1,
        "/words-1.1-py3-none-any.whl",
        Fault::Truncated(200),
    ));
    assert_eq!(rocmenv(&sandbox, "sync -q").code, 0);
    assert_eq!(rocmenv(&sandbox, "run greet").stdout, "hello 1.1\n");
}

#[test]
fn without_a_network_it_says_what_it_would_have_asked() {
    let (_server, sandbox) = served(small());
    sandbox.write("rocm.toml", GREETING);
    assert_snapshot!(snapshot(&sandbox, "lock --offline"), @r"
    exit: 4
    --- stdout ---
    --- stderr ---
    error[network]: cannot get `greet` on index `python`
      caused by: offline: `http://127.0.0.1:[PORT]/main/simple/greet/` is not in the cache
    help: rocmenv explain network
    ");
}

#[test]
fn without_a_server_the_old_generation_runs_on() {
    let (server, sandbox) = greeting_after("sync -q");
    sandbox.write("rocm.toml", format!("{GREETING}more = \"*\"\n"));
    drop(server);
    let output = rocmenv(&sandbox, "sync -q");
    assert_eq!(output.code, 4, "{}", output.snapshot());
    let (first, last) = (output.stderr.lines().next(), output.stderr.lines().last());
    assert_eq!(first, Some("error[network]: cannot get `more` on index `python`"));
    assert_eq!(last, Some("help: rocmenv explain network"));
    assert_eq!(rocmenv(&sandbox, "run -q greet").stdout, "hello 1.1\n");
}

#[test]
fn a_damaged_lock_is_no_lock() {
    let (_server, sandbox) = greeting_after("lock -q");
    let lock = sandbox.read("rocm.lock");
    sandbox.write("rocm.lock", lock.replace("version = 1\n", "version = 9\n"));
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 3
    --- stdout ---
    --- stderr ---
    error[lock-version]: `rocm.lock` has format version 9; this rocmenv reads version 1
    help: use the rocmenv that wrote it, or `rocmenv lock` after removing the file
    ");
    sandbox.write("rocm.lock", &lock[..lock.rfind("[[package]]").unwrap_or(0)]);
    assert_snapshot!(snapshot(&sandbox, "sync --frozen"), @r"
    exit: 5
    --- stdout ---
    --- stderr ---
    error[lock-damaged]: `rocm.lock` is damaged: target `host` has 1 of its 2 packages
    help: git checkout rocm.lock, or `rocmenv lock` after removing the file
    ");
}

#[test]
fn a_lock_that_says_two_things_is_refused_and_the_old_generation_runs_on() {
    let (_server, sandbox) = greeting_after("sync -q");
    let lock = sandbox.read("rocm.lock");
    sandbox.write("rocm.lock", lock.replace("version = \"1.1\"", "version = \"1.0\""));
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 5
    --- stdout ---
    --- stderr ---
    error[lock-damaged]: `rocm.lock` is damaged: `words-1.1-py3-none-any.whl` is no wheel of words 1.0
    help: git checkout rocm.lock, or `rocmenv lock` after removing the file
    ");
    assert_snapshot!(snapshot(&sandbox, "run greet"), @r"
    exit: 0
    --- stdout ---
    hello 1.1
    --- stderr ---
    warning: rocm.lock is not what this environment was made of: rocmenv sync
    ");
}

#[test]
fn a_lie_about_the_size_is_an_integrity_error() {
    let lying = small().wheel(WheelBuilder::new("more", "1.0")).lying_size();
    let (_server, sandbox) = served(lying);
    sandbox.write("rocm.toml", "[python-packages]\nmore = \"*\"\n");
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 5
    --- stdout ---
    --- stderr ---
    error[hash-mismatch]: `more-1.0-py3-none-any.whl` has 853 bytes, expected 854
    help: rocmenv explain hash-mismatch
    ");
}

#[test]
fn an_expired_certificate_is_named_and_the_old_generation_runs_on() {
    let (_server, mut sandbox) = greeting_after("sync -q");
    sandbox.filter(r"verification time \d+ .*", "verification time [NOW]");
    let expired = IndexServer::start_tls(World::new().index(small()), Validity::Expired);
    sandbox.index(&expired, "main");
    sandbox.write("rocm.toml", format!("{GREETING}words = \"==1.0\"\n"));
    assert_snapshot!(snapshot(&sandbox, "sync"), @r"
    exit: 4
    --- stdout ---
    --- stderr ---
    error[network]: cannot get `greet` on index `python`
      caused by: failed to fetch `https://127.0.0.1:[PORT]/main/simple/greet/`
      caused by: error sending request
      caused by: client error (Connect)
      caused by: invalid peer certificate: certificate expired: verification time [NOW]
    help: rocmenv explain network
    ");
    assert_snapshot!(snapshot(&sandbox, "run -q greet"), @r"
    exit: 0
    --- stdout ---
    hello 1.1
    --- stderr ---
    ");
}

#[test]
fn a_source_distribution_is_refused_with_the_way_out() {
    let (_server, sandbox) = served(Index::new("main").sdist("slow", "1.0"));
    sandbox.write("rocm.toml", "[python-packages]\nslow = \"*\"\n");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-source-only]: no set fits target `host`
        rocm.toml:2 asks for slow
        slow 1.0 (index `python`): published as source only; `rocmenv run pip wheel --no-deps --wheel-dir wheels slow==1.0` makes a wheel of it, and rocm.toml takes it with `slow = { version = "==1.0", index = "wheels" }` and `wheels = { url = "wheels", kind = "find-links" }` in `[indexes]`
        help: rocmenv explain R-source-only
        "#);
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    let (_server, sandbox) = served(small());
    sandbox.write(
        "rocm.toml",
        "[requires]\npytorhc = \"*\"\nrocm = \"10.1\"\n[targets.t]\nos = \"ubuntu-24.04\"\n",
    );
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
    exit: 2
    --- stdout ---
    --- stderr ---
    error[unknown-framework]: rocm.toml:2: no framework `pytorhc` is known; did you mean `pytorch`?
    help: rocmenv explain unknown-framework
    ");
    sandbox.write("rocm.toml", "[requires]\nrocm = \"10.1\"\n[targets.t]\nos = \"ubuntu-24.04\"\ngpus = [\"RX 9700 XTX\"]\n");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r"
    exit: 2
    --- stdout ---
    --- stderr ---
    error[unknown-product]: rocm.toml:5: target `t`: no GPU product `RX 9700 XTX` is known; did you mean `AMD Radeon RX 7900 XTX`?
    help: rocmenv matrix gpu
    ");
    sandbox.write("rocm.toml", "[requires]\nrocm = \"11.5\"\n[targets.t]\nos = \"ubuntu-24.04\"\n");
    assert_snapshot!(snapshot(&sandbox, "lock"), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[R-not-found]: no set fits target `t`
        rocm.toml:2 asks for ROCm 11.5
        no ROCm is 11.5; the newest is 10.1.0
        fix 1: ask for rocm 10.1: [requires] rocm = "10.1"
        fix 2: ask for rocm 7.2: [requires] rocm = "7.2"
        help: rocmenv lock --fix 1
        "#);
    sandbox.write("rocm.toml", GREETING);
    assert_snapshot!(snapshot(&sandbox, "sync --target clutser"), @r"
    exit: 3
    --- stdout ---
    --- stderr ---
    error[target-not-locked]: `rocm.lock` has no target `clutser`
    help: --target host
    ");
}

#[test]
fn misspelt_words_of_the_file_are_answered_with_the_nearest() {
    let (_server, sandbox) = served(small());
    let told = |text: &str| {
        sandbox.write("rocm.toml", text);
        let output = rocmenv(&sandbox, "lock");
        assert_eq!(output.stdout, "");
        format!("{} {}", output.code, output.stderr)
    };
    assert_snapshot!(told("[targets.t]\ngpus = [\"gfx9421\"]\n"), @r"
    2 error[unknown-product]: rocm.toml:2: target `t`: no gfx target `gfx9421` is known; did you mean `gfx942`?
    help: rocmenv matrix gpu
    ");
    assert_snapshot!(told("[rocm]\nchannel = \"therok\"\n"), @r"
    2 error[unknown-name]: rocm.toml:2: no channel `therok` is known; did you mean `therock`?
    help: rocmenv explain unknown-name
    ");
    assert_snapshot!(told("[rocm]\ncomponents = [\"runtim\"]\n"), @r"
    2 error[unknown-name]: rocm.toml:2: no component `runtim` is known; did you mean `runtime`?
    help: rocmenv explain unknown-name
    ");
    assert_snapshot!(told("[rocm]\nchanel = \"auto\"\n"), @r"
    2 error[unknown-key]: rocm.toml:2:1: unknown key `chanel` in `[rocm]`; did you mean `channel`?
    help: rocmenv explain unknown-key
    ");
    assert_snapshot!(told("channel = \"host\"\n"), @r"
    2 error[unknown-key]: rocm.toml:1:1: unknown key `channel`; it belongs to `[rocm]`
    help: rocmenv explain unknown-key
    ");
    assert_snapshot!(told("[project]\nexclude-newer = \"2026-11-01\"\n"), @r"
    2 error[unknown-key]: rocm.toml:2:1: unknown key `exclude-newer` in `[project]`; it stands at the top of the file, above all tables
    help: rocmenv explain unknown-key
    ");
    assert_snapshot!(told("[python-packages]\ntorhc = \"*\"\n"), @r"
    1 error[R-not-found]: no set fits target `host`
    rocm.toml:2 asks for torhc
    there is no torhc; did you mean `torch`?
    help: rocmenv remove torhc && rocmenv add torch
    ");
    assert_snapshot!(told("[python-packages\n"), @r"
    2 error[manifest-malformed]: rocm.toml:1:17: unclosed table, expected `]`
    help: rocmenv explain manifest-malformed
    ");
}

#[test]
fn secrets_stay_out_of_output_and_lock() {
    let server = IndexServer::start(World::new().index(small().credentials("someone", "s3cret")));
    let mut sandbox = rocmenv_tests::Sandbox::new();
    let url = server.url("main").replace("://", "://someone:s3cret@");
    sandbox.env("ROCMENV_INDEX_URL", &url);
    sandbox.write("rocm.toml", GREETING);
    let locked = rocmenv(&sandbox, "lock -v");
    assert_eq!(locked.code, 0, "{}", locked.snapshot());
    let synced = rocmenv(&sandbox, "sync -v");
    pass_a_second();
    sandbox.env("ROCMENV_INDEX_URL", &url.replace("s3cret", "wr0ng"));
    let refused = rocmenv(&sandbox, "lock -v --upgrade");
    assert_ne!(refused.code, 0);
    for text in
        [locked.snapshot(), synced.snapshot(), refused.snapshot(), sandbox.read("rocm.lock")]
    {
        assert!(!text.contains("s3cret") && !text.contains("wr0ng"), "{text}");
    }
}
