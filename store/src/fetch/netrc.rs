//! The netrc format: machines with their logins, as GNU inetutils describes it.

use super::login::Login;

/// One entry.
pub(super) struct Entry {
    /// The host, or `None` for `default`.
    pub(super) machine: Option<String>,
    /// Its login.
    pub(super) login: Login,
}

/// The entries of a netrc file, in order. Macros, accounts and whatever is not understood are
/// passed over: a netrc file serves many programs.
pub(super) fn parse(text: &str) -> Vec<Entry> {
    let mut tokens = tokens(text).into_iter().peekable();
    let mut entries = Vec::new();
    while let Some(token) = tokens.next() {
        let machine = match token.as_str() {
            "machine" => match tokens.next() {
                Some(host) => Some(host),
                None => break,
            },
            "default" => None,
            _ => continue,
        };
        let (mut username, mut password) = (String::new(), String::new());
        while let Some(key) = tokens.next_if(|t| !matches!(t.as_str(), "machine" | "default")) {
            let field = match key.as_str() {
                "login" => &mut username,
                "password" => &mut password,
                "account" => {
                    tokens.next();
                    continue;
                }
                _ => continue,
            };
            *field = tokens.next().unwrap_or_default();
        }
        entries.push(Entry { machine, login: Login { username, password } });
    }
    entries
}

/// Words, with quoted words and backslashes resolved, without comments and macro bodies.
fn tokens(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut in_macro = false;
    for line in text.lines() {
        if in_macro {
            in_macro = !line.trim().is_empty();
            continue;
        }
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            // A password may begin with `#`, so that a comment is only where a key may be.
            let after_value = matches!(
                words.last().map(String::as_str),
                Some("password" | "login" | "account" | "machine")
            );
            if rest.starts_with('#') && !after_value {
                break;
            }
            let (word, tail) = word(rest);
            rest = tail.trim_start();
            if word == "macdef" {
                in_macro = true;
                break;
            }
            words.push(word);
        }
    }
    words
}

fn word(text: &str) -> (String, &str) {
    let quoted = text.starts_with('"');
    let mut word = String::new();
    let mut chars = text.char_indices().skip(usize::from(quoted));
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => word.extend(chars.next().map(|(_, escaped)| escaped)),
            '"' if quoted => return (word, &text[at + 1..]),
            c if !quoted && c.is_whitespace() => return (word, &text[at..]),
            c => word.push(c),
        }
    }
    (word, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_defaults_macros_quotes_and_comments() {
        let text = "# mine\nmachine a.test login me password #x\nmacdef init\nmachine no.test\n\n\
                    machine b.test\n  account z\n  login \"two words\" password p\\\"q # end\n\
                    default login anonymous password guest\nmachine";
        let seen: Vec<_> = parse(text)
            .into_iter()
            .map(|e| (e.machine, e.login.username, e.login.password))
            .collect();
        let expected = [
            (Some("a.test"), "me", "#x"),
            (Some("b.test"), "two words", "p\"q"),
            (None, "anonymous", "guest"),
        ]
        .map(|(m, u, p)| (m.map(str::to_owned), u.to_owned(), p.to_owned()));
        assert_eq!(seen, expected);
    }
}
