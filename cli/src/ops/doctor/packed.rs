//! Captures as archives: `.tar.gz` of plain files.

use std::path::Path;

use rocmenv_resolver::diagnose::capture::{self, Section};
use rocmenv_store::members::{self, Member};

use super::{DoctorError, input};

/// The files of an archive; `None` where the bytes are none. A folder around all of it, as people
/// make it when they pack again, is taken off.
pub(super) fn open(path: &Path, bytes: &[u8]) -> Result<Option<Vec<Section>>, DoctorError> {
    if !members::is_packed(bytes) {
        return Ok(None);
    }
    let unpacked = members::unpack(bytes, LARGEST);
    let invalid = |source| DoctorError::Archive { path: path.to_owned(), source };
    let files = unpacked.map_err(invalid)?;
    let mark = files.iter().find(|file| file.name.rsplit('/').next() == Some(capture::MARK));
    let around = mark.map_or(0, |mark| mark.name.len() - capture::MARK.len());
    let section = |file: &Member| {
        let name = file.name.get(around..).unwrap_or(&file.name).to_owned();
        Section { name, text: input::decoded(&file.content) }
    };
    Ok(Some(files.iter().map(section).collect()))
}

/// The bytes of a capture: an archive, or one text where the file is named so.
pub(super) fn bytes(sections: &[Section], path: &Path) -> Result<Vec<u8>, DoctorError> {
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("txt")) {
        return Ok(capture::as_text(sections).into_bytes());
    }
    let member = |section: &Section| Member {
        name: section.name.clone(),
        content: section.text.clone().into_bytes(),
    };
    let files: Vec<Member> = sections.iter().map(member).collect();
    let invalid = |source| DoctorError::Archive { path: path.to_owned(), source };
    members::pack(&files).map_err(invalid)
}

/// Unpacked. A kernel log and a few hundred small files are less than a tenth of it.
const LARGEST: u64 = 64 << 20;
