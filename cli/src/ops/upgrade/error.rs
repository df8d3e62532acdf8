//! Why an upgrade cannot be planned or carried out.

use std::path::PathBuf;

use rocmenv_manifests::version::RocmVersion;

use crate::error::{Exit, Failure};

/// An upgrade stops.
#[derive(Debug, thiserror::Error)]
pub enum UpgradeError {
    /// The project has no target.
    #[error("the project has no target to upgrade")]
    NoTarget,
    /// `--driver` is none.
    #[error("`{text}` is no driver (such as `31.50.0` or `in-tree`)")]
    Driver {
        /// As written.
        text: String,
    },
    /// rocm.toml reads, and yet cannot be edited.
    #[error("`rocm.toml` cannot be edited")]
    NotEditable,
    /// Nothing is locked, so there is nothing that could be moved on.
    #[error("the project has no `rocm.lock` yet, so there is nothing to upgrade")]
    NothingLocked,
    /// One is under way.
    #[error("an upgrade of {} is under way: {done} of {stages} stages are done", started)]
    UnderWay {
        /// When it was begun.
        started: String,
        /// Stages that are done.
        done: usize,
        /// All stages.
        stages: usize,
    },
    /// None is under way.
    #[error("no upgrade is under way")]
    NotUnderWay,
    /// The plan leads nowhere.
    #[error("there is no way to carry out: {0}")]
    NoWay(String),
    /// The commands of rocm.toml may not be run, so no stage could be verified.
    #[error(
        "nobody has allowed the commands of this rocm.toml to be run, so no stage can be verified"
    )]
    NotAllowed,
    /// What fits is another release than the plan says.
    #[error("the plan says ROCm {wanted}, and what can be locked is ROCm {found}")]
    OtherRelease {
        /// What the plan says.
        wanted: RocmVersion,
        /// What was locked.
        found: RocmVersion,
    },
    /// AMD's repository has no driver package.
    #[error("the repository has no package `amdgpu-dkms`")]
    NoDriverPackage,
    /// A kept installer or package is not what was verified.
    #[error("a kept file of driver {driver} is not what it was: `{}`", path.display())]
    DriverDamaged {
        /// The driver.
        driver: String,
        /// The folder.
        path: PathBuf,
    },
    /// The verification of a stage failed, and it was taken back.
    #[error("stage {stage} did not verify and was taken back: {}", failed.join("; "))]
    TakenBack {
        /// The stage.
        stage: u32,
        /// What failed.
        failed: Vec<String>,
        /// Where the evidence is.
        evidence: PathBuf,
    },
}

impl Failure for UpgradeError {
    fn exit(&self) -> Exit {
        match self {
            Self::NoTarget | Self::Driver { .. } | Self::NotEditable | Self::NotAllowed => {
                Exit::Usage
            }
            Self::NothingLocked => Exit::Stale,
            Self::DriverDamaged { .. } => Exit::Integrity,
            Self::UnderWay { .. }
            | Self::NotUnderWay
            | Self::NoWay(_)
            | Self::OtherRelease { .. }
            | Self::NoDriverPackage
            | Self::TakenBack { .. } => Exit::Unmet,
        }
    }

    fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoTarget => "unknown-target",
            Self::Driver { .. } => "fact-invalid",
            Self::NotEditable => "manifest-invalid",
            Self::NothingLocked => "lock-missing",
            Self::UnderWay { .. } => "upgrade-under-way",
            Self::NotUnderWay => "upgrade-none",
            Self::NoWay(_) => "upgrade-no-way",
            Self::NotAllowed => "not-allowed",
            Self::OtherRelease { .. } => "upgrade-other-release",
            Self::NoDriverPackage => "driver-package",
            Self::DriverDamaged { .. } => "driver-damaged",
            Self::TakenBack { .. } => "upgrade-taken-back",
        })
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::NoTarget => "rocmenv init".to_owned(),
            Self::Driver { .. } | Self::NoDriverPackage => "rocmenv matrix driver".to_owned(),
            Self::NotEditable => "rocmenv status".to_owned(),
            Self::NothingLocked => "rocmenv lock".to_owned(),
            Self::UnderWay { .. } => {
                "rocmenv upgrade --continue (or `rocmenv upgrade --abort`)".to_owned()
            }
            Self::NotUnderWay => "rocmenv upgrade --apply".to_owned(),
            Self::NoWay(_) => "rocmenv upgrade".to_owned(),
            Self::NotAllowed => "rocmenv upgrade --apply --yes".to_owned(),
            Self::OtherRelease { wanted, .. } => format!("rocmenv add rocm=={wanted}"),
            Self::DriverDamaged { path, .. } => {
                format!("remove `{}` and run `rocmenv upgrade --continue`", path.display())
            }
            Self::TakenBack { evidence, .. } => format!(
                "see `{}`; rocmenv upgrade --continue tries again, `rocmenv upgrade --abort` returns",
                evidence.display()
            ),
        })
    }
}
