//! Sizes on the command line: `20GB`, `1.5 GiB`, `800k`, bytes.

/// The bytes that a text means. `k`, `M`, `G`, `T` count in powers of 1000 with or without a `B`,
/// as sizes are shown; with `i` in powers of 1024.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.trim().to_ascii_lowercase();
    let power = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(format!("no unit `{unit}`; B, kB, MB, GB, TB and KiB ... TiB are known")),
    };
    let base: f64 = if unit.contains('i') { 1024.0 } else { 1000.0 };
    let value: f64 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size that was written by hand; a cast of more than there is gives the most"
    )]
    Ok((value * base.powi(power)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_every_usual_form() {
        let cases = [
            ("0", 0),
            ("1234", 1234),
            ("12B", 12),
            ("800k", 800_000),
            ("1.5MB", 1_500_000),
            ("20 GB", 20_000_000_000),
            ("2GiB", 2 << 30),
            ("1ti", 1 << 40),
        ];
        for (text, expected) in cases {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for text in ["", "GB", "1.2.3", "5 apples", "-1"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
