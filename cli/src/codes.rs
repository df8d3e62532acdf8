//! The pages of the stable codes, one file a code in docs/codes, embedded by build.rs.

/// The page of one code.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The code (`driver-too-old`).
    pub code: &'static str,
    /// The page, in Markdown: a title, what it means, what to do.
    pub text: &'static str,
}

impl Page {
    /// The first line without its `#`.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }
}

/// The page of `code`.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.code == code)
}

/// The code that was probably meant.
pub fn nearest(code: &str) -> Option<&'static str> {
    rocmenv_manifests::project::nearest(code, PAGES.iter().map(|page| page.code))
}

include!(concat!(env!("OUT_DIR"), "/codes.rs"));
