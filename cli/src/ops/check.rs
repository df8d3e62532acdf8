//! `check`: whether a stack goes together, for the project's targets or a described host, from
//! the registry alone.

mod kernel_update;

use rocmenv_manifests::platform::{OsError, OsRelease};
use rocmenv_manifests::project::{Environment, Project};
use rocmenv_manifests::registry::{Kernel, Registry};
use rocmenv_resolver::check::{
    CheckAnswer, CheckError, CheckHost, CheckQuestion, Description, Wish, WishError, check,
};

pub use kernel_update::KernelUpdate;

use super::host::{self, HostError, HostOptions};
use super::lock::{TargetsError, nearest_system, targets};
use super::project::{self, OpenError};
use super::registry::RegistryError;
use crate::context::Context;
use crate::error::{Exit, Failure};

/// What `check` was asked.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// `rocm==7.2`, `pytorch`; without any, what rocm.toml asks for.
    pub wishes: Vec<String>,
    /// GPUs of the described host.
    pub gpus: Vec<String>,
    /// Its system.
    pub os: Option<String>,
    /// Whether it runs under WSL2.
    pub wsl: bool,
    /// Its kernel.
    pub kernel: Option<String>,
    /// Its driver.
    pub driver: Option<String>,
    /// Its Python.
    pub python: Option<String>,
    /// Whether previews may be chosen.
    pub preview: bool,
}

/// One answer.
#[derive(Debug, Clone, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Checked {
    /// Whom it is for, in words.
    pub host: String,
    /// The answer.
    pub answer: CheckAnswer,
    /// What a kernel update means for AMD's own driver, where that was the question.
    pub kernel_update: Option<KernelUpdate>,
}

/// Answers for the described host; without a description, for each target of the project, or for
/// this host.
///
/// # Errors
/// A name that nobody knows, or a project that cannot be read.
pub fn run(
    context: &Context,
    registry: &Registry,
    options: &CheckOptions,
) -> Result<Vec<Checked>, CheckFailure> {
    let wishes: Vec<Wish> =
        options.wishes.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    let update = options.asks_of_kernel_update();
    let described = options.describes_host() && !update;
    let project = if described && !wishes.is_empty() { None } else { found_project(context)? };
    let env = project.as_ref().and_then(|one| one.environments.get(&context.settings.env));
    let stack = match (wishes.is_empty(), env) {
        (true, Some(env)) => of_project(env),
        (true, None) => Vec::new(),
        (false, _) => wishes,
    };
    let ask = |host: CheckHost, wishes: Vec<Wish>| -> Result<CheckAnswer, CheckFailure> {
        if wishes.is_empty() {
            return Err(CheckFailure::Nothing);
        }
        let mut question = CheckQuestion::new(wishes, host);
        question.preview = options.preview;
        if let Some(project) = &project {
            question.preview |= project.rocm.preview;
            question.unproven = project.policy.unproven;
            question.accept = project.policy.accept;
        }
        Ok(check(registry, &question)?)
    };
    let asked = |host: CheckHost| ask(host, stack.clone());
    if described {
        let description = options.description()?;
        if let Some(os) = &description.os
            && let Some(nearest) = nearest_system(os, registry)
        {
            let (os, nearest) = (Box::new(os.clone()), Box::new(nearest));
            return Err(CheckFailure::MisspeltOs { os, nearest });
        }
        let host = CheckHost::describe(registry, &description.borrowed())?;
        let (host, answer) = ("the described host".to_owned(), asked(host)?);
        return Ok(vec![Checked { host, answer, kernel_update: None }]);
    }
    let facts = host::facts(context, registry, &HostOptions::default())?;
    let empty = Project::parse("rocm.toml", "").ok();
    let Some(of) = project.as_ref().or(empty.as_ref()) else { return Ok(Vec::new()) };
    let only = context.settings.target.as_ref().map(|target| &target.value);
    let mut answers = Vec::new();
    for one in targets(of, registry, &facts, only)? {
        let name = if one.spec.is_some() {
            format!("target {}", one.target.name)
        } else {
            "this host".to_owned()
        };
        let mut host = CheckHost::of_target(&one.target, registry);
        let Some(kernel) = options.kernel.as_deref().filter(|_| update) else {
            answers.push(Checked { host: name, answer: asked(host)?, kernel_update: None });
            continue;
        };
        // What runs is asked about, not what could be chosen in its place.
        let mut running = stack.clone();
        let rocm = kernel_update::running_rocm(context, &one.target);
        if let Some(rocm) = rocm.filter(|_| options.wishes.is_empty()) {
            running.retain(|wish| wish.name != "rocm");
            running.insert(0, format!("rocm=={rocm}").parse()?);
        }
        let updated = Kernel::parse(kernel).ok_or(CheckFailure::Kernel(kernel.to_owned()))?;
        let update = KernelUpdate::of(&host, &facts, &updated, kernel, registry);
        host.kernel = Some(updated);
        let name = format!("{name} with kernel {kernel}");
        answers.push(Checked { host: name, answer: ask(host, running)?, kernel_update: update });
    }
    Ok(answers)
}

impl CheckOptions {
    fn describes_host(&self) -> bool {
        !self.gpus.is_empty()
            || self.os.is_some()
            || self.wsl
            || self.kernel.is_some()
            || self.driver.is_some()
            || self.python.is_some()
    }

    /// A kernel alone describes no host: it asks what an update of the kernel would do.
    fn asks_of_kernel_update(&self) -> bool {
        let without = Self { kernel: None, ..self.clone() };
        self.kernel.is_some() && !without.describes_host()
    }

    fn description(&self) -> Result<Owned<'_>, CheckFailure> {
        let os = self.os.as_deref().map(str::parse::<OsRelease>).transpose()?;
        Ok(Owned { options: self, os })
    }
}

/// A description with its system read.
struct Owned<'o> {
    options: &'o CheckOptions,
    os: Option<OsRelease>,
}

impl Owned<'_> {
    fn borrowed(&self) -> Description<'_> {
        Description {
            gpus: &self.options.gpus,
            os: self.os.as_ref(),
            wsl: self.options.wsl,
            kernel: self.options.kernel.as_deref(),
            driver: self.options.driver.as_deref(),
            python: self.options.python.as_deref(),
        }
    }
}

/// `check` needs no project; one that is there and broken is an error all the same.
fn found_project(context: &Context) -> Result<Option<Project>, CheckFailure> {
    match project::open(context) {
        Ok(opened) => Ok(Some(opened.project)),
        Err(OpenError::NotFound(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn of_project(env: &Environment) -> Vec<Wish> {
    let stack = [("rocm", &env.rocm), ("python", &env.python)];
    let stack = stack.into_iter().filter_map(|(name, wanted)| {
        let requirement = wanted.as_ref()?.value.clone();
        Some(Wish { name: name.to_owned(), requirement })
    });
    let frameworks = env.frameworks.iter().map(|framework| Wish {
        name: framework.name.clone(),
        requirement: framework.requirement.value.clone(),
    });
    stack.chain(frameworks).collect()
}

/// The question cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum CheckFailure {
    /// A wish that is none.
    #[error(transparent)]
    Wish(#[from] WishError),
    /// A name that nobody knows.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// A system that is none.
    #[error(transparent)]
    Os(#[from] OsError),
    /// A distribution that is one letter away from another.
    #[error("no system `{os}` is known; did you mean `{nearest}`?")]
    MisspeltOs {
        /// The system.
        os: Box<OsRelease>,
        /// What it may be meant to be.
        nearest: Box<OsRelease>,
    },
    /// The project.
    #[error(transparent)]
    Project(#[from] OpenError),
    /// The registry.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The host.
    #[error(transparent)]
    Host(#[from] HostError),
    /// A target.
    #[error(transparent)]
    Targets(#[from] TargetsError),
    /// A kernel that is none.
    #[error("a kernel release begins with numbers, such as `6.8`, not `{0}`")]
    Kernel(String),
    /// Nothing was asked for.
    #[error("nothing to check: neither a requirement nor a project")]
    Nothing,
}

impl Failure for CheckFailure {
    fn exit(&self) -> Exit {
        match self {
            Self::Project(inner) => inner.exit(),
            Self::Registry(inner) => inner.exit(),
            Self::Host(inner) => inner.exit(),
            Self::Targets(inner) => inner.exit(),
            _ => Exit::Usage,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Wish(_) => Some("request-invalid"),
            Self::Check(inner) => Some(match inner {
                CheckError::UnknownName { .. } => "unknown-framework",
                CheckError::UnknownGpu { .. } => "unknown-product",
                CheckError::Unreadable { .. } => "fact-invalid",
                CheckError::NoRelease { .. } => "unknown-release",
                CheckError::NeedsPreview { .. } => "R-preview",
            }),
            Self::Os(_) | Self::Kernel(_) => Some("fact-invalid"),
            Self::MisspeltOs { .. } => Some("unknown-name"),
            Self::Project(inner) => inner.code(),
            Self::Registry(inner) => inner.code(),
            Self::Host(inner) => inner.code(),
            Self::Targets(inner) => inner.code(),
            Self::Nothing => None,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Project(inner) => inner.help(),
            Self::Registry(inner) => inner.help(),
            Self::Host(inner) => inner.help(),
            Self::Targets(inner) => inner.help(),
            Self::Kernel(_) => Some("rocmenv check --kernel \"$(uname -r)\"".to_owned()),
            Self::MisspeltOs { nearest, .. } => Some(format!("--os {nearest}")),
            Self::Check(CheckError::NoRelease { .. }) => Some("rocmenv matrix rocm".to_owned()),
            Self::Check(CheckError::UnknownGpu { .. }) => Some("rocmenv matrix gpu".to_owned()),
            Self::Check(CheckError::UnknownName { .. }) => {
                Some("rocmenv matrix framework".to_owned())
            }
            _ => Some("rocmenv check \"rocm==10.0\" pytorch --gpu \"RX 7900 XTX\"".to_owned()),
        }
    }
}
