//! rocm.local.toml over rocm.toml: the same key in the upper file stands in the place of the one
//! below; tables are laid over each other key by key, lists are taken whole.

use super::ordered::Ordered;
use super::raw::{
    RawEnvironment, RawIdentity, RawPolicy, RawProject, RawPython, RawRocm, RawVerify,
};

impl RawProject {
    /// This over `base`.
    pub(super) fn over(self, base: Self) -> Self {
        let project = RawIdentity {
            name: self.project.name.or(base.project.name),
            path: self.project.path.or(base.project.path),
        };
        let rocm = RawRocm {
            components: list(self.rocm.components, base.rocm.components),
            channel: self.rocm.channel.or(base.rocm.channel),
            preview: self.rocm.preview.or(base.rocm.preview),
        };
        let policy = RawPolicy {
            accept: self.policy.accept.or(base.policy.accept),
            unproven: self.policy.unproven.or(base.policy.unproven),
            keep_generations: self.policy.keep_generations.or(base.policy.keep_generations),
            patch_first: self.policy.patch_first.or(base.policy.patch_first),
            behind_months: self.policy.behind_months.or(base.policy.behind_months),
            check_days: self.policy.check_days.or(base.policy.check_days),
        };
        Self {
            project,
            requires: keys(self.requires, base.requires),
            rocm,
            python_packages: keys(self.python_packages, base.python_packages),
            env: tables(self.env, base.env, environment),
            groups: tables(self.groups, base.groups, keys),
            targets: keys(self.targets, base.targets),
            indexes: keys(self.indexes, base.indexes),
            python: RawPython { source: self.python.source.or(base.python.source) },
            overrides: keys(self.overrides, base.overrides),
            exclude_newer: self.exclude_newer.or(base.exclude_newer),
            policy,
            verify: RawVerify {
                commands: list(self.verify.commands, base.verify.commands),
                bench: list(self.verify.bench, base.verify.bench),
            },
            tune: keys(self.tune, base.tune),
        }
    }
}

fn environment(over: RawEnvironment, base: RawEnvironment) -> RawEnvironment {
    RawEnvironment {
        requires: keys(over.requires, base.requires),
        python_packages: keys(over.python_packages, base.python_packages),
    }
}

/// A key keeps its place; new ones come behind.
fn keys<V>(over: Ordered<V>, base: Ordered<V>) -> Ordered<V> {
    tables(over, base, |over, _| over)
}

fn tables<V>(over: Ordered<V>, base: Ordered<V>, join: impl Fn(V, V) -> V) -> Ordered<V> {
    let mut over: Vec<_> = over.0.into_iter().map(Some).collect();
    let mut joined = Vec::new();
    for (name, value) in base.0 {
        let same = over
            .iter_mut()
            .find(|one| one.as_ref().is_some_and(|(key, _)| key.get_ref() == name.get_ref()));
        joined.push(match same.and_then(Option::take) {
            Some((key, upper)) => (key, join(upper, value)),
            None => (name, value),
        });
    }
    joined.extend(over.into_iter().flatten());
    Ordered(joined)
}

fn list<V>(over: Vec<V>, base: Vec<V>) -> Vec<V> {
    if over.is_empty() { base } else { over }
}

#[cfg(test)]
mod tests {
    use crate::name::EnvName;
    use crate::project::Project;

    const TEXT: &str = "[requires]\nrocm = \"10.0\"\npython = \"3.12\"\n\n[rocm]\n\
                        channel = \"auto\"\npreview = true\n\n[tune]\nA = \"1\"\nB = \"2\"\n";

    #[test]
    fn a_local_key_stands_in_the_place_of_the_committed_one() {
        let local = "[requires]\npython = \"3.13\"\n[rocm]\nchannel = \"host\"\npreview = false\n\
                     [tune]\nB = \"3\"\n";
        let project = Project::parse_with_local(TEXT, local).unwrap();
        let wishes = &project.environments[&EnvName::default_env()];
        let python = wishes.python.clone().unwrap();
        assert_eq!(
            (python.value.to_string(), python.origin.to_string()),
            ("3.13".to_owned(), "rocm.local.toml:2".to_owned())
        );
        assert_eq!(wishes.rocm.clone().unwrap().origin.to_string(), "rocm.toml:2");
        assert!(!project.rocm.preview);
        assert_eq!(project.rocm.channel.origin.to_string(), "rocm.local.toml:4");
        assert_eq!(project.tune.values().collect::<Vec<_>>(), ["1", "3"]);
    }

    #[test]
    fn a_fault_names_the_file_that_has_it() {
        let said = |local: &str| Project::parse_with_local(TEXT, local).unwrap_err().to_string();
        assert_eq!(
            said("\n[rocm]\nchanel = \"host\"\n"),
            "rocm.local.toml:3:1: unknown key `chanel` in `[rocm]`; did you mean `channel`?"
        );
        assert!(said("[requires]\npython = \"newest\"\n").starts_with("rocm.local.toml:2:10: "));
        assert!(said("[requires\n").starts_with("rocm.local.toml:1:"));
    }
}
