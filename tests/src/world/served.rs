//! A file as an index lists it: its bytes, and what the page says of it.

use crate::digest::sha256;
use crate::wheel::{Wheel, WheelBuilder, normal_name};

/// One file of an index with the page's claims about it, true or not.
#[derive(Debug, Clone)]
pub struct Served {
    pub(crate) project: String,
    pub(crate) version: String,
    pub(crate) filename: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) metadata: Option<String>,
    pub(crate) requires_python: Option<String>,
    pub(crate) yanked: Option<String>,
    pub(crate) upload_time: Option<String>,
    pub(crate) hash: Option<String>,
    pub(crate) size: usize,
    pub(crate) missing: bool,
    pub(crate) folder: Option<String>,
}

impl Served {
    /// Any file, such as a source distribution.
    pub fn raw(project: &str, version: &str, filename: &str, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self {
            project: normal_name(project),
            version: version.to_owned(),
            filename: filename.to_owned(),
            metadata: None,
            requires_python: None,
            yanked: None,
            upload_time: Some(DEFAULT_UPLOAD_TIME.to_owned()),
            hash: Some(sha256(&bytes)),
            size: bytes.len(),
            missing: false,
            folder: None,
            bytes,
        }
    }
}

impl From<Wheel> for Served {
    fn from(wheel: Wheel) -> Self {
        Self {
            metadata: Some(wheel.metadata),
            requires_python: wheel.requires_python,
            ..Self::raw(&wheel.name, &wheel.version, &wheel.filename, wheel.bytes)
        }
    }
}

impl From<WheelBuilder> for Served {
    fn from(builder: WheelBuilder) -> Self {
        builder.build().into()
    }
}

const DEFAULT_UPLOAD_TIME: &str = "2024-01-01T00:00:00.000000Z";
