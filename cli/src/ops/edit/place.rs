//! Where in rocm.toml a name belongs: the stack, a component of ROCm, or a Python package.

use rocmenv_manifests::name::{ComponentName, EnvName, GroupName, PackageName};

/// The registry's names that are more than Python packages.
#[derive(Debug, Clone, Default)]
pub struct StackNames {
    /// Frameworks: the name in rocm.toml, and the other names that users give.
    pub frameworks: Vec<(String, Vec<String>)>,
    /// Components of ROCm.
    pub components: Vec<String>,
}

/// Where a name belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// `[requires]`, under this key.
    Stack(String),
    /// `[rocm] components`.
    Component(ComponentName),
    /// `[python-packages]` or a group.
    Package(PackageName),
}

impl StackNames {
    /// Where `name` belongs; `None` where it can be no name at all.
    pub fn place(&self, name: &str) -> Option<Place> {
        let lower = name.to_lowercase();
        if STACK.contains(&lower.as_str()) {
            return Some(Place::Stack(lower));
        }
        let framework = self.frameworks.iter().find(|(key, aliases)| {
            *key == lower || aliases.iter().any(|alias| alias.to_lowercase() == lower)
        });
        if let Some((key, _)) = framework {
            return Some(Place::Stack(key.clone()));
        }
        if self.components.contains(&lower) {
            return lower.parse().ok().map(Place::Component);
        }
        name.parse().ok().map(Place::Package)
    }

    /// A framework or component that `name` is probably a slip of, if it is neither itself.
    pub fn slip_of(&self, name: &str) -> Option<&str> {
        let lower = name.to_lowercase();
        let own = self.frameworks.iter().map(|(key, _)| (key.as_str(), key.as_str()));
        let other = self.frameworks.iter().flat_map(|(key, aliases)| {
            aliases.iter().map(move |alias| (alias.as_str(), key.as_str()))
        });
        let mut names = own.chain(other).chain(STACK.map(|name| (name, name)));
        let (_, meant) = names.find(|(name, _)| *name != lower && is_slip(&lower, name))?;
        (meant != lower).then_some(meant)
    }
}

/// The table of a stack key or package.
pub fn table(place: &Place, env: &EnvName, group: Option<&GroupName>) -> Vec<String> {
    let leaf = match (place, group) {
        (Place::Component(_), _) => return vec!["rocm".to_owned()],
        (Place::Package(_), Some(group)) => {
            return vec!["groups".to_owned(), group.to_string()];
        }
        (Place::Package(_), None) => "python-packages",
        (Place::Stack(_), _) => "requires",
    };
    if env.is_default() {
        return vec![leaf.to_owned()];
    }
    vec!["env".to_owned(), env.to_string(), leaf.to_owned()]
}

/// The same letters in another order: `pytroch`. A package such as `jaxtyping` is none.
fn is_slip(name: &str, near: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(name) == sorted(near)
}

const STACK: [&str; 3] = ["rocm", "python", "driver"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_registry_are_more_than_packages() {
        let names = StackNames {
            frameworks: vec![("pytorch".to_owned(), vec!["torch".to_owned()])],
            components: vec!["smi".to_owned()],
        };
        assert_eq!(names.place("Torch"), Some(Place::Stack("pytorch".to_owned())));
        assert_eq!(names.place("rocm"), Some(Place::Stack("rocm".to_owned())));
        assert_eq!(names.place("smi"), Some(Place::Component("smi".parse().unwrap())));
        assert_eq!(names.place("jaxtyping"), Some(Place::Package("jaxtyping".parse().unwrap())));
        assert_eq!(names.place("a b"), None);
        assert_eq!(names.slip_of("pytroch"), Some("pytorch"));
        assert_eq!(names.slip_of("torhc"), Some("pytorch"));
        assert_eq!(names.slip_of("pytorch"), None);
        assert_eq!(names.slip_of("pytorch-lightning"), None);
    }
}
