//! The runtimes of AMD's rocm-cli. It keeps one JSON file a runtime in `runtimes/registry` of its
//! folder (ROCm/rocm-cli, `InstalledRuntimeManifest`, read 2026-11-30); the one that config.json
//! calls active counts, else the one that was installed last. Nothing is ever written there.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Foreign, ImportError, venv};
use crate::ops::files;

/// Where the runtimes are described, in its folder.
pub(super) const REGISTRY: &str = "runtimes/registry";

/// Reads the folder of rocm-cli.
pub(super) fn read(folder: &Path) -> Result<Foreign, ImportError> {
    let malformed =
        |problem: String| ImportError::Malformed { what: "a folder of rocm-cli", problem };
    let mut runtimes = Vec::new();
    let entries = fs_err::read_dir(folder.join(REGISTRY)).into_iter().flatten();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = files::read(&path)?;
            let runtime: Runtime = serde_json::from_str(&text)
                .map_err(|error| malformed(format!("{}: {error}", path.display())))?;
            runtimes.push(runtime);
        }
    }
    let active = files::read_optional(&folder.join("config.json"))?;
    let active: Config =
        active.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    runtimes.sort_by(|a, b| {
        (a.installed_at_unix_ms, &a.runtime_key).cmp(&(b.installed_at_unix_ms, &b.runtime_key))
    });
    let key = active.active_runtime_key.as_deref();
    let at = runtimes.iter().position(|runtime| runtime.is_called(key));
    let at = at.or_else(|| runtimes.len().checked_sub(1));
    let Some(at) = at else { return Err(malformed("it describes no runtime".to_owned())) };
    let runtime = runtimes.swap_remove(at);
    let mut foreign = match &runtime.install_root {
        Some(root) if root.join("pyvenv.cfg").is_file() => venv::read(root)?,
        _ => Foreign::default(),
    };
    match format!("=={}", runtime.version).parse() {
        Ok(rocm) if runtime.channel.as_deref() != Some("nightly") => {
            foreign.rocm = Some(rocm);
            foreign.channel = Some("therock".to_owned());
        }
        _ => foreign.leave(
            &format!("ROCm {}", runtime.version),
            "a nightly build; no channel keeps those, so that no lock can",
        ),
    }
    for other in runtimes {
        foreign.leave(
            &format!("runtime {}", other.runtime_key.as_deref().unwrap_or("without a key")),
            "another runtime is the active one",
        );
    }
    Ok(foreign)
}

#[derive(Deserialize, Default)]
struct Config {
    active_runtime_key: Option<String>,
}

/// What is read of a runtime's description.
#[derive(Deserialize)]
#[expect(clippy::struct_field_names, reason = "the file's own names")]
struct Runtime {
    runtime_key: Option<String>,
    runtime_id: Option<String>,
    channel: Option<String>,
    version: String,
    install_root: Option<PathBuf>,
    installed_at_unix_ms: Option<u64>,
}

impl Runtime {
    fn is_called(&self, key: Option<&str>) -> bool {
        let is = |own: &Option<String>| {
            own.as_deref().zip(key).is_some_and(|(own, key)| own.eq_ignore_ascii_case(key))
        };
        is(&self.runtime_key) || is(&self.runtime_id)
    }
}
