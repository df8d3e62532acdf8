//! What a source says, in our words.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::name::{GroupName, PackageName};
use rocmenv_manifests::python::Version;
use rocmenv_manifests::version::Requirement;

use crate::ops::edit::request::Request;

/// Everything that was read.
#[derive(Debug, Clone, Default)]
pub struct Foreign {
    /// The project's name.
    pub name: Option<String>,
    /// Which Python.
    pub python: Option<Requirement>,
    /// Which ROCm.
    pub rocm: Option<Requirement>,
    /// Where ROCm comes from.
    pub channel: Option<String>,
    /// `[project] path`, where the source is a project with source of its own.
    pub path: Option<String>,
    /// What is asked for, in the source's order.
    pub wishes: Vec<Wish>,
    /// Which versions were chosen, by package.
    pub pins: BTreeMap<PackageName, Pin>,
    /// What cannot come along.
    pub left_out: Vec<LeftOut>,
}

/// One thing that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// The requirement.
    pub request: Request,
    /// The group that it belongs to.
    pub group: Option<GroupName>,
}

/// A version that was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// The version.
    pub version: Version,
    /// The files that may be it; none where the source does not say.
    pub hashes: BTreeSet<Sha256>,
}

/// Something that does not come along.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LeftOut {
    /// What it is, as the source writes it.
    pub what: String,
    /// Why.
    pub why: String,
}

impl Foreign {
    /// Adds a wish, or what is wrong with it to what is left out.
    pub(super) fn wish(&mut self, text: &str, group: Option<&str>) {
        let group = match group.map(str::parse::<GroupName>).transpose() {
            Ok(group) => group,
            Err(error) => return self.leave(text, &error.to_string()),
        };
        match text.parse::<Request>() {
            Ok(request) => self.wishes.push(Wish { request, group }),
            Err(error) => self.leave(text, &error.to_string()),
        }
    }

    /// Pins a package. A second version of it cannot be pinned, too: the solve chooses one.
    pub(super) fn pin(&mut self, name: &str, version: &str, hashes: BTreeSet<Sha256>) {
        let (Ok(name), Ok(version)) = (name.parse::<PackageName>(), version.parse::<Version>())
        else {
            return self.leave(&format!("{name} {version}"), "it is no package of Python");
        };
        let Some(known) = self.pins.get_mut(&name) else {
            self.pins.insert(name, Pin { version, hashes });
            return;
        };
        if known.version == version {
            known.hashes.extend(hashes);
        } else {
            let why = format!("{name} {} is pinned, too, for other markers", known.version);
            self.leave(&format!("{name} {version}"), &why);
        }
    }

    /// Says what does not come along.
    pub(super) fn leave(&mut self, what: &str, why: &str) {
        self.left_out.push(LeftOut { what: what.to_owned(), why: why.to_owned() });
    }

    /// The pinned versions alone.
    pub(super) fn versions(&self) -> BTreeMap<PackageName, Version> {
        self.pins.iter().map(|(name, pin)| (name.clone(), pin.version.clone())).collect()
    }
}

/// The digests among texts such as `sha256:0a1b..`; others are of no use here.
pub(super) fn digests<'t>(texts: impl Iterator<Item = &'t str>) -> BTreeSet<Sha256> {
    texts.filter_map(|text| text.trim().strip_prefix("sha256:")?.parse().ok()).collect()
}
