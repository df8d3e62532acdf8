//! What of rocm.toml a lock depends on, as one digest.
//!
//! Two files that ask for the same have the same digest: order of tables, comments and places do
//! not count. What only matters later (`[verify]`, `[tune]`, how many generations are kept) is
//! not part of it.

use std::fmt::Write as _;

use super::types::{
    ChannelChoice, DriverSpec, Environment, GpuSpec, PackageRequest, Project, TargetSpec,
};
use crate::digest::Sha256;
use crate::name::EnvName;

impl Project {
    /// The digest of what the lock of `env` on `target` depends on. `None` is the host itself:
    /// its facts are checked against the contract instead, so that another host may fit.
    pub fn inputs(&self, env: &EnvName, target: Option<&TargetSpec>) -> Sha256 {
        let mut text = Canonical(String::from("rocmenv inputs 1\n"));
        if let Some(environment) = self.environments.get(env) {
            text.environment(environment);
        }
        for (name, packages) in &self.groups {
            text.packages(&format!("group {name}"), packages);
        }
        text.packages("override", &self.overrides);
        text.sorted("component", self.rocm.components.iter().map(|name| name.value.to_string()));
        text.line("channel", &channel(&self.rocm.channel.value));
        text.line("preview", &self.rocm.preview.to_string());
        for index in &self.indexes {
            let place = format!("{} {:?} {}", index.name, index.kind, index.url.value);
            text.line("index", &place);
            text.sorted("suite", index.suites.iter().cloned());
            text.sorted("index component", index.components.iter().cloned());
        }
        for (name, key) in &self.trusted_keys {
            text.line("trusted key", &format!("{name} {}", key.value));
        }
        if let Some(instant) = &self.exclude_newer {
            text.line("exclude-newer", &instant.value.to_string());
        }
        text.line("accept", &format!("{:?}", self.policy.accept));
        text.line("unproven", &self.policy.unproven.to_string());
        match target {
            Some(target) => text.target(target),
            None => text.line("target", "host"),
        }
        Sha256::of(text.0.as_bytes())
    }

    /// The digests of every environment on every target and on the host itself.
    pub fn all_inputs(&self) -> Vec<Sha256> {
        let targets = || std::iter::once(None).chain(self.targets.iter().map(Some));
        let of = |env| targets().map(move |target| self.inputs(env, target));
        self.environments.keys().flat_map(of).collect()
    }
}

/// A `String` takes every write, so the results of `writeln!` say nothing.
struct Canonical(String);

impl Canonical {
    fn line(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.0, "{key} {value}");
    }

    fn sorted(&mut self, key: &str, values: impl Iterator<Item = String>) {
        let mut values: Vec<_> = values.collect();
        values.sort();
        for value in values {
            self.line(key, &value);
        }
    }

    /// Frameworks keep their order: it decides which one is made newest first.
    fn environment(&mut self, env: &Environment) {
        let stack = [("rocm", &env.rocm), ("python", &env.python), ("driver", &env.driver)];
        for (key, requirement) in stack {
            if let Some(requirement) = requirement {
                self.line(key, &requirement.value.to_string());
            }
        }
        for framework in &env.frameworks {
            let asked = format!("{} {}", framework.name, framework.requirement.value);
            self.line("framework", &asked);
        }
        self.packages("package", &env.packages);
    }

    fn packages(&mut self, key: &str, packages: &[PackageRequest]) {
        self.sorted(key, packages.iter().map(package));
    }

    fn target(&mut self, target: &TargetSpec) {
        self.line("target", target.name.as_str());
        let mut optional = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                self.line(key, &value);
            }
        };
        optional("os", target.os.as_ref().map(|os| os.value.to_string()));
        optional("kernel", target.kernel.as_ref().map(|kernel| kernel.value.to_string()));
        optional("libc", target.libc.as_ref().map(|libc| libc.value.to_string()));
        optional("arch", target.arch.as_ref().map(|arch| arch.value.to_string()));
        optional("driver", target.driver.as_ref().map(|found| driver(&found.value)));
        optional("host-rocm", target.rocm.as_ref().map(|rocm| rocm.value.to_string()));
        self.line("wsl", &target.wsl.to_string());
        self.line("accelerator", &format!("{:?}", target.accelerator));
        if let Some(gpus) = &target.gpus {
            self.line("gpus", &gpus.len().to_string());
            self.sorted("gpu", gpus.iter().map(|found| gpu(&found.value)));
        }
    }
}

fn package(package: &PackageRequest) -> String {
    let extras: Vec<_> = package.extras.iter().map(ToString::to_string).collect();
    let index = package.index.as_ref().map_or("", |index| index.as_str());
    let marker = package.markers.as_deref().unwrap_or_default();
    let requirement = &package.requirement.value;
    format!("{}[{}] {requirement} ; {marker} @ {index}", package.name, extras.join(","))
}

fn channel(choice: &ChannelChoice) -> String {
    match choice {
        ChannelChoice::Named(name) => format!("named {name}"),
        known => format!("{known:?}"),
    }
}

fn driver(driver: &DriverSpec) -> String {
    match driver {
        DriverSpec::Amd(version) => format!("amd {version}"),
        DriverSpec::InTree => "in-tree".to_owned(),
        DriverSpec::Adrenalin(version) => format!("adrenalin {version}"),
    }
}

fn gpu(gpu: &GpuSpec) -> String {
    let gfx = gpu.gfx.map(|gfx| gfx.to_string()).unwrap_or_default();
    format!("{} {gfx} {}", gpu.product.as_deref().unwrap_or_default(), gpu.count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(text: &str) -> Sha256 {
        let project = Project::parse("rocm.toml", text).unwrap();
        project.inputs(&EnvName::default_env(), project.targets.first())
    }

    #[test]
    fn comments_places_and_what_matters_later_do_not_count() {
        let plain = inputs("[requires]\nrocm = \"10.0\"\n[python-packages]\na = \"*\"\nb = \">1\"");
        let other = "# why\n[python-packages]\nb = \">1\"\na = \"*\"\n[verify]\ncommands = [\"x\"]\n\
                     [requires]\nrocm = \"10.0\"";
        assert_eq!(plain, inputs(other));
    }

    #[test]
    fn whatever_is_asked_counts() {
        let texts = [
            "",
            "[requires]\nrocm = \"10.0\"",
            "[requires]\nrocm = \"10.1\"",
            "[requires]\npython = \"3.12\"",
            "[requires]\njax = \"*\"",
            "[python-packages]\na = \"*\"",
            "[python-packages]\na = { extras = [\"x\"] }",
            "[python-packages]\na = { index = \"own\" }",
            "[overrides]\na = \"*\"",
            "[groups.dev]\na = \"*\"",
            "[rocm]\nchannel = \"host\"",
            "[rocm]\npreview = true",
            "[rocm]\ncomponents = [\"smi\"]",
            "[targets.t]\ngpus = []",
            "[targets.t]\ngpus = [\"gfx942\"]",
            "[targets.t]\ngpus = [{ gfx = \"gfx942\", count = 2 }]",
            "[targets.t]\ndriver = \"in-tree\"",
            "[targets.t]\nwsl = true",
            "exclude-newer = \"2026-11-01\"",
            "[policy]\nunproven = true",
            "[indexes.own]\nurl = \"wheels\"",
            "[indexes.own]\nurl = \"debs\"\nkind = \"apt\"",
            "[indexes.own]\nurl = \"debs\"\nkind = \"apt\"\nsuites = [\"noble\"]",
            "[indexes.amd]\nfingerprint = \"CA8BB4727A47B4D09B4EE8969386B48A1A693C5C\"",
        ];
        let digests: std::collections::BTreeSet<_> = texts.map(inputs).into_iter().collect();
        assert_eq!(digests.len(), texts.len());
    }
}
