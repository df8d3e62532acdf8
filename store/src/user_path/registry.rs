//! The value itself. Its kind is kept: with `REG_EXPAND_SZ`, which Windows makes it, `%NAMES%` in
//! it are replaced, with `REG_SZ` they are not.

use windows_registry::{CURRENT_USER, Key, Type};

use super::UserPathError;

/// Changes the text by `edit`, which says `None` where nothing is to be done. Whether it was
/// changed. Windows has no lock for a value, so it is read again right before it is written: what
/// an installer has put there meanwhile is in the next try.
pub(super) fn change(edit: impl Fn(&str) -> Option<String>) -> Result<bool, UserPathError> {
    let key = open()?;
    let mut now = read(&key)?;
    for _ in 0..TRIES {
        let Some(text) = edit(&now) else { return Ok(false) };
        let before = std::mem::replace(&mut now, read(&key)?);
        if now == before {
            return write(&key, &text).map(|()| true);
        }
    }
    Err(UserPathError::Busy)
}

/// The text, empty where there is no value.
fn read(key: &Key) -> Result<String, UserPathError> {
    match key.get_value(NAME) {
        Ok(value) => match value.ty() {
            Type::String | Type::ExpandString => {
                value.try_into().map_err(|_| UserPathError::NotText)
            }
            _ => Err(UserPathError::NotText),
        },
        Err(error) if error.code().0 == FILE_NOT_FOUND => Ok(String::new()),
        Err(error) => Err(UserPathError::Registry(error.into())),
    }
}

/// Writes the text; an empty one removes the value, so that an undone change leaves none behind.
fn write(key: &Key, text: &str) -> Result<(), UserPathError> {
    let done = if text.is_empty() {
        key.remove_value(NAME)
    } else if matches!(key.get_type(NAME), Ok(Type::String)) {
        key.set_string(NAME, text)
    } else {
        key.set_expand_string(NAME, text)
    };
    done.map_err(|error| UserPathError::Registry(error.into()))
}

fn open() -> Result<Key, UserPathError> {
    let options = CURRENT_USER.options().read().write().create().open("Environment");
    options.map_err(|error| UserPathError::Registry(error.into()))
}

const NAME: &str = "Path";

/// How often another program may come in between.
const TRIES: usize = 5;

/// `HRESULT_FROM_WIN32(ERROR_FILE_NOT_FOUND)`: there is no such value.
const FILE_NOT_FOUND: i32 = -2_147_024_894;
