//! Packages: where they must come from, what they need on a GPU, what brings a component.

use crate::gfx::GfxTarget;
use crate::version::RocmVersion;

use super::super::loader::Registry;
use super::super::rows::bindings::{Binding, OtherAccelerator, Placeholder, Provider, RunPath};
use super::super::rows::components::Provides;

/// The wheels that a GPU needs beside a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceWheels {
    /// The extra of the package that asks for them (`device-gfx1151`).
    pub extra: Option<String>,
    /// The packages.
    pub packages: Vec<String>,
}

/// One requirement of a meta package, expanded by its rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MetaRequirement {
    /// The package.
    pub package: String,
    /// Its version, exact.
    pub version: String,
}

impl Registry {
    /// The channel that a package must come from with a release; `None`: the general index. The
    /// most exact name wins.
    pub fn binding_of(&self, package: &str, rocm: &RocmVersion) -> Option<&Binding> {
        let release = rocm.dotted();
        let rows = self.bindings().binding.iter();
        rows.filter(|row| row.rocm.iter().any(|own| own.contains(release.parts())))
            .filter(|row| is_named(&row.package, package))
            .max_by_key(|row| exactness(&row.package))
    }

    /// Whether any release binds the package to a channel of its own.
    pub fn is_bound(&self, package: &str) -> bool {
        self.bindings().binding.iter().any(|row| is_named(&row.package, package))
    }

    /// Whether the general index has only an empty package of that name.
    pub fn placeholder(&self, package: &str) -> Option<&Placeholder> {
        self.bindings().placeholder.iter().find(|row| is_named(&row.package, package))
    }

    /// The accelerator that the general index's package of that name is built for.
    pub fn other_accelerator(&self, package: &str) -> Option<&OtherAccelerator> {
        self.bindings().other_accelerator.iter().find(|row| row.package == package)
    }

    /// The distributions that provide an import module: of these an environment holds one.
    pub fn providers(&self, module: &str) -> Vec<&Provider> {
        self.bindings().provider.iter().filter(|row| row.module == module).collect()
    }

    /// What a GPU needs beside a package with a release; `None` where it needs nothing.
    pub fn device_wheels(
        &self,
        package: &str,
        gfx: GfxTarget,
        rocm: &RocmVersion,
    ) -> Option<DeviceWheels> {
        let release = rocm.dotted();
        let target = gfx.to_string();
        let rows = self.bindings().device.iter();
        let rows: Vec<_> = rows
            .filter(|row| row.package == package)
            .filter(|row| row.rocm.iter().any(|own| own.contains(release.parts())))
            .filter(|row| row.gfx.is_empty() || row.gfx.contains(&gfx))
            .collect();
        let extra = rows.iter().find_map(|row| row.extra.as_ref())?;
        let fill = |text: &String| text.replace("{gfx}", &target);
        Some(DeviceWheels {
            extra: Some(fill(extra)),
            packages: rows.iter().flat_map(|row| row.requires.iter().map(fill)).collect(),
        })
    }

    /// The requirements of a meta package (`rocm`) with extras, for a target's GPUs; `None`
    /// where the package is none, or an extra is not known.
    pub fn meta_requirements(
        &self,
        package: &str,
        extras: &[&str],
        version: &str,
        gpus: &[GfxTarget],
    ) -> Option<Vec<MetaRequirement>> {
        let rules: Vec<_> = self
            .bindings()
            .meta
            .iter()
            .filter(|row| row.package == package && row.channel.is_none())
            .collect();
        let base = rules.iter().find(|row| row.extra.is_none())?;
        let mut found = expand(&base.requires, version, gpus);
        for extra in extras {
            let asked: Vec<GfxTarget> = extra
                .strip_prefix("device-")
                .and_then(|gfx| gfx.parse().ok())
                .into_iter()
                .collect();
            let name = if asked.is_empty() { extra } else { "device-{gfx}" };
            let rule = rules.iter().find(|row| row.extra.as_deref() == Some(name))?;
            found.extend(expand(
                &rule.requires,
                version,
                if asked.is_empty() { gpus } else { &asked },
            ));
        }
        found.sort();
        found.dedup();
        Some(found)
    }

    /// The packages that a framework's name stands for with a release, which carry the ROCm
    /// major in their names.
    pub fn family_packages(&self, framework: &str, rocm: &RocmVersion) -> &[String] {
        let release = rocm.dotted();
        let mut rows = self.bindings().family.iter();
        let row = rows.find(|row| {
            row.name == framework && row.rocm.iter().any(|own| own.contains(release.parts()))
        });
        row.map_or(&[], |row| &row.packages)
    }

    /// Where a wheel looks for ROCm, and with which releases it therefore works.
    pub fn runpath(&self, package: &str, version: &str) -> Option<&RunPath> {
        self.bindings().runpath.iter().find(|row| {
            row.package == package && row.version.as_deref().is_none_or(|own| own == version)
        })
    }

    /// The packages that bring a component from a channel; `suite` is the distribution's.
    pub fn component_packages(
        &self,
        component: &str,
        channel: &str,
        suite: Option<&str>,
    ) -> Option<&Provides> {
        self.components().provides.iter().find(|row| {
            row.component == component
                && row.channel == channel
                && (row.suites.is_empty()
                    || suite.is_some_and(|suite| row.suites.iter().any(|own| own == suite)))
        })
    }
}

fn expand(requires: &[String], version: &str, gpus: &[GfxTarget]) -> Vec<MetaRequirement> {
    let one = |text: String| {
        let (package, version) = text.split_once("==")?;
        Some(MetaRequirement { package: package.to_owned(), version: version.to_owned() })
    };
    let per_gpu = |text: &String| -> Vec<String> {
        let text = text.replace("{version}", version);
        if text.contains("{gfx}") {
            gpus.iter().map(|gfx| text.replace("{gfx}", &gfx.to_string())).collect()
        } else {
            vec![text]
        }
    };
    requires.iter().flat_map(per_gpu).filter_map(one).collect()
}

fn is_named(pattern: &str, package: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => package.starts_with(prefix),
        None => pattern == package,
    }
}

fn exactness(pattern: &str) -> (bool, usize) {
    (!pattern.ends_with('*'), pattern.len())
}
