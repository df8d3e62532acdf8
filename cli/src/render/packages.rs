//! How many packages, in words.

/// `1 package`, `2 packages`.
pub fn packages(count: usize) -> String {
    format!("{count} package{}", if count == 1 { "" } else { "s" })
}
