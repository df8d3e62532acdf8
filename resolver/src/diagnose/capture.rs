//! A capture: a machine, or what is known of it, for a diagnosis elsewhere. docs/capture.md
//! describes it; it can be written by hand.
//!
//! It is a list of named texts. They stand in one text file, one after the other, or are the files
//! of a folder or of an archive, where the first one holds the mark.
//!
//! ```text
//! rocmenv-capture 1
//! === facts
//! os = ubuntu-24.04
//! gpus = RX 7900 XTX
//! === outputs/dmesg.txt
//! kfd kfd: amdgpu: skipped device 1002:744c, PCI rejects atomics 494<509
//! ```

use std::fmt::Write;

use rocmenv_manifests::sourced::{Origin, Sourced};

use super::facts::{Facts, Surroundings};
use super::scrub::Scrubber;
use super::{Evidence, SEEN};
use crate::host::lookup::ProductLookup;
use crate::host::{HostFileError, OverrideError, Overrides, read_host_file, write_host_file};

/// The first line, with the version of the format.
pub const FIRST_LINE: &str = "rocmenv-capture 1";

/// The file of a folder or archive that holds the first line, and by which a capture is known.
pub const MARK: &str = "rocmenv-capture";

/// A part of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its name, as of a file (`outputs/1.txt`).
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A capture that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// Written by a later version.
    #[error("the capture has version {0}, this program reads version 1")]
    Newer(String),
    /// Its host file is none.
    #[error("the section `host.json` is no host file")]
    Host(#[source] HostFileError),
    /// Its second part is none.
    #[error("the section `doctor.json` cannot be read")]
    Surroundings(#[source] serde_json::Error),
    /// A line of its facts says nothing known.
    #[error("the section `facts` cannot be read")]
    Facts(#[source] OverrideError),
}

/// Whether a text is a capture.
pub fn is_capture(text: &str) -> bool {
    text.starts_with("rocmenv-capture ")
}

/// Reads a capture that is one text.
pub fn read(text: &str, products: &dyn ProductLookup) -> Result<Evidence, CaptureError> {
    check_version(text)?;
    read_sections(sections(text), products)
}

/// Reads a capture that is files of a folder or an archive; the mark is among them.
pub fn read_files(
    files: Vec<Section>,
    products: &dyn ProductLookup,
) -> Result<Evidence, CaptureError> {
    let mark = files.iter().find(|file| file.name == MARK);
    check_version(mark.map_or("", |mark| mark.text.as_str()))?;
    read_sections(files.into_iter().filter(|file| file.name != MARK).collect(), products)
}

fn check_version(text: &str) -> Result<(), CaptureError> {
    let version = text.lines().next().unwrap_or_default().trim();
    if version == FIRST_LINE {
        return Ok(());
    }
    let said = version.rsplit(' ').next().unwrap_or_default();
    Err(CaptureError::Newer(said.to_owned()))
}

fn read_sections(
    sections: Vec<Section>,
    products: &dyn ProductLookup,
) -> Result<Evidence, CaptureError> {
    let mut evidence = Evidence::default();
    let mut given = Vec::new();
    for Section { name, text } in sections {
        match name.as_str() {
            "host.json" => {
                evidence.facts.host = read_host_file(&text).map_err(CaptureError::Host)?;
            }
            "doctor.json" => {
                evidence.facts.around =
                    serde_json::from_str(&text).map_err(CaptureError::Surroundings)?;
            }
            "facts" => given.push(text),
            // what was read is for people: the facts in it stand in the other files
            name if name.starts_with(SEEN) => {
                evidence.seen.insert(name[SEEN.len()..].to_owned(), text);
            }
            _ => evidence.texts.push(text),
        }
    }
    for facts in given {
        apply(&facts, &mut evidence.facts, products).map_err(CaptureError::Facts)?;
    }
    Ok(evidence)
}

/// Applies lines of `KEY = VALUE`, the keys and values of `host --set`.
pub fn apply(
    text: &str,
    facts: &mut Facts,
    products: &dyn ProductLookup,
) -> Result<(), OverrideError> {
    let mut overrides = Overrides::default();
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in lines {
        overrides
            .set_text(Sourced::new(line.to_owned(), Origin::Flag("the capture".to_owned())))?;
    }
    facts.host = overrides.apply(&facts.host, products)?;
    Ok(())
}

/// The sections of a text; what stands before the first one is remarks.
fn sections(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines().skip(1) {
        if let Some(name) = line.strip_prefix("=== ") {
            sections.push(Section { name: name.trim().to_owned(), text: String::new() });
        } else if let Some(section) = sections.last_mut() {
            section.text.push_str(line);
            section.text.push('\n');
        }
    }
    sections
}

/// The files of a capture, scrubbed; the mark is the first. `names` are those of this machine and
/// its users; what the texts tell of names is learned from them.
pub fn write(evidence: &Evidence, names: &[String]) -> Result<Vec<Section>, HostFileError> {
    let facts = &evidence.facts;
    let host = write_host_file(&facts.host)?;
    let around = serde_json::to_string_pretty(&facts.around).map_err(HostFileError::Parse)?;
    let texts = evidence.texts.iter().chain(evidence.seen.values()).map(String::as_str);
    let scrubber = Scrubber::new(names, [host.as_str(), around.as_str()].into_iter().chain(texts));
    let section = |name: &str, text: String| Section { name: name.to_owned(), text };
    let mut sections = vec![
        section(MARK, format!("{FIRST_LINE}\n{REMARK}")),
        section("host.json", scrubber.json(&host)),
    ];
    if facts.around != Surroundings::default() {
        sections.push(section("doctor.json", scrubber.json(&around)));
    }
    for (number, text) in evidence.texts.iter().enumerate() {
        let name = format!("outputs/{}.txt", number + 1);
        sections.push(section(&name, scrubber.text(text.trim_end())));
    }
    for (path, text) in &evidence.seen {
        sections.push(section(&format!("{SEEN}{path}"), scrubber.text(text.trim_end())));
    }
    Ok(sections)
}

/// What a person who unpacks it should know.
const REMARK: &str = "host.json and doctor.json: the facts; outputs: what tools and logs said;\n\
    seen: files of /sys, /proc and /etc as they were read, for people.\n\
    Names, serial numbers, addresses and secrets were taken out; look through it all the same.\n";

/// A capture as one text. What was seen of the machine's files is left out of it.
pub fn as_text(sections: &[Section]) -> String {
    let mut out = format!("{FIRST_LINE}\n");
    for section in sections.iter().filter(|one| one.name != MARK && !one.name.starts_with(SEEN)) {
        let _ = write!(out, "=== {}\n{}\n", section.name, guarded(section.text.trim_end()));
    }
    out
}

/// A line of an output that would begin a section is moved in by a blank.
fn guarded(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| if line.starts_with("=== ") { format!(" {line}") } else { line.to_owned() });
    lines.collect::<Vec<_>>().join("\n")
}
