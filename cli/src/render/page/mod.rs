//! Pages of one file: everything is inside, and their own policy forbids them to load anything.

mod matrix;
mod roadmap;
mod verify;

pub use matrix::matrix_html;
pub use roadmap::{RoadmapPage, roadmap_html};
pub use verify::{VerifyPage, verify_html};

/// A part of a page that is text already escaped.
pub(super) struct Page<'p> {
    /// Its title, as plain text.
    pub(super) title: &'p str,
    /// More style than all pages share.
    pub(super) style: &'p str,
    /// The body, escaped.
    pub(super) body: &'p str,
    /// A script, if it has one.
    pub(super) script: &'p str,
}

impl Page<'_> {
    /// The document.
    pub(super) fn html(&self) -> String {
        let script = if self.script.is_empty() {
            String::new()
        } else {
            format!("<script>\n{}</script>\n", self.script)
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <title>{title}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n{body}\
             {script}</body>\n</html>\n",
            title = escaped(self.title),
            style = self.style,
            body = self.body,
        )
    }
}

/// Text inside an element or a quoted attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// JSON as it can stand in a script element: no text in it ends the element.
pub(super) fn embedded(value: &impl serde::Serialize) -> String {
    let text = serde_json::to_string(value).unwrap_or_default();
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

const STYLE: &str = include_str!("assets/page.css");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_an_element() {
        assert_eq!(
            escaped("<a href='x'>&\"</a>"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;"
        );
        assert_eq!(embedded(&"</script>"), "\"\\u003c/script>\"");
    }
}
