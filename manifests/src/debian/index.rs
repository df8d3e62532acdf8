//! The packages of an apt repository, by name and by what they provide.
//!
//! A list has 60,000 paragraphs and a solve asks for a few hundred. So a list is only cut into
//! paragraphs when it comes in (50 MB in about 50 ms), and a paragraph is read when its package is
//! asked for.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use super::stanza::{DebPackage, StanzaError};

/// The packages of an apt repository (all its suites and components for one architecture).
#[derive(Clone, Default)]
pub struct DebIndex {
    lists: Vec<String>,
    stanzas: Vec<Stanza>,
    by_name: HashMap<Box<str>, Vec<usize>>,
    providers: HashMap<Box<str>, Vec<usize>>,
}

#[derive(Debug, Clone)]
struct Stanza {
    list: usize,
    bytes: Range<usize>,
}

/// What the index needs of the paragraph that is being passed.
#[derive(Default)]
struct Found<'t> {
    name: &'t str,
    provides: &'t str,
}

impl DebIndex {
    /// An index of these Packages files. Where two hold the same package, the earlier file's
    /// comes first.
    pub fn new(lists: impl IntoIterator<Item = String>) -> Self {
        let mut index = Self::default();
        for list in lists {
            index.add(list);
        }
        index
    }

    /// Adds a Packages file (plain text), in one pass over its lines.
    pub fn add(&mut self, list: String) {
        let mut stanza = Found::default();
        let mut start = 0;
        let mut rest = &*list;
        while !rest.is_empty() {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            if let Some(name) = line.strip_prefix("Package:") {
                stanza.name = name.trim();
            } else if line.starts_with(PROVIDES) {
                stanza.provides = folded(&rest[PROVIDES.len()..]);
            }
            if line.is_empty() || after.is_empty() {
                self.add_stanza(&stanza, start..list.len() - after.len());
                stanza = Found::default();
                start = list.len() - after.len();
            }
            rest = after;
        }
        self.lists.push(list);
    }

    /// Every package of that name, in the order of the lists; several where suites differ.
    pub fn named(&self, name: &str) -> impl Iterator<Item = Result<DebPackage, StanzaError>> {
        self.read(self.by_name.get(name))
    }

    /// Every package that says it provides `name`, which may or may not be a package too.
    pub fn providers(&self, name: &str) -> impl Iterator<Item = Result<DebPackage, StanzaError>> {
        self.read(self.providers.get(name))
    }

    /// Whether a package has that name.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The names of all packages, sorted (for the nearest name in a message).
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.by_name.keys().map(AsRef::as_ref).collect();
        names.sort_unstable();
        names
    }

    /// How many paragraphs there are.
    pub fn len(&self) -> usize {
        self.stanzas.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.stanzas.is_empty()
    }

    fn add_stanza(&mut self, found: &Found<'_>, bytes: Range<usize>) {
        if found.name.is_empty() {
            return;
        }
        let at = self.stanzas.len();
        self.stanzas.push(Stanza { list: self.lists.len(), bytes });
        insert(&mut self.by_name, found.name, at);
        // Names alone: their versions are read with the paragraph.
        for clause in found.provides.split(',').map(str::trim_start) {
            let end = clause.find([' ', '(', '\n']).unwrap_or(clause.len());
            if end > 0 {
                insert(&mut self.providers, &clause[..end], at);
            }
        }
    }

    fn read(
        &self,
        stanzas: Option<&Vec<usize>>,
    ) -> impl Iterator<Item = Result<DebPackage, StanzaError>> {
        stanzas.into_iter().flatten().map(|&at| {
            let Stanza { list, bytes } = &self.stanzas[at];
            self.lists[*list][bytes.clone()].parse()
        })
    }
}

impl fmt::Debug for DebIndex {
    /// Its size; the lists themselves are too long to look at.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DebIndex({} packages of {} lists)", self.stanzas.len(), self.lists.len())
    }
}

/// A value up to the first line that does not begin with a space.
fn folded(text: &str) -> &str {
    let mut end = 0;
    loop {
        end += text[end..].find('\n').unwrap_or(text.len() - end);
        if !text[end..].starts_with("\n ") && !text[end..].starts_with("\n\t") {
            return &text[..end];
        }
        end += 1;
    }
}

fn insert(map: &mut HashMap<Box<str>, Vec<usize>>, name: &str, at: usize) {
    match map.get_mut(name) {
        Some(stanzas) if stanzas.last() == Some(&at) => {}
        Some(stanzas) => stanzas.push(at),
        None => {
            map.insert(name.into(), vec![at]);
        }
    }
}

const PROVIDES: &str = "Provides:";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_is_found_by_name_and_by_what_it_provides() {
        let index = DebIndex::new([LIST.to_owned(), LIST.replace("5.2.3-8", "5.7.1-6")]);
        assert_eq!(index.names(), ["libamdhip64-5", "mawk"]);
        let versions: Vec<String> = index
            .named("libamdhip64-5")
            .map(|package| package.unwrap().version.to_string())
            .collect();
        assert_eq!(versions, ["5.2.3-8", "5.7.1-6"]);
        let awk = index.providers("awk").next().unwrap().unwrap();
        assert_eq!((awk.name.as_str(), awk.provides.len()), ("mawk", 2));
        assert_eq!(index.providers("other-awk").count(), 2);
        assert_eq!(index.named("awk").count(), 0);
        let hip = index.named("libamdhip64-5").next().unwrap().unwrap();
        insta::assert_debug_snapshot!(hip, @r#"
        DebPackage {
            name: "libamdhip64-5",
            version: DebVersion(5.2.3-8),
            arch: "amd64",
            source: Some(
                "rocm-hipamd",
            ),
            depends: [
                Dependency {
                    alternatives: [
                        Relation {
                            name: "libamd-comgr2",
                            qualifier: None,
                            version: Some(
                                (
                                    LaterOrEqual,
                                    DebVersion(2:5.2.3~),
                                ),
                            ),
                            architectures: [],
                        },
                    ],
                },
                Dependency {
                    alternatives: [
                        Relation {
                            name: "libc6",
                            qualifier: None,
                            version: Some(
                                (
                                    LaterOrEqual,
                                    DebVersion(2.34),
                                ),
                            ),
                            architectures: [],
                        },
                    ],
                },
                Dependency {
                    alternatives: [
                        Relation {
                            name: "libgcc-s1",
                            qualifier: None,
                            version: Some(
                                (
                                    LaterOrEqual,
                                    DebVersion(3.0),
                                ),
                            ),
                            architectures: [],
                        },
                    ],
                },
            ],
            pre_depends: [],
            provides: [],
            conflicts: [],
            breaks: [],
            filename: "pool/main/r/rocm-hipamd/libamdhip64-5_5.2.3-8_amd64.deb",
            size: 4945300,
            installed_size: Some(
                20480,
            ),
            sha256: Sha256(6d2c1f0b3a495e6b7a8899aabbccddeeff00112233445566778899aabbccddee),
            multi_arch: Same,
        }
        "#);
    }

    #[test]
    fn damage_is_named_when_the_package_is_asked_for() {
        let list = LIST.replace("Size: 4945300", "Size: many").replace("SHA256: 8", "SHA1: 8");
        let index = DebIndex::new([list]);
        let error = |name: &str| index.named(name).next().unwrap().unwrap_err().to_string();
        assert_eq!(
            error("libamdhip64-5"),
            "package `libamdhip64-5` of the package list has a `Size` that is none: `many`"
        );
        assert_eq!(error("mawk"), "package `mawk` of the package list has no `SHA256`");
    }

    const LIST: &str = "Package: libamdhip64-5
Source: rocm-hipamd (5.2.3-7)
Version: 5.2.3-8
Installed-Size: 20480
Architecture: amd64
Depends: libamd-comgr2 (>= 2:5.2.3~), libc6 (>= 2.34),
 libgcc-s1 (>= 3.0)
Description: HIP runtime
 Provides: nothing
Multi-Arch: same
Section: libs
Filename: pool/main/r/rocm-hipamd/libamdhip64-5_5.2.3-8_amd64.deb
Size: 4945300
SHA256: 6d2c1f0b3a495e6b7a8899aabbccddeeff00112233445566778899aabbccddee

Package: mawk
Version: 1.3.4.20200120-3.1
Architecture: amd64
Provides: awk,
 other-awk (= 1)
Filename: pool/main/m/mawk/mawk_1.3.4.20200120-3.1_amd64.deb
Size: 109980
SHA256: 8fdb2404b87b89b3d0a4b1b1a6d6ca0b0b3a8f6f6c9d0d6cfb0d2ce3d65e1fd1
";
}
