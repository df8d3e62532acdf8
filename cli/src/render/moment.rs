//! Moments for people.

/// A moment (RFC 3339, UTC) without its fractions of a second.
pub fn moment(text: &str) -> String {
    match text.split_once('.') {
        Some((seconds, _)) => format!("{seconds}Z"),
        None => text.to_owned(),
    }
}
