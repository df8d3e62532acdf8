//! Reads the tables of cells in `tests/data/facts`, which hold the documents' own text.

use rocmenv_manifests::registry::{Judgement, Verdict};

/// The rows of a table, split at `|`.
pub(crate) fn rows(table: &str) -> Vec<Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split('|').collect()).collect();
    assert!(rows.len() > 50, "the table of cells is gone");
    rows
}

/// Collects every cell that is answered otherwise.
#[derive(Default)]
pub(crate) struct Cells {
    asked: usize,
    wrong: Vec<String>,
}

impl Cells {
    pub(crate) fn expect(&mut self, cell: &str, judged: &Judgement, allowed: &[Verdict]) {
        self.asked += 1;
        if !allowed.contains(&judged.verdict) {
            self.wrong.push(format!("{cell}: {} ({})", judged.verdict, judged.reason));
        }
    }

    pub(crate) fn finish(self, at_least: usize) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        assert!(self.asked >= at_least, "only {} cells were asked", self.asked);
    }
}
