//! Where the evidence comes from: this machine, a capture, a host file, a captured tree, a folder
//! of outputs, or one output.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::diagnose::Evidence;
use rocmenv_resolver::diagnose::capture::{self, Section};
use rocmenv_resolver::diagnose::facts::Facts;
use rocmenv_resolver::diagnose::probe::{self, Options};
use rocmenv_resolver::host::sysroot::SIDE_FILE;
use rocmenv_resolver::host::{
    CapturedSysroot, HostFacts, LiveSysroot, ProbeOptions, RecordedSysroot, Sysroot,
    probe as probe_host, read_host_file,
};

use super::{DoctorError, packed};
use crate::context::Context;
use crate::error::Error;
use crate::ops::host::{self, HostOptions};
use crate::ops::packages;
use crate::ops::place::Place;

/// Whether what is read of a machine is kept, for a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Facts alone.
    Facts,
    /// The files as well.
    Files,
}

/// This machine, or the host file that stands for it.
pub(super) fn here(context: &Context, registry: &Registry, keep: Keep) -> Result<Evidence, Error> {
    let facts = host::facts(context, registry, &HostOptions::default())?;
    if context.settings.host_file.is_some() {
        let facts = Facts { host: facts, ..Facts::default() };
        return Ok(Evidence { facts, ..Evidence::default() });
    }
    let variables =
        context.environment.all().iter().filter_map(|(name, value)| {
            Some((name.to_str()?.to_owned(), value.to_str()?.to_owned()))
        });
    let root = LiveSysroot::new(variables.collect());
    let options = Options { site_packages: site_packages(context) };
    Ok(probed(&root, facts, &options, registry, keep))
}

/// A machine around its facts. Those are read once more where their files are to be kept.
fn probed(
    root: &dyn Sysroot,
    facts: HostFacts,
    options: &Options,
    registry: &Registry,
    keep: Keep,
) -> Evidence {
    if keep == Keep::Facts {
        let probed = probe::probe(root, facts, options);
        return Evidence { facts: probed.facts, texts: probed.texts, ..Evidence::default() };
    }
    let recorded = RecordedSysroot::new(root);
    let options_of_host =
        ProbeOptions { products: registry, disks: Vec::new(), interpreters: false };
    probe_host(&recorded, &options_of_host);
    let probed = probe::probe(&recorded, facts, options);
    Evidence { facts: probed.facts, texts: probed.texts, seen: recorded.into_files() }
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
pub(super) fn from(path: &Path, registry: &Registry, keep: Keep) -> Result<Evidence, Error> {
    if path.is_dir() {
        return folder(path, registry, keep);
    }
    let bytes = bytes(path)?;
    match packed::open(path, &bytes)? {
        Some(files) => files_of_capture(path, files, registry),
        None => one(path, &decoded(&bytes), registry),
    }
}

fn one(path: &Path, text: &str, registry: &Registry) -> Result<Evidence, Error> {
    if capture::is_capture(text) {
        return Ok(capture::read(text, registry).map_err(|error| invalid(path, error))?);
    }
    if text.trim_start().starts_with('{') && text.contains("\"schema\"") {
        let invalid = |source| DoctorError::Host { path: path.to_owned(), source };
        let host = read_host_file(text).map_err(invalid)?;
        let facts = Facts { host, ..Facts::default() };
        return Ok(Evidence { facts, ..Evidence::default() });
    }
    Ok(Evidence { texts: vec![text.to_owned()], ..Evidence::default() })
}

fn invalid(path: &Path, source: capture::CaptureError) -> DoctorError {
    DoctorError::Capture { path: path.to_owned(), source: Box::new(source) }
}

/// The files of a capture, or, where no mark is among them, of somebody's outputs.
fn files_of_capture(
    path: &Path,
    files: Vec<Section>,
    registry: &Registry,
) -> Result<Evidence, Error> {
    if files.iter().any(|file| file.name == capture::MARK) {
        return Ok(capture::read_files(files, registry).map_err(|error| invalid(path, error))?);
    }
    outputs(files.into_iter().map(|file| (path.join(&file.name), file.text)), registry)
}

/// A capture that was unpacked is read as one; a captured tree is probed as a machine; of other
/// folders every file is one output.
fn folder(path: &Path, registry: &Registry, keep: Keep) -> Result<Evidence, Error> {
    if path.join(capture::MARK).is_file() {
        let mut files = Vec::new();
        collect(path, "", &mut files)?;
        return files_of_capture(path, files, registry);
    }
    if path.join(SIDE_FILE).is_file() || path.join("sys").is_dir() {
        let root = CapturedSysroot::at(path).map_err(DoctorError::from)?;
        let options = ProbeOptions { products: registry, disks: Vec::new(), interpreters: false };
        let host = probe_host(&root, &options);
        return Ok(probed(&root, host, &Options::default(), registry, keep));
    }
    let mut files = Vec::new();
    for entry in packages::entries(path).into_iter().filter(|entry| entry.is_file()) {
        let bytes = bytes(&entry)?;
        files.push((entry, decoded(&bytes)));
    }
    outputs(files, registry)
}

/// Every file is an output, a host file, a capture, or, named `facts` or `facts.txt`, a list of
/// facts, which replace those of the others.
fn outputs(
    files: impl IntoIterator<Item = (PathBuf, String)>,
    registry: &Registry,
) -> Result<Evidence, Error> {
    let mut evidence = Evidence::default();
    let mut given = None;
    for (path, text) in files {
        if path.file_stem().is_some_and(|stem| stem == "facts") {
            given = Some((path, text));
            continue;
        }
        let more = one(&path, &text, registry)?;
        if more.facts != Facts::default() {
            evidence.facts = more.facts;
        }
        evidence.texts.extend(more.texts);
    }
    if let Some((path, text)) = given {
        let applied = capture::apply(&text, &mut evidence.facts, registry);
        applied.map_err(|source| invalid(&path, capture::CaptureError::Facts(source)))?;
    }
    Ok(evidence)
}

/// The files of a folder and of those in it, named as in an archive.
fn collect(folder: &Path, before: &str, files: &mut Vec<Section>) -> Result<(), DoctorError> {
    // links may lead in a circle, and out of the folder
    let entries = packages::entries(folder).into_iter().filter(|entry| !entry.is_symlink());
    for entry in entries {
        let Some(name) = entry.file_name() else { continue };
        let name = format!("{before}{}", name.to_string_lossy());
        if entry.is_dir() {
            collect(&entry, &format!("{name}/"), files)?;
        } else {
            files.push(Section { name, text: decoded(&bytes(&entry)?) });
        }
    }
    Ok(())
}

/// The text of a file.
pub(super) fn text(path: &Path) -> Result<String, DoctorError> {
    Ok(decoded(&bytes(path)?))
}

fn bytes(path: &Path) -> Result<Vec<u8>, DoctorError> {
    fs::read(path).map_err(|source| DoctorError::Read { path: path.to_owned(), source })
}

/// A text as tools of Linux and Windows write it: UTF-8, or UTF-16 with its mark.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let units = |pair: &[u8]| match pair {
        [low, high] => u16::from_le_bytes([*low, *high]),
        _ => 0,
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => {
            let wide: Vec<u16> = rest.chunks(2).map(units).collect();
            String::from_utf16_lossy(&wide)
        }
        bytes => String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}').to_owned(),
    }
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
