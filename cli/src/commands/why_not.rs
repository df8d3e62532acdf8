//! `why --not`: the proof, or that there is none.

use serde_json::{Value, json};

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::lock::{self, Impossible, Inputs, WishedAway};
use crate::render::Output;
use crate::runtime;

/// `why --not PACKAGE@VERSION`; exit 1 where it could be there.
pub fn run(context: &Context, out: &mut Output, wish: &str) -> Result<Exit, Error> {
    let away: WishedAway = wish.parse::<WishedAway>()?;
    let inputs = Inputs::read(context)?;
    let reporter = context.reporter.as_ref();
    let answers = runtime::block_on(lock::why_not(context, &inputs, &away, reporter))??;
    if context.settings.json {
        let all: Vec<Value> = answers.iter().map(as_json).collect();
        out.json(&json!({ "name": away.name, "version": away.version, "targets": all }))?;
    } else {
        let texts: Vec<String> = answers.iter().map(|one| text(&away, one)).collect();
        out.data(&texts.join("\n\n"))?;
    }
    let is_proved = answers.iter().all(|one| one.proof.is_some());
    Ok(if is_proved { Exit::Done } else { Exit::Unmet })
}

fn text(away: &WishedAway, answer: &Impossible) -> String {
    let WishedAway { name, version } = away;
    let target = &answer.target;
    let Some(proof) = &answer.proof else {
        return format!(
            "{name} {version} can be there for target `{target}`: rocmenv add \"{name}=={version}\""
        );
    };
    let mut lines = vec![format!("{name} {version} cannot be there for target `{target}`:")];
    lines.extend(proof.refusal.to_string().lines().map(|line| format!("  {line}")));
    lines.extend(
        proof
            .refusal
            .fixes
            .iter()
            .map(|fix| format!("  it could be, if you {fix}: {}", proof.scope.text(fix))),
    );
    lines.join("\n")
}

fn as_json(answer: &Impossible) -> Value {
    json!({
        "target": answer.target,
        "possible": answer.proof.is_none(),
        "proof": answer.proof.as_ref().map(lock::NotSolved::as_json),
    })
}
