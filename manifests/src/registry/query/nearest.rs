//! The nearest known name, for messages about one that is not known.

use std::collections::BTreeSet;

use super::super::loader::Registry;
use crate::platform::OsRelease;

/// What a name should have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// A gfx target.
    Gfx,
    /// A GPU product.
    Product,
    /// A ROCm release.
    Release,
    /// A channel.
    Channel,
    /// A component.
    Component,
    /// A framework.
    Framework,
}

impl Registry {
    /// The known name that is most like `text`, if any is like it at all.
    pub fn nearest(&self, kind: NameKind, text: &str) -> Option<String> {
        let wanted = plain(text);
        let names = self.names(kind);
        if kind == NameKind::Release
            && let Some(release) = same_series(&names, text)
        {
            return Some(release);
        }
        let scored = names.into_iter().map(|name| {
            let known = plain(&name);
            // a user leaves out what every product has: compare with the end of the name too
            let end = known.rfind(' ').filter(|_| !wanted.contains(' ')).map(|at| &known[at + 1..]);
            let likeness = |known: &str| strsim::jaro_winkler(&wanted, known);
            let score = end.map_or(likeness(&known), |end| likeness(&known).max(likeness(end)));
            // `gfx10311` is as like `gfx1011` as `gfx1031`: what begins alike wins
            (score, common_start(&wanted, &known), name)
        });
        let best = scored
            .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then_with(|| b.2.cmp(&a.2)))?;
        (best.0 >= LIKE).then_some(best.2)
    }

    /// The distribution of some table that this one is a misspelling of. Most distributions are in
    /// no table and are no misspelling of any: nothing is said of those.
    pub fn misspelt_distribution(&self, os: &OsRelease) -> Option<String> {
        let rows = self.os_support().row.iter().map(|row| row.os.distribution());
        let known: BTreeSet<&str> = rows.chain(["windows"]).collect();
        let given = os.distribution.as_str();
        if known.contains(given) {
            return None;
        }
        let likely = |known: &&str| {
            let letters = known.len().min(given.len());
            letters >= SHORT && strsim::osa_distance(known, given) <= letters / LETTERS_A_SLIP
        };
        let near = known.into_iter().filter(likely);
        near.min_by_key(|known| strsim::osa_distance(known, given)).map(str::to_owned)
    }

    /// Whether the registry has exactly this name.
    pub fn knows(&self, kind: NameKind, text: &str) -> bool {
        self.names(kind).iter().any(|name| name == text)
    }

    fn names(&self, kind: NameKind) -> Vec<String> {
        match kind {
            NameKind::Gfx => self.gfx().target.iter().map(|row| row.name.to_string()).collect(),
            NameKind::Product => {
                self.products().product.iter().flat_map(|row| row.names.iter().cloned()).collect()
            }
            NameKind::Release => {
                self.releases().release.iter().map(|row| row.version.to_string()).collect()
            }
            NameKind::Channel => {
                self.channels().channel.iter().map(|row| row.name.clone()).collect()
            }
            NameKind::Component => {
                self.components().component.iter().map(|row| row.name.clone()).collect()
            }
            NameKind::Framework => {
                self.frameworks().framework.iter().map(|row| row.name.clone()).collect()
            }
        }
    }
}

/// The newest release of the same X.Y, else of the same X; `names` are newest first.
fn same_series(names: &[String], text: &str) -> Option<String> {
    let of = |parts: usize| {
        let head = |text: &str| text.split('.').take(parts).map(str::to_owned).collect::<Vec<_>>();
        let wanted = head(text);
        (wanted.len() == parts).then(|| names.iter().find(|name| head(name) == wanted))?
    };
    of(2).or_else(|| of(1)).cloned()
}

fn common_start(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let words =
        lower.split_whitespace().filter(|word| !matches!(*word, "amd" | "radeon" | "instinct"));
    words.collect::<Vec<_>>().join(" ")
}

/// With fewer letters, one of them makes another distribution (`sled`, `sles`).
const SHORT: usize = 5;

/// One slip in as many letters; `gentoo` is two from `centos`.
const LETTERS_A_SLIP: usize = 5;

/// Below this, a name is no help.
const LIKE: f64 = 0.75;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_from_another_distribution() {
        let registry = Registry::embedded();
        let meant = |os: &str| registry.misspelt_distribution(&os.parse().unwrap());
        assert_eq!(meant("ubunut-24.04").as_deref(), Some("ubuntu"));
        assert_eq!(meant("debain-12").as_deref(), Some("debian"));
        assert_eq!(meant("windos-11-25H2").as_deref(), Some("windows"));
        let others = ["ubuntu-24.04", "windows-11", "gentoo", "sled-15.7", "fedora-43", "arch"];
        for os in others.into_iter().chain(["nixos-25.11", "raspbian-12", "opensuse-leap-15.6"]) {
            assert_eq!(meant(os), None, "{os}");
        }
    }
}
