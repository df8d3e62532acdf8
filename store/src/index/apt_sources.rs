//! The entries of apt's sources: deb822 (`.sources`) and one-line (`.list`) style, as
//! sources.list(5) describes them.

use std::path::PathBuf;

use url::Url;

use crate::fetch::{Logins, split_login};

/// One entry for binary packages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AptSource {
    /// The repository's root, without login.
    pub url: Url,
    /// Its suites; one that ends with `/` is a folder of a flat repository.
    pub suites: Vec<String>,
    /// The components of each suite.
    pub components: Vec<String>,
    /// The architectures that it is for; empty for all.
    pub architectures: Vec<String>,
    /// Who must have signed it.
    pub keyring: Keyring,
    /// The user's own word that signatures do not matter here (`Trusted: yes`).
    pub trusted: bool,
    /// Whether an outdated Release is refused (`Check-Valid-Until`).
    pub check_valid_until: bool,
}

/// Where the keys of an entry are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keyring {
    /// The entry names none: apt's own folder of keys.
    Apt,
    /// Files.
    Files(Vec<PathBuf>),
    /// Keys of apt's own folder with these fingerprints.
    Fingerprints(Vec<String>),
    /// Keys with these fingerprints, as they are published at an address.
    Published {
        /// Where.
        url: Url,
        /// Whose; nothing else that lies there counts.
        fingerprints: Vec<String>,
    },
    /// Keys in the entry itself.
    Inline(String),
}

/// An entry that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct SourcesError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: &'static str,
}

/// The entries of a sources file, by its name's end. Entries that are switched off, for source
/// packages, or not on a network or disk (`cdrom:`) are left out; logins go to `logins`.
///
/// # Errors
/// An entry that cannot be read.
pub fn parse_sources(
    text: &str,
    file: &str,
    logins: &mut Logins,
) -> Result<Vec<AptSource>, SourcesError> {
    if file.ends_with(".sources") {
        deb822(text, file, logins)
    } else {
        one_line(text, file, logins)
    }
}

fn deb822(text: &str, file: &str, logins: &mut Logins) -> Result<Vec<AptSource>, SourcesError> {
    let mut sources = Vec::new();
    for paragraph in paragraphs(text) {
        let value = |name: &str| {
            let mut fields = paragraph.fields.iter();
            fields.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
        };
        let words = |name| split(value(name).unwrap_or_default());
        let is = |name: &str, otherwise| value(name).map_or(otherwise, is_yes);
        if !words("Types").iter().any(|kind| kind == "deb") || !is("Enabled", true) {
            continue;
        }
        let fail = |problem| SourcesError { file: file.to_owned(), line: paragraph.line, problem };
        let suites = words("Suites");
        if suites.is_empty() {
            return Err(fail("the entry names no suite"));
        }
        for address in words("URIs") {
            let Some(url) = root(&address, logins).map_err(fail)? else { continue };
            sources.push(AptSource {
                url,
                suites: suites.clone(),
                components: words("Components"),
                architectures: words("Architectures"),
                keyring: value("Signed-By").map_or(Keyring::Apt, keyring),
                trusted: is("Trusted", false),
                check_valid_until: is("Check-Valid-Until", true),
            });
        }
    }
    Ok(sources)
}

struct Paragraph {
    line: usize,
    fields: Vec<(String, String)>,
}

/// Comments may stand between fields and between the lines of one.
fn paragraphs(text: &str) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut open = false;
    for (at, line) in text.lines().enumerate() {
        if line.starts_with('#') {
            continue;
        }
        if line.trim().is_empty() {
            open = false;
            continue;
        }
        if !open {
            paragraphs.push(Paragraph { line: at + 1, fields: Vec::new() });
            open = true;
        }
        let Some(paragraph) = paragraphs.last_mut() else { continue };
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = paragraph.fields.last_mut() {
                value.push('\n');
                // A dot stands for an empty line.
                let line = line.trim();
                value.push_str(if line == "." { "" } else { line });
            }
        } else if let Some((key, value)) = line.split_once(':') {
            paragraph.fields.push((key.trim().to_owned(), value.trim().to_owned()));
        }
    }
    paragraphs
}

fn one_line(text: &str, file: &str, logins: &mut Logins) -> Result<Vec<AptSource>, SourcesError> {
    let mut sources = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let Some(rest) = line.strip_prefix("deb").filter(|rest| rest.starts_with([' ', '\t', '[']))
        else {
            continue;
        };
        let fail = |problem| SourcesError { file: file.to_owned(), line: at + 1, problem };
        let rest = rest.trim_start();
        let (options, rest) = match rest.strip_prefix('[') {
            Some(inner) => inner.split_once(']').ok_or(fail("the options have no end"))?,
            None => ("", rest),
        };
        let mut words = rest.split_whitespace().map(str::to_owned);
        let address = words.next().ok_or(fail("the entry has no address"))?;
        let suite = words.next().ok_or(fail("the entry names no suite"))?;
        let Some(url) = root(&address, logins).map_err(fail)? else { continue };
        let option = |name: &str| {
            let mut options = options.split_whitespace().filter_map(|o| o.split_once('='));
            options.find(|(key, _)| key.trim_end_matches(['+', '-']) == name).map(|(_, v)| v)
        };
        sources.push(AptSource {
            url,
            suites: vec![suite],
            components: words.collect(),
            architectures: option("arch")
                .map(|v| v.split(',').map(str::to_owned).collect())
                .unwrap_or_default(),
            keyring: option("signed-by").map_or(Keyring::Apt, keyring),
            trusted: option("trusted").is_some_and(is_yes),
            check_valid_until: option("check-valid-until").is_none_or(is_yes),
        });
    }
    Ok(sources)
}

/// The repository's root. `None` for places that only apt itself reaches.
fn root(address: &str, logins: &mut Logins) -> Result<Option<Url>, &'static str> {
    let url = Url::parse(address).map_err(|_| "the entry has no address that can be read")?;
    if !matches!(url.scheme(), "http" | "https" | "file") {
        return Ok(None);
    }
    let (mut url, login) = split_login(url);
    if let Some(login) = login {
        logins.add(&url, login);
    }
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(Some(url))
}

fn keyring(text: &str) -> Keyring {
    if text.contains("-----BEGIN PGP") {
        return Keyring::Inline(text.trim().to_owned());
    }
    let words = split(&text.replace(',', " "));
    if words.iter().all(|word| word.starts_with('/')) {
        Keyring::Files(words.into_iter().map(PathBuf::from).collect())
    } else {
        // `!` says that subkeys do not count; a fingerprint names exactly one key here anyway.
        Keyring::Fingerprints(words.iter().map(|w| w.trim_end_matches('!').to_owned()).collect())
    }
}

fn split(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn is_yes(text: &str) -> bool {
    matches!(
        text.trim().to_ascii_lowercase().as_str(),
        "yes" | "true" | "1" | "on" | "with" | "enable"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, file: &str) -> Vec<AptSource> {
        parse_sources(text, file, &mut Logins::new()).unwrap()
    }

    #[test]
    fn both_styles_say_the_same() {
        let new = "# a comment\nTypes: deb deb-src\n# another\nURIs: http://deb.test/debian\n\
                   Suites: bookworm\nComponents: main\n contrib\nArchitectures: amd64\n\
                   Signed-By: /usr/share/keyrings/a.gpg\n\n\nTypes: deb\nEnabled: no\nURIs: x\n";
        let old = "# none\ndeb-src http://deb.test/debian bookworm main\n\
                   deb [ arch=amd64 signed-by=/usr/share/keyrings/a.gpg ] http://deb.test/debian \
                   bookworm main contrib # end\ndeb cdrom:[x]/ bookworm main\n";
        let [new, old] = [parse(new, "a.sources"), parse(old, "a.list")];
        assert_eq!(new, old);
        assert_eq!(new[0].components, ["main", "contrib"]);
        assert_eq!(new[0].keyring, Keyring::Files(vec!["/usr/share/keyrings/a.gpg".into()]));
        assert!(!new[0].trusted && new[0].check_valid_until);
    }

    #[test]
    fn keys_may_stand_in_the_entry_itself() {
        let text = "Types: deb\nURIs: https://u:p@deb.test\nSuites: ./\nTrusted: yes\n\
                    Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mDMEZ\n\
                    \x20-----END PGP PUBLIC KEY BLOCK-----\n";
        let source = parse(text, "x.sources").remove(0);
        assert_eq!(source.url.as_str(), "https://deb.test/");
        assert!(source.trusted);
        assert_eq!(
            source.keyring,
            Keyring::Inline(
                "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ\n-----END PGP PUBLIC KEY BLOCK-----"
                    .to_owned()
            )
        );
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        let error =
            |text, file| parse_sources(text, file, &mut Logins::new()).unwrap_err().to_string();
        assert_eq!(error("\ndeb [x http://a b", "a.list"), "a.list:2: the options have no end");
        assert_eq!(
            error("Types: deb\nURIs: http://a.test\n", "a.sources"),
            "a.sources:1: the entry names no suite"
        );
    }
}
