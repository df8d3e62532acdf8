//! What a wheel says of itself: its `.dist-info` folder and the file WHEEL in it.

use std::path::Path;

use super::WheelError;
use super::check::read_text;
use crate::unpack::Entry;

/// What decides where a wheel's files go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WheelInfo {
    /// `NAME-VERSION.dist-info`.
    pub dist_info: String,
    /// `NAME-VERSION.data`, which may not exist.
    pub data: String,
    /// Whether its root belongs into purelib rather than platlib.
    pub root_is_purelib: bool,
}

impl WheelInfo {
    /// Reads an unpacked wheel.
    pub fn read(tree: &Path, entries: &[Entry]) -> Result<Self, WheelError> {
        let dist_info = dist_info(entries)?;
        let stem = dist_info.trim_end_matches(DIST_INFO).to_owned();
        let text = read_text(tree, &format!("{dist_info}/WHEEL"))?;
        let version = field(&text, "Wheel-Version").unwrap_or("1.0");
        if version.split('.').next() != Some("1") {
            return Err(WheelError::Format(version.to_owned()));
        }
        let purelib = field(&text, "Root-Is-Purelib");
        let root_is_purelib = purelib.is_some_and(|value| value.eq_ignore_ascii_case("true"));
        Ok(Self { dist_info, data: format!("{stem}.data"), root_is_purelib })
    }

    /// The project's name as the wheel spells it.
    pub fn name(&self) -> &str {
        self.dist_info.split('-').next().unwrap_or(&self.dist_info)
    }
}

fn dist_info(entries: &[Entry]) -> Result<String, WheelError> {
    let mut found: Vec<&str> = entries
        .iter()
        .filter_map(|entry| entry.path.split('/').next())
        .filter(|first| first.ends_with(DIST_INFO))
        .collect();
    found.dedup();
    match found[..] {
        [one] => Ok(one.to_owned()),
        _ => Err(WheelError::DistInfo(found.len())),
    }
}

/// A field of the header format that METADATA and WHEEL share.
pub(super) fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().take_while(|line| !line.is_empty()).find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

const DIST_INFO: &str = ".dist-info";
