//! Which of a host's apt sources are the distribution's own archive.
//!
//! Hosts have entries of other vendors beside it, which may be out of reach and whose packages
//! are no part of the distribution.

use super::apt_sources::AptSource;

/// The entries of the distribution's own archive for its release `codename` (`bookworm`): its
/// suites with updates and security, its components. Backports and proposed updates are left out,
/// as apt takes nothing from them unasked.
pub fn of_distribution(sources: &[AptSource], codename: &str) -> Vec<AptSource> {
    let is_own = |suite: &String| {
        let rest = suite.strip_prefix(codename);
        rest.is_some_and(|rest| POCKETS.contains(&rest))
    };
    let own = |source: &AptSource| AptSource {
        suites: source.suites.iter().filter(|suite| is_own(suite)).cloned().collect(),
        components: source
            .components
            .iter()
            .filter(|component| COMPONENTS.contains(&component.as_str()))
            .cloned()
            .collect(),
        ..source.clone()
    };
    let sources = sources.iter().map(own);
    sources.filter(|source| !source.suites.is_empty() && !source.components.is_empty()).collect()
}

/// What may follow the codename: Debian's and Ubuntu's names, old ones of Debian with a slash.
const POCKETS: [&str; 4] = ["", "-updates", "-security", "/updates"];

/// Debian policy section 2.2, and Ubuntu's components.
const COMPONENTS: [&str; 7] =
    ["main", "contrib", "non-free", "non-free-firmware", "restricted", "universe", "multiverse"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::Logins;
    use crate::index::parse_sources;

    #[test]
    fn other_vendors_and_backports_are_left_out() {
        let list = "deb http://deb.test/debian bookworm main contrib\n\
                    deb http://deb.test/debian bookworm-backports main\n\
                    deb http://deb.test/security bookworm-security main extra\n\
                    deb http://docker.test/debian bookworm stable\n\
                    deb http://cloud.test/apt cloud-bookworm main\n\
                    deb http://deb.test/debian bookworm-proposed-updates main\n";
        let sources = parse_sources(list, "x.list", &mut Logins::new()).unwrap();
        let own: Vec<_> = of_distribution(&sources, "bookworm")
            .iter()
            .map(|source| format!("{} {:?} {:?}", source.url, source.suites, source.components))
            .collect();
        assert_eq!(
            own,
            [
                "http://deb.test/debian/ [\"bookworm\"] [\"main\", \"contrib\"]",
                "http://deb.test/security/ [\"bookworm-security\"] [\"main\"]"
            ]
        );
    }
}
