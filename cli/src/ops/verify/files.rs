//! Stage `files`: whether every installed file is as it was made.
//!
//! A wheel's files are compared with the RECORD that was written for them, so that a change made
//! in the environment is seen; what the environment links is compared in the store. By size and
//! time, which shows every ordinary write; with `--deep` byte for byte.

use std::path::{Path, PathBuf};
use std::time::Instant;

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_store::object::{DamageKind, Manifest, damaged_files, touched_files};
use rocmenv_store::report::{Progress, Reporter, Task, TaskKind};
use rocmenv_store::wheel::{RecordRow, read_record};

use super::{Finding, Level, Result, Stage, Subject};

/// The stage.
pub(super) struct Files;

impl Stage for Files {
    fn id(&self) -> &'static str {
        "files"
    }

    fn level(&self) -> Level {
        Level::Read
    }

    fn look(&self, subject: &Subject<'_>, reporter: &dyn Reporter) -> Vec<Finding> {
        let start = Instant::now();
        let folders = dist_infos(&subject.current.generation.join("env"));
        let task = Task {
            kind: TaskKind::Query,
            name: "installed files".to_owned(),
            total: Some(folders.len() as u64),
        };
        let progress = Progress::start(reporter, &task);
        let mut faults = Vec::new();
        let mut count = 0_usize;
        for folder in &folders {
            count += recorded(folder, subject.options.deep, &mut faults);
            progress.advance(1);
        }
        let mut findings = vec![finding("files of wheels", count, &faults)];
        findings.extend(objects(subject));
        // One walk for all of them.
        if let Some(first) = findings.first_mut() {
            first.seconds = Some(start.elapsed().as_secs_f64());
        }
        findings
    }
}

/// Checks the files that one RECORD lists; gives their number.
fn recorded(dist_info: &Path, deep: bool, faults: &mut Vec<String>) -> usize {
    let name = dist_info.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = match fs::read_to_string(dist_info.join("RECORD")) {
        Ok(text) => text,
        Err(error) => {
            faults.push(format!("{name}: RECORD cannot be read ({error})"));
            return 0;
        }
    };
    let Ok(rows) = read_record(&text) else {
        faults.push(format!("{name}: RECORD is damaged"));
        return 0;
    };
    let Some(site) = dist_info.parent() else { return 0 };
    for row in &rows {
        if let Some(fault) = fault(site, row, deep) {
            faults.push(format!("{}: {fault}", row.path));
        }
    }
    rows.len()
}

fn fault(site: &Path, row: &RecordRow, deep: bool) -> Option<String> {
    let path = site.join(&row.path);
    let found = match fs::metadata(&path) {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Some("missing".to_owned());
        }
        Err(error) => return Some(format!("unreadable ({})", error.kind())),
    };
    if let Some(listed) = row.size.filter(|listed| *listed != found) {
        return Some(format!("{found} bytes instead of {listed}"));
    }
    // Another kind of hash than SHA-256 cannot be compared here; its wheel was checked on arrival.
    let hash = row.hash.as_deref().filter(|hash| deep && hash.starts_with("sha256="))?;
    let now = match fs::read(&path) {
        Ok(content) => RecordRow::of(row.path.clone(), &Sha256::of(&content), found),
        Err(error) => return Some(format!("unreadable ({})", error.kind())),
    };
    (now.hash.as_deref() != Some(hash)).then(|| "changed".to_owned())
}

/// The files that the environment links, where they lie in the store.
fn objects(subject: &Subject<'_>) -> Option<Finding> {
    let (mut faults, mut count) = (Vec::new(), 0);
    let prefix = subject.current.generation.join("rocm");
    let (record, stores) = (&subject.record, &subject.stores);
    let objects = record.objects.iter().map(|digest| (digest, stores.object(digest)));
    let rewritten =
        record.rewritten.iter().map(|copies| (&copies.object, stores.rewritten(copies)));
    for (digest, layout) in objects.chain(rewritten) {
        match Manifest::read(&layout.manifest()) {
            Ok(Some(manifest)) => {
                count += manifest.entries.len();
                let damaged = if subject.options.deep {
                    damaged_files(&layout, &manifest)
                } else {
                    touched_files(&layout, &manifest)
                };
                let texts = damaged.iter().map(|one| format!("{}: {}", one.path, word(one.kind)));
                faults.extend(texts);
                faults.extend(missing_in_prefix(&prefix, &manifest));
            }
            Ok(None) => faults.push(format!("object {digest} is missing")),
            Err(error) => faults.push(format!("object {digest}: {error}")),
        }
    }
    (!subject.record.objects.is_empty()).then(|| finding("files in the store", count, &faults))
}

/// What a Debian package or a tarball brings and the ROCm prefix lacks.
fn missing_in_prefix(prefix: &Path, manifest: &Manifest) -> Vec<String> {
    if !matches!(manifest.kind, ArtifactKind::Deb | ArtifactKind::Tarball) {
        return Vec::new();
    }
    let paths = manifest.entries.iter().map(|entry| &entry.path);
    let missing = paths.filter(|path| fs::symlink_metadata(prefix.join(path)).is_err());
    missing.map(|path| format!("rocm/{path}: missing")).collect()
}

fn word(kind: DamageKind) -> &'static str {
    match kind {
        DamageKind::Missing => "missing",
        DamageKind::Content => "changed",
        DamageKind::Touched => "written to",
        DamageKind::Unreadable => "unreadable",
    }
}

fn finding(what: &str, count: usize, faults: &[String]) -> Finding {
    if faults.is_empty() {
        return Finding::new(what, Result::Passed, format!("{count} files are as they were made"));
    }
    let shown: Vec<&str> = faults.iter().take(SHOWN).map(String::as_str).collect();
    let more = faults.len() - shown.len();
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    let detail = format!("{} of {count}: {}{rest}", faults.len(), shown.join("; "));
    Finding::new(what, Result::Failed, detail)
}

/// The `*.dist-info` folders of an environment, sorted.
pub(super) fn dist_infos(env: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = site_packages(env)
        .iter()
        .filter_map(|site| fs::read_dir(site).ok())
        .flat_map(|entries| entries.filter_map(std::result::Result::ok))
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "dist-info"))
        .collect();
    found.sort();
    found
}

/// `lib/pythonX.Y/site-packages`, and Windows' own place.
pub(super) fn site_packages(env: &Path) -> Vec<PathBuf> {
    let mut sites = vec![env.join("Lib/site-packages")];
    if let Ok(entries) = fs::read_dir(env.join("lib")) {
        let folders = entries.filter_map(std::result::Result::ok);
        sites.extend(folders.map(|entry| entry.path().join("site-packages")));
    }
    sites.retain(|site| site.is_dir());
    sites.sort();
    sites
}

const SHOWN: usize = 5;
