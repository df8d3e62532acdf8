//! The value itself. Its kind is kept: with `REG_EXPAND_SZ`, which Windows makes it, `%NAMES%` in
//! it are replaced, with `REG_SZ` they are not.

use windows_registry::{CURRENT_USER, Key, Type};

use super::UserPathError;

/// The text, empty where there is no value.
pub(super) fn read() -> Result<String, UserPathError> {
    let key = open()?;
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
pub(super) fn write(text: &str) -> Result<(), UserPathError> {
    let key = open()?;
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

/// `HRESULT_FROM_WIN32(ERROR_FILE_NOT_FOUND)`: there is no such value.
const FILE_NOT_FOUND: i32 = -2_147_024_894;
