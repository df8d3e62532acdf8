//! What stores and the cache take, as text and JSON.

use serde_json::{Value, json};

use super::bytes;
use crate::ops::storage::StorageOutcome;

/// For a person.
pub fn storage(measured: &StorageOutcome) -> String {
    let mut lines = Vec::new();
    for (store, usage) in &measured.stores {
        lines.push(format!("store     {}", store.display()));
        lines.push(format!("  objects    {} ({})", bytes(usage.objects), usage.object_count));
        lines.push(format!("  bytecode   {}", bytes(usage.bytecode)));
        lines.push(format!("  rewritten  {}", bytes(usage.rewritten)));
        lines.push(format!("  pythons    {}", bytes(usage.pythons)));
    }
    for layer in &measured.layers {
        lines.push(format!("layer     {} (only read, not counted)", layer.display()));
    }
    lines.push(format!("cache     {}", measured.cache.display()));
    lines.push(format!("  all        {}", bytes(measured.cached)));
    lines.push(format!("  downloads  {}", bytes(measured.downloads)));
    lines.join("\n")
}

/// For a program: the store of the project, all of them, and the cache.
pub fn storage_json(measured: &StorageOutcome) -> Value {
    let stores: Vec<Value> = measured
        .stores
        .iter()
        .map(|(store, usage)| {
            json!({
                "store": store,
                "object-count": usage.object_count,
                "objects": usage.objects,
                "bytecode": usage.bytecode,
                "rewritten": usage.rewritten,
                "pythons": usage.pythons,
            })
        })
        .collect();
    let mut document = stores.first().cloned().unwrap_or_else(|| json!({}));
    document["stores"] = Value::Array(stores);
    document["layers"] = json!(measured.layers);
    document["cache"] = json!(measured.cache);
    document["cache-bytes"] = json!(measured.cached);
    document["downloads"] = json!(measured.downloads);
    document
}
