//! Tarballs in the layouts of TheRock and of the standalone Python builds.

use std::path::Path;

use crate::archive::{Compression, Entry, missing_parents, tar};

/// Describes a tarball; [`TarballBuilder::build`] makes its bytes.
#[derive(Debug, Clone)]
pub struct TarballBuilder {
    prefix: String,
    entries: Vec<Entry>,
    compression: Compression,
}

impl TarballBuilder {
    /// An empty gzipped tarball.
    pub fn new() -> Self {
        Self { prefix: String::new(), entries: Vec::new(), compression: Compression::Gz }
    }

    /// A small tree with the folders of a TheRock distribution of Linux.
    ///
    /// The layout is that of AMD's release notes: `bin include lib libexec share
    /// clients .kpack` at the top, without a folder around them.
    pub fn therock(version: &str) -> Self {
        Self::new()
            .executable("bin/rocminfo", "#!/bin/sh\necho rocminfo from a fixture\n")
            .executable("bin/hipcc", "#!/bin/sh\necho hipcc from a fixture\n")
            .file("include/hip/hip_version.h", "#pragma once\n")
            .file("lib/libamdhip64.so.7.0", "not an ELF file\n")
            .symlink("lib/libamdhip64.so.7", "libamdhip64.so.7.0")
            .symlink("lib/libamdhip64.so", "libamdhip64.so.7")
            .file(".kpack/blas_lib_gfx1100.kpack", "kernels\n")
            .file(".info/version", format!("{version}\n"))
            .file(
                "share/therock/therock_manifest.json",
                format!("{{\"version\": \"{version}\"}}\n"),
            )
    }

    /// A tree in the layout of python-build-standalone's `install_only` flavours, whose
    /// interpreter is a script that runs `interpreter`, a Python of this machine.
    ///
    /// `version` is `X.Y.Z`. The script keeps the name that it was called by, so that a
    /// virtual environment made over it is found by Python. It needs `bash`.
    pub fn standalone_python(version: &str, interpreter: &Path) -> Self {
        let mut parts = version.split('.');
        let minor = [parts.next(), parts.next()]
            .map(|part| part.expect("a Python version has three parts"))
            .join(".");
        let script = format!("#!/bin/bash\nexec -a \"$0\" {} \"$@\"\n", interpreter.display());
        Self::new()
            .prefix("python/")
            .executable(&format!("bin/python{minor}"), script)
            .symlink("bin/python3", &format!("python{minor}"))
            .symlink("bin/python", &format!("python{minor}"))
            .file(&format!("lib/libpython{minor}.so.1.0"), "not an ELF file\n")
            .file(&format!("include/python{minor}/Python.h"), "\n")
            .file(
                &format!("lib/python{minor}/site-packages/README.txt"),
                "This directory contains packages.\n",
            )
    }

    /// A folder that all members added later lie in, such as `python/`.
    #[must_use]
    pub fn prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.prefix);
        self
    }

    /// A file, its folders with it.
    #[must_use]
    pub fn file(self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        let path = format!("{}{path}", self.prefix);
        self.member(Entry::file(&path, content))
    }

    /// An executable file, its folders with it.
    #[must_use]
    pub fn executable(self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        let path = format!("{}{path}", self.prefix);
        self.member(Entry::executable(&path, content))
    }

    /// A symbolic link, its folders with it.
    #[must_use]
    pub fn symlink(self, path: &str, target: &str) -> Self {
        let path = format!("{}{path}", self.prefix);
        self.member(Entry::symlink(&path, target))
    }

    /// An entry exactly as given.
    #[must_use]
    pub fn entry(mut self, entry: Entry) -> Self {
        self.entries.push(entry);
        self
    }

    /// Another compression than gzip.
    #[must_use]
    pub fn compressed(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// The archive.
    pub fn build(&self) -> Vec<u8> {
        self.compression.compress(&tar(&self.entries))
    }

    fn member(mut self, entry: Entry) -> Self {
        let parents = missing_parents(&self.entries, &entry.path);
        self.entries.extend(parents);
        self.entry(entry)
    }
}

impl Default for TarballBuilder {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::io::Write as _;

    use super::*;
    use crate::archive::tests::{decompress, listing};

    #[test]
    fn layouts() {
        let rocm = TarballBuilder::therock("10.0.0").build();
        insta::assert_snapshot!(listing(&decompress(Compression::Gz, &rocm)), @r"
        Directory 755 bin/
        Regular 755 bin/rocminfo
        Regular 755 bin/hipcc
        Directory 755 include/
        Directory 755 include/hip/
        Regular 644 include/hip/hip_version.h
        Directory 755 lib/
        Regular 644 lib/libamdhip64.so.7.0
        Symlink 777 lib/libamdhip64.so.7 -> libamdhip64.so.7.0
        Symlink 777 lib/libamdhip64.so -> libamdhip64.so.7
        Directory 755 .kpack/
        Regular 644 .kpack/blas_lib_gfx1100.kpack
        Directory 755 .info/
        Regular 644 .info/version
        Directory 755 share/
        Directory 755 share/therock/
        Regular 644 share/therock/therock_manifest.json
        ");
        let python =
            TarballBuilder::standalone_python("3.12.15", Path::new("/usr/bin/python3")).build();
        insta::assert_snapshot!(listing(&decompress(Compression::Gz, &python)), @r"
        Directory 755 python/
        Directory 755 python/bin/
        Regular 755 python/bin/python3.12
        Symlink 777 python/bin/python3 -> python3.12
        Symlink 777 python/bin/python -> python3.12
        Directory 755 python/lib/
        Regular 644 python/lib/libpython3.12.so.1.0
        Directory 755 python/include/
        Directory 755 python/include/python3.12/
        Regular 644 python/include/python3.12/Python.h
        Directory 755 python/lib/python3.12/
        Directory 755 python/lib/python3.12/site-packages/
        Regular 644 python/lib/python3.12/site-packages/README.txt
        ");
    }

    /// The interpreter in a built tree must be one that a virtual environment can stand on.
    #[test]
    #[cfg(unix)]
    fn a_virtual_environment_stands_on_the_standalone_python() {
        let real = Path::new("/usr/bin/python3");
        if !real.exists() {
            let _ = writeln!(std::io::stderr(), "skipped: this machine has no {}", real.display());
            return;
        }
        let sandbox = crate::Sandbox::new();
        let version = sandbox.command(real).args(["-c", PRINT_VERSION]).run().stdout;
        let packed = TarballBuilder::standalone_python(version.trim(), real).build();
        let tree = decompress(Compression::Gz, &packed);
        tar::Archive::new(tree.as_slice()).unpack(sandbox.path("base")).unwrap();
        let home = sandbox.path("base/python/bin");
        sandbox.write("env/pyvenv.cfg", format!("home = {}\n", home.display()));
        fs_err::create_dir_all(sandbox.project().join("env/bin")).unwrap();
        let python = sandbox.project().join("env/bin/python");
        fs_err::os::unix::fs::symlink(home.join("python3"), &python).unwrap();

        let output = sandbox.command(&python).args(["-c", PRINT_PREFIX]).run();
        insta::assert_snapshot!(output.filtered_stdout(), @r"
        [TEMP]/project/env
        [TEMP]/project/env/bin/python
        ");
    }

    #[cfg(unix)]
    const PRINT_VERSION: &str = "import platform; print(platform.python_version())";
    #[cfg(unix)]
    const PRINT_PREFIX: &str = "import sys, json; print(sys.prefix); print(sys.executable)";
}
