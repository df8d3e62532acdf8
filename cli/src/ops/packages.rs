//! The Python packages that lie in an environment, as their own files say.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::generation::Generation;
use rocmenv_manifests::python::CoreMetadata;
use rocmenv_store::layout::GenerationLayout;
use rocmenv_store::wheel::{RecordRow, Scheme, read_record};

/// One installed package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Its normal name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Who put it there (`pip`, `uv`, `rocmenv`), where it says so.
    pub installer: Option<String>,
    /// Its files, relative to site-packages; `None` where it keeps no readable list.
    pub files: Option<Vec<RecordRow>>,
}

impl Installed {
    /// The names under which its modules are imported, public ones first and shortest first.
    pub fn modules(&self) -> Vec<String> {
        let rows = self.files.iter().flatten();
        let mut modules: Vec<String> = rows.filter_map(|row| module_of(&row.path)).collect();
        modules.sort_by_key(|name| (name.starts_with('_'), name.len(), name.clone()));
        modules.dedup();
        modules
    }
}

/// The folder of modules of a generation; `None` where it has no interpreter.
pub fn site_packages(generation: &Generation, place: &GenerationLayout) -> Option<PathBuf> {
    let version = &generation.python.as_ref()?.version;
    let mut parts = version.split('.').map_while(|part| part.parse::<u32>().ok());
    let scheme = Scheme::of_venv(parts.next()?, parts.next()?);
    Some(place.env().join(scheme.site_packages))
}

/// The packages in a folder of modules, sorted by name. What has no readable metadata is no
/// package.
pub fn installed(site_packages: &Path) -> Vec<Installed> {
    let mut found: Vec<Installed> = entries(site_packages)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "dist-info"))
        .filter_map(|path| read(&path))
        .collect();
    found.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    found
}

/// The paths in a folder, sorted; none where it cannot be read.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn read(dist_info: &Path) -> Option<Installed> {
    let text = |name: &str| fs::read_to_string(dist_info.join(name)).ok();
    let metadata = CoreMetadata::parse(&text("METADATA")?).ok()?.metadata;
    Some(Installed {
        name: metadata.name.to_string(),
        version: metadata.version.to_string(),
        installer: text("INSTALLER").map(|text| text.trim().to_owned()),
        files: text("RECORD").and_then(|text| read_record(&text).ok()),
    })
}

/// `jax` of `jax/__init__.py`, `six` of `six.py`, `_x` of `_x.cpython-312-x86_64-linux-gnu.so`.
fn module_of(path: &str) -> Option<String> {
    if let Some(package) = path.strip_suffix("/__init__.py") {
        return (!package.contains('/') && is_name(package)).then(|| package.to_owned());
    }
    let (stem, rest) = path.split_once('.')?;
    let is_module = rest == "py" || rest.ends_with("so") || rest.ends_with("pyd");
    (is_module && is_name(stem)).then(|| stem.to_owned())
}

fn is_name(text: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_told_from_other_files() {
        let files = [
            "jaxlib/__init__.py",
            "jaxlib/mlir/__init__.py",
            "_ext.cpython-312-x86_64-linux-gnu.so",
            "six.py",
            "jaxlib-0.12.0.dist-info/METADATA",
            "../../../bin/tool.py",
            "share/data.py",
        ];
        let files = Some(files.map(RecordRow::bare).to_vec());
        let package = Installed { name: "x".into(), version: "1".into(), installer: None, files };
        assert_eq!(package.modules(), ["six", "jaxlib", "_ext"]);
    }
}
