//! Scenarios: a rocm.toml, scripts and a verify command that fit the target.
//!
//! The scripts are the same for everyone; what depends on the target is a few defaults in them.
//! Before anything is written the registry is asked whether the stack goes together there. A
//! framework that is served as an image only gives no rocm.toml that cannot lock: the image is
//! named instead.

mod catalogue;
mod error;
mod fit;

use rocmenv_manifests::registry::Registry;

pub use catalogue::{TEMPLATES, Template};
pub use error::TemplateError;

use super::InitOptions;
use crate::context::Context;

/// Which scenario, and what it asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TemplateOptions {
    /// Its name.
    pub name: String,
    /// Of `llm-serve`: the model's parameters, `7b`.
    pub parameters: Option<String>,
    /// Of `llm-serve`: its precision.
    pub precision: Precision,
}

/// The precision of a model's weights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Precision {
    /// Two bytes a weight
    #[default]
    Bf16,
    /// One byte a weight, where the GPU has it
    Fp8,
}

/// A scenario that fits.
pub(super) struct Prepared {
    /// What `init` was asked, with the scenario's part in it.
    pub(super) options: InitOptions,
    /// Names and texts of the files.
    pub(super) files: Vec<(String, String)>,
    /// Commands of `[verify]`.
    pub(super) verify: Vec<String>,
    /// What was chosen for the target, in words.
    pub(super) chosen: Vec<String>,
    /// How it is run.
    pub(super) run: String,
}

/// Fits a scenario to the target.
///
/// # Errors
/// There is no such scenario, its stack does not go together on the target, it is served as an
/// image only, or the model is too large.
pub(super) fn prepare(
    context: &Context,
    registry: &Registry,
    options: &InitOptions,
    asked: &TemplateOptions,
) -> Result<Prepared, TemplateError> {
    let template = catalogue::named(&asked.name)?;
    let mut options = options.clone();
    let own = template.frameworks.iter().filter(|name| !names(&options.frameworks, name));
    let own: Vec<String> = own.map(|name| (*name).to_owned()).collect();
    options.frameworks.extend(own);
    options.packages.extend(template.packages.iter().map(|name| (*name).to_owned()));
    let asked_rocm = options.rocm.is_some();
    fit::check_stack(context, registry, &mut options)?;
    let memory = fit::Memory::of(context, registry, &options)?;
    let values = fit::values(registry, template, asked, &memory)?;
    let files = template
        .files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), fit::with_values(text, &values)))
        .collect();
    let rocm = options.rocm.iter().filter(|_| !asked_rocm);
    let mut chosen: Vec<String> = rocm.map(|rocm| format!("rocm {rocm} (`--rocm`)")).collect();
    chosen.extend(values.iter().map(|value| format!("{} {}", value.name, value.because)));
    Ok(Prepared {
        options,
        files,
        verify: template.verify.iter().map(|command| (*command).to_owned()).collect(),
        chosen,
        run: template.run.replace("{gpus}", &memory.gpus.max(1).to_string()),
    })
}

fn names(frameworks: &[String], name: &str) -> bool {
    frameworks.iter().any(|asked| asked.split(|c: char| !c.is_alphanumeric()).next() == Some(name))
}
