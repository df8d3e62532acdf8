//! A capture: one text file that holds a machine, or what is known of it, for a diagnosis
//! elsewhere. docs/capture.md describes it; it can be written by hand.
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

use super::Evidence;
use super::facts::{Facts, Surroundings};
use crate::host::lookup::ProductLookup;
use crate::host::{HostFileError, OverrideError, Overrides, read_host_file, write_host_file};

/// The first line, with the version of the format.
pub const FIRST_LINE: &str = "rocmenv-capture 1";

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

/// Reads a capture.
pub fn read(text: &str, products: &dyn ProductLookup) -> Result<Evidence, CaptureError> {
    let version = text.lines().next().unwrap_or_default().trim();
    if version != FIRST_LINE {
        let said = version.rsplit(' ').next().unwrap_or_default();
        return Err(CaptureError::Newer(said.to_owned()));
    }
    let mut evidence = Evidence::default();
    let mut given = Vec::new();
    for (name, content) in sections(text) {
        match name.as_str() {
            "host.json" => {
                evidence.facts.host = read_host_file(&content).map_err(CaptureError::Host)?;
            }
            "doctor.json" => {
                evidence.facts.around =
                    serde_json::from_str(&content).map_err(CaptureError::Surroundings)?;
            }
            "facts" => given.push(content),
            _ => evidence.texts.push(content),
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

/// The names and contents of the sections; what stands before the first one is remarks.
fn sections(text: &str) -> Vec<(String, String)> {
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in text.lines().skip(1) {
        if let Some(name) = line.strip_prefix("=== ") {
            sections.push((name.trim().to_owned(), String::new()));
        } else if let Some((_, content)) = sections.last_mut() {
            content.push_str(line);
            content.push('\n');
        }
    }
    sections
}

/// Writes a capture; scrub it before it leaves the machine.
pub fn write(evidence: &Evidence) -> Result<String, HostFileError> {
    let mut out = format!("{FIRST_LINE}\n");
    let facts = &evidence.facts;
    let host = write_host_file(&facts.host)?;
    let _ = write!(out, "=== host.json\n{host}");
    if facts.around != Surroundings::default() {
        let around = serde_json::to_string_pretty(&facts.around).map_err(HostFileError::Parse)?;
        let _ = writeln!(out, "=== doctor.json\n{around}");
    }
    for (number, text) in evidence.texts.iter().enumerate() {
        let _ = write!(out, "=== outputs/{}.txt\n{}\n", number + 1, guarded(text.trim_end()));
    }
    Ok(out)
}

/// A line of an output that would begin a section is moved in by a blank.
fn guarded(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| if line.starts_with("=== ") { format!(" {line}") } else { line.to_owned() });
    lines.collect::<Vec<_>>().join("\n")
}
