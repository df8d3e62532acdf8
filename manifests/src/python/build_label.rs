//! What a local version label says about the accelerator that a wheel was built for.
//!
//! It only reads the label. Which ROCm a wheel without a label belongs to is the registry's
//! knowledge, and whether two releases fit is the solver's decision. The forms are those seen on
//! PyTorch's and AMD's indexes: `rocm7.2`, `rocm10.0.0`, `rocm7.10.0a20251120` (nightly),
//! `devrocm7.10.0.dev0-HASH`, `rocm10.1.0aDATE.bkc.DATE`, `rocm7.2.4.lw.gitHASH`,
//! `gitHASH.rocm10.1.0`, `cu128`, `cpu`, `xpu`.

use pep440_rs::Version;

use super::version::local;
use crate::version::RocmVersion;

/// The accelerator named by a local version label.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BuildLabel {
    /// ROCm, with the release as the label writes it (`7.2`, `10.1.0a20261101`, `7.10.0.dev0`).
    Rocm(String),
    /// ROCm, but the label gives no dotted release (`rocmsdk20260116`, `rocm721`): the label.
    RocmUnstated(String),
    /// CUDA, with the digits as written (`128` of `cu128`).
    Cuda(String),
    /// Explicitly for the processor alone.
    Cpu,
    /// Another label (`xpu`, `local1`, a commit).
    Other(String),
    /// No label at all.
    None,
}

impl BuildLabel {
    /// Reads the label of `version`.
    pub fn of(version: &Version) -> Self {
        local(version).map_or(Self::None, |label| Self::parse(&label))
    }

    /// Reads a label in its normal form (lower case, parts joined by dots).
    pub fn parse(label: &str) -> Self {
        let parts: Vec<&str> = label.split('.').collect();
        let rocm = parts.iter().enumerate().find_map(|(at, part)| {
            let rest = part.strip_prefix("rocm").or_else(|| part.strip_prefix("devrocm"))?;
            Some((rest, &parts[at + 1..]))
        });
        if let Some((first, rest)) = rocm {
            return rocm_release(first, rest)
                .map_or_else(|| Self::RocmUnstated(label.to_owned()), Self::Rocm);
        }
        match parts[0] {
            "cpu" => Self::Cpu,
            part => match part.strip_prefix("cu") {
                Some(digits) if is_number(digits) => Self::Cuda(digits.to_owned()),
                _ => Self::Other(label.to_owned()),
            },
        }
    }

    /// The ROCm release that the label states, for a comparison on X.Y.
    pub fn rocm_release(&self) -> Option<RocmVersion> {
        match self {
            Self::Rocm(release) => release.parse().ok(),
            _ => None,
        }
    }

    /// Whether the label names ROCm, stated or not.
    pub fn is_rocm(&self) -> bool {
        matches!(self, Self::Rocm(_) | Self::RocmUnstated(_))
    }
}

/// `7` and `[10, 0a2025, bkc, ..]` are `7.10.0a2025`: at most three numbers, the last of which may
/// carry a pre-release, or be followed by a `devN` of its own.
fn rocm_release(first: &str, rest: &[&str]) -> Option<String> {
    if !is_number(first) {
        return None;
    }
    let mut release = vec![first];
    for part in rest {
        if release.len() < 3 && is_number(part) {
            release.push(part);
            continue;
        }
        let is_nightly = release.len() < 3 && is_prerelease_number(part);
        let is_dev = part.strip_prefix("dev").is_some_and(is_number);
        if is_nightly || is_dev {
            release.push(part);
        }
        break;
    }
    (release.len() > 1).then(|| release.join("."))
}

/// `0a20251120`, `0rc2`.
fn is_prerelease_number(part: &str) -> bool {
    ["a", "b", "rc"].iter().any(|word| {
        part.split_once(word).is_some_and(|(number, pre)| is_number(number) && is_number(pre))
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_the_known_indexes_are_read() {
        let of = |text: &str| BuildLabel::of(&text.parse().unwrap());
        let rocm = |text: &str| BuildLabel::Rocm(text.to_owned());
        assert_eq!(of("2.9.1+rocm7.2"), rocm("7.2"));
        assert_eq!(of("2.12.0+rocm10.0.0"), rocm("10.0.0"));
        assert_eq!(of("2.10.0+rocm7.10.0a20251120"), rocm("7.10.0a20251120"));
        assert_eq!(of("2.10.0+devrocm7.10.0.dev0-0123abc"), rocm("7.10.0.dev0"));
        assert_eq!(of("2.10.0+devrocm7.10.0.dev0-1234567"), rocm("7.10.0.dev0"));
        assert_eq!(of("2.14+rocm10.1.0a20261101.bkc.20261105"), rocm("10.1.0a20261101"));
        assert_eq!(of("2.14+rocm10.1.0rc2"), rocm("10.1.0rc2"));
        assert_eq!(of("2.9.1+rocm7.2.4.lw.git3d3aa833"), rocm("7.2.4"));
        assert_eq!(of("2.9.1+rocm7.2.4.gite3c6ee2b"), rocm("7.2.4"));
        assert_eq!(of("3.7+git669b31ac.rocm10.1.0"), rocm("10.1.0"));
        let unstated = |text: &str| BuildLabel::RocmUnstated(text.to_owned());
        assert_eq!(of("2.9.1+rocmsdk20260116"), unstated("rocmsdk20260116"));
        assert_eq!(of("0.18+rocm721"), unstated("rocm721"));
        assert_eq!(of("2.9.1+cu128"), BuildLabel::Cuda("128".to_owned()));
        assert_eq!(of("2.9.1+cpu"), BuildLabel::Cpu);
        assert_eq!(of("2.9.1+cpu.cxx11.abi"), BuildLabel::Cpu);
        assert_eq!(of("2.9.1+xpu"), BuildLabel::Other("xpu".to_owned()));
        assert_eq!(of("2.9.1"), BuildLabel::None);
    }

    #[test]
    fn a_stated_release_can_be_compared() {
        let series = |label: &str| {
            BuildLabel::parse(label).rocm_release().map(|release| release.series().to_string())
        };
        assert_eq!(series("rocm7.2.4.lw.git3d3aa833").as_deref(), Some("7.2"));
        assert_eq!(series("devrocm7.10.0.dev0.0123abc").as_deref(), Some("7.10"));
        assert_eq!(series("rocm10.1.0a20261101.bkc.20261105").as_deref(), Some("10.1"));
        assert_eq!(series("rocmsdk20260116"), None);
        assert_eq!(series("cu128"), None);
    }

    #[test]
    fn pep_440_would_order_builds_wrongly() {
        let version = |text: &str| text.parse::<Version>().unwrap();
        assert!(version("2.9+rocm10.0") < version("2.9+rocm7.0"));
    }
}
