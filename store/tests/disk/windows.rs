//! The layout of an environment for Windows, made on this system: every file of it.

use fs_err as fs;
use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_store::generation::EnvWriter;

use crate::support::{Sandbox, Tarred, Wheel, gzip, paths_below, tar_of};

#[test]
fn the_layout_is_the_targets() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let wheel = Wheel::new("pkg")
        .file("pkg/__init__.py", "")
        .file("pkg-1.0.data/scripts/tool", "#!python\nprint()\n")
        .file("pkg-1.0.data/headers/pkg.h", "#define PKG 1\n")
        .file("pkg-1.0.data/data/lib/site-packages/beside.txt", "case tells nothing apart\n")
        .file("pkg-1.0.dist-info/entry_points.txt", "[gui_scripts]\nview = pkg:main\n");
    let sdk = Wheel::new("sdk").file("_sdk/bin/amdhip64_7.dll", "the runtime\n");
    let prefix = [
        Tarred::File("bin/hipcc.exe", b"a program\n", 0o755),
        Tarred::File("bin/amdhip64_7.dll", b"the runtime\n", 0o644),
        Tarred::File("lib/amdhip64.lib", b"for the linker\n", 0o644),
    ];
    let tarball = sandbox.object(&store, ArtifactKind::Tarball, "rocm", &gzip(&tar_of(&prefix)));
    let objects = vec![sandbox.wheel(&store, &wheel), sandbox.wheel(&store, &sdk), tarball];
    let mut request = Sandbox::request(objects);
    request.spec.system = OsFamily::Windows;
    request.spec.launcher = Some(sandbox.path("rocmenv-shim.exe"));
    fs::write(sandbox.path("rocmenv-shim.exe"), "the launcher").unwrap();
    let redirectors = sandbox.path("python/Lib/venv/scripts/nt");
    fs::create_dir_all(&redirectors).unwrap();
    fs::write(redirectors.join("python.exe"), "finds its base").unwrap();
    request.spec.python = Some(Interpreter {
        version: "3.12.7".to_owned(),
        path: sandbox.path("python/python.exe").display().to_string(),
        source: "host".to_owned(),
    });
    let writer = EnvWriter::lock(sandbox.env()).unwrap();
    let new = writer.begin(store.layout()).unwrap();
    new.build(&store, &request, &|_| ()).unwrap();

    insta::assert_snapshot!(paths_below(&new.place().env()).join("\n"), @r"
        Lib/site-packages/_sdk/bin/amdhip64_7.dll
        Lib/site-packages/beside.txt
        Lib/site-packages/pkg-1.0.dist-info/INSTALLER
        Lib/site-packages/pkg-1.0.dist-info/METADATA
        Lib/site-packages/pkg-1.0.dist-info/RECORD
        Lib/site-packages/pkg-1.0.dist-info/WHEEL
        Lib/site-packages/pkg-1.0.dist-info/entry_points.txt
        Lib/site-packages/pkg/__init__.py
        Lib/site-packages/sdk-1.0.dist-info/INSTALLER
        Lib/site-packages/sdk-1.0.dist-info/METADATA
        Lib/site-packages/sdk-1.0.dist-info/RECORD
        Lib/site-packages/sdk-1.0.dist-info/WHEEL
        Scripts/python.exe
        Scripts/tool-script.py
        Scripts/tool.exe
        Scripts/view-script.pyw
        Scripts/view.exe
        include/site/python3.12/pkg/pkg.h
        pyvenv.cfg
        ");
    let text = |path| fs::read_to_string(new.place().env().join(path)).unwrap();
    assert_eq!(text("Scripts/python.exe"), "finds its base");
    assert_eq!(text("Scripts/tool.exe"), "the launcher");
    let root = new.place().root().display().to_string();
    let activation = fs::read_to_string(new.place().activation()).unwrap();
    insta::assert_snapshot!(activation.replace(&root, "[ROOT]"), @r"
        rocmenv-activation 1
        [ROOT]
        set ROCM_PATH [ROOT]/rocm
        set HIP_PATH [ROOT]/rocm
        prepend CMAKE_PREFIX_PATH [ROOT]/rocm
        prepend PATH [ROOT]/rocm/bin
        prepend PATH [ROOT]/env/Lib/site-packages/_sdk/bin
        set VIRTUAL_ENV [ROOT]/env
        prepend PATH [ROOT]/env/Scripts
        unset PYTHONHOME
        set PIP_CONSTRAINT [ROOT]/constraints.txt
        set UV_CONSTRAINT [ROOT]/constraints.txt
        ");
}
