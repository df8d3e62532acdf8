//! Reads a table: one row a line, columns by tab, `#` before what explains.

use std::fmt::Debug;

/// The rows of a table, each with at least `columns` columns.
pub(crate) fn rows(text: &str, columns: usize) -> Vec<Vec<String>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let mut row: Vec<String> = line.split('\t').map(unescape).collect();
            row.resize(row.len().max(columns), String::new());
            row
        })
        .collect()
}

/// What went otherwise than the table says; a test ends by asking that there is nothing.
#[derive(Default)]
pub(crate) struct Failures(Vec<String>);

impl Failures {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a row's values are made where they are given"
    )]
    pub(crate) fn expect<T: PartialEq + Debug>(&mut self, row: &[String], got: T, want: T) {
        if got != want {
            self.0.push(format!("{row:?}: got {got:?}, want {want:?}"));
        }
    }

    #[track_caller]
    pub(crate) fn none_of(self, rows: usize) {
        let Self(failures) = self;
        let count = failures.len();
        assert!(failures.is_empty(), "{count} of {rows} rows:\n{}", failures.join("\n"));
    }
}

fn unescape(cell: &str) -> String {
    cell.replace("\\t", "\t").replace("\\n", "\n").replace("\\\\", "\\")
}
