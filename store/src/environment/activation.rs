//! Which variables the programs of an environment get.

use std::path::Path;

use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::plan::Artifact;
use rocmenv_shims::activation::{Activation, Change};

use super::Prefix;
use super::python::PythonLayout;
use crate::layout::GenerationLayout;

/// The activation of a generation; `more` comes last and wins.
pub(super) fn of(
    place: &GenerationLayout,
    python: Option<&PythonLayout<'_>>,
    prefix: &Prefix,
    more: &[Change],
) -> Activation {
    let mut changes = Vec::new();
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let set = |name: &str, value: String| Change::Set(name.to_owned(), value);
    let prepend = |name: &str, path: &Path| Change::Prepend(name.to_owned(), text(path));
    if let Some(root) = &prefix.root {
        let root = if root.is_empty() { place.rocm() } else { place.rocm().join(root) };
        changes.push(set("ROCM_PATH", text(&root)));
        changes.push(set("HIP_PATH", text(&root)));
        changes.push(prepend("CMAKE_PREFIX_PATH", &root));
        let folders =
            |list: &[String]| list.iter().map(|f| place.rocm().join(f)).collect::<Vec<_>>();
        for folder in folders(&prefix.programs) {
            changes.push(prepend("PATH", &folder));
        }
        for folder in folders(&prefix.libraries) {
            changes.push(prepend("LD_LIBRARY_PATH", &folder));
            // where compilers of the prefix look for what they link, beside the host's folders
            changes.push(prepend("LIBRARY_PATH", &folder));
        }
    }
    if let Some(python) = python {
        changes.push(set("VIRTUAL_ENV", text(&place.env())));
        changes.push(prepend("PATH", &place.env().join(&python.scheme.scripts)));
        changes.push(Change::Unset("PYTHONHOME".to_owned()));
        // A foreign requirements file must not replace what is locked.
        changes.push(set("PIP_CONSTRAINT", text(&place.constraints())));
        changes.push(set("UV_CONSTRAINT", text(&place.constraints())));
    }
    changes.extend_from_slice(more);
    Activation { root: place.root().to_owned(), changes }
}

/// The locked Python packages as a constraints file of pip and uv.
pub fn constraints(artifacts: &[Artifact]) -> String {
    let is_python = |artifact: &&Artifact| {
        matches!(artifact.kind, ArtifactKind::Wheel | ArtifactKind::RocmMeta)
    };
    let line = |artifact: &Artifact| format!("{}=={}\n", artifact.name, artifact.version);
    artifacts.iter().filter(is_python).map(line).collect()
}
