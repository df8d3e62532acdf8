//! The wheel tags that a target takes, best first, and the rank of one tag among them.
//!
//! The order is that of pypa/packaging (PEP 425, 600 and 656): by interpreter and ABI, then by
//! platform from the newest C library down. A page of an index has thousands of files, so a rank
//! is two map look-ups and makes no text. Free-threaded CPython takes no `abi3` wheel.

use std::collections::HashMap;
use std::fmt;

use pep440_rs::Version;

use crate::platform::{Arch, Libc, OsFamily};
use crate::version::Dotted;

/// A CPython of the target: `3.12`, or `3.14t` where it is built without the global lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PythonAbi {
    /// Y of CPython 3.Y.
    pub minor: u16,
    /// Whether it is the free-threaded build.
    pub free_threaded: bool,
}

impl PythonAbi {
    /// The ordinary build of CPython 3.Y.
    pub fn cpython(minor: u16) -> Self {
        Self { minor, free_threaded: false }
    }

    /// The ordinary build of a Python 3 version (`3.12`, `3.12.4`, `3.14.0rc1`).
    pub fn of_version(python: &Version) -> Option<Self> {
        match python.release() {
            [3, minor, ..] => Some(Self::cpython(u16::try_from(*minor).ok()?)),
            _ => None,
        }
    }

    /// The tag of the interpreter: `cp312`.
    pub fn interpreter(self) -> String {
        format!("cp3{}", self.minor)
    }

    /// The tag of its own ABI: `cp312`, `cp314t`; up to 3.7 there was an `m`.
    pub fn abi(self) -> String {
        let suffix = match self {
            Self { free_threaded: true, .. } => "t",
            Self { minor: ..=7, .. } => "m",
            Self { .. } => "",
        };
        format!("cp3{}{suffix}", self.minor)
    }
}

impl fmt::Display for PythonAbi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "3.{}{}", self.minor, if self.free_threaded { "t" } else { "" })
    }
}

/// The platform part of a target's tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TagPlatform {
    /// Linux with GNU libc 2.`minor`.
    Manylinux {
        /// Y of glibc 2.Y.
        minor: u16,
        /// The processor.
        arch: Arch,
    },
    /// Linux with musl 1.`minor`.
    Musllinux {
        /// Y of musl 1.Y.
        minor: u16,
        /// The processor.
        arch: Arch,
    },
    /// Native Windows.
    Windows {
        /// The processor.
        arch: Arch,
    },
}

/// The tags that a target takes. A smaller rank is better.
#[derive(Debug, Clone)]
pub struct Tags {
    /// Interpreter and ABI, best first: those with a platform, then those with `any`.
    pairs: Vec<Pair>,
    platforms: Vec<Box<str>>,
    /// Where the pairs of an interpreter tag are in `pairs`.
    by_interpreter: HashMap<Box<str>, Vec<usize>>,
    platform_ranks: HashMap<Box<str>, u32>,
}

#[derive(Debug, Clone)]
struct Pair {
    interpreter: Box<str>,
    abi: Box<str>,
    /// The rank of its first tag.
    start: u32,
    is_any: bool,
}

impl Tags {
    /// The tags of a target.
    pub fn new(python: PythonAbi, platform: TagPlatform) -> Self {
        let platforms = platform.tags();
        let mut pairs = Vec::new();
        let mut start = 0;
        let mut push = |(interpreter, abi): (String, String), is_any: bool, step: usize| {
            let (interpreter, abi) = (interpreter.into(), abi.into());
            pairs.push(Pair { interpreter, abi, start, is_any });
            start += u32::try_from(step).unwrap_or(u32::MAX);
        };
        for pair in native_pairs(python) {
            push(pair, false, platforms.len());
        }
        for pair in any_pairs(python) {
            push(pair, true, 1);
        }
        let mut by_interpreter: HashMap<Box<str>, Vec<usize>> = HashMap::new();
        for (at, pair) in pairs.iter().enumerate() {
            by_interpreter.entry(pair.interpreter.clone()).or_default().push(at);
        }
        let platform_ranks = platforms.iter().cloned().zip(0..).collect();
        Self { pairs, platforms, by_interpreter, platform_ranks }
    }

    /// The rank of one tag, or nothing where the target does not take it.
    pub fn rank(&self, interpreter: &str, abi: &str, platform: &str) -> Option<u32> {
        let is_any = platform == "any";
        let at = self.by_interpreter.get(interpreter)?;
        let fits = |pair: &&Pair| pair.is_any == is_any && *pair.abi == *abi;
        let start = at.iter().map(|&at| &self.pairs[at]).find(fits)?.start;
        if is_any { Some(start) } else { Some(start + self.platform_ranks.get(platform)?) }
    }

    /// All tags, best first.
    pub fn iter(&self) -> impl Iterator<Item = String> + '_ {
        self.pairs.iter().flat_map(move |Pair { interpreter, abi, is_any, .. }| {
            let any = is_any.then_some("any").into_iter();
            let native =
                (!is_any).then_some(&self.platforms).into_iter().flatten().map(AsRef::as_ref);
            any.chain(native).map(move |platform| format!("{interpreter}-{abi}-{platform}"))
        })
    }
}

impl TagPlatform {
    /// The platform of a target; none for a Linux whose C library has another major version than
    /// the policies know (glibc 2, musl 1).
    pub fn of_target(os: OsFamily, arch: Arch, libc: &Libc) -> Option<Self> {
        let minor = |version: &Dotted| u16::try_from(version.part(1)).ok();
        match (os, libc) {
            (OsFamily::Windows, _) => Some(Self::Windows { arch }),
            (OsFamily::Linux, Libc::Glibc(version)) if version.part(0) == 2 => {
                Some(Self::Manylinux { minor: minor(version)?, arch })
            }
            (OsFamily::Linux, Libc::Musl(version)) if version.part(0) == 1 => {
                Some(Self::Musllinux { minor: minor(version)?, arch })
            }
            (OsFamily::Linux, _) => None,
        }
    }

    /// The platform tags, best first.
    fn tags(self) -> Vec<Box<str>> {
        match self {
            Self::Manylinux { minor, arch } => {
                let floor = if arch == Arch::X86_64 { GLIBC_FLOOR_X86_64 } else { GLIBC_FLOOR };
                let mut tags = Vec::new();
                for minor in (floor..=minor).rev() {
                    tags.push(format!("manylinux_2_{minor}_{arch}").into());
                    if let Some((_, name)) = LEGACY.iter().find(|(known, _)| *known == minor) {
                        tags.push(format!("{name}_{arch}").into());
                    }
                }
                tags.push(format!("linux_{arch}").into());
                tags
            }
            Self::Musllinux { minor, arch } => (0..=minor)
                .rev()
                .map(|minor| format!("musllinux_1_{minor}_{arch}").into())
                .chain([format!("linux_{arch}").into()])
                .collect(),
            Self::Windows { arch: Arch::X86_64 } => vec!["win_amd64".into()],
            Self::Windows { arch: Arch::Aarch64 } => vec!["win_arm64".into()],
        }
    }
}

/// The pairs of interpreter and ABI that go with a platform, best first.
fn native_pairs(python: PythonAbi) -> Vec<(String, String)> {
    let interpreter = python.interpreter();
    let mut pairs = vec![(interpreter.clone(), python.abi())];
    if !python.free_threaded {
        pairs.push((interpreter.clone(), "abi3".to_owned()));
    }
    pairs.push((interpreter, "none".to_owned()));
    if !python.free_threaded {
        let older = (ABI3_FLOOR..python.minor).rev();
        pairs.extend(older.map(|minor| (format!("cp3{minor}"), "abi3".to_owned())));
    }
    pairs.extend(pure_interpreters(python).map(|tag| (tag, "none".to_owned())));
    pairs
}

/// The pairs that go with `any`, best first.
fn any_pairs(python: PythonAbi) -> Vec<(String, String)> {
    let interpreters = [python.interpreter()].into_iter().chain(pure_interpreters(python));
    interpreters.map(|tag| (tag, "none".to_owned())).collect()
}

/// `py312`, `py3`, then every older minor.
fn pure_interpreters(python: PythonAbi) -> impl Iterator<Item = String> {
    let own = [format!("py3{}", python.minor), "py3".to_owned()];
    own.into_iter().chain((0..python.minor).rev().map(|minor| format!("py3{minor}")))
}

/// PEP 600: the names of older policies, and the glibc that each stands for.
const LEGACY: [(u16, &str); 3] = [(17, "manylinux2014"), (12, "manylinux2010"), (5, "manylinux1")];

/// The oldest glibc of a policy for x86-64 (manylinux1), and for all others (manylinux2014).
const GLIBC_FLOOR_X86_64: u16 = 5;
const GLIBC_FLOOR: u16 = 17;

/// The stable ABI began with CPython 3.2 (PEP 384).
const ABI3_FLOOR: u16 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_has_the_rank_of_its_place() {
        for platform in [
            TagPlatform::Manylinux { minor: 39, arch: Arch::X86_64 },
            TagPlatform::Musllinux { minor: 2, arch: Arch::Aarch64 },
            TagPlatform::Windows { arch: Arch::X86_64 },
        ] {
            let tags = Tags::new(PythonAbi::cpython(12), platform);
            for (rank, tag) in tags.iter().enumerate() {
                let parts: Vec<&str> = tag.split('-').collect();
                let [interpreter, abi, platform] = parts[..] else { panic!("{tag}") };
                assert_eq!(tags.rank(interpreter, abi, platform), u32::try_from(rank).ok());
            }
        }
    }

    #[test]
    fn the_platform_of_a_target_is_its_c_library() {
        let of = |libc| TagPlatform::of_target(OsFamily::Linux, Arch::X86_64, &libc);
        let arch = Arch::X86_64;
        assert_eq!(
            of(Libc::Glibc(Dotted::new(2, 36))),
            Some(TagPlatform::Manylinux { minor: 36, arch })
        );
        assert_eq!(
            of(Libc::Musl(Dotted::new(1, 2))),
            Some(TagPlatform::Musllinux { minor: 2, arch })
        );
        assert_eq!(of(Libc::Glibc(Dotted::new(3, 0))), None);
        let python = PythonAbi::of_version(&"3.14.0rc1".parse().unwrap());
        assert_eq!(python, Some(PythonAbi::cpython(14)));
        assert_eq!(PythonAbi::of_version(&"2.7".parse().unwrap()), None);
    }

    #[test]
    fn a_free_threaded_python_takes_its_own_abi_and_pure_wheels_only() {
        let python = PythonAbi { minor: 14, free_threaded: true };
        let platform = TagPlatform::Manylinux { minor: 17, arch: Arch::Aarch64 };
        let tags = Tags::new(python, platform);
        let first: Vec<String> = tags.iter().take(5).collect();
        insta::assert_snapshot!(first.join(" "), @"cp314-cp314t-manylinux_2_17_aarch64 cp314-cp314t-manylinux2014_aarch64 cp314-cp314t-linux_aarch64 cp314-none-manylinux_2_17_aarch64 cp314-none-manylinux2014_aarch64");
        assert_eq!(tags.rank("cp314", "cp314", "linux_aarch64"), None);
        assert_eq!(tags.rank("cp312", "abi3", "linux_aarch64"), None);
        assert!(tags.rank("py3", "none", "any").is_some());
    }
}
