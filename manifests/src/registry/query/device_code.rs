//! What the device code of native files means: which files decide, what a process does without
//! a library's data, how a feature of a target is set.

use crate::device_code::Library;
use crate::gfx::GfxTarget;

use super::super::loader::Registry;
use super::super::rows::device_code::{EssentialFile, Feature, Setting, Without};

impl Registry {
    /// That a file decides alone whether its package is of use on a GPU; `name` is the last part
    /// of its path.
    pub fn essential_file(&self, name: &str) -> Option<&EssentialFile> {
        self.device_code().essential.iter().find(|row| name.starts_with(&row.file))
    }

    /// What happens where a library has no data for a GPU; `None` where no document says.
    pub fn without_data(&self, library: Library) -> Option<Without> {
        let row = self.device_code().library.iter().find(|row| row.name == library.name());
        row.map(|row| row.without)
    }

    /// How a feature is set on a GPU where nobody sets it; `None` where it may be either.
    pub fn default_mode(&self, feature: Feature, gpu: GfxTarget) -> Option<bool> {
        let is_on = || self.gfx_row(gpu).is_some_and(|row| row.xnack == "default-on");
        if feature == Feature::Xnack && is_on() {
            return Some(true);
        }
        let row = self.device_code().mode.iter().find(|row| row.feature == feature);
        row.map(|row| row.default == Setting::On)
    }

    /// The packages that are of one build, the one that the others follow first.
    pub fn one_builds(&self) -> impl Iterator<Item = &[String]> {
        self.device_code().one_build.iter().map(|row| row.packages.as_slice())
    }

    /// Modules of which an environment holds one provider.
    pub fn single_modules(&self) -> impl Iterator<Item = &str> {
        self.device_code().one_build.iter().flat_map(|row| &row.modules).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_off_but_where_the_gpu_has_it_on() {
        let registry = Registry::embedded();
        let gpu = |text: &str| text.parse::<GfxTarget>().expect("a target");
        assert_eq!(registry.default_mode(Feature::Xnack, gpu("gfx90a")), Some(false));
        assert_eq!(registry.default_mode(Feature::Xnack, gpu("gfx1250")), Some(true));
        assert_eq!(registry.default_mode(Feature::Sramecc, gpu("gfx906")), None);
    }
}
