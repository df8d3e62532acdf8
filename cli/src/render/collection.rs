//! What a collection takes away, as text and JSON.

use serde_json::{Value, json};

use super::bytes;
use crate::ops::gc::Prepared;

/// What a collection will do, or would.
pub fn collection(prepared: &Prepared, dry_run: bool) -> String {
    let plan = &prepared.plan;
    let verb = if dry_run { "would free" } else { "frees" };
    let freed = format!("{verb} {} in {} files", bytes(plan.freed.bytes), plan.freed.files);
    let mut lines = vec![freed];
    for retiring in &prepared.generations {
        let numbers: Vec<String> = retiring.numbers.iter().map(u32::to_string).collect();
        let (numbers, environment) = (numbers.join(", "), retiring.environment.display());
        lines.push(format!("  generations {numbers} of `{environment}`"));
    }
    for root in &plan.roots {
        lines.push(format!("  what `{}` held, which is gone", root.display()));
    }
    if !plan.folders.is_empty() {
        lines.push(format!("  {} objects, bytecode folders and leftovers", plan.folders.len()));
    }
    lines.join("\n")
}

/// What a person may have expected to go, and stays.
pub fn collection_warnings(prepared: &Prepared) -> Vec<String> {
    let mut lines = Vec::new();
    for (gone, (count, seconds)) in prepared.waiting() {
        let days = seconds.div_ceil(24 * 60 * 60);
        lines.push(format!(
            "`{gone}` is gone; what {count} generation(s) there hold is kept for {days} more days, \
             in case it comes back: `rocmenv gc --forget {gone}` if it does not",
            gone = gone.display()
        ));
    }
    if let Some(stays) = prepared.stays.filter(|stays| stays.bytes > stays.max) {
        lines.push(format!(
            "the store still takes {}, more than {}: generations that are current, were current \
             before, are pinned or in use hold it",
            bytes(stays.bytes),
            bytes(stays.max)
        ));
    }
    for path in &prepared.left_alone {
        lines.push(format!("`{}` cannot be changed and was left alone", path.display()));
    }
    for path in &prepared.unreadable {
        lines.push(format!(
            "`{}` is damaged, so all of its generations are kept: rocmenv sync in its project",
            path.display()
        ));
    }
    for path in &prepared.still_there {
        lines.push(format!("`{}` is still there, so it is not forgotten", path.display()));
    }
    lines
}

/// The same for programs.
pub fn collection_json(prepared: &Prepared, dry_run: bool) -> Value {
    let plan = &prepared.plan;
    let generations = prepared.generations.iter().map(
        |retiring| json!({ "environment": retiring.environment, "generations": retiring.numbers }),
    );
    let waiting =
        plan.waiting.iter().map(|(path, seconds)| json!({ "path": path, "seconds": seconds }));
    json!({
        "store": prepared.store.root(),
        "done": !dry_run,
        "freed-bytes": plan.freed.bytes,
        "freed-files": plan.freed.files,
        "generations": generations.collect::<Vec<_>>(),
        "roots": plan.roots,
        "waiting": waiting.collect::<Vec<_>>(),
        "folders": plan.folders,
        "files": plan.files,
        "left-alone": prepared.left_alone,
        "unreadable": prepared.unreadable,
        "still-there": prepared.still_there,
        "stays-bytes": prepared.stays.map(|stays| stays.bytes),
    })
}

/// Several collections in one document: that of the project's store, with the sums and all that
/// goes in the others, and each by itself.
pub fn collections_json(each: Vec<Value>) -> Value {
    let mut all = each.first().cloned().unwrap_or_else(|| json!({}));
    for one in each.iter().skip(1) {
        let (Some(all), Some(one)) = (all.as_object_mut(), one.as_object()) else { continue };
        for (key, value) in one {
            match (all.get_mut(key), value) {
                (Some(Value::Array(list)), Value::Array(more)) => list.extend(more.iter().cloned()),
                (Some(sum @ Value::Number(_)), Value::Number(_)) => {
                    let of = |value: &Value| value.as_u64().unwrap_or_default();
                    *sum = json!(of(sum) + of(value));
                }
                _ => {}
            }
        }
    }
    all["stores"] = Value::Array(each);
    all
}
