//! Tables for people: columns apart by blanks, no frames, so that they copy well.

use comfy_table::{ContentArrangement, Table, presets};

/// A table with a header line. Trailing blanks are removed.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().map(|title| title.to_uppercase()));
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_their_titles() {
        let rows =
            [vec!["10.1.0".to_owned(), "therock".to_owned()], vec!["7.2.4".into(), String::new()]];
        insta::assert_snapshot!(table(&["rocm", "line"], &rows), @r"
        ROCM    LINE
        10.1.0  therock
        7.2.4
        ");
    }
}
