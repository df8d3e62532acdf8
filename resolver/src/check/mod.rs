//! `check`: whether a stack goes together on a described host, from the registry alone.
//!
//! No network, no project, no catalog. The answer is data: what would be chosen, each pair's
//! verdict with its documents, or why not and what would do. Every remedy is proved by asking
//! again. What is not described is not checked, and said so.

mod answer;
mod described;
mod evaluate;
mod framework;
mod native;
mod pairs;
mod question;
mod refusal;
mod remedy;
mod versions;

use rocmenv_manifests::registry::{NameKind, Registry};

pub use answer::{
    CheckAnswer, ChosenBuild, FrameworkAnswer, Item, KnownBuild, KnownImage, Pair, Undescribed,
};
pub use question::{CheckError, CheckHost, CheckQuestion, Description, Wish, WishError};
pub use refusal::{Change, Refusal, Remedy};

pub(crate) use self::evaluate::{Asked, SERIES, framework_set};
pub(crate) use self::native::{Said, is_listed_under_wsl, on_native_windows, wsl_systems};

use self::evaluate::best;

/// Answers a question. An error is a question that cannot be asked (an unknown name); a stack
/// that does not go together is an answer.
pub fn check(registry: &Registry, question: &CheckQuestion) -> Result<CheckAnswer, CheckError> {
    let asked = Asked::of(registry, question)?;
    let Some(found) = best(registry, &asked) else {
        let wanted = asked.rocm.to_string();
        if let Some(preview) = registry.releases_matching(&asked.rocm, true).first() {
            return Err(CheckError::NeedsPreview { wanted, release: preview.version.to_string() });
        }
        let nearest = registry.nearest(NameKind::Release, &asked.rocm_text());
        return Err(CheckError::NoRelease { wanted, nearest });
    };
    let remedies =
        if found.refusals.is_empty() { Vec::new() } else { remedy::remedies(registry, &asked) };
    Ok(CheckAnswer {
        release: found.release,
        line: found.line,
        verdict: found.verdict,
        frameworks: found.frameworks,
        pythons: found.pythons,
        pairs: found.pairs,
        refusals: found.refusals,
        remedies,
        not_checked: asked.host.undescribed(),
        date: registry.date().to_owned(),
    })
}
