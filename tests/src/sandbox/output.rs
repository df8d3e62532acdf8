//! What a run left behind.

use regex::Regex;

/// Exit code and both streams of a finished run.
#[derive(Debug, Clone)]
pub struct Output {
    /// The exit code; minus the signal's number where a signal ended the program.
    pub code: i32,
    /// Standard output as it was.
    pub stdout: String,
    /// Standard error as it was.
    pub stderr: String,
    pub(super) filters: Vec<(String, String)>,
}

impl Output {
    /// All of it as one text, with what differs from run to run replaced: the
    /// sandbox's folder by `[TEMP]`, ports of 127.0.0.1 by `[PORT]`.
    pub fn snapshot(&self) -> String {
        let text = format!(
            "exit: {}\n--- stdout ---\n{}--- stderr ---\n{}",
            self.code,
            whole_lines(&self.stdout),
            whole_lines(&self.stderr)
        );
        self.filtered(&text)
    }

    /// Standard output with the same replacements.
    pub fn filtered_stdout(&self) -> String {
        self.filtered(&self.stdout)
    }

    fn filtered(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (pattern, replacement) in &self.filters {
            let pattern = Regex::new(pattern).expect("a filter is a regular expression");
            text = pattern.replace_all(&text, replacement.as_str()).into_owned();
        }
        text
    }
}

fn whole_lines(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') {
        return text.to_owned();
    }
    format!("{text}[no newline]\n")
}
