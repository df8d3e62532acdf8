//! The whole matrix as a page: its data as JSON inside, and a script that shows what is asked for.
//! The script writes text only as text, so that no fact can become markup.

use super::{Page, embedded};
use crate::ops::compatibility::Compatibility;

/// The page.
pub fn matrix_html(matrix: &Compatibility) -> String {
    let body = format!(
        "{BODY}<script type=\"application/json\" id=\"data\">{}</script>\n",
        embedded(matrix)
    );
    let page = Page {
        title: "ROCm compatibility matrix",
        style: include_str!("assets/matrix.css"),
        body: &body,
        script: include_str!("assets/matrix.js"),
    };
    page.html()
}

const BODY: &str = include_str!("assets/matrix.html");
