//! What is known by its looks: UUIDs, addresses, mail, tokens, credentials in addresses.

use std::fmt::Write;

/// `https://name:password@host/`, whatever the password holds.
pub(super) fn credentials(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after.find([' ', '\t', '"', '\'', '<', '>', '`']).unwrap_or(after.len());
        let authority = &after[..after[..end].find(['/', '?', '#']).unwrap_or(end)];
        // a password that was not encoded may hold a slash; a port is a number
        let unencoded = authority
            .rsplit_once(':')
            .is_some_and(|(_, port)| !port.bytes().all(|byte| byte.is_ascii_digit()));
        let by_password = after[..end].rfind('@').filter(|_| unencoded);
        let sign = authority.rfind('@').or(by_password);
        match sign {
            Some(sign) => {
                // who has to log in there is no public place
                out.push_str("REMOVED@HOST");
                let host = &after[sign + 1..];
                let end = host.find(['/', ':', '?', '#', ' ', '"', '\'', '<', '>', '`']);
                rest = &host[end.unwrap_or(host.len())..];
            }
            None => rest = after,
        }
    }
    out.push_str(rest);
    out
}

/// UUIDs, addresses, mail and tokens by their form.
pub(super) fn words(line: &str) -> String {
    let line = long_secrets(line);
    let mut out = String::with_capacity(line.len());
    let is_part =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | ':' | '+');
    let mut rest = line.as_str();
    let mut before = String::new();
    while !rest.is_empty() {
        let start = rest.find(is_part).unwrap_or(rest.len());
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let (word, more) = rest.split_at(end);
        let _ = write!(out, "{}", scrub_word(word, &before, more));
        before = word.to_lowercase();
        rest = more;
    }
    out
}

/// A run of 40 letters of base64 with all kinds of them: a secret key of AWS and its like. A
/// commit has no capitals.
fn long_secrets(line: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '+' | '=');
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while !rest.is_empty() {
        let start = rest.find(is_part).unwrap_or(rest.len());
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let (run, more) = rest.split_at(end);
        let count = |test: fn(&u8) -> bool| run.bytes().filter(test).count();
        let mixed = count(u8::is_ascii_uppercase) >= 6
            && count(u8::is_ascii_lowercase) >= 6
            && count(u8::is_ascii_digit) >= 1;
        out.push_str(if run.len() == 40 && mixed { "REMOVED" } else { run });
        rest = more;
    }
    out
}

fn scrub_word(word: &str, before: &str, after: &str) -> String {
    let core = word.trim_matches([':', '.', ',', '-']);
    let replaced = if is_uuid(core) {
        Some("00000000-0000-0000-0000-000000000000")
    } else if is_gpu_uuid(core) {
        Some("GPU-XX")
    } else if is_mac(core, ':') || is_mac(core, '-') {
        Some("00:00:00:00:00:00")
    } else if is_ipv4(core, before, after) || is_ipv6(word) {
        Some("0.0.0.0")
    } else if is_token(core) || is_product_id(core) {
        Some("REMOVED")
    } else if is_computer(core) {
        Some("HOST")
    } else if core.contains('@') && !core.starts_with('@') && is_address(core) {
        Some("USER@HOST")
    } else {
        None
    };
    match replaced {
        Some(new) if !core.is_empty() => word.replacen(core, new, 1),
        _ => word.to_owned(),
    }
}

fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_uuid(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && is_hex(&parts.concat())
}

/// `GPU-1a2b3c4d5e6f7081` of ROCr.
fn is_gpu_uuid(word: &str) -> bool {
    word.strip_prefix("GPU-").is_some_and(|rest| rest.len() >= 8 && is_hex(&rest.replace('-', "")))
}

/// Six pairs, eight (EUI-64) or twenty (InfiniBand).
fn is_mac(word: &str, sign: char) -> bool {
    let parts: Vec<&str> = word.split(sign).collect();
    matches!(parts.len(), 6 | 8 | 20) && parts.iter().all(|part| part.len() == 2 && is_hex(part))
}

/// Four numbers to 255. A version may look the same: its first part is small, so that below 100
/// the words around have to say that it is an address.
fn is_ipv4(word: &str, before: &str, after: &str) -> bool {
    let word = word.split(':').next().unwrap_or(word);
    let parts: Option<Vec<u8>> = word.split('.').map(|part| part.parse::<u8>().ok()).collect();
    let Some(parts) = parts.filter(|parts| parts.len() == 4) else { return false };
    let said = ["inet", "ip", "addr", "address", "via", "host", "from", "gateway", "nameserver"];
    let is_said = said.contains(&before.trim_end_matches([':', '=']));
    let has_mask = after.strip_prefix('/').is_some_and(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u8>().is_ok_and(|bits| (8..=32).contains(&bits))
    });
    let is_own = matches!(parts[..], [127 | 0 | 255, ..]);
    !is_own && (parts[0] >= 100 || parts[0] == 10 || is_said || has_mask)
}

/// Groups of up to four hexadecimal digits, shortened at one place or eight of them.
fn is_ipv6(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',']);
    let groups: Vec<&str> = word.split(':').collect();
    let valid = groups.iter().all(|group| group.len() <= 4 && (group.is_empty() || is_hex(group)));
    let shortened = word.matches("::").count() == 1 && groups.len() >= 4;
    let is_long = groups.len() == 8 && !groups.iter().any(|group| group.is_empty());
    valid && (shortened || is_long) && word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Beginnings of tokens of services, and how long what follows is at least.
const TOKENS: &[(&str, usize)] = &[
    ("hf_", 16),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("sk-", 20),
    ("AKIA", 16),
    ("ASIA", 16),
    ("pypi-", 20),
    ("nvapi-", 20),
    ("AAAAB3", 40),
    ("AAAAC3", 40),
];

/// A token of a service, a signed one (JWT), or a long run of letters and digits that is no hash
/// of a file (64 hexadecimal digits) and no version.
fn is_token(word: &str) -> bool {
    let count = |text: &str, test: fn(&u8) -> bool| text.bytes().filter(test).count();
    let known = TOKENS.iter().any(|(start, least)| {
        word.strip_prefix(start).is_some_and(|rest| {
            rest.len() >= *least
                && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
                && (count(rest, u8::is_ascii_uppercase) > 0 || count(rest, u8::is_ascii_digit) > 3)
        })
    });
    let is_signed = word.starts_with("eyJ") && word.len() > 24 && word.contains('.');
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_long = plain
        && word.len() >= 32
        && count(word, u8::is_ascii_alphabetic) > 8
        && count(word, u8::is_ascii_digit) > 4
        && count(word, u8::is_ascii_uppercase) > 4
        && count(word, u8::is_ascii_lowercase) > 4;
    known || is_signed || is_long
}

/// Windows' `00330-80000-00000-AA123`.
fn is_product_id(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    let plain = |part: &&str| part.len() == 5 && part.bytes().all(|b| b.is_ascii_alphanumeric());
    (parts.len() == 4 || parts.len() == 5)
        && parts.iter().all(plain)
        && parts[0].bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        && word.bytes().filter(u8::is_ascii_digit).count() >= 4
}

/// Names that Windows gives: `DESKTOP-1A2B3C4`, `LAPTOP-12345678`.
fn is_computer(word: &str) -> bool {
    let rest = ["DESKTOP-", "LAPTOP-"].iter().find_map(|start| word.strip_prefix(start));
    rest.is_some_and(|rest| {
        rest.len() >= 6
            && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    })
}

/// `name@host`. Versions and pip's `name@url` have no host; a commit behind `@` is none, nor is
/// a unit of systemd.
fn is_address(word: &str) -> bool {
    let Some((name, host)) = word.rsplit_once('@') else { return false };
    let is_unit = host
        .rsplit_once('.')
        .is_some_and(|(_, kind)| ["service", "slice", "scope"].contains(&kind));
    let is_commit = host.len() >= 7 && is_hex(host);
    let is_release = host.starts_with('v') && host[1..].starts_with(|c: char| c.is_ascii_digit());
    !name.is_empty()
        && name != "REMOVED"
        && !is_unit
        && !is_commit
        && !is_release
        && host.chars().any(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_known() {
        for (line, wanted) in [
            ("https://me:p%40ss/w@host.example/simple", "https://REMOVED@HOST/simple"),
            ("https://hf_token@host/x", "https://REMOVED@HOST/x"),
            ("http://host/a@b", "http://host/a@b"),
        ] {
            assert_eq!(credentials(line), wanted);
        }
        for (line, wanted) in [
            ("inet 93.184.216.34/24 brd", "inet 0.0.0.0/24 brd"),
            ("192.168.17.42:8188", "0.0.0.0"),
            ("link fe80::21b:44ff:fe11:3ab7 up", "link 0.0.0.0 up"),
            ("ether 00:1b:44:11:3a:b7", "ether 00:00:00:00:00:00"),
            ("serial 00-e0-4c-ff-fe-68-00-01", "serial 00:00:00:00:00:00"),
            ("AKIAIOSFODNN7EXAMPLE", "REMOVED"),
            ("x wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY y", "x REMOVED y"),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "REMOVED"),
            ("DESKTOP-1A2B3C4", "HOST"),
            ("me@example.com", "USER@HOST"),
            ("127.0.0.1:5000", "127.0.0.1:5000"),
        ] {
            assert_eq!(words(line), wanted);
        }
    }
}
