//! Contract predicates in text: `glibc >= 2.28`, `driver in 30.10..31.50`.

use std::fmt;
use std::str::FromStr;

use super::types::Predicate;
use crate::gfx::GfxTarget;
use crate::platform::{Arch, OsFamily};
use crate::version::Dotted;

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OsFamily(OsFamily::Linux) => f.write_str("os = linux"),
            Self::OsFamily(OsFamily::Windows) => f.write_str("os = windows"),
            Self::Arch(arch) => write!(f, "arch = {arch}"),
            Self::GlibcAtLeast(version) => write!(f, "glibc >= {version}"),
            Self::Python(series) => write!(f, "python = {series}"),
            Self::Distribution(name) => write!(f, "distribution = {name}"),
            Self::KernelAtLeast(version) => write!(f, "kernel >= {version}"),
            Self::DriverWithin { from, to: Some(to) } => write!(f, "driver in {from}..{to}"),
            Self::DriverWithin { from, to: None } => write!(f, "driver >= {from}"),
            Self::AdrenalinAtLeast(version) => write!(f, "adrenalin >= {version}"),
            Self::GfxWithin(targets) => {
                let names: Vec<_> = targets.iter().map(GfxTarget::to_string).collect();
                write!(f, "gfx in {}", names.join(" "))
            }
            Self::NoGpu => f.write_str("gfx = none"),
            Self::HostRocm(series) => write!(f, "host rocm = {series}"),
        }
    }
}

/// The text is no predicate of a contract.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a predicate of a contract")]
pub struct PredicateError(String);

impl FromStr for Predicate {
    type Err = PredicateError;

    fn from_str(text: &str) -> Result<Self, PredicateError> {
        parse(text).ok_or_else(|| PredicateError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Predicate> {
    let after = |prefix: &str| text.strip_prefix(prefix);
    let version = |text: &str| text.parse::<Dotted>().ok();
    if let Some(family) = after("os = ") {
        return match family {
            "linux" => Some(Predicate::OsFamily(OsFamily::Linux)),
            "windows" => Some(Predicate::OsFamily(OsFamily::Windows)),
            _ => None,
        };
    }
    if let Some(arch) = after("arch = ") {
        return arch.parse::<Arch>().ok().map(Predicate::Arch);
    }
    if let Some(floor) = after("adrenalin >= ") {
        return version(floor).map(Predicate::AdrenalinAtLeast);
    }
    if let Some(floor) = after("glibc >= ") {
        return version(floor).map(Predicate::GlibcAtLeast);
    }
    if let Some(series) = after("python = ") {
        return version(series).map(Predicate::Python);
    }
    if let Some(name) = after("distribution = ") {
        return Some(Predicate::Distribution(name.to_owned()));
    }
    if let Some(floor) = after("kernel >= ") {
        return version(floor).map(Predicate::KernelAtLeast);
    }
    if let Some(from) = after("driver >= ") {
        return Some(Predicate::DriverWithin { from: version(from)?, to: None });
    }
    if let Some(window) = after("driver in ") {
        let (from, to) = window.split_once("..")?;
        return Some(Predicate::DriverWithin { from: version(from)?, to: Some(version(to)?) });
    }
    if text == "gfx = none" {
        return Some(Predicate::NoGpu);
    }
    if let Some(names) = after("gfx in ") {
        let targets = names.split(' ').map(|name| name.parse().ok()).collect::<Option<_>>()?;
        return Some(Predicate::GfxWithin(targets));
    }
    after("host rocm = ").and_then(version).map(Predicate::HostRocm)
}
