//! A project's part of the layout.

use std::path::{Path, PathBuf};

use rocmenv_manifests::name::{EnvName, TargetName};
use rocmenv_shims::locate::{ACTIVE, PROJECT_FOLDER};

/// One environment of a project on one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvLayout {
    project: PathBuf,
    root: PathBuf,
}

impl EnvLayout {
    /// The environment `env` on `target` of the project in the folder `project`.
    pub fn new(project: &Path, target: &TargetName, env: &EnvName) -> Self {
        let mut root = project.join(PROJECT_FOLDER).join(target.as_str());
        if !env.is_default() {
            root.push(env.as_str());
        }
        Self { project: project.to_owned(), root }
    }

    /// The project's folder.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// `PROJECT/.rocmenv/<target>[/<env>]`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file that holds the current generation's number.
    pub fn current(&self) -> PathBuf {
        self.root.join("current")
    }

    /// The file that holds the number of the generation before it.
    pub fn previous(&self) -> PathBuf {
        self.root.join("previous")
    }

    /// The file that holds pinned numbers, one a line.
    pub fn pinned(&self) -> PathBuf {
        self.root.join("pinned")
    }

    /// The file that holds the highest number ever given.
    pub fn counter(&self) -> PathBuf {
        self.root.join("counter")
    }

    /// Locked by the one process that changes this environment.
    pub fn lock(&self) -> PathBuf {
        self.root.join("lock")
    }

    /// Where the generations lie.
    pub fn generations(&self) -> PathBuf {
        self.root.join("generations")
    }

    /// Where one generation lies.
    pub fn generation(&self, number: u32) -> GenerationLayout {
        GenerationLayout::at(self.generations().join(number.to_string()))
    }

    /// The file that says which environment of the project shims use.
    pub fn active(&self) -> PathBuf {
        self.project.join(PROJECT_FOLDER).join(ACTIVE)
    }

    /// The file that keeps all of it out of git.
    pub fn ignore_file(&self) -> PathBuf {
        self.project.join(PROJECT_FOLDER).join(".gitignore")
    }

    /// What the file `active` holds when shims use this environment: `<target>[/<env>]`.
    pub fn mark(&self) -> String {
        let folder = self.project.join(PROJECT_FOLDER);
        let mark = self.root.strip_prefix(folder).unwrap_or(&self.root);
        mark.to_string_lossy().replace('\\', "/")
    }

    /// The link that editors look for.
    pub fn venv_link(&self) -> PathBuf {
        self.project.join(".venv")
    }
}

/// One generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerationLayout {
    root: PathBuf,
}

impl GenerationLayout {
    /// The generation in the folder `root`.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// There until the generation is complete.
    pub fn building(&self) -> PathBuf {
        self.root.join("building")
    }

    /// Its record.
    pub fn record(&self) -> PathBuf {
        self.root.join("generation.json")
    }

    /// What a shim reads.
    pub fn activation(&self) -> PathBuf {
        self.root.join("activation")
    }

    /// The locked pins, for pip and uv.
    pub fn constraints(&self) -> PathBuf {
        self.root.join("constraints.txt")
    }

    /// rocm.toml as it was.
    pub fn project_file(&self) -> PathBuf {
        self.root.join("rocm.toml")
    }

    /// rocm.lock as it was.
    pub fn lock_file(&self) -> PathBuf {
        self.root.join("rocm.lock")
    }

    /// What was found when it was last verified.
    pub fn verification(&self) -> PathBuf {
        self.root.join("verification.json")
    }

    /// The virtual environment.
    pub fn env(&self) -> PathBuf {
        self.root.join("env")
    }

    /// The ROCm prefix.
    pub fn rocm(&self) -> PathBuf {
        self.root.join("rocm")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_of_a_project_with_one_has_no_folder_of_its_own() {
        let target = TargetName::host();
        let one = EnvLayout::new(Path::new("p"), &target, &EnvName::default_env());
        assert_eq!(one.current(), Path::new("p/.rocmenv/host/current"));
        let other = EnvLayout::new(Path::new("p"), &target, &"train".parse().unwrap());
        assert_eq!((one.mark(), other.mark()), ("host".to_owned(), "host/train".to_owned()));
        let record = other.generation(3).record();
        assert_eq!(record, Path::new("p/.rocmenv/host/train/generations/3/generation.json"));
    }
}
