//! Stage `import`: whether what rocm.toml asked for can be imported, each in a process of its own.

use std::collections::BTreeSet;
use std::path::Path;

use fs_err as fs;
use rocmenv_store::report::{Progress, Reporter, Task, TaskKind};
use rocmenv_store::wheel::read_record;

use super::files::dist_infos;
use super::{Finding, Level, Result, Stage, Subject};
use crate::ops::child::{self, Ended};

/// The stage.
pub(super) struct Import;

impl Stage for Import {
    fn id(&self) -> &'static str {
        "import"
    }

    fn level(&self) -> Level {
        Level::Loaded
    }

    fn look(&self, subject: &Subject<'_>, reporter: &dyn Reporter) -> Vec<Finding> {
        if subject.record.python.is_none() {
            return Vec::new();
        }
        let modules = modules(subject);
        let task = Task {
            kind: TaskKind::Query,
            name: "imports".to_owned(),
            total: Some(modules.len() as u64),
        };
        let progress = Progress::start(reporter, &task);
        let mut findings = Vec::new();
        for module in modules {
            findings.push(Finding::timed(|| import(subject, &module)));
            progress.advance(1);
        }
        findings
    }
}

fn import(subject: &Subject<'_>, module: &str) -> Finding {
    let what = format!("import {module}");
    // Nothing is written into the environment by looking at it.
    let words = ["python", "-B", "-c", &format!("import {module}")].map(Into::into);
    let limit = subject.options.limit;
    match child::run_within(subject.context, subject.current, &words, limit) {
        Ok(Ended { code: Some(0), .. }) => Finding::new(what, Result::Passed, ""),
        Ok(ended) => Finding::new(what, Result::Failed, ended.last_line()),
        Err(error) => Finding::new(what, Result::Failed, error.to_string()),
    }
}

/// The modules of the packages that rocm.toml asks for by name: its frameworks' and its own.
fn modules(subject: &Subject<'_>) -> BTreeSet<String> {
    let asked = asked(subject);
    let infos = dist_infos(&subject.current.generation.join("env"));
    let mut modules = BTreeSet::new();
    for info in infos {
        let name = info.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.split('-').next().unwrap_or_default();
        if asked.contains(&normal(name)) {
            modules.extend(main_module(&info, name));
        }
    }
    modules
}

fn asked(subject: &Subject<'_>) -> BTreeSet<String> {
    let Some(env) = subject.project.environments.get(&subject.record.env) else {
        return BTreeSet::new();
    };
    let mut names: BTreeSet<String> =
        env.packages.iter().map(|package| package.name.to_string()).collect();
    for framework in &env.frameworks {
        let mut rows = subject.registry.frameworks().framework.iter();
        let row = rows.find(|row| row.name == framework.name);
        names.insert(row.map_or_else(|| framework.name.clone(), |row| row.package.clone()));
    }
    names
}

/// The module that a distribution is known by: the one of its own name, else its only one.
/// Several others are too many to guess from.
fn main_module(dist_info: &Path, name: &str) -> Option<String> {
    let text = fs::read_to_string(dist_info.join("RECORD")).ok()?;
    let rows = read_record(&text).ok()?;
    let tops: BTreeSet<String> = rows.iter().filter_map(|row| top_module(&row.path)).collect();
    let own = tops.iter().find(|module| normal(module) == normal(name));
    own.or_else(|| tops.iter().next().filter(|_| tops.len() == 1)).cloned()
}

fn top_module(path: &str) -> Option<String> {
    let (top, rest) = path.split_once('/').unwrap_or((path, ""));
    let is_module = |name: &str| {
        let mut chars = name.chars();
        chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let name = match rest {
        "__init__.py" => top,
        "" => top.strip_suffix(".py").or_else(|| {
            top.split_once('.')
                .filter(|_| {
                    Path::new(top).extension().is_some_and(|end| end == "so" || end == "pyd")
                })
                .map(|(name, _)| name)
        })?,
        _ => return None,
    };
    (is_module(name) && !name.starts_with('_')).then(|| name.to_owned())
}

fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn top_modules_are_packages_files_and_extensions() {
        let top = |path: &str| top_module(path);
        assert_eq!(top("jax/__init__.py").as_deref(), Some("jax"));
        assert_eq!(top("six.py").as_deref(), Some("six"));
        assert_eq!(top("ml.cpython-312-x86_64-linux-gnu.so").as_deref(), Some("ml"));
        assert_eq!(top("jax/core.py"), None);
        assert_eq!(top("_private/__init__.py"), None);
        assert_eq!(top("jax-0.1.dist-info/RECORD"), None);
        assert_eq!(top("../../../bin/tool"), None);
        assert_eq!(top("README.txt"), None);
    }
}
