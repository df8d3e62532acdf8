//! Advice, each with reason, expected effect, risk and source.

use std::fmt::Write as _;

use rocmenv_manifests::registry::rows::tuning::{TuningKind, TuningRule};
use serde_json::{Value, json};

use crate::ops::tune::TuneOutcome;

/// A paragraph a rule.
pub fn tune(outcome: &TuneOutcome) -> String {
    let mut text = format!("advice for {}\n", outcome.target);
    match outcome.vram {
        Some(vram) => {
            let _ = writeln!(text, "memory of the smallest GPU: {}", super::bytes(vram));
        }
        None => text.push_str("memory of the GPUs: not known, so no batch sizes are said\n"),
    }
    if let Some(images) = outcome.images {
        let _ = writeln!(
            text,
            "ResNet-50 in bfloat16: begin with {} images a batch; {} should still fit",
            images.start, images.most
        );
    }
    if let Some((model, batch)) = outcome.language_model {
        let _ = writeln!(
            text,
            "a Llama-shaped model on one GPU: up to {}, {batch} sequence(s) of 1,024 tokens a pass",
            model.name
        );
    }
    for rule in &outcome.rules {
        text.push('\n');
        paragraph(&mut text, rule);
    }
    if outcome.rules.is_empty() {
        text.push_str("\nno rule of the registry speaks of it\n");
    }
    text
}

/// The same as data.
pub fn tune_json(outcome: &TuneOutcome) -> Value {
    json!({
        "target": outcome.target,
        "vram-bytes": outcome.vram,
        "resnet50-batch": outcome.images,
        "language-model": outcome.language_model.map(|(model, batch)| {
            json!({ "model": model, "batch": batch, "length": 1024 })
        }),
        "rules": outcome.rules,
    })
}

fn paragraph(text: &mut String, rule: &TuningRule) {
    let kind = match rule.kind {
        TuningKind::Set => "set",
        TuningKind::Advice => "advice",
        TuningKind::Machine => "needs root",
        TuningKind::Avoid => "avoid",
    };
    let _ = writeln!(text, "{}: {} [{kind}]", rule.name, rule.title);
    for (name, value) in &rule.set {
        let _ = writeln!(text, "  {name}={value}");
    }
    for command in &rule.commands {
        let _ = writeln!(text, "  # {command}");
    }
    let _ = writeln!(text, "  why: {}", rule.reason);
    let _ = writeln!(text, "  effect: {}", rule.effect);
    let _ = writeln!(text, "  risk: {}", rule.risk);
    if rule.depends_on_model {
        text.push_str("  the right value depends on the model\n");
    }
    let _ = writeln!(text, "  source: {}", rule.source);
    if rule.kind == TuningKind::Set {
        let _ = writeln!(text, "  to use it: rocmenv tune --apply {}", rule.name);
    }
}
