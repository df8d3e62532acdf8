//! A Linux kernel with the number that distributions add: `6.17.0-1020-oem`.

use std::fmt;

use crate::version::Dotted;

/// A kernel release as `uname -r` or a user says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Its leading numbers.
    pub version: Dotted,
    /// Ubuntu's ABI number (`1020`), where one is written.
    pub abi: Option<u32>,
    /// The kernel family behind it (`generic`, `oem`), where one is written.
    pub flavour: Option<String>,
}

impl Kernel {
    /// Reads a release; `None` where it does not begin with a number.
    pub fn parse(text: &str) -> Option<Self> {
        let version = Dotted::leading(text)?;
        let mut rest = text.split('-').skip(1);
        let number = |part: &str| part.split('.').next()?.parse().ok();
        let abi = rest.clone().next().and_then(number);
        let flavour = if abi.is_some() { rest.nth(1) } else { rest.next() };
        Some(Self { version, abi, flavour: flavour.map(str::to_owned) })
    }

    /// Whether this kernel is `floor` or newer. An ABI number counts only where both have one
    /// and the versions are the same.
    pub fn is_at_least(&self, floor: &str) -> bool {
        let Some(floor) = Self::parse(floor) else { return false };
        match self.version.cmp(&floor.version) {
            std::cmp::Ordering::Equal => match (self.abi, floor.abi) {
                (Some(own), Some(floor)) => own >= floor,
                _ => true,
            },
            order => order.is_gt(),
        }
    }
}

impl From<Dotted> for Kernel {
    fn from(version: Dotted) -> Self {
        Self { version, abi: None, flavour: None }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.version)?;
        if let Some(abi) = self.abi {
            write!(f, "-{abi}")?;
        }
        match &self.flavour {
            Some(flavour) => write!(f, "-{flavour}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_abi_number_counts_within_a_version() {
        let kernel = |text: &str| Kernel::parse(text).unwrap();
        assert!(!kernel("6.8.0-41-generic").is_at_least("6.8.0-44"));
        assert!(kernel("6.8.0-45-generic").is_at_least("6.8.0-44"));
        assert!(kernel("6.11.0-8-generic").is_at_least("6.8.0-44"));
        assert!(kernel("6.14.0-1018-oem").is_at_least("6.14.0-1018"));
        assert!(kernel("6.18.7").is_at_least("6.18.4"));
        assert_eq!(kernel("6.17.0-1020-oem").flavour.as_deref(), Some("oem"));
        assert_eq!(kernel("6.17.0-19.19~24.04.2-generic").abi, Some(19));
        assert_eq!(Kernel::parse("rolling"), None);
    }
}
