//! What `verify` found, kept with the generation that it looked at.

use std::collections::BTreeSet;

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_store::fs::replace;
use rocmenv_store::layout::GenerationLayout;
use serde::{Deserialize, Serialize};

use super::{VerifyOptions, VerifyOutcome};
use crate::context::Context;
use crate::error::Error;
use crate::ops::files;

/// The last verification of a generation, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// When (RFC 3339, UTC).
    pub at: String,
    /// Whether nothing failed.
    pub passed: bool,
    /// Whether every byte was read.
    pub deep: bool,
    /// The targets on which a kernel of a framework ran and was right.
    #[serde(default)]
    pub ran: BTreeSet<GfxTarget>,
}

/// What is kept: the short form, with every look for those who want to know.
#[derive(Serialize)]
struct Kept<'o> {
    #[serde(flatten)]
    verified: Verified,
    outcome: &'o VerifyOutcome,
}

/// Keeps an outcome. One of some stages only says nothing of the whole and is not kept.
pub(super) fn keep(
    context: &Context,
    layout: &GenerationLayout,
    options: &VerifyOptions,
    outcome: &VerifyOutcome,
) -> Result<(), Error> {
    if !options.only.is_empty() || context.settings.dry_run {
        return Ok(());
    }
    let (at, passed) = (context.now.to_string(), outcome.has_passed());
    let (deep, ran) = (options.deep, outcome.ran());
    let kept = Kept { verified: Verified { at, passed, deep, ran }, outcome };
    let text = serde_json::to_vec_pretty(&kept).unwrap_or_default();
    Ok(replace(&layout.verification(), &text)?)
}

/// The last verification of a generation, if there was one that can be read.
pub fn last(layout: &GenerationLayout) -> Option<Verified> {
    let text = files::read_optional(&layout.verification()).ok().flatten()?;
    serde_json::from_str(&text).ok()
}
