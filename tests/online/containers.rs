//! The Dockerfile is built and run by buildah, without a GPU and without any registry of images:
//! the base is made of this machine's own files.

use std::path::{Path, PathBuf};
use std::process::Command;

use rocmenv_tests::{Index, IndexServer, Output, Sandbox, WheelBuilder, World, machine_python};

use super::{rocmenv, skipped};

#[test]
fn buildah_builds_the_dockerfile_and_runs_the_image() {
    let test = "buildah_builds_the_dockerfile_and_runs_the_image";
    if !rocmenv_tests::online(test) {
        return;
    }
    let (python, series) = machine_python();
    let (server, sandbox) = greeting(&series);
    let Some(buildah) = Buildah::new(&sandbox) else {
        skipped(test, "it needs buildah, and to be allowed to mount");
        return;
    };
    buildah.base("rocmenv-base", &base(&sandbox, &python, &series));
    greeted(&server, &sandbox, &buildah, "localhost/rocmenv-base");
}

/// The Dockerfile is what a user of Debian gets, apt's lines and all; only the base is not fetched
/// from a registry of images but made by debootstrap of the distribution's own archive.
#[test]
fn buildah_builds_the_dockerfile_on_debian_as_it_is_written() {
    let test = "buildah_builds_the_dockerfile_on_debian_as_it_is_written";
    if !rocmenv_tests::online(test) {
        return;
    }
    // the Python of Debian 12
    let (server, sandbox) = greeting("3.11");
    let (Some(buildah), Some(root)) = (Buildah::new(&sandbox), debian(&sandbox)) else {
        skipped(test, "it needs buildah and debootstrap, and to be allowed to mount");
        return;
    };
    buildah.base("localhost/debian:12", &root);
    greeted(&server, &sandbox, &buildah, "localhost/debian:12");
    let lines = sandbox.read("Dockerfile");
    assert_eq!(lines.matches("apt-get install").count(), 2, "{lines}");
}

/// The same definition, built and run by Apptainer, which Debian has in its unstable suite.
#[test]
fn apptainer_builds_the_definition_on_debian_and_runs_the_image() {
    let test = "apptainer_builds_the_definition_on_debian_and_runs_the_image";
    if !rocmenv_tests::online(test) {
        return;
    }
    let places = ["/usr/bin/apptainer", "/usr/local/bin/apptainer"];
    let Some(program) = places.into_iter().find(|place| Path::new(place).exists()) else {
        skipped(test, "it needs apptainer");
        return;
    };
    let (server, sandbox) = greeting("3.11");
    let apptainer = |words: &[&str]| {
        let limit = std::time::Duration::from_mins(8);
        sandbox.command(program).args(words).limit(limit).run()
    };
    let Some(root) = debian(&sandbox) else {
        skipped(test, "it needs debootstrap");
        return;
    };
    let base = root.display().to_string();
    assert_eq!(rocmenv(&sandbox, &["lock"]).code, 0);
    let output = rocmenv(&sandbox, &["export", "apptainer", "--base", &base, "-o", "box.def"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    programs(&sandbox);
    let pip = format!("[global]\nindex-url = {}\n", server.url("main"));
    fs_err::write(root.join("etc/pip.conf"), pip).expect("the base can be written");
    let output = apptainer(&["build", "box.sif", "box.def"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let output = apptainer(&["run", "box.sif", "greet"]);
    assert_eq!(output.stdout, "hello\n", "{}", output.snapshot());
}

/// A small Debian 12; `None` without debootstrap.
fn debian(sandbox: &Sandbox) -> Option<PathBuf> {
    let program = "/usr/sbin/debootstrap";
    let root = sandbox.path("debian");
    let found = Path::new(program).exists();
    let words = ["--variant=minbase", "bookworm", &root.display().to_string()].map(str::to_owned);
    let limit = std::time::Duration::from_mins(8);
    let paths = "/usr/sbin:/usr/bin:/sbin:/bin";
    let made =
        found.then(|| sandbox.command(program).env("PATH", paths).args(&words).limit(limit).run());
    let made = made.filter(|made| made.code == 0)?;
    assert!(made.stdout.contains("Base system installed"), "{}", made.snapshot());
    // devices that debootstrap made; an image has those of the machine that it runs on
    let removed = fs_err::remove_dir_all(root.join("dev"))
        .and_then(|()| fs_err::create_dir(root.join("dev")));
    removed.ok()?;
    Some(root)
}

/// A project with a program that greets, for a node with Debian 12, and the index that has it.
fn greeting(series: &str) -> (IndexServer, Sandbox) {
    let greet = WheelBuilder::new("greet", "1.0").console_script("greet", "greet:main");
    let greet =
        greet.without_module().file("greet/__init__.py", "def main():\n    print('hello')\n");
    let server = IndexServer::start(World::new().index(Index::new("main").wheel(greet)));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    sandbox.write(
        "rocm.toml",
        format!(
            "[project]\nname = \"box\"\n[requires]\npython = \"{series}\"\n\
             [python-packages]\ngreet = \"*\"\n[python]\nsource = \"host\"\n\
             [targets.node]\nos = \"debian-12\"\ngpus = [\"MI300X\"]\ndriver = \"31.50.0\"\n"
        ),
    );
    (server, sandbox)
}

/// rocmenv and its shim beside the project, as the exported files say.
fn programs(sandbox: &Sandbox) {
    for name in ["rocmenv", "rocmenv-shim"] {
        let built = Path::new(env!("CARGO_BIN_EXE_rocmenv")).with_file_name(name);
        let copy = sandbox.project().join(name);
        // a program with its debugging symbols is twice the size; without strip it is only larger
        let stripped = Command::new("strip").arg("-o").arg(&copy).arg(&built).status();
        if !stripped.is_ok_and(|status| status.success()) {
            fs_err::copy(&built, &copy).expect("the sandbox can be written");
        }
    }
}

/// Exports the Dockerfile on a base, builds it, and runs the program in the image.
fn greeted(server: &IndexServer, sandbox: &Sandbox, buildah: &Buildah<'_>, base: &str) {
    assert_eq!(rocmenv(sandbox, &["lock"]).code, 0);
    let words = ["export", "dockerfile", "--base", base, "-o", "Dockerfile"];
    let output = rocmenv(sandbox, &words);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    programs(sandbox);
    sandbox.write("pip.conf", format!("[global]\nindex-url = {}\n", server.url("main")));
    let secret = "id=pip.conf,src=pip.conf";
    let output =
        buildah.call(&["bud", "--isolation", "chroot", "--secret", secret, "-t", "box", "."]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let from = buildah.call(&["from", "localhost/box"]);
    let run = ["run", "--isolation", "chroot", from.stdout.trim(), "--"];
    let call = ["rocmenv", "--project", "/app", "--target", "node", "run", "greet"];
    let output = buildah.call(&[&run[..], &call].concat());
    assert_eq!(output.stdout, "hello\n", "{}", output.snapshot());
    // the store stayed behind in the first stage
    let output = buildah.call(&[&run[..], &["sh", "-c", "echo /opt/rocmenv/store/v1/*"]].concat());
    assert_eq!(output.stdout, "/opt/rocmenv/store/v1/python\n", "{}", output.snapshot());
}

/// buildah with its images in the sandbox.
struct Buildah<'s> {
    sandbox: &'s Sandbox,
}

impl<'s> Buildah<'s> {
    /// `None` where it is not there or may not work here.
    fn new(sandbox: &'s Sandbox) -> Option<Self> {
        let found = Path::new("/usr/bin/buildah").exists();
        let buildah = found.then_some(Self { sandbox })?;
        (buildah.call(&["from", "--name", "probe", "scratch"]).code == 0).then_some(buildah)
    }

    fn call(&self, words: &[&str]) -> Output {
        let place = |name: &str| self.sandbox.path(name).display().to_string();
        let own = ["--root", &place("images"), "--runroot", &place("containers")];
        let limit = std::time::Duration::from_mins(5);
        let program = "/usr/bin/buildah";
        let run = self.sandbox.command(program).args(own).args(["--storage-driver", "vfs"]);
        run.args(words).limit(limit).run()
    }

    /// An image of a folder.
    fn base(&self, name: &str, folder: &Path) {
        let folder = folder.display().to_string();
        for words in [
            &["from", "--name", "base", "scratch"][..],
            &["copy", "-q", "base", &folder, "/"],
            &["commit", "-q", "--rm", "base", name],
        ] {
            let output = self.call(words);
            assert_eq!(output.code, 0, "{}", output.snapshot());
        }
    }
}

/// A small system: a shell, the C library, and Python with its own library.
fn base(sandbox: &Sandbox, python: &Path, series: &str) -> PathBuf {
    let root = sandbox.path("base");
    let libraries = "usr/lib/x86_64-linux-gnu";
    for folder in ["bin", "usr/bin", libraries, "lib64", "tmp", "etc", "var/cache"] {
        fs_err::create_dir_all(root.join(folder)).expect("the sandbox can be written");
    }
    std::os::unix::fs::symlink("usr/lib", root.join("lib")).expect("a link");
    let copy = |from: &str, to: &str| {
        fs_err::copy(from, root.join(to)).unwrap_or_else(|error| panic!("{error}"));
    };
    copy("/bin/sh", "bin/sh");
    copy(&python.display().to_string(), &format!("usr/bin/python{series}"));
    std::os::unix::fs::symlink(format!("python{series}"), root.join("usr/bin/python3"))
        .expect("a link");
    copy("/lib64/ld-linux-x86-64.so.2", "lib64/ld-linux-x86-64.so.2");
    for library in ["libc.so.6", "libm.so.6", "libz.so.1", "libexpat.so.1", "libgcc_s.so.1"] {
        copy(&format!("/lib/x86_64-linux-gnu/{library}"), &format!("{libraries}/{library}"));
    }
    copy("/etc/os-release", "etc/os-release");
    // the certificates that a base image gets with its first packages
    let certificates = "etc/ssl/certs/ca-certificates.crt";
    fs_err::create_dir_all(root.join("etc/ssl/certs")).expect("the sandbox can be written");
    copy(&format!("/{certificates}"), certificates);
    let status = Command::new("cp")
        .arg("-r")
        .arg(format!("/usr/lib/python{series}"))
        .arg(root.join("usr/lib"))
        .status();
    assert!(status.expect("cp runs").success());
    root
}
