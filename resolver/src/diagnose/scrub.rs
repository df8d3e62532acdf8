//! Takes out of a text what says whose machine it is: names of users and hosts, folders of
//! users, serial numbers, unique ids, UUIDs, addresses of networks, mail, tokens, passwords.
//!
//! Names that are known are replaced wherever they stand; the rest is recognised by its form.

use std::fmt::Write;

/// Scrubs a text. `names` are those of this machine and its users.
pub fn scrub(text: &str, names: &[String]) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(&scrub_line(line, names));
        out.push('\n');
    }
    out
}

fn scrub_line(line: &str, names: &[String]) -> String {
    let line = homes(line);
    let line = keyed(&line);
    let line = identities(&line);
    let line = known(&line, names);
    words(&line)
}

/// `/home/NAME/…`, `/Users/NAME/…`, `C:\Users\NAME\…`
fn homes(line: &str) -> String {
    let mut line = line.to_owned();
    for mark in ["/home/", "/Users/", "\\Users\\", "\\\\Users\\\\", "/var/home/", "/run/media/"] {
        let mut at = 0;
        while let Some(found) = line[at..].find(mark) {
            let start = at + found + mark.len();
            let end = line[start..]
                .find(['/', '\\', '"', '\'', ' ', ':', ',', ';', ')', ']'])
                .map_or(line.len(), |end| start + end);
            line.replace_range(start..end, "USER");
            at = start;
        }
    }
    line
}

/// Keys whose values nobody else needs.
const KEYS: &[&str] = &[
    "serial",
    "unique_id",
    "unique id",
    "unique-id",
    "uuid",
    "guid",
    "hive",
    "token",
    "password",
    "passwd",
    "secret",
    "api_key",
    "apikey",
    "api-key",
    "authorization",
    "hostname",
    "host name",
    "computer name",
    "machine name",
    "user name",
    "username",
    "product key",
    "machine id",
    "wandb",
];

/// `KEY: value` and `KEY=value` of such keys, in JSON too. Several settings may stand in a line.
fn keyed(line: &str) -> String {
    let lower = line.to_lowercase();
    if !KEYS.iter().any(|key| lower.contains(key)) {
        return line.to_owned();
    }
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find([':', '=']) {
        let (key, after) = rest.split_at(at);
        let named = key.to_lowercase();
        let own = named.rsplit([',', ';', '{']).next().unwrap_or(&named);
        // the key is what stands right before the sign
        let is_secret = KEYS.iter().any(|key| own.contains(key));
        out.push_str(key);
        out.push_str(&after[..1]);
        rest = &after[1..];
        if !is_secret {
            continue;
        }
        let blanks = rest.len() - rest.trim_start_matches([' ', '"', '\'']).len();
        out.push_str(&rest[..blanks]);
        rest = &rest[blanks..];
        let end = rest.find([' ', '"', '\'', ',', '}', ';']).unwrap_or(rest.len());
        // `Bearer xyz` and other values of two words: all of the line goes
        let is_scheme = matches!(&rest[..end], "Bearer" | "Basic" | "token");
        let end = if is_scheme { rest.len() } else { end };
        let value = &rest[..end];
        let known =
            value.is_empty() || matches!(value, "N/A" | "null" | "None" | "CPU-XX" | "GPU-XX");
        out.push_str(if known { value } else { "REMOVED" });
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// `uid=1000(name)`, `Linux HOST 6.8.0-…`, `name@host:~$`.
fn identities(line: &str) -> String {
    let mut line = line.to_owned();
    if let Some(rest) = line.strip_prefix("Linux ") {
        let mut parts = rest.splitn(2, ' ');
        if let (Some(_), Some(more)) = (parts.next(), parts.next())
            && more.starts_with(|c: char| c.is_ascii_digit())
        {
            line = format!("Linux HOST {more}");
        }
    }
    for key in ["uid=", "gid="] {
        if let Some(start) = line.find(key).map(|at| at + key.len()) {
            let open = line[start..].find('(').map(|at| start + at);
            let close = line[start..].find(')').map(|at| start + at);
            if let (Some(open), Some(close)) = (open, close)
                && open < close
                && line[start..open].bytes().all(|byte| byte.is_ascii_digit())
            {
                line.replace_range(open + 1..close, "USER");
            }
        }
    }
    line
}

/// Names as whole words, whatever their case. Short ones stand in too many words.
fn known(line: &str, names: &[String]) -> String {
    let mut line = line.to_owned();
    for name in names
        .iter()
        .filter(|name| name.len() > 2 && !COMMON.contains(&name.to_lowercase().as_str()))
    {
        let wanted = name.to_lowercase();
        let mut at = 0;
        loop {
            let lower = line.to_lowercase();
            if lower.len() != line.len() {
                break;
            }
            let Some(found) = lower[at..].find(&wanted).map(|found| at + found) else { break };
            let end = found + wanted.len();
            let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let inside =
                is_word(line[..found].chars().next_back()) || is_word(line[end..].chars().next());
            if inside {
                at = end;
            } else {
                line.replace_range(found..end, "NAME");
                at = found + 4;
            }
        }
    }
    line
}

/// Names that say nothing of a person, and that messages and facts need.
const COMMON: &[&str] = &[
    "root",
    "user",
    "render",
    "video",
    "localhost",
    "linux",
    "amd",
    "rocm",
    "admin",
    "ubuntu",
    "debian",
    "fedora",
    "arch",
    "rhel",
    "rocky",
    "centos",
    "python",
    "docker",
    "kernel",
    "torch",
    "amdgpu",
    "windows",
    "microsoft",
    "host",
    "home",
    "test",
    "name",
    "nobody",
];

/// UUIDs, addresses, mail and tokens by their form.
fn words(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let is_part =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | ':' | '+');
    let mut rest = line;
    while !rest.is_empty() {
        let start = rest.find(is_part).unwrap_or(rest.len());
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let (word, more) = rest.split_at(end);
        // `https://name:password@host`: the word after `//`
        let _ = write!(out, "{}", scrub_word(word));
        rest = more;
    }
    out
}

fn scrub_word(word: &str) -> String {
    let core = word.trim_matches([':', '.', ',', '-']);
    let replaced = if is_uuid(core) {
        Some("00000000-0000-0000-0000-000000000000")
    } else if is_gpu_uuid(core) {
        Some("GPU-XX")
    } else if is_mac(core) {
        Some("00:00:00:00:00:00")
    } else if is_ipv4(core) {
        Some("0.0.0.0")
    } else if is_token(core) {
        Some("REMOVED")
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

fn is_uuid(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && parts.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `GPU-1a2b3c4d5e6f7081` of ROCr.
fn is_gpu_uuid(word: &str) -> bool {
    word.strip_prefix("GPU-").is_some_and(|rest| {
        rest.len() >= 8 && rest.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
    })
}

fn is_mac(word: &str) -> bool {
    let parts: Vec<&str> = word.split(':').collect();
    parts.len() == 6
        && parts.iter().all(|part| part.len() == 2 && part.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Four numbers to 255, without those of versions: one of drivers has a larger part, or a first
/// part below 10.
fn is_ipv4(word: &str) -> bool {
    let word = word.split(':').next().unwrap_or(word);
    let parts: Option<Vec<u8>> = word.split('.').map(|part| part.parse::<u8>().ok()).collect();
    parts.is_some_and(|parts| parts.len() == 4 && (parts[0] >= 100 || parts[0] == 10))
}

/// Tokens of services by their beginnings, and long runs of letters and digits that are no hash
/// of a file (64 hexadecimal digits) and no version.
fn is_token(word: &str) -> bool {
    let starts = [
        "hf_",
        "ghp_",
        "gho_",
        "ghs_",
        "github_pat_",
        "glpat-",
        "xoxb-",
        "sk-",
        "AKIA",
        "pypi-",
        "eyJ",
    ];
    let known = starts.iter().any(|start| word.starts_with(start) && word.len() > start.len() + 8);
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let upper = word.bytes().filter(u8::is_ascii_uppercase).count();
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    known || (plain && word.len() >= 32 && letters > 8 && digits > 4 && upper > 4)
}

/// `name@host`, also behind `name:password@`. Versions and pip's `name@url` have no host.
fn is_address(word: &str) -> bool {
    let Some((name, host)) = word.rsplit_once('@') else { return false };
    !name.is_empty() && host.chars().any(|c| c.is_ascii_alphabetic())
}
