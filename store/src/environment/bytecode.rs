//! Compiled Python, kept once for each wheel and interpreter version.
//!
//! The files are `unchecked-hash` ones (PEP 552): links have the times of the store, so a check
//! by time would be wrong, and a check by content would cost what was to be saved. What an
//! interpreter cannot compile (templates, code of another version) stays uncompiled, as with pip.

use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

use fs_err as fs;
use rayon::prelude::*;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::lock::ArtifactKind;

use super::python::series;
use crate::fs::{DiskError, reachable, set_mode};
use crate::layout::ObjectLayout;
use crate::lock_file::LockFile;
use crate::object::{InUse, Manifest, Object, ObjectError, STORE_TIME};
use crate::unpack::{Entry, Node};

/// Modules could not be compiled at all.
#[derive(Debug, thiserror::Error)]
pub enum BytecodeError {
    /// The interpreter did not run, or stopped half way.
    #[error("the interpreter `{python}` could not compile modules: {said}")]
    Interpreter {
        /// The interpreter.
        python: String,
        /// The end of what it said.
        said: String,
    },
    /// Its version is none.
    #[error("`{0}` is no version of an interpreter")]
    Version(String),
    /// The result could not be kept.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// The bytecode of those objects that have modules, each under the digest of what it was compiled
/// from. What is not there yet is compiled by `python`, with one worker for each processor.
pub fn compile(
    store: &InUse<'_>,
    python: &Interpreter,
    objects: &[Object],
) -> Result<Vec<Object>, BytecodeError> {
    let (major, minor) =
        series(&python.version).map_err(|_| BytecodeError::Version(python.version.clone()))?;
    let tag = format!("cpython-{major}{minor}");
    let compiler = format!("cpython-{}", python.version);
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for object in objects {
        if object.manifest.kind != ArtifactKind::Wheel || modules(object).next().is_none() {
            continue;
        }
        match store.find_bytecode(&object.digest, &compiler)? {
            Some(bytecode) => found.push(bytecode),
            None => missing.push(object),
        }
    }
    // In one order in every process, so that two of them cannot wait for each other.
    missing.sort_by_key(|object| object.digest);
    let mut jobs = Jobs::default();
    for object in missing {
        let key = format!("{}-{compiler}", object.digest);
        let lock = LockFile::exclusive(&store.layout().lock_of(&key))?;
        match store.find_bytecode(&object.digest, &compiler)? {
            Some(bytecode) => found.push(bytecode),
            None => jobs.plan(store, object, &tag, lock)?,
        }
    }
    jobs.run(python)?;
    let kept = jobs.objects.par_iter().map(|job| job.keep(store, &compiler));
    let kept: Vec<Object> = kept.collect::<Result<_, BytecodeError>>()?;
    found.extend(kept);
    Ok(found)
}

#[derive(Default)]
struct Jobs<'o> {
    objects: Vec<Job<'o>>,
    /// Bytes of the source, the source, the result.
    files: Vec<(u64, PathBuf, PathBuf)>,
}

struct Job<'o> {
    object: &'o Object,
    half: ObjectLayout,
    /// Results, relative to the tree.
    files: Vec<String>,
    _staging: tempfile::TempDir,
    _lock: LockFile,
}

impl Job<'_> {
    /// Makes an object of the results.
    fn keep(&self, store: &InUse<'_>, compiler: &str) -> Result<Object, BytecodeError> {
        let digest = self.object.digest;
        let place = store.layout().bytecode_of(&digest, compiler);
        let manifest = &self.object.manifest;
        let manifest = Manifest::new(
            manifest.kind,
            &manifest.name,
            &manifest.version,
            entries_of(&self.half.tree(), &self.files)?,
        );
        Ok(store.finish(&self.half, &place, manifest, digest)?)
    }
}

impl<'o> Jobs<'o> {
    fn plan(
        &mut self,
        store: &InUse<'_>,
        object: &'o Object,
        tag: &str,
        lock: LockFile,
    ) -> Result<(), DiskError> {
        let staging = tempfile::Builder::new().tempdir_in(store.layout().staging())?;
        let half = ObjectLayout::at(staging.path().join("object"));
        fs::create_dir_all(half.tree())?;
        let mut files = Vec::new();
        for (module, size) in modules(object) {
            let (folder, name) = module.rsplit_once('/').unwrap_or(("", module));
            let stem = name.trim_end_matches(".py");
            let separator = if folder.is_empty() { "" } else { "/" };
            let file = format!("{folder}{separator}__pycache__/{stem}.{tag}.pyc");
            self.files.push((size, object.layout.tree().join(module), half.tree().join(&file)));
            files.push(file);
        }
        self.objects.push(Job { object, half, files, _staging: staging, _lock: lock });
        Ok(())
    }

    fn run(&mut self, python: &Interpreter) -> Result<(), BytecodeError> {
        if self.files.is_empty() {
            return Ok(());
        }
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let shares = dealt(std::mem::take(&mut self.files), workers);
        std::thread::scope(|scope| {
            let running: Vec<_> =
                shares.iter().map(|files| scope.spawn(move || run_worker(python, files))).collect();
            let died = || failed(python, "a worker died");
            running.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|_| Err(died())))
        })
    }
}

/// Files for each worker, so that all end at about the same time: the largest first, each to who
/// has the fewest bytes so far.
fn dealt(mut files: Vec<(u64, PathBuf, PathBuf)>, workers: usize) -> Vec<Vec<(PathBuf, PathBuf)>> {
    files.sort_by(|one, other| other.cmp(one));
    let mut shares = vec![(0, Vec::new()); workers.clamp(1, files.len().max(1))];
    for (size, source, result) in files {
        if let Some((bytes, share)) = shares.iter_mut().min_by_key(|(bytes, _)| *bytes) {
            // a file costs something even where it is empty
            *bytes += size + EACH;
            share.push((source, result));
        }
    }
    shares.into_iter().map(|(_, share)| share).collect()
}

/// What a file costs beside its bytes, in bytes.
const EACH: u64 = 1024;

fn run_worker(python: &Interpreter, files: &[(PathBuf, PathBuf)]) -> Result<(), BytecodeError> {
    let failed_to = |error: std::io::Error| failed(python, &error.to_string());
    let mut child = Command::new(&python.path)
        .args(["-I", "-S", "-B", "-W", "ignore", "-c", WORKER])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed_to)?;
    let mut names = Vec::new();
    for (source, result) in files {
        for path in [source, result] {
            names.extend_from_slice(reachable(path).as_os_str().as_encoded_bytes());
            names.push(0);
        }
    }
    // The worker reads all of it before it says anything. If it is gone, its status tells.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(&names);
    }
    let mut said = String::new();
    if let Some(mut output) = child.stderr.take() {
        let _ = output.read_to_string(&mut said);
    }
    let status = child.wait().map_err(failed_to)?;
    if status.success() {
        return Ok(());
    }
    let end = said.lines().last().unwrap_or("it said nothing");
    if status.code() == Some(WORKER_DISK_FULL) {
        return Err(DiskError::Full(std::io::Error::new(ErrorKind::StorageFull, end)).into());
    }
    Err(failed(python, end))
}

fn failed(python: &Interpreter, said: &str) -> BytecodeError {
    BytecodeError::Interpreter { python: python.path.clone(), said: said.to_owned() }
}

/// The modules of a wheel that an import may look for: those that go to site-packages.
fn modules(object: &Object) -> impl Iterator<Item = (&str, u64)> {
    let files = object.manifest.entries.iter().filter_map(|entry| match entry.node {
        Node::File { size, .. } => Some((entry.path.as_str(), size)),
        _ => None,
    });
    files.filter(|(path, _)| {
        let in_data = path.split_once(".data/").map(|(_, rest)| rest);
        let is_module =
            in_data.is_none_or(|rest| rest.starts_with("purelib/") || rest.starts_with("platlib/"));
        is_module && Path::new(path).extension().is_some_and(|extension| extension == "py")
    })
}

fn entries_of(tree: &Path, files: &[String]) -> Result<Vec<Entry>, DiskError> {
    let entry = |path: &String| {
        let file = tree.join(path);
        let content = match fs::read(&file) {
            // What the interpreter could not compile.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            content => content?,
        };
        // Windows changes times through files that are open for writing only.
        let opened = fs::OpenOptions::new().write(true).open(&file)?.into_parts().0;
        opened.set_modified(UNIX_EPOCH + STORE_TIME)?;
        set_mode(&file, 0o444)?;
        let (sha256, size) = (Sha256::of(&content), content.len() as u64);
        let node = Node::File { sha256, size, executable: false };
        Ok(Some(Entry { path: path.clone(), node }))
    };
    let entries = files.par_iter().filter_map(|path| entry(path).transpose());
    let mut entries = entries.collect::<Result<Vec<Entry>, DiskError>>()?;
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(entries)
}

/// Reads NUL-separated pairs of source and result; what does not compile is passed over. A full
/// disk ends it with a status of its own: its words are the interpreter's and in any language.
const WORKER: &str = r"
import errno, os, sys
from importlib import _bootstrap_external as b
from _imp import source_hash
names = sys.stdin.buffer.read().split(b'\0')
magic = b._RAW_MAGIC_NUMBER if hasattr(b, '_RAW_MAGIC_NUMBER') else int.from_bytes(b.MAGIC_NUMBER, 'little')
made = set()
for source, result in zip(names[::2], names[1::2]):
    source, result = os.fsdecode(source), os.fsdecode(result)
    with open(source, 'rb') as f:
        text = f.read()
    try:
        code = compile(text, source, 'exec', dont_inherit=True)
    except Exception:
        continue
    folder = os.path.dirname(result)
    try:
        if folder not in made:
            os.makedirs(folder, exist_ok=True)
            made.add(folder)
        with open(result, 'wb') as f:
            f.write(b._code_to_hash_pyc(code, source_hash(magic, text), False))
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        print(error, file=sys.stderr)
        sys.exit(28)
";

/// How a worker ends that has no room left to write in.
const WORKER_DISK_FULL: i32 = 28;
