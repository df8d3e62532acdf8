//! What a refusal says, as a product: each case one small world and its text.

use rocmenv_resolver::solve::Interpreter;

use crate::world::{File, World, answer, described, question};

#[test]
fn two_wishes_that_exclude_each_other() {
    let mut world = World::default();
    world.wheel("torch-addon", "1.0", &["numpy<2"]);
    world.wheel("scipy", "1.18", &["numpy>=2.0"]);
    world.wheel("numpy", "1.26", &[]);
    world.wheel("numpy", "2.5", &[]);
    insta::assert_snapshot!(answer(&question(&["torch-addon", "scipy"]), &world), @r"
        [R-unsat]
        rocm.toml:1 asks for torch-addon
        rocm.toml:2 asks for scipy
        scipy 1.18 needs numpy >=2.0 (index `python`)
        torch-addon 1.0 needs numpy <2 (index `python`)
        this would do: drop torch-addon
        this would do: drop scipy
        ");
}

#[test]
fn a_package_that_does_not_exist() {
    let mut world = World::default();
    world.wheel("numpy", "2.5", &[]);
    insta::assert_snapshot!(answer(&question(&["nunpy"]), &world), @r"
    [R-not-found]
    rocm.toml:1 asks for nunpy
    there is no nunpy
    ");
    insta::assert_snapshot!(answer(&question(&["numpy>=3"]), &world), @r"
        [R-not-found]
        rocm.toml:1 asks for numpy >=3
        no numpy is >=3; the newest is 2.5 (index `python`)
        this would do: ask for numpy 2.5
        ");
}

#[test]
fn wheels_for_others() {
    let mut world = World::default();
    for (package, tags) in [
        ("for-old", "cp310-cp310-manylinux_2_28_x86_64"),
        ("for-new-libc", "cp312-cp312-manylinux_2_41_x86_64"),
        ("for-windows", "cp312-cp312-win_amd64"),
    ] {
        let name = format!("{}-1.0-{tags}.whl", package.replace('-', "_"));
        world.file("python", package, File { name, ..File::default() });
    }
    let name = "only_source-1.0.tar.gz".to_owned();
    world.file("python", "only-source", File { name, ..File::default() });
    let name = "bad-1.0-py3-none-any.whl".to_owned();
    let yanked = Some("broken".to_owned());
    world.file("python", "bad", File { name, yanked, ..File::default() });
    world.wheel("cuda-thing", "2.0+cu128", &[]);
    let texts = ["for-old", "for-new-libc", "for-windows", "only-source", "bad", "cuda-thing"]
        .map(|package| answer(&question(&[package]), &world));
    insta::assert_snapshot!(texts.join("\n\n"), @r#"
        [R-no-wheel-for-python]
        rocm.toml:1 asks for for-old
        for-old 1.0 (index `python`): wheels for other Pythons only (cp310)

        [R-libc-too-old]
        rocm.toml:1 asks for for-new-libc
        for-new-libc 1.0 (index `python`): needs glibc 2.41 (the target has 2.39)

        [R-no-wheel-for-platform]
        rocm.toml:1 asks for for-windows
        for-windows 1.0 (index `python`): wheels for other systems only (win_amd64)

        [R-source-only]
        rocm.toml:1 asks for only-source
        only-source 1.0 (index `python`): published as source only; `rocmenv run pip wheel --no-deps --wheel-dir wheels only-source==1.0` makes a wheel of it, and rocm.toml takes it with `only-source = { version = "==1.0", index = "wheels" }` and `wheels = { url = "wheels", kind = "find-links" }` in `[indexes]`

        [R-yanked]
        rocm.toml:1 asks for bad
        bad 1.0 (index `python`): taken back (yanked): broken

        [R-wrong-accelerator]
        rocm.toml:1 asks for cuda-thing
        cuda-thing 2.0+cu128 (index `python`): built for CUDA, not for ROCm
        "#);
}

#[test]
fn another_python_would_do() {
    let mut world = World::default();
    for (version, tag) in [("2.0", "cp313"), ("1.9", "cp311")] {
        let name = format!("thing-{version}-{tag}-{tag}-manylinux_2_28_x86_64.whl");
        world.file("python", "thing", File { name, ..File::default() });
    }
    let mut question = question(&["thing"]);
    question.wants.python = Some(described("3.12".parse().unwrap()));
    question.interpreters = vec![Interpreter::series(12)];
    insta::assert_snapshot!(answer(&question, &world), @r"
        [R-no-wheel-for-python]
        rocm.toml:1 asks for thing
        rocm.toml:9 asks for Python 3.12
        thing 2.0, 1.9 (index `python`): wheels for other Pythons only (cp311, cp313)
        this would do: ask for python 3.13
        ");
}
