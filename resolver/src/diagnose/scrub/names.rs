//! Names of users and hosts: where texts tell them, and away with them wherever they stand.

/// Names that a text tells.
pub(super) fn told(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        found.extend(in_homes(line));
        found.extend(in_identities(line));
        found.extend(in_log(line));
    }
    found
}

/// Whether a name says anything, and nothing that messages and facts need as a word. Short ones
/// stand in too many words.
pub(super) fn is_telling(name: &str) -> bool {
    let lower = name.to_lowercase();
    name.len() > 2
        && name.chars().any(char::is_alphabetic)
        && !COMMON.contains(&lower.as_str())
        && !name.contains(['/', '\\', '"', '$', '<', '%'])
}

/// Where folders of users lie.
const HOMES: &[&str] =
    &["/home/", "/Users/", "\\Users\\", "\\\\Users\\\\", "/run/media/", "/media/"];

/// Folders there that are nobody's.
const NOBODYS: &[&str] = &["USER", "Public", "Shared", "Default", "linuxbrew", "cdrom", "floppy"];

/// The places of names in `/home/NAME/…`, `C:\Users\NAME\…`, from the end of the line.
fn homes_in(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    for mark in HOMES {
        let mut at = 0;
        while let Some(start) = line[at..].find(mark).map(|found| at + found + mark.len()) {
            let rest = &line[start..];
            let ends = ['/', '\\', '"', '\'', '`', ':', ',', ';', ')', ']', '*', '<', '>'];
            let mut length = rest.find(ends).unwrap_or(rest.len());
            // a name of Windows may hold blanks where a folder follows
            let is_whole = mark.contains('\\') && rest[length..].starts_with('\\');
            if !is_whole {
                length = rest[..length].find([' ', '\t']).unwrap_or(length);
            }
            let name = &rest[..length];
            if !name.is_empty() && !NOBODYS.contains(&name) && !name.starts_with('$') {
                found.push(start..start + length);
            }
            at = start;
        }
    }
    found.sort_by_key(|range| std::cmp::Reverse(range.start));
    found.dedup();
    found
}

fn in_homes(line: &str) -> Vec<String> {
    homes_in(line).into_iter().map(|range| line[range].to_owned()).collect()
}

/// A line with the names of users' folders replaced.
pub(super) fn homes(line: &str) -> String {
    let mut out = line.to_owned();
    for range in homes_in(line) {
        out.replace_range(range, "USER");
    }
    out
}

/// `uid=1000(name)`, `Linux HOST 6.8.0-…`, `name@host:~$`, `name is member of`, `USER=name`.
fn in_identities(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let words: Vec<&str> = line.split_whitespace().collect();
    if let ["Linux", host, release, ..] = words[..]
        && release.starts_with(|c: char| c.is_ascii_digit())
    {
        found.push(host.to_owned());
    }
    if let [name, "is", "member", ..] | [name, "is", "not", "member", ..] = words[..] {
        found.push(name.to_owned());
    }
    if let Some(rest) = line.split("uid=").nth(1)
        && let Some(name) = rest.split(['(', ')']).nth(1)
        && rest.starts_with(|c: char| c.is_ascii_digit())
    {
        found.push(name.to_owned());
    }
    if let Some((name, host)) = prompt(line) {
        found.extend([name.to_owned(), host.to_owned()]);
    }
    for key in ["USER=", "LOGNAME=", "USERNAME=", "SUDO_USER=", "HOSTNAME=", "COMPUTERNAME="] {
        let at = line.find(key).filter(|at| !line[..*at].ends_with(|c: char| c.is_alphanumeric()));
        if let Some(at) = at {
            let rest = line[at + key.len()..].trim_start_matches(['"', '\'']);
            let end = rest.find([' ', '"', '\'', ';', ',']).unwrap_or(rest.len());
            found.push(rest[..end].to_owned());
        }
    }
    for key in ["Hostname:", "Static hostname:", "Machine name:", "Computer Name:", "Host Name:"] {
        if let Some(rest) = line.trim_start().strip_prefix(key) {
            found.extend(rest.split_whitespace().next().map(str::to_owned));
        }
    }
    // inxi: `System:    Host: ernie Kernel: 5.7.13`
    if let Some(rest) = line.split("Host: ").nth(1).filter(|rest| rest.contains("Kernel: ")) {
        found.extend(rest.split_whitespace().next().map(str::to_owned));
    }
    // passwd(5): name:x:1000:1000:Whole Name:/home/name:/bin/bash
    let fields: Vec<&str> = line.split(':').collect();
    if let [name, "x" | "*", uid, gid, whole, _, _] = fields[..]
        && uid.parse::<u32>().is_ok_and(|uid| uid >= 1000)
        && gid.parse::<u32>().is_ok()
    {
        found.push(name.to_owned());
        found.push(whole.split(',').next().unwrap_or_default().to_owned());
    }
    found
}

/// `name@host:~/src$ …`, `[name@host src]$ …`, at the start of a line.
fn prompt(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let (line, inside) = match line.strip_prefix(['[', '(']) {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    let word = line.split([' ', ':']).next()?;
    let (name, host) = word.split_once('@')?;
    let plain = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    let rest = &line[word.len()..];
    let is_prompt = inside || (rest.starts_with(':') && rest.contains(['$', '#', '~']));
    (plain(name) && plain(host) && is_prompt).then_some((name, host))
}

/// The host in a line of syslog or of the journal: `Aug 22 21:34:01 HOST kernel: …`.
fn in_log(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().take(5).collect();
    let is_time = |word: &str| word.len() == 8 && word.matches(':').count() == 2;
    let is_month = |word: &str| word.len() == 3 && word.chars().all(char::is_alphabetic);
    let (host, process) = match words[..] {
        [month, _, time, host, process, ..] if is_month(month) && is_time(time) => (host, process),
        [stamp, host, process, ..] if stamp.len() > 18 && stamp.as_bytes()[10] == b'T' => {
            (host, process)
        }
        _ => return None,
    };
    process.ends_with(':').then(|| host.to_owned())
}

/// `uid=1000(name)`, `gid=1000(name)`, `Linux HOST 6.8.0-…`.
pub(super) fn identities(line: &str) -> String {
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

/// Names replaced as whole words, whatever their case.
pub(super) fn replaced(line: &str, names: &[String]) -> String {
    let mut line = line.to_owned();
    for name in names {
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
                at = found + "NAME".len();
            }
        }
    }
    line
}

/// Names that say nothing of a person, and that messages and facts need.
const COMMON: &[&str] = &[
    "root",
    "user",
    "users",
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
    "archlinux",
    "rhel",
    "rocky",
    "centos",
    "suse",
    "opensuse",
    "nixos",
    "gentoo",
    "mint",
    "wsl",
    "python",
    "docker",
    "podman",
    "kernel",
    "torch",
    "pytorch",
    "amdgpu",
    "kfd",
    "windows",
    "microsoft",
    "host",
    "hostname",
    "home",
    "test",
    "name",
    "nobody",
    "nogroup",
    "ryzen",
    "epyc",
    "threadripper",
    "radeon",
    "instinct",
    "strix",
    "halo",
    "intel",
    "nvidia",
    "gpu",
    "cpu",
    "server",
    "desktop",
    "laptop",
    "workstation",
    "node",
    "default",
    "dev",
    "driver",
    "memory",
    "device",
    "runtime",
    "ollama",
    "vllm",
    "llama",
    "comfyui",
    "jupyter",
    "conda",
    "venv",
    "opt",
    "usr",
    "lib",
    "src",
    "build",
    "main",
    "none",
    "false",
    "true",
    "null",
    "error",
    "group",
    "member",
    "none:",
    "who",
    "which",
    "there",
    "what",
    "this",
    "that",
    "image",
    "module",
    "file",
    "process",
    "package",
    "version",
];
