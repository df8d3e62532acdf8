//! The pages of an index.
//!
//! HTML: PEP 503 with `data-requires-python`, `data-yanked` (592),
//! `data-core-metadata` and its older name (658, 714). JSON: PEP 691 and 700.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::site::Resource;

/// What a page says of one file.
pub(super) struct Entry {
    pub(super) href: String,
    pub(super) filename: String,
    pub(super) version: String,
    pub(super) sha256: Option<String>,
    pub(super) requires_python: Option<String>,
    pub(super) yanked: Option<String>,
    pub(super) upload_time: Option<String>,
    pub(super) size: Option<usize>,
    pub(super) metadata_sha256: Option<String>,
}

/// A project's page in HTML.
pub(super) fn html(project: &str, entries: &[Entry]) -> String {
    let links: String = entries.iter().map(link).collect();
    format!(
        "<!DOCTYPE html>\n<html>\n  <head><meta name=\"pypi:repository-version\" content=\"1.1\">\
         <title>Links for {project}</title></head>\n  <body>\n    <h1>Links for {project}</h1>\n\
         {links}  </body>\n</html>\n"
    )
}

/// A project's page in JSON.
pub(super) fn json(project: &str, entries: &[Entry]) -> String {
    let mut versions: Vec<&str> = entries.iter().map(|entry| &*entry.version).collect();
    versions.sort_unstable(); // as text: the general index does so
    versions.dedup();
    let files: Vec<Value> = entries.iter().map(json_file).collect();
    json!({
        "meta": {"api-version": "1.1"},
        "name": project,
        "versions": versions,
        "files": files,
    })
    .to_string()
}

/// The page that lists the projects.
pub(super) fn root_page(projects: &[&str]) -> Resource {
    let mut links = String::new();
    for project in projects {
        let _ = writeln!(links, "    <a href=\"{project}/\">{project}</a><br/>");
    }
    let html = format!("<!DOCTYPE html>\n<html>\n  <body>\n{links}  </body>\n</html>\n");
    let projects: Vec<Value> = projects.iter().map(|name| json!({"name": name})).collect();
    let json = json!({"meta": {"api-version": "1.1"}, "projects": projects}).to_string();
    Resource::page(vec![(HTML, html), (SIMPLE_JSON, json)])
}

/// A directory listing as web servers make it: a link to the parent, then the files.
pub(super) fn folder_page(entries: &[Entry]) -> Resource {
    let mut links = String::new();
    for entry in entries {
        let _ = writeln!(links, "<a href=\"{}\">{}</a>", entry.href, entry.filename);
    }
    let html = format!(
        "<html>\n<head><title>Index of /</title></head>\n<body>\n<pre><a href=\"../\">../</a>\n\
         {links}</pre>\n</body>\n</html>\n"
    );
    Resource::page(vec![(HTML, html)])
}

/// The address of `file` as a page at `page` links it: relative, or absolute to another host.
pub(super) fn href(page: &str, file: &str) -> String {
    let from: Vec<&str> = page.trim_matches('/').split('/').collect();
    let to: Vec<&str> = file.trim_start_matches('/').split('/').collect();
    if from[0] != to[0] && to[0].contains('.') {
        return format!("https://{}", encode(&to.join("/")));
    }
    let common =
        from.iter().zip(&to[..to.len() - 1]).take_while(|(left, right)| left == right).count();
    let up = "../".repeat(from.len() - common);
    encode(&format!("{up}{}", to[common..].join("/")))
}

/// `path` with one slash at its end.
pub(super) fn folder(path: &str) -> String {
    format!("{}/", path.trim_end_matches('/'))
}

fn link(entry: &Entry) -> String {
    let fragment = entry.sha256.as_ref().map_or(String::new(), |hash| format!("#sha256={hash}"));
    let mut attributes = String::new();
    if let Some(specifier) = &entry.requires_python {
        let specifier = escape(specifier);
        let _ = write!(attributes, " data-requires-python=\"{specifier}\"");
    }
    if let Some(reason) = &entry.yanked {
        let _ = write!(attributes, " data-yanked=\"{}\"", escape(reason));
    }
    if let Some(hash) = &entry.metadata_sha256 {
        let _ = write!(
            attributes,
            " data-dist-info-metadata=\"sha256={hash}\" data-core-metadata=\"sha256={hash}\""
        );
    }
    format!("    <a href=\"{}{fragment}\"{attributes}>{}</a><br/>\n", entry.href, entry.filename)
}

fn json_file(entry: &Entry) -> Value {
    let mut file = Map::new();
    file.insert("filename".into(), json!(entry.filename));
    file.insert("url".into(), json!(entry.href));
    let hashes = match &entry.sha256 {
        Some(hash) => json!({"sha256": hash}),
        None => json!({}),
    };
    file.insert("hashes".into(), hashes);
    if let Some(specifier) = &entry.requires_python {
        file.insert("requires-python".into(), json!(specifier));
    }
    let yanked = match entry.yanked.as_deref() {
        None => json!(false),
        Some("") => json!(true),
        Some(reason) => json!(reason),
    };
    file.insert("yanked".into(), yanked);
    if let Some(time) = &entry.upload_time {
        file.insert("upload-time".into(), json!(time));
    }
    if let Some(size) = entry.size {
        file.insert("size".into(), json!(size));
    }
    if let Some(hash) = &entry.metadata_sha256 {
        file.insert("core-metadata".into(), json!({"sha256": hash}));
    }
    Value::Object(file)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Percent-encodes what the real pages encode: the `+` of local versions, and spaces.
fn encode(path: &str) -> String {
    path.replace('%', "%25").replace('+', "%2B").replace(' ', "%20")
}

pub(super) const HTML: &str = "text/html";
pub(super) const SIMPLE_HTML: &str = "application/vnd.pypi.simple.v1+html";
pub(super) const SIMPLE_JSON: &str = "application/vnd.pypi.simple.v1+json";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hrefs_are_relative_within_a_host() {
        let cases = [
            ("/main/simple/a/", "/main/files/a.whl", "../../files/a.whl"),
            ("/main/", "/main/a+b.whl", "a%2Bb.whl"),
            ("/x.amd.com/rocm/pytorch/whl/torch/", "/x.amd.com/rocm/pytorch/whl/t.whl", "../t.whl"),
            (
                "/a.example.com/whl/t/",
                "/b.example.com/whl/t.whl",
                "https://b.example.com/whl/t.whl",
            ),
        ];
        for (page, file, expected) in cases {
            assert_eq!(href(page, file), expected);
        }
    }
}
