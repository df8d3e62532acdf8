//! Which variables the programs of an environment get.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::plan::Artifact;
use rocmenv_manifests::platform::OsFamily;
use rocmenv_shims::activation::{Activation, Change};

use super::python::PythonLayout;
use super::{EnvSpec, Prefix};
use crate::layout::GenerationLayout;
use crate::object::Object;

/// The activation of a generation; the variables of `spec` come last and win.
pub(super) fn of(
    place: &GenerationLayout,
    python: Option<&PythonLayout<'_>>,
    spec: &EnvSpec,
) -> Activation {
    let mut changes = Vec::new();
    // Made of its parts, so that Windows gets its own separators.
    let text = |path: &Path| path.components().collect::<PathBuf>().to_string_lossy().into_owned();
    let set = |name: &str, value: String| Change::Set(name.to_owned(), value);
    let prepend = |name: &str, path: &Path| Change::Prepend(name.to_owned(), text(path));
    let prefix = Prefix::of(&spec.objects);
    if let Some(root) = &prefix.root {
        let root = if root.is_empty() { place.rocm() } else { place.rocm().join(root) };
        changes.push(set("ROCM_PATH", text(&root)));
        changes.push(set("HIP_PATH", text(&root)));
        changes.push(prepend("CMAKE_PREFIX_PATH", &root));
        for folder in &prefix.programs {
            changes.push(prepend("PATH", &place.rocm().join(folder)));
        }
        // Windows looks for libraries on PATH, and has them beside the programs.
        let libraries = prefix.libraries.iter().filter(|_| spec.system == OsFamily::Linux);
        for folder in libraries {
            // The fallback: files of the prefix find each other (`runpath`), but Python loads
            // libraries by their bare names, and what a user builds has no path to them.
            changes.push(prepend("LD_LIBRARY_PATH", &place.rocm().join(folder)));
            // where compilers of the prefix look for what they link, beside the host's folders
            changes.push(prepend("LIBRARY_PATH", &place.rocm().join(folder)));
        }
    }
    if let Some(python) = python {
        if spec.system == OsFamily::Windows {
            let modules = place.env().join(&python.scheme.site_packages);
            for folder in runtime_folders(&spec.objects) {
                changes.push(prepend("PATH", &modules.join(folder)));
            }
        }
        changes.push(set("VIRTUAL_ENV", text(&place.env())));
        changes.push(prepend("PATH", &place.env().join(&python.scheme.scripts)));
        changes.push(Change::Unset("PYTHONHOME".to_owned()));
        // A foreign requirements file must not replace what is locked.
        changes.push(set("PIP_CONSTRAINT", text(&place.constraints())));
        changes.push(set("UV_CONSTRAINT", text(&place.constraints())));
    }
    changes.extend_from_slice(&spec.variables);
    Activation { root: place.root().to_owned(), changes }
}

/// The folders of wheels that hold ROCm's runtime for Windows (`_rocm_sdk_core/bin`), relative to
/// the modules: programs that load it by its name find it on PATH alone.
fn runtime_folders(objects: &[Object]) -> BTreeSet<&str> {
    let wheels = objects.iter().filter(|object| object.manifest.kind == ArtifactKind::Wheel);
    let entries = wheels.flat_map(|object| &object.manifest.entries);
    let folders = entries.filter_map(|entry| entry.path.rsplit_once('/'));
    folders.filter(|(_, name)| is_runtime(name)).map(|(folder, _)| folder).collect()
}

/// Whether a file is the HIP runtime of Windows: `amdhip64.dll`, `amdhip64_7.dll`.
pub fn is_runtime(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let rest = name.strip_prefix("amdhip64").and_then(|rest| rest.strip_suffix(".dll"));
    rest.is_some_and(|rest| rest.bytes().all(|byte| byte == b'_' || byte.is_ascii_digit()))
}

/// The locked Python packages as a constraints file of pip and uv.
pub fn constraints(artifacts: &[Artifact]) -> String {
    let is_python = |artifact: &&Artifact| {
        matches!(artifact.kind, ArtifactKind::Wheel | ArtifactKind::RocmMeta)
    };
    let line = |artifact: &Artifact| format!("{}=={}\n", artifact.name, artifact.version);
    artifacts.iter().filter(is_python).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::is_runtime;

    #[test]
    fn the_runtime_of_windows_is_known_by_its_name() {
        let files = ["amdhip64.dll", "amdhip64_7.dll", "AMDHIP64_6.DLL", "amdhip64_x.dll", "x.dll"];
        assert_eq!(files.map(is_runtime), [true, true, true, false, false]);
    }
}
