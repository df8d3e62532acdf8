//! What the Dockerfile and the Apptainer definition have in common: which files go in, and the
//! calls of rocmenv.

use std::path::Path;

use rocmenv_manifests::project::{IndexKind, PythonSource};
use rocmenv_store::layout::StoreLayout;
use url::Url;

use super::subject::Subject;

/// A container's build, in parts.
pub(super) struct Recipe {
    /// Files and folders of the project that `sync` reads, relative to it; `.` is all of it.
    pub(super) sources: Vec<String>,
    /// The call that makes the environment.
    pub(super) sync: String,
    /// The words of a call in it.
    pub(super) run: Vec<String>,
    /// Packages of the distribution that both stages need.
    pub(super) packages: Vec<&'static str>,
}

impl Recipe {
    pub(super) fn of(subject: &Subject, folder: &str) -> Self {
        let project = &subject.project;
        let mut chosen = format!("--target {}", subject.target.name);
        let mut run: Vec<String> =
            ["rocmenv", "--project", folder, "--target"].map(str::to_owned).into();
        run.push(subject.target.name.to_string());
        if !subject.target.env.is_default() {
            chosen = format!("{chosen} -e {}", subject.target.env);
            run.extend(["-e".to_owned(), subject.target.env.to_string()]);
        }
        run.push("run".to_owned());
        let groups = subject.options.groups.iter().map(|group| format!(" --group {group}"));
        let groups: String = groups.collect();
        let host = project.python_source.value == PythonSource::Host;
        Self {
            sources: sources(subject),
            sync: format!("rocmenv sync --frozen {chosen}{groups}"),
            run,
            packages: if host { vec!["python3"] } else { Vec::new() },
        }
    }
}

fn sources(subject: &Subject) -> Vec<String> {
    let project = &subject.project;
    if project.path.is_some() {
        return vec![".".to_owned()];
    }
    let mut sources = vec!["rocm.toml".to_owned(), "rocm.lock".to_owned()];
    for index in &project.indexes {
        let is_folder = Url::parse(&index.url.value).is_err();
        if is_folder && matches!(index.kind, IndexKind::FindLinks | IndexKind::Simple) {
            sources.push(index.url.value.clone());
        }
        sources.extend(index.signed_by.clone());
    }
    sources
}

/// Where the store of a build lies.
pub(super) const DATA: &str = "/opt/rocmenv";

/// The managed interpreters in it, which environments point to; nothing else of the store is
/// needed once an environment is made.
pub(super) fn interpreters() -> String {
    let folder = StoreLayout::new(Path::new(DATA)).pythons();
    folder.to_string_lossy().replace('\\', "/")
}
