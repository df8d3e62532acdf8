//! File names of wheels and source archives, and which wheel of several is best.
//!
//! The form is that of the binary distribution format (PEP 427). A name arrives with its percent
//! signs already decoded.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use pep440_rs::Version;
use pep508_rs::PackageName;
use serde::{Deserialize, Serialize};

use super::name::package_name;
use super::tags::Tags;

/// A wheel's file name, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WheelName {
    /// The project.
    pub name: PackageName,
    /// The version, with its local label.
    pub version: Version,
    /// The build tag.
    pub build: Option<BuildTag>,
    file: Box<str>,
    /// Where `cp312-cp312-manylinux...` begins in `file`.
    tags_at: usize,
}

/// A build tag: a number, then a text (`1000abc`). The greater is the newer build.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BuildTag {
    number: u64,
    rest: Box<str>,
}

impl WheelName {
    /// The file name as given.
    pub fn as_str(&self) -> &str {
        &self.file
    }

    /// The interpreter, ABI and platform parts, each of one or more tags joined by dots.
    pub fn tag_sets(&self) -> [&str; 3] {
        let tags = &self.file[self.tags_at..self.file.len() - EXTENSION.len()];
        let mut parts = tags.splitn(3, '-');
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    }

    /// Every single tag, expanded.
    pub fn tags(&self) -> impl Iterator<Item = [&str; 3]> {
        let [interpreters, abis, platforms] = self.tag_sets();
        interpreters.split('.').flat_map(move |interpreter| {
            abis.split('.').flat_map(move |abi| {
                platforms.split('.').map(move |platform| [interpreter, abi, platform])
            })
        })
    }

    /// The best rank of its tags for a target, or nothing where the target takes none.
    pub fn rank(&self, tags: &Tags) -> Option<u32> {
        self.tags().filter_map(|[python, abi, platform]| tags.rank(python, abi, platform)).min()
    }

    /// Whether the wheel is for every interpreter 3 and platform.
    pub fn is_pure(&self) -> bool {
        self.tags().any(|tag| tag[1..] == ["none", "any"])
    }
}

/// The wheels that a target takes of one version, best first: by rank, then the newest build;
/// the name decides what is left, so that the answer does not depend on an index's order.
pub fn compatible<'w>(
    tags: &Tags,
    wheels: impl IntoIterator<Item = &'w WheelName>,
) -> Vec<&'w WheelName> {
    let mut taken: Vec<(u32, &WheelName)> =
        wheels.into_iter().filter_map(|wheel| Some((wheel.rank(tags)?, wheel))).collect();
    taken.sort_by_key(|(rank, wheel)| (*rank, Reverse(wheel.build.clone()), wheel.as_str()));
    taken.into_iter().map(|(_, wheel)| wheel).collect()
}

/// The best wheel of one version for a target.
pub fn choose<'w>(
    tags: &Tags,
    wheels: impl IntoIterator<Item = &'w WheelName>,
) -> Option<&'w WheelName> {
    compatible(tags, wheels).into_iter().next()
}

/// The project and version that a source archive's file name says.
pub fn parse_sdist(file: &str) -> Option<(PackageName, Version)> {
    let stem = file.strip_suffix(".tar.gz").or_else(|| file.strip_suffix(".zip"))?;
    let (name, version) = stem.rsplit_once('-')?;
    Some((package_name(name).ok()?, version.parse().ok()?))
}

/// The text is no wheel's file name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{file}` is not a wheel's file name: {fault}")]
pub struct WheelNameError {
    file: String,
    fault: WheelNameFault,
}

/// What is wrong with a wheel's file name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WheelNameFault {
    /// It does not end in `.whl`.
    #[error("it does not end in `.whl`")]
    Extension,
    /// It has not five or six parts.
    #[error("it has {0} parts between `-`, not 5 or 6")]
    Parts(usize),
    /// The first part is no project name.
    #[error("`{0}` is not a project name")]
    Name(String),
    /// The second part is no version.
    #[error("`{0}` is not a version")]
    Version(String),
    /// The third of six parts is no build tag.
    #[error("`{0}` is not a build tag, which begins with a digit")]
    Build(String),
    /// A tag is empty or begins with no letter.
    #[error("`{0}` is not a tag")]
    Tag(String),
}

impl FromStr for WheelName {
    type Err = WheelNameError;

    fn from_str(file: &str) -> Result<Self, WheelNameError> {
        parse(file).map_err(|fault| WheelNameError { file: file.to_owned(), fault })
    }
}

fn parse(file: &str) -> Result<WheelName, WheelNameFault> {
    let stem = file.strip_suffix(EXTENSION).ok_or(WheelNameFault::Extension)?;
    let parts: Vec<&str> = stem.split('-').collect();
    let (name, version, build, tags) = match parts[..] {
        [name, version, a, b, c] => (name, version, None, [a, b, c]),
        [name, version, build, a, b, c] => (name, version, Some(build), [a, b, c]),
        _ => return Err(WheelNameFault::Parts(parts.len())),
    };
    for set in tags {
        if !set.split('.').all(is_tag) {
            return Err(WheelNameFault::Tag(set.to_owned()));
        }
    }
    let tags_at = stem.len() - tags.map(|set| set.len() + 1).iter().sum::<usize>() + 1;
    // PEP 427: runs of `-`, `_` and `.` are one `_` in a file name.
    let fault = || WheelNameFault::Name(name.to_owned());
    if name.contains("__") {
        return Err(fault());
    }
    Ok(WheelName {
        name: package_name(name).map_err(|_| fault())?,
        version: version.parse().map_err(|_| WheelNameFault::Version(version.to_owned()))?,
        build: build
            .map(|tag| BuildTag::parse(tag).ok_or_else(|| WheelNameFault::Build(tag.to_owned())))
            .transpose()?,
        file: file.into(),
        tags_at,
    })
}

fn is_tag(tag: &str) -> bool {
    tag.starts_with(|c: char| c.is_ascii_alphabetic())
        && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

impl BuildTag {
    fn parse(text: &str) -> Option<Self> {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, rest) = text.split_at(end);
        Some(Self { number: number.parse().ok()?, rest: rest.into() })
    }
}

impl fmt::Display for BuildTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.rest)
    }
}

impl fmt::Display for WheelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.file)
    }
}

impl TryFrom<String> for WheelName {
    type Error = WheelNameError;

    fn try_from(file: String) -> Result<Self, WheelNameError> {
        file.parse()
    }
}

impl From<WheelName> for String {
    fn from(wheel: WheelName) -> Self {
        wheel.file.into()
    }
}

const EXTENSION: &str = ".whl";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::build_label::BuildLabel;

    #[test]
    fn a_name_is_taken_apart_and_kept() {
        let file = "torch-2.12.0+rocm10.0.0-2x-cp312-cp312-manylinux_2_27_x86_64.linux_x86_64.whl";
        let wheel: WheelName = file.parse().unwrap();
        assert_eq!(wheel.name.as_ref(), "torch");
        assert_eq!(BuildLabel::of(&wheel.version), BuildLabel::Rocm("10.0.0".to_owned()));
        assert_eq!(wheel.build.as_ref().unwrap().to_string(), "2x");
        assert_eq!(wheel.tag_sets(), ["cp312", "cp312", "manylinux_2_27_x86_64.linux_x86_64"]);
        assert_eq!(serde_json::to_string(&wheel).unwrap(), format!("\"{file}\""));
        assert!(!wheel.is_pure());
    }

    #[test]
    fn the_newer_build_is_better_and_order_of_the_page_does_not_matter() {
        let wheels = ["p-1-1-py3-none-any.whl", "p-1-10-py3-none-any.whl", "p-1-py3-none-any.whl"]
            .map(|file| file.parse::<WheelName>().unwrap());
        let platform = super::super::TagPlatform::Windows { arch: crate::platform::Arch::X86_64 };
        let tags = Tags::new(super::super::PythonAbi::cpython(12), platform);
        let best = choose(&tags, &wheels).unwrap();
        assert_eq!(best.as_str(), "p-1-10-py3-none-any.whl");
        assert_eq!(choose(&tags, wheels.iter().rev()).unwrap(), best);
    }
}
