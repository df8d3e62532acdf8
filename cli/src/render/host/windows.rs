//! What stands beside the driver on Windows: build, settings, other adapters, HIP runtimes.

use rocmenv_resolver::host::HostFacts;
use rocmenv_resolver::host::facts::{DisplayAdapter, Installed, SmartAppControl};

use super::{Row, row};

pub(super) fn rows(facts: &HostFacts) -> Vec<Row> {
    let Some(windows) = &facts.windows else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    if let Some(build) = windows.build {
        let revision = windows.revision.map(|revision| format!(".{revision}"));
        let edition = windows.edition.as_ref().map(|edition| format!(", {edition}"));
        let text =
            format!("{build}{}{}", revision.unwrap_or_default(), edition.unwrap_or_default());
        rows.push(row("build", text));
    }
    if let Some(long) = windows.long_paths {
        rows.push(row("long paths", if long { "on" } else { "off: 260 characters at most" }));
    }
    if let Some(state) = windows.smart_app_control {
        rows.push(row(
            "Smart App Control",
            match state {
                SmartAppControl::Off => "off",
                SmartAppControl::On => "on: it blocks unsigned libraries",
                SmartAppControl::Evaluation => "watching; it may turn itself on",
            },
        ));
    }
    if let Some(runtime) = &windows.vc_runtime {
        rows.push(row("VC++ runtime", installed(runtime)));
    }
    if let Some(wsl) = &windows.wsl {
        rows.push(row("WSL", installed(wsl)));
    }
    let others = windows.adapters.iter().filter(|adapter| !adapter.is_amd());
    rows.extend(others.map(|adapter| row("other adapter", name(adapter))));
    let broken = windows.adapters.iter().filter(|adapter| adapter.problem.is_some_and(|it| it > 0));
    rows.extend(broken.map(|adapter| {
        let code = adapter.problem.unwrap_or_default();
        row("problem", format!("{}: code {code} of the device manager", name(adapter)))
    }));
    rows.extend(windows.hip_runtimes.iter().map(|runtime| {
        let version = runtime.version.as_deref().unwrap_or("version not known");
        row("HIP runtime", format!("{} ({version})", runtime.path))
    }));
    rows
}

fn installed(what: &Installed) -> String {
    match (what.installed, &what.version) {
        (false, _) => "not installed".to_owned(),
        (true, Some(version)) => version.clone(),
        (true, None) => "installed".to_owned(),
    }
}

fn name(adapter: &DisplayAdapter) -> String {
    adapter.name.clone().unwrap_or_else(|| "without a name".to_owned())
}
