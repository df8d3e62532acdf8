//! Environments that a real interpreter runs.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;

use fs_err as fs;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_store::environment::{EnvSpec, LocalProject, build, compile, strangers};
use rocmenv_store::generation::EnvWriter;
use rocmenv_store::layout::{GenerationLayout, StoreLayout};
use rocmenv_store::object::Store;
use rocmenv_store::wheel::EntryPoint;

use crate::support::{Sandbox, Tarred, Wheel, deb_of, gzip, host_python, paths_below, tar_of};

fn run(program: &Path, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .env_remove("PYTHONPATH")
        .env_remove("PYTHONHOME")
        .output()
        .unwrap();
    let (out, err) = (output.stdout, String::from_utf8_lossy(&output.stderr).into_owned());
    assert!(output.status.success(), "{} {arguments:?}: {err}", program.display());
    String::from_utf8(out).unwrap().trim().to_owned()
}

fn package() -> Wheel {
    Wheel::new("pkg")
        .file("pkg/__init__.py", "from pkg.core import answer\n")
        .file("pkg/core.py", "answer = 42\ndef main():\n    print('main', answer)\n")
        .file("pkg/template.py", "this is {{ no }} Python\n")
        .file("pkg-1.0.data/purelib/other.py", "place = 'purelib'\n")
        .file("pkg-1.0.data/scripts/tool", "#!python\nimport pkg\nprint('tool', pkg.answer)\n")
        .file("pkg-1.0.data/data/share/pkg/data.txt", "data\n")
        .file("pkg-1.0.data/headers/pkg.h", "#define PKG 1\n")
        .file("pkg-1.0.dist-info/entry_points.txt", "[console_scripts]\nrunpkg = pkg.core:main\n")
        .file("late.pth", "import sys; sys.rocmenv_pth = True\n")
}

#[test]
fn a_wheel_is_imported_and_its_scripts_run() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let wheel = sandbox.wheel(&store, &package());
    let mut request = Sandbox::request(vec![wheel]);
    request.spec.bytecode = compile(&store, &host_python(), &request.spec.objects).unwrap();
    let source = sandbox.path("project/src");
    fs::create_dir(&source).unwrap();
    fs::write(source.join("mine.py"), "def run(): print('mine')\n").unwrap();
    let script = EntryPoint { name: "mine".into(), module: "mine".into(), attribute: "run".into() };
    request.spec.project = Some(LocalProject { name: "x".into(), source, scripts: vec![script] });
    let writer = EnvWriter::lock(sandbox.env()).unwrap();
    let new = writer.begin(store.layout()).unwrap();
    new.build(&store, &request, &|_| ()).unwrap();
    let env = new.place().env();
    let python = env.join("bin/python");

    assert_eq!(
        run(&python, &["-c", "import pkg, other; print(pkg.answer, other.place)"]),
        "42 purelib"
    );
    assert_eq!(run(&python, &["-c", "import sys; print(sys.prefix)"]), env.to_string_lossy());
    assert_eq!(run(&python, &["-c", "import sys; print(sys.rocmenv_pth)"]), "True");
    let cached = run(&python, &["-c", "import pkg.core; print(pkg.core.__cached__)"]);
    assert!(Path::new(&cached).exists(), "{cached}");
    assert_eq!(run(&env.join("bin/tool"), &[]), "tool 42");
    assert_eq!(run(&env.join("bin/runpkg"), &[]), "main 42");
    assert_eq!(run(&env.join("bin/mine"), &[]), "mine");
    let listed = "import importlib.metadata as m; d = m.distribution('pkg'); \
                  missing = [str(f) for f in d.files if not f.locate().exists()]; \
                  print(d.read_text('INSTALLER').strip(), len(d.files), missing)";
    assert_eq!(run(&python, &["-c", listed]), "rocmenv 17 []");

    let inode = |path: &str| {
        let series = host_python().version;
        let series: Vec<_> = series.split('.').collect();
        let site = format!("lib/python{}.{}/site-packages", series[0], series[1]);
        fs::metadata(env.join(site).join(path)).unwrap().nlink()
    };
    assert!(inode("pkg/core.py") > 1, "linked");
    assert_eq!(inode("pkg-1.0.dist-info/METADATA"), 1, "copied");
    assert_eq!(inode("late.pth"), 1, "copied");
}

#[test]
fn two_packages_with_different_files_at_one_place_are_named() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let one = sandbox.wheel(&store, &Wheel::new("a").file("ns/__init__.py", "").file("x.py", "1"));
    let two = sandbox.wheel(&store, &Wheel::new("b").file("ns/__init__.py", "").file("x.py", "2"));
    let writer = EnvWriter::lock(sandbox.env()).unwrap();
    let new = writer.begin(store.layout()).unwrap();
    let error = new.build(&store, &Sandbox::request(vec![one, two]), &|_| ()).unwrap_err();
    let series = host_python().version;
    let series = series.rsplit_once('.').unwrap().0;
    assert_eq!(
        error.to_string().replace(series, "X.Y"),
        "packages bring different files to 1 place(s): \
         `env/lib/pythonX.Y/site-packages/x.py` comes with `a` and with `b`"
    );
}

#[test]
fn packages_and_tarballs_become_a_prefix_with_its_variables() {
    use Tarred::{File, Symlink};
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let library = deb_of(&tar_of(&[
        File("./usr/lib/x86_64-linux-gnu/libamdhip64.so.5", b"elf", 0o644),
        File("./usr/share/doc/libamdhip64-5/copyright", b"c", 0o644),
    ]));
    let program = deb_of(&gzip(&tar_of(&[
        File("./usr/bin/rocminfo", b"#!/bin/sh\necho rocminfo\n", 0o755),
        Symlink("./usr/lib/x86_64-linux-gnu/libamdhip64.so", "libamdhip64.so.5"),
    ])));
    let objects = vec![
        sandbox.object(&store, ArtifactKind::Deb, "libamdhip64-5", &library),
        sandbox.object(&store, ArtifactKind::Deb, "rocminfo", &program),
    ];
    let place = GenerationLayout::at(sandbox.path("generation"));
    fs::create_dir(place.root()).unwrap();
    let spec = EnvSpec { objects, ..EnvSpec::default() };
    let built = build(&store, &place, &spec, &|_| ()).unwrap();
    assert_eq!(
        paths_below(place.root()),
        [
            "rocm/usr/bin/rocminfo",
            "rocm/usr/lib/x86_64-linux-gnu/libamdhip64.so",
            "rocm/usr/lib/x86_64-linux-gnu/libamdhip64.so.5",
            "rocm/usr/share/doc/libamdhip64-5/copyright",
        ]
    );
    let root = place.root().to_string_lossy().into_owned();
    insta::assert_snapshot!(built.activation.to_text().replace(&root, "GEN"), @r"
    rocmenv-activation 1
    GEN
    set ROCM_PATH GEN/rocm/usr
    set HIP_PATH GEN/rocm/usr
    prepend CMAKE_PREFIX_PATH GEN/rocm/usr
    prepend PATH GEN/rocm/usr/bin
    prepend LD_LIBRARY_PATH GEN/rocm/usr/lib/x86_64-linux-gnu
    prepend LIBRARY_PATH GEN/rocm/usr/lib/x86_64-linux-gnu
    ");
    assert_eq!(run(&place.rocm().join("usr/bin/rocminfo"), &[]), "rocminfo");
}

#[test]
fn the_rocm_archive_is_installed_without_its_setup() {
    use Tarred::File;
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let archive = gzip(&tar_of(&[
        File("rocm-10.0.0/PKG-INFO", b"Metadata-Version: 2.1\nName: rocm\nVersion: 1.0\n", 0o644),
        File("rocm-10.0.0/setup.py", b"raise SystemExit('setup was run')\n", 0o644),
        File("rocm-10.0.0/src/rocm_sdk/__init__.py", b"", 0o644),
        File("rocm-10.0.0/src/rocm_sdk/__main__.py", b"def main(): print('sdk')\n", 0o644),
        File(
            "rocm-10.0.0/src/rocm.egg-info/entry_points.txt",
            b"[console_scripts]\nrocm-sdk = rocm_sdk.__main__:main\n",
            0o644,
        ),
    ]));
    let object = sandbox.object(&store, ArtifactKind::RocmMeta, "rocm", &archive);
    let place = GenerationLayout::at(sandbox.path("generation"));
    fs::create_dir(place.root()).unwrap();
    let spec = EnvSpec { python: Some(host_python()), objects: vec![object], ..EnvSpec::default() };
    build(&store, &place, &spec, &|_| ()).unwrap();
    assert_eq!(run(&place.env().join("bin/rocm-sdk"), &[]), "sdk");
    let version = "import importlib.metadata as m; print(m.version('rocm'))";
    assert_eq!(run(&place.env().join("bin/python"), &["-c", version]), "1.0");
}

#[test]
fn what_somebody_else_installed_is_listed() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let place = GenerationLayout::at(sandbox.path("generation"));
    fs::create_dir(place.root()).unwrap();
    let objects = vec![sandbox.wheel(&store, &package())];
    let spec = EnvSpec { python: Some(host_python()), objects, ..EnvSpec::default() };
    build(&store, &place, &spec, &|_| ()).unwrap();
    assert_eq!(strangers(&place).unwrap(), []);
    let site = paths_below(&place.env()).into_iter().find(|path| path.ends_with("late.pth"));
    let info = place.env().join(site.unwrap()).with_file_name("left_pad-2.1.dist-info");
    fs::create_dir(&info).unwrap();
    fs::write(info.join("INSTALLER"), "pip\n").unwrap();
    let found = strangers(&place).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((&*found[0].name, &*found[0].version), ("left_pad", "2.1"));
    assert_eq!(found[0].installer.as_deref(), Some("pip"));
}

#[test]
fn a_store_of_somebody_else_is_linked_by_symbolic_links_where_hard_ones_are_impossible() {
    let sandbox = Sandbox::new();
    let wheel = Wheel::new("pkg").file("pkg.py", "x = 1\n");
    let foreign = {
        let store = sandbox.store.in_use().unwrap();
        let object = sandbox.wheel(&store, &wheel);
        store.seal(std::slice::from_ref(&object)).unwrap();
        object.digest
    };
    let layer = sandbox.store.layout().clone();
    // Another file system, so that no hard link is possible.
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else { return };
    let own = Store::open(StoreLayout::new(&other.path().join("data")), vec![layer]).unwrap();
    let store = own.in_use().unwrap();
    let object = store.find(&foreign).unwrap().unwrap();
    assert!(object.foreign);
    let mine = sandbox.wheel(&store, &Wheel::new("mine").file("mine.py", "x = 2\n"));
    let place = GenerationLayout::at(other.path().join("generation"));
    fs::create_dir(place.root()).unwrap();
    let objects = vec![object, mine];
    let spec = EnvSpec { python: Some(host_python()), objects, ..EnvSpec::default() };
    let built = build(&store, &place, &spec, &|_| ()).unwrap();
    let used: Vec<_> = built.links.iter().map(|count| count.mode.as_str()).collect();
    assert_eq!(used, ["hardlink", "symlink"]);
    let script = "import pkg, mine; print(pkg.x, mine.x)";
    assert_eq!(run(&place.env().join("bin/python"), &["-B", "-c", script]), "1 2");
}

#[test]
fn wheels_without_an_interpreter_are_refused() {
    let sandbox = Sandbox::new();
    let store = sandbox.store.in_use().unwrap();
    let objects = vec![sandbox.wheel(&store, &package())];
    let place = GenerationLayout::at(sandbox.path("generation"));
    fs::create_dir(place.root()).unwrap();
    let spec = EnvSpec { objects, ..EnvSpec::default() };
    let error = build(&store, &place, &spec, &|_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`pkg` is a Python package, and the environment has no interpreter"
    );
}
