//! What a code object is built for: LLVM's target id (`gfx90a:sramecc+:xnack-`), with features
//! kept apart from the processor.
//!
//! A feature that is not named is "any": such code runs in both modes (LLVM, AMDGPUUsage, "Target
//! ID").

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::generic::Generic;
use crate::gfx::GfxTarget;

/// A code object's target.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Isa {
    /// What it runs on.
    pub processor: Processor,
    /// The modes that it asks for.
    pub features: Features,
}

/// The processor of a target id.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Processor {
    /// One target.
    Exact(GfxTarget),
    /// A family by LLVM's list.
    Generic(Generic),
    /// A name of LLVM's that is not known here (`gfx1250-strict`): it covers nothing that we know.
    Unknown(String),
}

/// The modes that code was built for; `None` runs in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Features {
    /// Error correction of on-chip memory.
    pub sramecc: Option<bool>,
    /// Retry of page faults.
    pub xnack: Option<bool>,
}

impl Isa {
    /// Code for one target in any mode.
    pub fn exact(target: GfxTarget) -> Self {
        Self { processor: Processor::Exact(target), features: Features::default() }
    }

    /// Whether its processor is this GPU or a family that the GPU belongs to, features aside.
    pub fn runs_on(&self, gpu: GfxTarget) -> bool {
        match &self.processor {
            Processor::Exact(target) => *target == gpu,
            Processor::Generic(generic) => generic.covers(gpu),
            Processor::Unknown(_) => false,
        }
    }
}

/// The text is no target id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the target of a code object (such as `gfx90a:xnack-`)")]
pub struct IsaError(String);

impl FromStr for Isa {
    type Err = IsaError;

    fn from_str(text: &str) -> Result<Self, IsaError> {
        let wrong = || IsaError(text.to_owned());
        let mut parts = text.split(':');
        let processor = parts.next().and_then(processor).ok_or_else(wrong)?;
        let mut features = Features::default();
        for part in parts {
            let (name, is_on) = match (part.strip_suffix('+'), part.strip_suffix('-')) {
                (Some(name), _) => (name, true),
                (None, Some(name)) => (name, false),
                (None, None) => return Err(wrong()),
            };
            match name {
                "xnack" => features.xnack = Some(is_on),
                "sramecc" => features.sramecc = Some(is_on),
                // Another feature is a demand that nobody here understands.
                _ => {
                    let processor = Processor::Unknown(text.to_owned());
                    return Ok(Self { processor, features: Features::default() });
                }
            }
        }
        Ok(Self { processor, features })
    }
}

fn processor(name: &str) -> Option<Processor> {
    if let Ok(target) = name.parse() {
        return Some(Processor::Exact(target));
    }
    if let Some(generic) = Generic::ALL.into_iter().find(|generic| generic.name() == name) {
        return Some(Processor::Generic(generic));
    }
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let known = (name.starts_with("gfx") || name == "amdgcnspirv")
        && name.len() <= LONGEST
        && name.bytes().all(is_name);
    known.then(|| Processor::Unknown(name.to_owned()))
}

impl fmt::Display for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(target) => target.fmt(f),
            Self::Generic(generic) => f.write_str(generic.name()),
            Self::Unknown(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.processor.fmt(f)?;
        // LLVM's canonical order.
        for (name, mode) in [("sramecc", self.features.sramecc), ("xnack", self.features.xnack)] {
            if let Some(is_on) = mode {
                write!(f, ":{name}{}", if is_on { '+' } else { '-' })?;
            }
        }
        Ok(())
    }
}

impl TryFrom<String> for Isa {
    type Error = IsaError;

    fn try_from(text: String) -> Result<Self, IsaError> {
        text.parse()
    }
}

impl From<Isa> for String {
    fn from(isa: Isa) -> Self {
        isa.to_string()
    }
}

/// A target as the name of a data file says it: exact, or a family with digits left open, as
/// AOTriton names its folders (`gfx11xx`, `gfx120x`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NamedTarget {
    /// The name, with `x` for any digit (`gfx11xx`).
    pub name: String,
    /// Whether the name asks for XNACK on or off.
    pub xnack: Option<bool>,
}

impl NamedTarget {
    /// Whether data of this name is for a GPU.
    pub fn is_for(&self, gpu: GfxTarget) -> bool {
        let gpu = gpu.to_string();
        let alike = |(open, digit): (u8, u8)| open == b'x' || open == digit;
        let same_length = gpu.len() == self.name.len();
        // The `x` of `gfx` itself is the letter in both.
        same_length && self.name.bytes().zip(gpu.bytes()).all(alike)
    }
}

impl fmt::Display for NamedTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match self.xnack {
            Some(true) => f.write_str(":xnack+"),
            Some(false) => f.write_str(":xnack-"),
            None => Ok(()),
        }
    }
}

const LONGEST: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_ids_are_read_and_written_in_llvms_order() {
        for (text, written) in [
            ("gfx90a", "gfx90a"),
            ("gfx90a:xnack-", "gfx90a:xnack-"),
            ("gfx908:xnack+:sramecc-", "gfx908:sramecc-:xnack+"),
            ("gfx9-4-generic:xnack+", "gfx9-4-generic:xnack+"),
            ("gfx1250-strict", "gfx1250-strict"),
        ] {
            assert_eq!(text.parse::<Isa>().unwrap().to_string(), written);
        }
        for text in ["", "gfx90a:", "gfx90a:xnack", "sm_90", "gfx 90a", "gfx90a:xnack+:"] {
            assert!(text.parse::<Isa>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_feature_that_nobody_knows_covers_nothing() {
        let isa: Isa = "gfx1250:gfx1250-b0-specific+".parse().unwrap();
        assert!(!isa.runs_on("gfx1250".parse().unwrap()));
        assert_eq!(isa.to_string(), "gfx1250:gfx1250-b0-specific+");
    }

    #[test]
    fn open_digits_of_a_name_stand_for_any() {
        let named = |name: &str| NamedTarget { name: name.to_owned(), xnack: None };
        let gpu = |name: &str| name.parse::<GfxTarget>().unwrap();
        assert!(named("gfx11xx").is_for(gpu("gfx1151")) && named("gfx90a").is_for(gpu("gfx90a")));
        assert!(named("gfx120x").is_for(gpu("gfx1201")));
        assert!(
            !named("gfx110x").is_for(gpu("gfx1151")) && !named("gfx11xx").is_for(gpu("gfx942"))
        );
    }
}
