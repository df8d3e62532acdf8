//! Judgements and documents, each kept once.

use std::collections::HashMap;

use rocmenv_manifests::registry::{Evidence, Judgement, Reason, Verdict};
use serde::Serialize;

/// A document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Document {
    /// Its key in the registry.
    pub key: String,
    /// Its site and page.
    pub place: String,
    /// The commit, where known.
    pub commit: String,
    /// The day on which it was read.
    pub date: String,
}

/// What a document says.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Quote {
    /// The document's place.
    pub document: usize,
    /// What the row adds.
    pub said: String,
    /// How sure the row is, where it is not simply stated.
    pub confidence: Option<String>,
}

/// A judgement.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Entry {
    /// The verdict.
    pub verdict: Verdict,
    /// Why.
    pub why: String,
    /// Who says so.
    pub quotes: Vec<Quote>,
    /// Who says otherwise.
    pub against: Vec<Quote>,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    documents: Vec<Document>,
    by_key: HashMap<(String, String), usize>,
    entries: Vec<Entry>,
    by_entry: HashMap<Entry, usize>,
}

impl Ledger {
    /// The place of a judgement; `None` where nothing was read and so nothing is said.
    pub(super) fn place(&mut self, judgement: Judgement) -> Option<usize> {
        let is_silent = judgement.verdict == Verdict::NotKnown
            && judgement.evidence.is_empty()
            && judgement.contradicted_by.is_empty()
            && matches!(judgement.reason, Reason::NothingRead(_));
        if is_silent {
            return None;
        }
        let entry = Entry {
            verdict: judgement.verdict,
            why: judgement.reason.to_string(),
            quotes: self.quotes(judgement.evidence),
            against: self.quotes(judgement.contradicted_by),
        };
        let next = self.entries.len();
        let place = *self.by_entry.entry(entry.clone()).or_insert(next);
        if place == next {
            self.entries.push(entry);
        }
        Some(place)
    }

    /// The verdict of a judgement that has a place.
    pub(super) fn verdict(&self, place: usize) -> Verdict {
        self.entries.get(place).map_or(Verdict::NotKnown, |entry| entry.verdict)
    }

    /// What documents say, each document and saying once.
    pub(super) fn quotes(&mut self, evidence: Vec<Evidence>) -> Vec<Quote> {
        let mut quotes: Vec<Quote> = Vec::new();
        for one in evidence {
            let document = self.document(&one);
            let quote = Quote { document, said: one.said, confidence: one.confidence };
            if !quotes.contains(&quote) {
                quotes.push(quote);
            }
        }
        quotes
    }

    fn document(&mut self, evidence: &Evidence) -> usize {
        let key = (evidence.key.clone(), evidence.local.clone().unwrap_or_default());
        let documents = &mut self.documents;
        *self.by_key.entry(key).or_insert_with(|| {
            documents.push(Document {
                key: evidence.key.clone(),
                place: evidence.to_string(),
                commit: evidence.commit.clone(),
                date: evidence.date.clone(),
            });
            documents.len() - 1
        })
    }

    /// The documents and the judgements.
    pub(super) fn into_parts(self) -> (Vec<Document>, Vec<Entry>) {
        (self.documents, self.entries)
    }
}
