//! A host's facts as text for people: compact, in sections, what is unknown said once at the
//! end. The JSON form is the host file and is not made here.

mod gpus;
mod machine;
mod windows;

use rocmenv_manifests::sourced::Sourced;
use rocmenv_resolver::host::facts::{DeviceNode, DeviceOpen, InterpreterOrigin, RocmInstall};
use rocmenv_resolver::host::{DriverRelease, HostFacts};

/// The facts as text, ending in a newline. `release` is what the registry makes of the
/// driver (see `driver_release`).
pub fn host(facts: &HostFacts, release: Option<&DriverRelease>) -> String {
    let sections = [
        ("Host", machine::host(facts)),
        ("Driver", machine::driver(facts, release)),
        ("Windows", windows::rows(facts)),
        ("GPUs", gpus::rows(facts)),
        ("Devices", devices(facts)),
        ("ROCm on the host", facts.rocm.iter().map(install).collect()),
        ("Python", python(facts)),
        ("Environment variables", environment(facts)),
        ("Given, not read", given(facts)),
        ("Could not be read", unread(facts)),
    ];
    let said = sections.into_iter().filter(|(_, rows)| !rows.is_empty());
    let texts: Vec<_> = said.map(|(title, rows)| section(title, &rows)).collect();
    texts.join("\n")
}

/// A label and what is said under it.
type Row = (String, String);

fn row(label: impl Into<String>, text: impl Into<String>) -> Row {
    (label.into(), text.into())
}

fn section(title: &str, rows: &[Row]) -> String {
    let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let line = |(label, text): &Row| {
        let line = format!("  {label:width$}  {text}");
        format!("{}\n", line.trim_end())
    };
    let lines: String = rows.iter().map(line).collect();
    format!("{title}\n{lines}")
}

fn devices(facts: &HostFacts) -> Vec<Row> {
    facts.devices.iter().map(|node| row(&node.path, device(node))).collect()
}

fn device(node: &DeviceNode) -> String {
    let opened = match node.open {
        DeviceOpen::Ok => "opens",
        DeviceOpen::Absent => return "absent".to_owned(),
        DeviceOpen::PermissionDenied => "does not open: permission denied (EACCES)",
        DeviceOpen::NotPermitted => "does not open: not permitted (EPERM)",
        DeviceOpen::NoDevice => "does not open: no device behind it (ENXIO or ENODEV)",
        DeviceOpen::InvalidArgument => "does not open: invalid argument (EINVAL)",
        DeviceOpen::OutOfMemory => "does not open: out of memory (ENOMEM)",
        DeviceOpen::Errno(number) => return format!("does not open: error {number}"),
        DeviceOpen::NotTried => "not tried",
    };
    let group = match (&node.group, node.gid) {
        (Some(name), Some(gid)) => format!("group {name} ({gid})"),
        (None, Some(gid)) => format!("group {gid} (no name here)"),
        _ => "group not known".to_owned(),
    };
    let mode = node.mode.as_deref().unwrap_or("mode not known");
    format!("{opened}; {group}, {mode}")
}

fn install(install: &RocmInstall) -> Row {
    let version = install.version.as_deref().unwrap_or("version not known");
    let place = match &install.real_path {
        Some(real) => format!("{} -> {real}", install.path),
        None => install.path.clone(),
    };
    row(version, place)
}

fn python(facts: &HostFacts) -> Vec<Row> {
    let said = facts.python.iter().map(|interpreter| {
        let threads = if interpreter.free_threaded { ", free-threaded" } else { "" };
        let origin = match (&interpreter.virtual_environment_of, interpreter.origin) {
            (Some(base), _) => format!("virtual environment of {base}"),
            (None, InterpreterOrigin::Path) => "on the search path".to_owned(),
            (None, InterpreterOrigin::Pyenv) => "pyenv".to_owned(),
            (None, InterpreterOrigin::Distribution) => "of the distribution".to_owned(),
            (None, InterpreterOrigin::Launcher) => "of the launcher, not run".to_owned(),
            (None, InterpreterOrigin::Given) => "given".to_owned(),
        };
        let text = format!("{} ({origin}{threads})", interpreter.path);
        row(interpreter.version.to_string(), text)
    });
    said.collect()
}

fn environment(facts: &HostFacts) -> Vec<Row> {
    let quoted =
        |value: &str| if value.is_empty() { "(empty)".to_owned() } else { value.to_owned() };
    facts.environment.iter().map(|said| row(&said.name, quoted(&said.value))).collect()
}

fn given(facts: &HostFacts) -> Vec<Row> {
    let said = |(key, given): (&String, &Sourced<String>)| {
        row(key, format!("{} ({})", given.value, given.origin))
    };
    facts.overrides.iter().map(said).collect()
}

fn unread(facts: &HostFacts) -> Vec<Row> {
    facts.unread.iter().map(|unread| row(&unread.what, &unread.why)).collect()
}

/// A size in GiB with one digit, as memory is sold.
fn gib(bytes: u64) -> String {
    let tenths = (u128::from(bytes) * 10 + GIB / 2) / GIB;
    format!("{}.{} GiB", tenths / 10, tenths % 10)
}

const GIB: u128 = 1 << 30;

#[cfg(test)]
mod tests;
