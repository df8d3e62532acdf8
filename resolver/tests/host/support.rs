//! Captured machines laid out in a temporary folder.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use rocmenv_resolver::host::{CapturedSysroot, HostFacts, ProbeOptions, probe};
use tempfile::TempDir;

use crate::products::TestProducts;

/// A machine under construction, or unpacked from `tests/data/hosts`.
pub(crate) struct Machine(TempDir);

impl Machine {
    pub(crate) fn empty() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// Unpacks `tests/data/hosts/NAME.txt`.
    pub(crate) fn named(name: &str) -> Self {
        let text = fs::read_to_string(data(&format!("hosts/{name}.txt"))).unwrap();
        let machine = Self::empty();
        let mut entries: Vec<(&str, String)> = Vec::new();
        for line in text.lines() {
            match line.strip_prefix("=== ") {
                Some(heading) => entries.push((heading, String::new())),
                None => writeln!(entries.last_mut().unwrap().1, "{line}").unwrap(),
            }
        }
        for (heading, content) in entries {
            machine.add(heading, &content);
        }
        machine
    }

    /// Adds a file, `PATH -> TARGET` for a link, or `PATH/` for an empty folder.
    pub(crate) fn add(&self, heading: &str, content: &str) -> &Self {
        let (path, target) = match heading.split_once(" -> ") {
            Some((path, target)) => (path, Some(target)),
            None => (heading, None),
        };
        let place = self.0.path().join(path.trim_start_matches('/'));
        if path.ends_with('/') {
            fs::create_dir_all(place).unwrap();
            return self;
        }
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        match target {
            Some(target) => std::os::unix::fs::symlink(target, place).unwrap(),
            None => fs::write(place, content).unwrap(),
        }
        self
    }

    /// Adds the properties of a KFD node.
    pub(crate) fn node(&self, number: u32, properties: &[(&str, u64)]) -> &Self {
        let lines: Vec<_> =
            properties.iter().map(|(key, value)| format!("{key} {value}\n")).collect();
        let path = format!("/sys/class/kfd/kfd/topology/nodes/{number}/properties");
        self.add(&path, &lines.concat())
    }

    pub(crate) fn root(&self) -> CapturedSysroot {
        CapturedSysroot::at(self.0.path()).unwrap()
    }

    pub(crate) fn facts(&self) -> HostFacts {
        let disks = vec![PathBuf::from("/home/me")];
        let options = ProbeOptions { products: &TestProducts, disks, interpreters: true };
        probe(&self.root(), &options)
    }
}

/// A file of `tests/data`.
pub(crate) fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(path)
}
