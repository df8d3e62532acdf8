//! The link of a file: where it leads, what the file is called, what its fragment promises.

use percent_encoding::percent_decode_str;
use rocmenv_manifests::digest::Sha256;
use url::Url;

use crate::fetch::split_login;

/// A link, taken apart.
pub(super) struct FileUrl {
    /// The whole address without login and fragment.
    pub(super) address: String,
    /// The file's name, percent-decoded.
    pub(super) name: String,
    /// The hash in the fragment (`#sha256=`).
    pub(super) sha256: Option<Sha256>,
}

/// Resolves a link of a page. `None` for links that lead to no file or out of the network.
pub(super) fn resolve(base: &Url, href: &str) -> Option<FileUrl> {
    let (mut url, _) = split_login(base.join(href.trim()).ok()?);
    // A page of a server must not make us read this machine's files.
    if !matches!(url.scheme(), "http" | "https") && url.scheme() != base.scheme() {
        return None;
    }
    let sha256 = url.fragment().and_then(promised);
    url.set_fragment(None);
    let name = url.path_segments()?.next_back()?;
    let name = percent_decode_str(name).decode_utf8().ok()?.into_owned();
    (!name.is_empty()).then(|| FileUrl { address: url.into(), name, sha256 })
}

fn promised(fragment: &str) -> Option<Sha256> {
    let digest = fragment.split('&').find_map(|part| part.strip_prefix("sha256="))?;
    digest.to_ascii_lowercase().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded_and_addresses_are_not() {
        let base = Url::parse("https://index.test/simple/torch/").unwrap();
        let file = resolve(&base, "../../w/torch-2.12.0%2Brocm10.0-py3-none-any.whl#sha256=00");
        let file = file.unwrap();
        assert_eq!(file.name, "torch-2.12.0+rocm10.0-py3-none-any.whl");
        assert_eq!(file.address, "https://index.test/w/torch-2.12.0%2Brocm10.0-py3-none-any.whl");
        assert_eq!(file.sha256, None);
        for href in ["file:///etc/passwd", "mailto:x@y", "../", "javascript:1", "http://"] {
            assert!(resolve(&base, href).is_none(), "{href}");
        }
    }
}
