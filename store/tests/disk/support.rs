//! Archives made in memory, and a store in a folder of its own.

use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::name::{EnvName, IndexName, TargetName};
use rocmenv_manifests::plan::Artifact;
use rocmenv_store::environment::EnvSpec;
use rocmenv_store::generation::Request;
use rocmenv_store::layout::{EnvLayout, StoreLayout};
use rocmenv_store::object::{InUse, Object, Store};
use rocmenv_store::wheel::RecordWriter;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

/// A store, a project and a place for archives, gone at the end of the test.
pub(crate) struct Sandbox {
    pub(crate) folder: TempDir,
    pub(crate) store: Store,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(StoreLayout::new(&folder.path().join("data")), vec![]).unwrap();
        fs::create_dir(folder.path().join("project")).unwrap();
        fs::create_dir(folder.path().join("archives")).unwrap();
        Self { folder, store }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn env(&self) -> EnvLayout {
        EnvLayout::new(&self.path("project"), &TargetName::host(), &EnvName::default_env())
    }

    /// Writes an archive and says what it is.
    pub(crate) fn archive(
        &self,
        kind: ArtifactKind,
        name: &str,
        file: &str,
        bytes: &[u8],
    ) -> (PathBuf, Artifact) {
        let path = self.path("archives").join(file);
        fs::write(&path, bytes).unwrap();
        (path, artifact(kind, name, file, bytes))
    }

    /// The object of an archive.
    pub(crate) fn object(
        &self,
        store: &InUse<'_>,
        kind: ArtifactKind,
        name: &str,
        bytes: &[u8],
    ) -> Object {
        let (path, artifact) = self.archive(kind, name, &format!("{name}.archive"), bytes);
        store.ensure(&path, &artifact, &|_| ()).unwrap()
    }

    pub(crate) fn wheel(&self, store: &InUse<'_>, wheel: &Wheel) -> Object {
        self.object(store, ArtifactKind::Wheel, &wheel.name, &wheel.bytes())
    }

    pub(crate) fn request(objects: Vec<Object>) -> Request {
        let artifacts = objects
            .iter()
            .map(|object| Artifact {
                sha256: Some(object.digest),
                ..artifact(object.manifest.kind, &object.manifest.name, "x", b"")
            })
            .collect();
        Request {
            target: TargetName::host(),
            env: EnvName::default_env(),
            groups: vec![],
            created: "2026-11-30T00:00:00Z".to_owned(),
            artifacts,
            managed_python: None,
            python_objects: vec![],
            spec: EnvSpec { python: Some(host_python()), objects, ..EnvSpec::default() },
            project_file: b"[project]\nname = \"x\"\n".to_vec(),
            lock_file: b"version = 1\n".to_vec(),
            gates: vec![],
            warnings: vec![],
        }
    }
}

pub(crate) fn artifact(kind: ArtifactKind, name: &str, file: &str, bytes: &[u8]) -> Artifact {
    Artifact {
        name: name.to_owned(),
        version: "1.0".to_owned(),
        index: IndexName::python(),
        kind,
        file: file.to_owned(),
        sha256: Some(Sha256::of(bytes)),
        size: Some(bytes.len() as u64),
    }
}

/// The interpreter that runs as `python3` here.
pub(crate) fn host_python() -> Interpreter {
    let script = "import sys, platform, os; \
                  print(os.path.realpath(sys.executable)); print(platform.python_version())";
    let said = std::process::Command::new("python3").args(["-c", script]).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let (path, version) = said.trim().split_once('\n').unwrap();
    Interpreter { version: version.into(), path: path.into(), source: "host".into() }
}

/// A wheel that keeps the rules, unless a test breaks them.
pub(crate) struct Wheel {
    pub(crate) name: String,
    files: Vec<(String, Vec<u8>, u32)>,
    record: Option<String>,
}

impl Wheel {
    pub(crate) fn new(name: &str) -> Self {
        let wheel = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n\
                     Tag: py3-none-any\n";
        Self { name: name.to_owned(), files: vec![], record: None }
            .file(&format!("{name}-1.0.dist-info/WHEEL"), wheel)
            .file(
                &format!("{name}-1.0.dist-info/METADATA"),
                &format!("Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"),
            )
    }

    pub(crate) fn file(self, path: &str, content: &str) -> Self {
        self.file_with(path, content.as_bytes(), 0o644)
    }

    pub(crate) fn file_with(mut self, path: &str, content: &[u8], mode: u32) -> Self {
        self.files.push((path.to_owned(), content.to_vec(), mode));
        self
    }

    pub(crate) fn record(mut self, text: &str) -> Self {
        self.record = Some(text.to_owned());
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let record = format!("{}-1.0.dist-info/RECORD", self.name);
        let mut rows = RecordWriter::default();
        for (path, content, _) in &self.files {
            rows.file(path, &Sha256::of(content), content.len() as u64);
        }
        rows.bare(&record);
        let text = self.record.clone().unwrap_or_else(|| rows.into_text());
        let mut files = self.files.clone();
        files.push((record, text.into_bytes(), 0o644));
        zip_of(&files)
    }
}

/// A zip archive of paths, contents and modes, however bad.
pub(crate) fn zip_of(files: &[(String, Vec<u8>, u32)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content, _) in files {
        let options = SimpleFileOptions::default().unix_permissions(0o644);
        zip.start_file(path.as_str(), options).unwrap();
        zip.write_all(content).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    // The writer keeps only the permissions of a mode, so the directory is patched.
    let is_record = |at: &usize| bytes[*at..].starts_with(b"PK\x01\x02");
    let records: Vec<usize> = (0..bytes.len()).filter(is_record).collect();
    assert_eq!(records.len(), files.len());
    for (at, (_, _, mode)) in records.into_iter().zip(files) {
        bytes[at + 5] = 3;
        bytes[at + 38..at + 42].copy_from_slice(&(mode << 16).to_le_bytes());
    }
    bytes
}

/// One entry of a tarball.
pub(crate) enum Tarred<'t> {
    File(&'t str, &'t [u8], u32),
    Folder(&'t str),
    Symlink(&'t str, &'t str),
    HardLink(&'t str, &'t str),
    Device(&'t str),
}

/// A plain tarball; names are written as they are, however bad.
pub(crate) fn tar_of(entries: &[Tarred<'_>]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for entry in entries {
        let mut header = tar::Header::new_gnu();
        let (kind, path, target, content, mode) = match *entry {
            Tarred::File(path, content, mode) => (tar::EntryType::Regular, path, "", content, mode),
            Tarred::Folder(path) => (tar::EntryType::Directory, path, "", &b""[..], 0o755),
            Tarred::Symlink(path, to) => (tar::EntryType::Symlink, path, to, &b""[..], 0o777),
            Tarred::HardLink(path, to) => (tar::EntryType::Link, path, to, &b""[..], 0o644),
            Tarred::Device(path) => (tar::EntryType::Char, path, "", &b""[..], 0o644),
        };
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(content.len() as u64);
        let raw = header.as_mut_bytes();
        raw[..path.len()].copy_from_slice(path.as_bytes());
        raw[157..157 + target.len()].copy_from_slice(target.as_bytes());
        header.set_cksum();
        tar.append(&header, content).unwrap();
    }
    tar.into_inner().unwrap()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut out = liblzma::write::XzEncoder::new(Vec::new(), 1);
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

/// A Debian package with a maintainer script that would leave a trace.
pub(crate) fn deb_of(data: &[u8]) -> Vec<u8> {
    let script = b"#!/bin/sh\ntouch /tmp/rocmenv-maintainer-script-ran\n";
    let control = tar_of(&[Tarred::File("./postinst", script, 0o755)]);
    let mut ar = ar::Builder::new(Vec::new());
    for (name, content) in
        [("debian-binary", &b"2.0\n"[..]), ("control.tar.xz", &xz(&control)), ("data.tar", data)]
    {
        let header = ar::Header::new(name.as_bytes().to_vec(), content.len() as u64);
        ar.append(&header, content).unwrap();
    }
    ar.into_inner().unwrap()
}

/// All paths below a folder, links not followed, sorted.
pub(crate) fn paths_below(root: &Path) -> Vec<String> {
    fn walk(root: &Path, folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let shown = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if path.is_symlink() || !path.is_dir() {
                found.push(shown);
            } else {
                walk(root, &path, found);
            }
        }
    }
    let mut found = Vec::new();
    walk(root, root, &mut found);
    found.sort();
    found
}
