//! Values behind telling words: `KEY: value`, `KEY=value`, `--key value`, `serial number VALUE`.
//!
//! What counts is the word right before the sign, as a word: `HF_TOKEN` ends with one,
//! `tokenizers` and `pyserial` do not.

/// What a key tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A secret.
    Secret,
    /// A number of one thing.
    Number,
    /// A name of somebody or of a machine.
    Name,
}

/// Words with which a key ends.
const ENDINGS: &[(Kind, &[&str])] = &[
    (Kind::Secret, &["token"]),
    (Kind::Secret, &["secret"]),
    (Kind::Secret, &["password"]),
    (Kind::Secret, &["passwd"]),
    (Kind::Secret, &["passphrase"]),
    (Kind::Secret, &["apikey"]),
    (Kind::Secret, &["api", "key"]),
    (Kind::Secret, &["access", "key"]),
    (Kind::Secret, &["secret", "key"]),
    (Kind::Secret, &["private", "key"]),
    (Kind::Secret, &["account", "key"]),
    (Kind::Secret, &["product", "key"]),
    (Kind::Secret, &["authorization"]),
    (Kind::Secret, &["credential"]),
    (Kind::Secret, &["credentials"]),
    (Kind::Secret, &["cookie"]),
    (Kind::Secret, &["amz", "signature"]),
    (Kind::Number, &["serial"]),
    (Kind::Number, &["serialnumber"]),
    (Kind::Number, &["uuid"]),
    (Kind::Number, &["partuuid"]),
    (Kind::Number, &["guid"]),
    (Kind::Number, &["unique", "id"]),
    (Kind::Number, &["uniqueid"]),
    (Kind::Number, &["machine", "id"]),
    (Kind::Number, &["hive", "id"]),
    (Kind::Name, &["hostname"]),
    (Kind::Name, &["host", "name"]),
    (Kind::Name, &["nodename"]),
    (Kind::Name, &["computername"]),
    (Kind::Name, &["computer", "name"]),
    (Kind::Name, &["machine", "name"]),
    (Kind::Name, &["username"]),
    (Kind::Name, &["user", "name"]),
    (Kind::Name, &["userdomain"]),
    (Kind::Name, &["logname"]),
];

/// Words that may follow: `serial number`, `access key id`.
const QUALIFIERS: &[&str] = &["number", "no", "nr", "id", "value"];

fn kind(key: &str) -> Option<Kind> {
    let words = words(key);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ends = |words: &[&str]| {
        ENDINGS.iter().find(|(_, ending)| words.ends_with(ending)).map(|(kind, _)| *kind)
    };
    ends(&words).or_else(|| {
        let (last, before) = words.split_last()?;
        QUALIFIERS.contains(last).then(|| ends(before)).flatten()
    })
}

/// `HF_TOKEN`, `serialNumber`, `Host Name`: lower-case words.
fn words(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in key.chars() {
        if !letter.is_alphanumeric() || (before.is_lowercase() && letter.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            last.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A line without the values of telling keys.
pub(super) fn values(line: &str) -> String {
    spaced(&signed(line))
}

/// `KEY: value` and `KEY=value`, in JSON too. Several may stand in a line.
fn signed(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find([':', '=']) {
        let (before, after) = rest.split_at(at);
        let sign = &after[..1];
        out.push_str(before);
        out.push_str(sign);
        rest = &after[1..];
        // `a==1`, `a>=1`, `a::b`, `https://`: no settings
        if rest.starts_with(sign)
            || rest.starts_with("//")
            || before.ends_with(['<', '>', '!', '~'])
        {
            let doubled = rest.strip_prefix(sign);
            if let Some(more) = doubled {
                out.push_str(sign);
                rest = more;
            }
            continue;
        }
        let Some(kind) = kind(key_of(before, sign)) else { continue };
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '"', '\'']).len();
        out.push_str(&rest[..blanks]);
        let (lead, value) = rest.split_at(blanks);
        let end = end_of(lead, value);
        let (value, more) = value.split_at(end);
        out.push_str(if is_telling(kind, value) { "REMOVED" } else { value });
        rest = more;
    }
    out.push_str(rest);
    out
}

/// The key that stands right before a sign: one word before `=`, a few before `:`.
fn key_of<'l>(before: &'l str, sign: &str) -> &'l str {
    let trimmed = before.trim_end_matches(['"', '\'', ' ', '\t']);
    let from = if sign == "=" {
        trimmed.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
    } else {
        trimmed.rfind([',', ';', '{', '(', '[', '|', '"', '\'', '\t', ':', '='])
    };
    from.map_or(trimmed, |from| trimmed[from..].trim_start_matches(|c: char| !c.is_alphanumeric()))
}

/// Where a value ends: at its quote, or with the word. `Bearer xyz` takes the line.
fn end_of(lead: &str, value: &str) -> usize {
    if let Some(quote) = lead.chars().next_back().filter(|c| matches!(c, '"' | '\'')) {
        return value.find(quote).unwrap_or(value.len());
    }
    let end = value.find([' ', '\t', '"', '\'', ',', '}', ';', '&', '|', ')']);
    let end = end.unwrap_or(value.len());
    let is_scheme = matches!(&value[..end], "Bearer" | "Basic" | "token" | "Token");
    if is_scheme { value.len() } else { end }
}

/// Whether a value behind such a key tells anything.
fn is_telling(kind: Kind, value: &str) -> bool {
    let lower = value.to_lowercase();
    let nothing = [
        "", "n/a", "null", "none", "true", "false", "cpu-xx", "gpu-xx", "removed", "unknown",
        "name", "host", "user",
    ];
    if nothing.contains(&lower.as_str()) || value.starts_with(['<', '$', '%', '*']) {
        return false;
    }
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    match kind {
        Kind::Secret => value.len() > 5 || value.bytes().any(|byte| !byte.is_ascii_digit()),
        Kind::Number => has_digit && value.len() > 4 && !value.contains('/'),
        Kind::Name => true,
    }
}

/// Values without a sign: `Device Serial Number 00-e0-4c`, `unique_id 1234`, `--token xyz`,
/// netrc's `login me password xyz`.
fn spaced(line: &str) -> String {
    let words: Vec<&str> = line.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
    let is_netrc = words.first() == Some(&"machine");
    let mut taken: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate().skip(1) {
        let before = words[at - 1];
        let kind = if before.starts_with("--") {
            kind(before)
        } else if words.len() == 2 && at == 1 {
            // a property of a node, no row of `pip list` with a package of such a name
            kind(before).filter(|kind| *kind == Kind::Number && !word.contains('.'))
        } else if is_netrc && matches!(before, "login" | "password" | "account") {
            Some(Kind::Secret)
        } else if at > 1 && words[at - 2].eq_ignore_ascii_case("serial") {
            kind(&format!("{} {before}", words[at - 2]))
        } else {
            None
        };
        if let Some(kind) = kind
            && !before.contains([':', '='])
            && is_telling(kind, word.trim_matches(['"', '\'', ',']))
            && kind_fits(kind, word)
        {
            taken.push(word);
        }
    }
    let mut line = line.to_owned();
    for word in taken {
        line = replaced_word(&line, word);
    }
    line
}

/// Without a sign a name is no name: `hostname command`.
fn kind_fits(kind: Kind, word: &str) -> bool {
    kind != Kind::Name && (kind == Kind::Secret || word.bytes().any(|byte| byte.is_ascii_digit()))
}

fn replaced_word(line: &str, word: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for (at, part) in line.split_inclusive([' ', '\t']).enumerate() {
        let core = part.trim_end_matches([' ', '\t']);
        if at > 0 && core == word {
            out.push_str("REMOVED");
            out.push_str(&part[core.len()..]);
        } else {
            out.push_str(part);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_goes_and_the_key_stays() {
        for (line, wanted) in [
            ("HF_TOKEN=abc123def GITHUB=1", "HF_TOKEN=REMOVED GITHUB=1"),
            (
                "\"Serial Number\": \"SN1234567\", \"x\": 1",
                "\"Serial Number\": \"REMOVED\", \"x\": 1",
            ),
            ("ASIC_SERIAL: 0x1A2B3C4D5E6F7081", "ASIC_SERIAL: REMOVED"),
            ("usb 1-1: SerialNumber: 0123456789AB", "usb 1-1: SerialNumber: REMOVED"),
            ("Authorization: Bearer a.b.c", "Authorization: REMOVED"),
            ("aws_secret_access_key = wJalr/XUt+nFEMI", "aws_secret_access_key = REMOVED"),
            ("AWS_ACCESS_KEY_ID=abcdefghijkl", "AWS_ACCESS_KEY_ID=REMOVED"),
            ("https://h/x?token=abcdef1&y=2", "https://h/x?token=REMOVED&y=2"),
            ("password: 'correct horse'", "password: 'REMOVED'"),
            (
                "Capabilities: [140] Device Serial Number 00-e0-4c-68",
                "Capabilities: [140] Device Serial Number REMOVED",
            ),
            ("unique_id 1234567890123", "unique_id REMOVED"),
            ("vllm serve --api-key abcdefg --port 80", "vllm serve --api-key REMOVED --port 80"),
            ("machine h login me password pw12345", "machine h login REMOVED password REMOVED"),
            ("Machine name: DESKTOP", "Machine name: REMOVED"),
            ("serial: 1.5", "serial: 1.5"),
            ("token: 128", "token: 128"),
        ] {
            assert_eq!(values(line), wanted);
        }
    }
}
