//! The HIP runtime that Windows finds first.
//!
//! The display driver puts `amdhip64_*.dll` into System32, and Windows looks there before it looks
//! at PATH ("Dynamic-link library search order" of its documentation). Python finds the libraries
//! of its modules in their own folder first; a plain program of the environment does not.

use std::path::{Path, PathBuf};

use rocmenv_shims::activation::Activation;
use rocmenv_store::environment::is_runtime;
use rocmenv_store::layout::GenerationLayout;

use super::Finding;
use crate::context::Context;
use crate::ops::files;
use crate::variables::SYSTEMROOT;

/// The runtimes of an environment that System32 has as well. Other systems have no such folder.
pub(super) fn winning(context: &Context, layout: &GenerationLayout) -> Vec<Finding> {
    let Some(root) = context.environment.value(&SYSTEMROOT) else { return Vec::new() };
    let system = Path::new(root).join("System32");
    let text = files::read(&layout.activation()).unwrap_or_default();
    let Ok(activation) = Activation::parse(&text) else { return Vec::new() };
    let ours = activation.program_folders().into_iter().flat_map(runtimes);
    let both = ours.filter_map(|ours| {
        let system = system.join(ours.file_name()?);
        system.is_file().then_some(Finding::SystemRuntimeWins { ours, system })
    });
    both.collect()
}

fn runtimes(folder: &Path) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| is_runtime(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}
