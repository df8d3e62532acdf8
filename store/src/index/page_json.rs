//! Index pages in JSON: PEP 691, with the fields of PEP 700 and 714.

use std::collections::BTreeMap;

use rocmenv_manifests::catalog::PythonFile;
use serde::Deserialize;
use serde::de::{Error as _, IgnoredAny};
use url::Url;

use super::file_url;
use super::simple::Page;

/// The files that a page lists. `base` is the address that answered.
///
/// # Errors
/// The text is not such a page.
pub(super) fn parse(json: &[u8], base: &Url) -> Result<Page, serde_json::Error> {
    let listed: Listed = serde_json::from_slice(json)?;
    let version = listed.meta.map_or_else(|| "1.0".to_owned(), |meta| meta.api_version);
    if version.split('.').next() != Some("1") {
        let problem = format!("version `{version}` of the index's format is not known");
        return Err(serde_json::Error::custom(problem));
    }
    let mut page = Page::default();
    for file in listed.files {
        // A single entry that makes no sense must not hide the others.
        let Some(link) = file_url::resolve(base, &file.url) else { continue };
        let sha256 = file.hashes.get("sha256").and_then(|d| d.to_ascii_lowercase().parse().ok());
        let metadata = file.core_metadata.or(file.dist_info_metadata);
        let file = PythonFile {
            name: file.filename,
            sha256: sha256.or(link.sha256),
            size: file.size,
            requires_python: file.requires_python.filter(|text| !text.trim().is_empty()),
            yanked: match file.yanked {
                None | Some(Yanked::Flag(false)) => None,
                Some(Yanked::Flag(true)) => Some(String::new()),
                Some(Yanked::Reason(reason)) => Some(reason),
            },
            uploaded: file
                .upload_time
                .and_then(|time| time.parse::<jiff::Timestamp>().ok())
                .map(jiff::Timestamp::as_second),
            has_metadata: !matches!(metadata, None | Some(Offered::Flag(false))),
        };
        page.push(file, link.address);
    }
    Ok(page)
}

#[derive(Deserialize)]
struct Listed {
    meta: Option<Meta>,
    files: Vec<ListedFile>,
}

/// Another major version may mean another thing with the same words (PEP 629).
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Meta {
    api_version: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct ListedFile {
    filename: String,
    url: String,
    #[serde(default)]
    hashes: BTreeMap<String, String>,
    requires_python: Option<String>,
    core_metadata: Option<Offered>,
    dist_info_metadata: Option<Offered>,
    yanked: Option<Yanked>,
    size: Option<u64>,
    upload_time: Option<String>,
}

/// `true`, `false` or a table of the metadata file's hashes.
#[derive(Deserialize)]
#[serde(untagged)]
enum Offered {
    Flag(bool),
    Hashes(IgnoredAny),
}

/// `true`, `false` or the reason.
#[derive(Deserialize)]
#[serde(untagged)]
enum Yanked {
    Flag(bool),
    Reason(String),
}
