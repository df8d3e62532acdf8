//! rocm.toml as a stage of an upgrade needs it: the one text that is written, and that a stage
//! which is still to come is measured by.

use rocmenv_manifests::project::{ChannelChoice, Environment, Project};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::sourced::Sourced;
use rocmenv_manifests::upgrade::{Driver, EnvironmentStep, Stage, State};
use rocmenv_manifests::version::{Dotted, Requirement, RocmVersion};

use super::UpgradeError;
use super::planning::{Subject, uses_rocm_of_host};
use crate::error::Error;
use crate::ops::edit::document::ManifestText;
use crate::ops::edit::request::Request;
use crate::ops::project::Opened;

/// rocm.toml as the stage needs it. What the file of the beginning asked for comes back wherever
/// the stage satisfies it; everything else that a user wrote meanwhile stays.
///
/// # Errors
/// rocm.toml is written in a way that cannot be edited.
pub(super) fn moved(
    opened: &Opened,
    registry: &Registry,
    subject: &Subject,
    stage: &Stage,
    step: &EnvironmentStep,
    begin: &Project,
) -> Result<String, Error> {
    let project = &opened.project;
    let mut text = ManifestText::new(&opened.text).map_err(|_| UpgradeError::NotEditable)?;
    if let (Some(first), Some(now)) = (subject.wishes(begin), subject.wishes(project)) {
        let table = if subject.env.is_default() {
            vec!["requires".to_owned()]
        } else {
            vec!["env".to_owned(), subject.env.to_string(), "requires".to_owned()]
        };
        let mut ask = |key: &str, wish: &Wish<'_>| -> Result<(), Error> {
            if let Some(wanted) = wish.change() {
                let request: Request = format!("{key} {wanted}").parse()?;
                text.require(&table, key, &request, None);
            }
            Ok(())
        };
        if let Some(rocm) = &step.rocm {
            let (version, exact) = (rocm.dotted(), format!("=={}", rocm.series()));
            ask("rocm", &Wish::new(first.rocm.as_ref(), now.rocm.as_ref(), version, exact))?;
        }
        if let Some((python, series)) =
            step.python.as_ref().and_then(|text| Some((text, text.parse::<Dotted>().ok()?)))
        {
            let exact = format!("=={python}");
            ask("python", &Wish::new(first.python.as_ref(), now.python.as_ref(), series, exact))?;
        }
        for framework in &step.frameworks {
            let Some(version) = Dotted::leading(&framework.version) else { continue };
            let of = |wishes: &'_ Environment| {
                let mut all = wishes.frameworks.iter();
                all.find(|one| one.name == framework.name).map(|one| one.requirement.clone())
            };
            let exact = format!("=={}", framework.version);
            let (first, now) = (of(first), of(now));
            ask(&framework.name, &Wish::new(first.as_ref(), now.as_ref(), version, exact))?;
        }
    }
    if project.rocm.channel.value == ChannelChoice::Amd
        && step.rocm.as_ref().is_some_and(|rocm| line(registry, rocm) == "therock")
    {
        text.set(&["rocm".to_owned()], "channel", "therock");
    }
    if subject.is_described {
        describe(&mut text, subject, project, &stage.to);
    }
    Ok(text.text())
}

/// What one line of `[requires]` asked for at the beginning and asks for now, and what a stage
/// brings.
struct Wish<'w> {
    first: Option<&'w Sourced<Requirement>>,
    now: Option<&'w Sourced<Requirement>>,
    version: Dotted,
    exact: String,
}

impl<'w> Wish<'w> {
    fn new(
        first: Option<&'w Sourced<Requirement>>,
        now: Option<&'w Sourced<Requirement>>,
        version: Dotted,
        exact: String,
    ) -> Self {
        Self { first, now, version, exact }
    }

    /// What the line must ask for instead; `None` where it may stay, or there is none.
    fn change(&self) -> Option<String> {
        let now = &self.now?.value;
        let first = self.first.map(|first| &first.value);
        match first.filter(|first| first.matches(&self.version)) {
            Some(first) if first != now => Some(first.to_string()),
            Some(_) => None,
            None if now.matches(&self.version) => None,
            None => Some(self.exact.clone()),
        }
    }
}

fn line<'r>(registry: &'r Registry, rocm: &RocmVersion) -> &'r str {
    registry.line_of(rocm).map_or("", |line| line.name.as_str())
}

/// A described target becomes what the stage's state is, in the parts that it describes.
pub(super) fn describe(
    text: &mut ManifestText,
    subject: &Subject,
    project: &Project,
    state: &State,
) {
    let Some(spec) = subject.spec(project) else { return };
    let table = ["targets".to_owned(), subject.target.to_string()];
    if let (Some(_), Some(os)) = (&spec.os, &state.os) {
        text.set(&table, "os", os.to_string());
    }
    if let (Some(_), Some(kernel)) = (&spec.kernel, &state.kernel) {
        text.set(&table, "kernel", kernel);
    }
    if let (Some(_), Some(driver)) = (&spec.driver, &state.driver) {
        let word = match driver {
            Driver::Amd(version) | Driver::Adrenalin(version) => version.to_string(),
            Driver::InTree => "in-tree".to_owned(),
            Driver::Module(_) => return,
        };
        text.set(&table, "driver", &word);
    }
    if let (Some(_), Some(rocm), true) = (&spec.rocm, &state.rocm, uses_rocm_of_host(project)) {
        text.set(&table, "rocm", rocm.to_string());
    }
}
