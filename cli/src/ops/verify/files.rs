//! Stage `files`: whether every installed file is there, byte for byte.
//!
//! A wheel's files are compared with the RECORD that was written for them, so that a change made
//! in the environment is seen; what is no wheel is compared in the store.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_store::object::{Store, damaged_files};
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
            count += recorded(folder, &mut faults);
            progress.advance(1);
        }
        let mut findings = vec![finding("files of wheels", count, &faults)];
        findings.extend(objects(subject));
        findings
    }
}

/// Checks the files that one RECORD lists; gives their number.
fn recorded(dist_info: &Path, faults: &mut Vec<String>) -> usize {
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
        if let Some(fault) = fault(site, row) {
            faults.push(format!("{}: {fault}", row.path));
        }
    }
    rows.len()
}

fn fault(site: &Path, row: &RecordRow) -> Option<String> {
    let path = site.join(&row.path);
    let hash = row.hash.as_deref()?;
    let content = match fs::read(&path) {
        Ok(content) => content,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Some("missing".to_owned());
        }
        Err(error) => return Some(format!("unreadable ({})", error.kind())),
    };
    let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
    let found = RecordRow::of(row.path.clone(), &Sha256::of(&content), length);
    // Another kind of hash than SHA-256 cannot be compared here; its wheel was checked on arrival.
    let comparable = hash.starts_with("sha256=");
    (comparable && found.hash.as_deref() != Some(hash)).then(|| "changed".to_owned())
}

/// The artifacts that are no wheels, compared in the store.
fn objects(subject: &Subject<'_>) -> Option<Finding> {
    let others = subject.record.artifacts.iter().filter(|one| one.kind != ArtifactKind::Wheel);
    let digests: Vec<Sha256> = others.filter_map(|one| one.sha256).collect();
    if digests.is_empty() {
        return None;
    }
    let what = "files of other artifacts";
    let store = match Store::open(subject.store.clone(), Vec::new()) {
        Ok(store) => store,
        Err(error) => return Some(Finding::new(what, Result::Failed, error.to_string())),
    };
    let in_use = match store.in_use() {
        Ok(in_use) => in_use,
        Err(error) => return Some(Finding::new(what, Result::Failed, error.to_string())),
    };
    let (mut faults, mut count) = (Vec::new(), 0);
    for digest in &digests {
        match in_use.find(digest) {
            Ok(Some(object)) => {
                count += object.manifest.entries.len();
                let damaged = damaged_files(&object.layout, &object.manifest);
                faults.extend(damaged.iter().map(|d| format!("{}: {:?}", d.path, d.kind)));
            }
            Ok(None) => faults.push(format!("object {digest} is missing")),
            Err(error) => faults.push(format!("object {digest}: {error}")),
        }
    }
    Some(finding(what, count, &faults))
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

/// The normal names of the distributions that are installed in an environment, sorted.
pub fn installed_names(env: &Path) -> Vec<String> {
    let stems = dist_infos(env).into_iter().filter_map(|path| {
        let stem = path.file_stem()?.to_str()?.to_owned();
        let (name, _) = stem.rsplit_once('-')?;
        Some(name.to_lowercase().replace(['_', '.'], "-"))
    });
    let mut names: Vec<String> = stems.collect();
    names.sort();
    names
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
