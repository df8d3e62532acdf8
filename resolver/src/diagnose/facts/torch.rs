//! Which torch it is: its own words first, then its label, then its company.

use std::collections::BTreeMap;

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::version::Dotted;
use serde::{Deserialize, Serialize};

/// What torch says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Torch {
    /// Its version with the local label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// `torch.version.hip`; an empty text is `None` there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hip: Option<String>,
    /// `torch.version.cuda`; an empty text is `None` there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cuda: Option<String>,
    /// `torch.cuda.is_available()`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available: Option<bool>,
    /// `torch.cuda.get_arch_list()`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub archs: Vec<GfxTarget>,
}

/// What a torch was built for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TorchBuild {
    /// There is none, as far as anybody looked.
    Absent,
    /// ROCm, with its release where the label or `hip` says it.
    Rocm(Option<Dotted>),
    /// CUDA; why we think so.
    Cuda(String),
    /// No GPU at all; why we think so.
    Cpu(String),
    /// Nothing says it.
    Unknown,
}

impl Torch {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What it was built for, beside which packages it lies, on which system.
    pub fn build(&self, packages: Option<&BTreeMap<String, String>>, windows: bool) -> TorchBuild {
        let listed = packages.and_then(|packages| packages.get("torch"));
        let Some(version) = self.version.as_ref().or(listed) else {
            let said = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
            return match (said(&self.hip), said(&self.cuda)) {
                (true, _) => TorchBuild::Rocm(self.hip.as_deref().and_then(release_of_hip)),
                (false, true) => TorchBuild::Cuda("torch.version.cuda is set".to_owned()),
                _ => TorchBuild::Absent,
            };
        };
        let label = version.split_once('+').map_or("", |(_, label)| label);
        let hip = self.hip.as_deref().filter(|hip| !hip.is_empty());
        if let Some(release) = release_of_label(label) {
            return TorchBuild::Rocm(release.or_else(|| hip.and_then(release_of_hip)));
        }
        if let Some(hip) = hip {
            return TorchBuild::Rocm(release_of_hip(hip));
        }
        if label.starts_with("cu") || self.cuda.as_deref().is_some_and(|cuda| !cuda.is_empty()) {
            return TorchBuild::Cuda(format!("torch {version}"));
        }
        if label == "cpu" {
            return TorchBuild::Cpu(format!("torch {version}"));
        }
        let company = packages.and_then(|packages| {
            packages.keys().find(|name| {
                name.starts_with("nvidia-cublas") || name.starts_with("nvidia-cuda-runtime")
            })
        });
        match company {
            Some(name) => TorchBuild::Cuda(format!("torch {version} beside {name}")),
            None if self.hip.is_some() => {
                TorchBuild::Cpu(format!("torch {version}, torch.version.hip is None"))
            }
            None if windows && packages.is_some() => {
                TorchBuild::Cpu(format!("torch {version} without a label, on Windows"))
            }
            None => TorchBuild::Unknown,
        }
    }
}

/// `rocm7.2.0`, `rocm7.14.0a20260603`, `rocm6.3.4.git7cecbf6d`: the release; `rocmsdk2025…` says
/// none; another label is no ROCm.
#[expect(clippy::option_option, reason = "a ROCm label without a release is neither none nor one")]
fn release_of_label(label: &str) -> Option<Option<Dotted>> {
    let rest = label.strip_prefix("rocm")?;
    let text: Vec<&str> = rest
        .split('.')
        .take_while(|part| part.starts_with(|c: char| c.is_ascii_digit()))
        .take(3)
        .map(|part| &part[..part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len())])
        .collect();
    Some(text.join(".").parse().ok())
}

/// HIP's own version has ROCm's major and minor (`7.2.53150` is ROCm 7.2).
fn release_of_hip(hip: &str) -> Option<Dotted> {
    let version = Dotted::leading(hip)?;
    (version.parts().len() > 1).then(|| Dotted::new(version.part(0), version.part(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(version: &str, others: &[&str]) -> TorchBuild {
        let mut packages: BTreeMap<String, String> =
            others.iter().map(|name| ((*name).to_owned(), "1".to_owned())).collect();
        packages.insert("torch".to_owned(), version.to_owned());
        Torch::default().build(Some(&packages), false)
    }

    #[test]
    fn labels_say_what_a_build_is_for() {
        let rocm = |text: &str| TorchBuild::Rocm(text.parse().ok());
        assert_eq!(build("2.9.1+rocm7.2.0.git7e1940d4", &[]), rocm("7.2.0"));
        assert_eq!(build("2.10.0+rocm7.14.0a20260603", &[]), rocm("7.14.0"));
        assert_eq!(build("2.5.1+rocm6.2", &["nvidia-cuda-runtime-cu13"]), rocm("6.2"));
        assert_eq!(build("2.9.0+rocmsdk20251116", &[]), TorchBuild::Rocm(None));
        assert!(matches!(build("2.8.0+cu128", &[]), TorchBuild::Cuda(_)));
        assert!(matches!(build("2.8.0", &["nvidia-cublas-cu12"]), TorchBuild::Cuda(_)));
        assert!(matches!(build("2.8.0+cpu", &[]), TorchBuild::Cpu(_)));
        assert_eq!(build("2.8.0", &[]), TorchBuild::Unknown);
    }
}
