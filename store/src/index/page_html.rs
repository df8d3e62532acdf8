//! Index pages in HTML: PEP 503, with the attributes of PEP 592, 658 and 714.

use rocmenv_manifests::catalog::PythonFile;
use url::Url;

use super::anchors::{self, Tag};
use super::file_url;
use super::simple::Page;

/// The files that a page links to. `base` is the address that answered.
pub(super) fn parse(html: &str, base: &Url) -> Page {
    let mut base = base.clone();
    let mut page = Page::default();
    for tag in anchors::tags(html) {
        let Some(href) = tag.attribute("href") else { continue };
        if tag.is_base {
            base = base.join(&href).unwrap_or(base);
            continue;
        }
        if let Some(link) = file_url::resolve(&base, &href) {
            let file = PythonFile {
                name: link.name,
                sha256: link.sha256,
                size: None,
                requires_python: text(&tag, "data-requires-python").filter(|t| !t.is_empty()),
                yanked: text(&tag, "data-yanked"),
                uploaded: None,
                has_metadata: ["data-core-metadata", "data-dist-info-metadata"]
                    .iter()
                    .any(|name| text(&tag, name).is_some_and(|value| value != "false")),
            };
            page.push(file, link.address);
        }
    }
    page
}

fn text(tag: &Tag<'_>, name: &str) -> Option<String> {
    tag.attribute(name).map(|value| value.trim().to_owned())
}
