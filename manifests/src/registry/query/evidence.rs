//! From a row's source keys to the documents.

use super::super::loader::Registry;
use super::super::rows::sources::{Confidence, SourceKeys};
use super::super::verdict::Evidence;

impl Registry {
    /// The documents that `keys` name, with what the row adds and how sure it is.
    pub fn evidence(
        &self,
        keys: &SourceKeys,
        said: &str,
        confidence: &Confidence,
    ) -> Vec<Evidence> {
        let sources = self.sources();
        let document = |key: &str| {
            let source = sources.source.iter().find(|source| source.key == key)?;
            Some(Evidence {
                key: source.key.clone(),
                site: source.site.clone(),
                path: source.path.clone(),
                commit: source.commit.clone(),
                date: source.read.clone().unwrap_or_else(|| sources.collected.clone()),
                said: said.to_owned(),
                confidence: confidence.clone(),
                local: source.local.clone(),
            })
        };
        keys.keys().filter_map(document).collect()
    }
}
