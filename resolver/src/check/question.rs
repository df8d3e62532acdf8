//! What `check` is asked: wishes such as `rocm==7.2`, and a host as far as it is described.

use std::str::FromStr;

use rocmenv_manifests::platform::{OsFamily, OsRelease};
use rocmenv_manifests::project::Accept;
use rocmenv_manifests::registry::rows::support::Platform;
use rocmenv_manifests::registry::{Kernel, KnownGpu, NameKind, Registry, System};
use rocmenv_manifests::version::{Requirement, RequirementError};

use super::answer::Undescribed;
use crate::target::{Target, TargetDriver};

/// The whole question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckQuestion {
    /// What is asked for, in order: `rocm`, `python` and frameworks.
    pub wishes: Vec<Wish>,
    /// The host.
    pub host: CheckHost,
    /// Whether preview releases may be chosen.
    pub preview: bool,
    /// Whether a build that does not say its ROCm may be chosen.
    pub unproven: bool,
    /// The worst verdict that may be chosen.
    pub accept: Accept,
}

impl CheckQuestion {
    /// The question with what rocm.toml assumes when it says nothing.
    pub fn new(wishes: Vec<Wish>, host: CheckHost) -> Self {
        Self { wishes, host, preview: false, unproven: false, accept: Accept::Unknown }
    }
}

/// One thing that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// `rocm`, `python` or a framework, as the user wrote it.
    pub name: String,
    /// Which versions.
    pub requirement: Requirement,
}

/// The text is no wish.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WishError {
    /// No name in front.
    #[error("`{0}` is not a name with versions (such as `rocm==7.2` or `pytorch>=2.12`)")]
    NoName(String),
    /// The versions are no requirement.
    #[error("`{text}` does not say versions")]
    Versions {
        /// The text.
        text: String,
        /// Why.
        #[source]
        cause: RequirementError,
    },
}

impl FromStr for Wish {
    type Err = WishError;

    fn from_str(text: &str) -> Result<Self, WishError> {
        let end = text.find(['=', '<', '>', '!', '~', '^', ' ', '*']).unwrap_or(text.len());
        let (name, versions) = text.split_at(end);
        let named = name.bytes().any(|byte| byte.is_ascii_alphabetic());
        if !named {
            return Err(WishError::NoName(text.to_owned()));
        }
        let requirement = match versions.trim() {
            "" => Requirement::any(),
            versions => versions
                .parse()
                .map_err(|cause| WishError::Versions { text: text.to_owned(), cause })?,
        };
        Ok(Self { name: name.to_lowercase(), requirement })
    }
}

/// A host, as far as it is described.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckHost {
    /// Its GPUs, by product or by target.
    pub gpus: Vec<KnownGpu>,
    /// Its operating system.
    pub system: Option<System>,
    /// Its kernel.
    pub kernel: Option<Kernel>,
    /// Its driver.
    pub driver: Option<TargetDriver>,
    /// Its Python series (`3.12`).
    pub python: Option<String>,
}

/// A host in the words of a command line; what is `None` or empty is not described.
#[derive(Debug, Clone, Copy, Default)]
pub struct Description<'d> {
    /// Products or gfx targets.
    pub gpus: &'d [String],
    /// The operating system.
    pub os: Option<&'d OsRelease>,
    /// Whether it runs under WSL2.
    pub wsl: bool,
    /// A kernel release.
    pub kernel: Option<&'d str>,
    /// A driver release, `in-tree`, or for Windows (and WSL) the Adrenalin version.
    pub driver: Option<&'d str>,
    /// A Python series or version.
    pub python: Option<&'d str>,
}

impl CheckHost {
    /// The host that is described.
    pub fn describe(registry: &Registry, said: &Description<'_>) -> Result<Self, CheckError> {
        let gpu = |name: &String| {
            registry.gpu_named(name).ok_or_else(|| {
                let kind = if name.starts_with("gfx") { NameKind::Gfx } else { NameKind::Product };
                CheckError::UnknownGpu { name: name.clone(), nearest: registry.nearest(kind, name) }
            })
        };
        let kernel = |text: &str| {
            let unreadable = || CheckError::Unreadable { what: "kernel", text: text.to_owned() };
            Kernel::parse(text).ok_or_else(unreadable)
        };
        let is_windows = said.wsl || said.os.is_some_and(|os| os.family() == OsFamily::Windows);
        let driver = |text: &str| match text.parse() {
            _ if text == "in-tree" => Ok(TargetDriver::InTree),
            Ok(version) if is_windows => Ok(TargetDriver::Adrenalin(version)),
            Ok(version) => Ok(TargetDriver::Amd(version)),
            Err(_) => Err(CheckError::Unreadable { what: "driver", text: text.to_owned() }),
        };
        let series = |text: &str| text.split('.').take(2).collect::<Vec<_>>().join(".");
        Ok(Self {
            gpus: said.gpus.iter().map(gpu).collect::<Result<_, _>>()?,
            system: said.os.map(|os| System { os: os.clone(), wsl: said.wsl }),
            kernel: said.kernel.map(kernel).transpose()?,
            driver: said.driver.map(driver).transpose()?,
            python: said.python.map(series),
        })
    }

    /// The host of a target of a project or of this machine.
    pub fn of_target(target: &Target, registry: &Registry) -> Self {
        let known = |gpu: &crate::target::TargetGpu| {
            let by_name = gpu.product.as_deref().and_then(|name| registry.gpu_named(name));
            by_name.or_else(|| gpu.gfx.map(|gfx| registry.gpu_of_target(gfx)))
        };
        let gpus = target.gpus.as_deref().unwrap_or_default();
        Self {
            gpus: gpus.iter().filter_map(|gpu| known(&gpu.value)).collect(),
            system: target.os.as_ref().map(|os| System { os: os.value.clone(), wsl: target.wsl }),
            kernel: target.kernel.as_ref().map(|kernel| Kernel::from(kernel.value.clone())),
            driver: target.driver.as_ref().map(|driver| driver.value.clone()),
            python: None,
        }
    }

    /// What is not described, and therefore not checked.
    pub fn undescribed(&self) -> Vec<Undescribed> {
        let is_windows =
            self.system.as_ref().is_some_and(|system| system.os.family() == OsFamily::Windows);
        let gaps = [
            (self.gpus.is_empty(), Undescribed::Gpu),
            (self.system.is_none(), Undescribed::System),
            (self.kernel.is_none() && !is_windows, Undescribed::Kernel),
            (self.driver.is_none(), Undescribed::Driver),
            (self.python.is_none(), Undescribed::Python),
        ];
        gaps.into_iter().filter_map(|(missing, what)| missing.then_some(what)).collect()
    }

    pub(super) fn platform(&self) -> Option<Platform> {
        self.system.as_ref().map(System::platform)
    }
}

/// A question that cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// A name that is neither `rocm`, `python` nor a framework.
    #[error("`{name}` is not known to the registry{}", nearest_name(.nearest.as_deref()))]
    UnknownName {
        /// The name.
        name: String,
        /// The nearest one.
        nearest: Option<String>,
    },
    /// A GPU that the registry does not know.
    #[error("`{name}` is not a GPU of the registry{}", nearest_name(.nearest.as_deref()))]
    UnknownGpu {
        /// The name.
        name: String,
        /// The nearest one.
        nearest: Option<String>,
    },
    /// A part of the host's description that cannot be read.
    #[error("`{text}` is not a {what}")]
    Unreadable {
        /// `kernel` or `driver`.
        what: &'static str,
        /// The text.
        text: String,
    },
    /// Only preview releases satisfy the requirement.
    #[error("only preview releases satisfy `{wanted}`, such as {release}: ask for previews")]
    NeedsPreview {
        /// The requirement.
        wanted: String,
        /// The newest of them.
        release: String,
    },
    /// No release satisfies the requirement.
    #[error("no known ROCm release satisfies `{wanted}`{}", nearest_name(.nearest.as_deref()))]
    NoRelease {
        /// The requirement.
        wanted: String,
        /// The nearest release.
        nearest: Option<String>,
    },
}

fn nearest_name(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; the nearest known name is `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_a_name_with_versions() {
        let wish = |text: &str| {
            let wish: Wish = text.parse().unwrap();
            format!("{} {}", wish.name, wish.requirement)
        };
        assert_eq!(wish("rocm==7.2"), "rocm ==7.2");
        assert_eq!(wish("PyTorch >=2.9, <3"), "pytorch >=2.9, <3");
        assert_eq!(wish("python 3.12"), "python 3.12");
        assert_eq!(wish("jax"), "jax *");
        assert!("7.2".parse::<Wish>().is_err());
        assert!("rocm==newest".parse::<Wish>().is_err());
    }
}
