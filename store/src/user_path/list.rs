//! What the text of a Windows search path becomes. What stands in it is kept letter by letter,
//! `%VARIABLES%` and empty parts included: it is the user's.

/// The folder put first; `None` where it stands first already.
pub(super) fn with(value: &str, folder: &str) -> Option<String> {
    if value.split(';').next().is_some_and(|first| is_same(first, folder)) {
        return None;
    }
    let rest = without(value, folder);
    let rest = rest.as_deref().unwrap_or(value);
    Some(if rest.is_empty() { folder.to_owned() } else { format!("{folder};{rest}") })
}

/// The folder taken out, however often it stands there; `None` where it does not.
pub(super) fn without(value: &str, folder: &str) -> Option<String> {
    let kept: Vec<&str> = value.split(';').filter(|part| !is_same(part, folder)).collect();
    (kept.len() < value.split(';').count()).then(|| kept.join(";"))
}

/// Whether two parts are one folder to Windows.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        let text = text.trim().trim_matches('"').replace('/', "\\");
        text.trim_end_matches('\\').to_lowercase()
    };
    plain(one) == plain(other)
}

#[cfg(test)]
mod tests {
    use super::{with, without};

    const FOLDER: &str = r"C:\Users\me\AppData\Local\rocmenv\data\shims";

    #[test]
    fn a_folder_comes_first_once_and_leaves_the_rest_as_it_was() {
        let before = r"%USERPROFILE%\bin;;C:\Tools\";
        let after = with(before, FOLDER).unwrap();
        assert_eq!(after, format!("{FOLDER};{before}"));
        assert_eq!(with(&after, FOLDER), None);
        assert_eq!(without(&after, FOLDER).as_deref(), Some(before));
        assert_eq!(without(before, FOLDER), None);
    }

    #[test]
    fn a_folder_is_known_however_it_is_written() {
        let written =
            format!("C:\\Tools;\"{}\\\"; {} ", FOLDER.to_uppercase(), FOLDER.replace('\\', "/"));
        assert_eq!(without(&written, FOLDER).as_deref(), Some(r"C:\Tools"));
        assert_eq!(with(&written, FOLDER), Some(format!(r"{FOLDER};C:\Tools")));
    }

    #[test]
    fn an_empty_path_gets_the_folder_alone_and_gives_it_back() {
        assert_eq!(with("", FOLDER).as_deref(), Some(FOLDER));
        assert_eq!(without(FOLDER, FOLDER).as_deref(), Some(""));
    }
}
