//! The wheel of one version on a page that an interpreter of a target gets, without a solve.

use std::cmp::Reverse;

use rocmenv_manifests::catalog::{PythonFile, PythonPage};
use rocmenv_manifests::python::{PythonAbi, Tags, Version};

use super::wheel_page::tag_platform;
use super::wheel_text::WheelText;
use crate::target::Target;

/// The best wheel of `version` for CPython 3.`minor` on `target`; by tag, then by build, then by
/// name, as a solve takes it. One that was yanked is none.
pub fn own_wheel<'p>(
    page: &'p PythonPage,
    version: &Version,
    minor: u16,
    target: &Target,
) -> Option<&'p PythonFile> {
    let tags = Tags::new(PythonAbi::cpython(minor), tag_platform(target));
    let keyed = page.files.iter().filter(|file| file.yanked.is_none()).filter_map(|file| {
        let name = WheelText::of(&file.name)?;
        let is_it = name.version.parse::<Version>().is_ok_and(|own| own == *version);
        let rank = name.rank(&tags).filter(|_| is_it)?;
        Some(((rank, Reverse(name.build_number()), &file.name), file))
    });
    keyed.min_by(|(one, _), (other, _)| one.cmp(other)).map(|(_, file)| file)
}
