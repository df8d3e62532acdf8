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
    let greet = WheelBuilder::new("greet", "1.0").console_script("greet", "greet:main");
    let greet =
        greet.without_module().file("greet/__init__.py", "def main():\n    print('hello')\n");
    let server = IndexServer::start(World::new().index(Index::new("main").wheel(greet)));
    let mut sandbox = Sandbox::new();
    sandbox.index(&server, "main");
    let (python, series) = machine_python();
    let Some(buildah) = Buildah::new(&sandbox) else {
        skipped(test, "it needs buildah, and to be allowed to mount");
        return;
    };
    buildah.base("rocmenv-base", &base(&sandbox, &python, &series));
    sandbox.write(
        "rocm.toml",
        format!(
            "[project]\nname = \"box\"\n[requires]\npython = \"{series}\"\n\
             [python-packages]\ngreet = \"*\"\n[python]\nsource = \"host\"\n\
             [targets.node]\nos = \"debian-12\"\ngpus = [\"MI300X\"]\ndriver = \"31.50.0\"\n"
        ),
    );
    assert_eq!(rocmenv(&sandbox, &["lock"]).code, 0);
    let base = "localhost/rocmenv-base";
    let words = ["export", "dockerfile", "--base", base, "-o", "Dockerfile"];
    let output = rocmenv(&sandbox, &words);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    for name in ["rocmenv", "rocmenv-shim"] {
        let built = Path::new(env!("CARGO_BIN_EXE_rocmenv")).with_file_name(name);
        let copy = sandbox.project().join(name);
        // a program with its debugging symbols is twice the size; without strip it is only larger
        let stripped = Command::new("strip").arg("-o").arg(&copy).arg(&built).status();
        if !stripped.is_ok_and(|status| status.success()) {
            fs_err::copy(&built, &copy).expect("the sandbox can be written");
        }
    }
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
