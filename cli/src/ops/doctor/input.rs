//! Where the evidence comes from: this machine, a capture, a host file, a captured tree, a folder
//! of outputs, or one output.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::diagnose::facts::Facts;
use rocmenv_resolver::diagnose::probe::{self, Options};
use rocmenv_resolver::diagnose::{Evidence, capture};
use rocmenv_resolver::host::sysroot::SIDE_FILE;
use rocmenv_resolver::host::{
    CapturedSysroot, LiveSysroot, ProbeOptions, probe as probe_host, read_host_file,
};

use super::DoctorError;
use crate::context::Context;
use crate::error::Error;
use crate::ops::host::{self, HostOptions};
use crate::ops::packages;
use crate::ops::place::Place;

/// This machine, or the host file that stands for it.
pub(super) fn here(context: &Context, registry: &Registry) -> Result<Evidence, Error> {
    let facts = host::facts(context, registry, &HostOptions::default())?;
    if context.settings.host_file.is_some() {
        let facts = Facts { host: facts, ..Facts::default() };
        return Ok(Evidence { facts, texts: Vec::new() });
    }
    let variables =
        context.environment.all().iter().filter_map(|(name, value)| {
            Some((name.to_str()?.to_owned(), value.to_str()?.to_owned()))
        });
    let root = LiveSysroot::new(variables.collect());
    let options = Options { site_packages: site_packages(context) };
    let probed = probe::probe(&root, facts, &options);
    Ok(Evidence { facts: probed.facts, texts: probed.texts })
}

/// The packages that programs of this call would get: the project's environment, else the
/// virtual environment that is active.
fn site_packages(context: &Context) -> Option<PathBuf> {
    let project = Place::find(context).ok().and_then(|place| place.current().ok());
    if let Some(folder) = project.and_then(|(_, layout)| packages::site_packages(&layout)) {
        return Some(folder);
    }
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().find_map(|name| {
        let wanted =
            |(key, _): &(&std::ffi::OsString, &std::ffi::OsString)| key.as_os_str() == name;
        context.environment.all().iter().find(wanted).map(|(_, value)| PathBuf::from(value))
    })?;
    let unix = packages::entries(&active.join("lib")).into_iter();
    let mut folders = unix
        .map(|folder| folder.join("site-packages"))
        .chain([active.join("Lib").join("site-packages")]);
    folders.find(|folder| folder.is_dir())
}

/// What was handed in, by its content.
pub(super) fn from(path: &Path, registry: &Registry) -> Result<Evidence, Error> {
    if path.is_dir() {
        return folder(path, registry);
    }
    one(path, &text(path)?, registry)
}

fn one(path: &Path, text: &str, registry: &Registry) -> Result<Evidence, Error> {
    if capture::is_capture(text) {
        let invalid =
            |source| DoctorError::Capture { path: path.to_owned(), source: Box::new(source) };
        return Ok(capture::read(text, registry).map_err(invalid)?);
    }
    if text.trim_start().starts_with('{') && text.contains("\"schema\"") {
        let invalid = |source| DoctorError::Host { path: path.to_owned(), source };
        let host = read_host_file(text).map_err(invalid)?;
        let facts = Facts { host, ..Facts::default() };
        return Ok(Evidence { facts, texts: Vec::new() });
    }
    Ok(Evidence { facts: Facts::default(), texts: vec![text.to_owned()] })
}

/// A captured tree is probed as a machine; of other folders every file is one output, a host file
/// or a list of facts named `facts` or `facts.txt` among them.
fn folder(path: &Path, registry: &Registry) -> Result<Evidence, Error> {
    if path.join(SIDE_FILE).is_file() || path.join("sys").is_dir() {
        let root = CapturedSysroot::at(path).map_err(DoctorError::from)?;
        let options = ProbeOptions { products: registry, disks: Vec::new(), interpreters: false };
        let host = probe_host(&root, &options);
        let probed = probe::probe(&root, host, &Options::default());
        return Ok(Evidence { facts: probed.facts, texts: probed.texts });
    }
    let mut evidence = Evidence::default();
    let mut given = None;
    for entry in packages::entries(path) {
        if !entry.is_file() {
            continue;
        }
        let text = text(&entry)?;
        let name = entry.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name == "facts" {
            given = Some((entry, text));
            continue;
        }
        let more = one(&entry, &text, registry)?;
        if more.facts != Facts::default() {
            evidence.facts = more.facts;
        }
        evidence.texts.extend(more.texts);
    }
    if let Some((path, text)) = given {
        let invalid = |source| DoctorError::Capture {
            path: path.clone(),
            source: Box::new(capture::CaptureError::Facts(source)),
        };
        capture::apply(&text, &mut evidence.facts, registry).map_err(invalid)?;
    }
    Ok(evidence)
}

/// A text as tools of Linux and Windows write it: UTF-8, or UTF-16 with its mark.
pub(super) fn text(path: &Path) -> Result<String, DoctorError> {
    let read = |source| DoctorError::Read { path: path.to_owned(), source };
    let bytes = fs::read(path).map_err(read)?;
    let units = |pair: &[u8]| match pair {
        [low, high] => u16::from_le_bytes([*low, *high]),
        _ => 0,
    };
    Ok(match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => {
            let wide: Vec<u16> = rest.chunks(2).map(units).collect();
            String::from_utf16_lossy(&wide)
        }
        bytes => String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}').to_owned(),
    })
}

/// Names that a capture must not hold: of the user and of this machine.
pub(super) fn names(context: &Context) -> Vec<String> {
    let variables =
        ["USER", "LOGNAME", "USERNAME", "SUDO_USER", "HOSTNAME", "COMPUTERNAME", "USERDOMAIN"];
    let mut names: Vec<String> = context
        .environment
        .all()
        .iter()
        .filter(|(name, _)| variables.iter().any(|own| name.as_os_str() == *own))
        .filter_map(|(_, value)| value.to_str().map(str::to_owned))
        .collect();
    if let Ok(host) = fs::read_to_string("/etc/hostname") {
        names.push(host.trim().to_owned());
    }
    names.retain(|name| !name.is_empty());
    names.sort();
    names.dedup();
    names
}
