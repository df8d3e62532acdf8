//! Why no interpreter of the question has a wheel of a version. Pages are full of such versions and
//! few of them are ever spoken of, so it is found when a refusal asks.

use std::collections::BTreeSet;

use super::exclusion::Exclusion;
use super::wheel_page::{PageReader, WheelVersion};
use super::wheel_text::{WheelText, glibc_of};

impl PageReader {
    /// Why no interpreter has a wheel of a version that has none for any.
    pub(super) fn fault(&self, version: &WheelVersion) -> Exclusion {
        let files = version.unusable.iter().map(|&at| &version.page.files[at]);
        let wheels: Vec<_> =
            files.filter_map(|file| Some((WheelText::of(&file.name)?, file))).collect();
        if wheels.is_empty() {
            return Exclusion::SourceOnly;
        }
        let fits_but_python = wheels.iter().find(|(name, _)| self.fits_any(*name));
        if let Some((_, file)) = fits_but_python {
            return Exclusion::RequiresPython(file.requires_python.clone().unwrap_or_default());
        }
        let names = || wheels.iter().map(|(name, _)| *name);
        let newer_libc = names().filter(|name| name.rank(&self.any_libc).is_some());
        let needs = newer_libc.flat_map(WheelText::platforms).filter_map(glibc_of).min();
        if let (Some(needs), Some(has)) = (needs, &self.libc) {
            return Exclusion::Libc { needs, has: has.clone() };
        }
        let served: BTreeSet<String> = names()
            .filter(|name| name.platforms().any(|platform| self.serves(platform)))
            .flat_map(WheelText::interpreters)
            .map(str::to_owned)
            .collect();
        if !served.is_empty() {
            return Exclusion::PythonTags(served.into_iter().collect());
        }
        let platforms: BTreeSet<&str> = names().flat_map(WheelText::platforms).collect();
        Exclusion::Platform(platforms.into_iter().map(str::to_owned).collect())
    }

    /// Whether the tags alone fit an interpreter.
    fn fits_any(&self, name: WheelText<'_>) -> bool {
        self.interpreters.iter().any(|taker| name.rank(&taker.tags).is_some())
    }

    /// Whether the target takes a platform tag at all.
    fn serves(&self, platform: &str) -> bool {
        platform == "any"
            || self
                .interpreters
                .iter()
                .any(|taker| taker.tags.rank(&taker.interpreter, &taker.abi, platform).is_some())
    }
}
