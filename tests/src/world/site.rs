//! A rendered world: which path answers what.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::Bytes;

use super::fault::FaultRule;

/// Everything a server answers, by decoded path. Paths of other hosts begin with `/HOST/`.
#[derive(Debug, Default)]
pub(crate) struct Site {
    pub(crate) resources: BTreeMap<String, Resource>,
    pub(crate) guards: Vec<Guard>,
    pub(crate) faults: Vec<FaultRule>,
    pub(crate) delays: Option<(u64, Duration)>,
    pub(crate) validators: bool,
}

/// What holds for all paths under a prefix.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    pub(crate) prefix: String,
    pub(crate) missing_status: u16,
    pub(crate) credentials: Option<(String, String)>,
}

/// What one path answers.
#[derive(Debug, Clone)]
pub(crate) enum Resource {
    /// Content in one or more media types; the first is the default.
    Content { variants: Vec<(&'static str, Bytes)>, ranges: bool },
    /// A redirect with this status to another path of the site.
    Redirect { status: u16, to: String },
}

impl Resource {
    pub(crate) fn file(bytes: impl Into<Vec<u8>>) -> Self {
        Self::Content {
            variants: vec![("application/octet-stream", Bytes::from(bytes.into()))],
            ranges: true,
        }
    }

    pub(crate) fn page(variants: Vec<(&'static str, String)>) -> Self {
        Self::Content {
            variants: variants
                .into_iter()
                .map(|(media_type, text)| (media_type, Bytes::from(text)))
                .collect(),
            ranges: false,
        }
    }

    pub(crate) fn redirect(status: u16, to: String) -> Self {
        Self::Redirect { status, to }
    }

    pub(crate) fn with_ranges(mut self, served: bool) -> Self {
        if let Self::Content { ranges, .. } = &mut self {
            *ranges = served;
        }
        self
    }
}

impl Site {
    /// The guard with the longest prefix of `path`.
    pub(crate) fn guard(&self, path: &str) -> Option<&Guard> {
        self.guards
            .iter()
            .filter(|guard| path.starts_with(&guard.prefix))
            .max_by_key(|guard| guard.prefix.len())
    }
}

/// The site's path for an address: `https://HOST/PATH` becomes `/HOST/PATH`, decoded.
pub(crate) fn site_path(address: &str) -> String {
    let path = address
        .strip_prefix("https://")
        .or_else(|| address.strip_prefix("http://"))
        .map_or_else(|| address.to_owned(), |rest| format!("/{rest}"));
    decode(&path)
}

/// Undoes percent-encoding.
pub(crate) fn decode(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = tail
            .get(..2)
            .filter(|_| *first == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
