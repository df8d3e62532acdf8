//! Reading Windows' registry, in place of a program that has to be started for it.

use std::io;

use windows_registry::{CURRENT_USER, Key, LOCAL_MACHINE, Type, Value};

use crate::host::windows::RegistryValue;

/// The values of a key and of those at most `depth` below it. Keys that this user may not read
/// are left out, as are values that are neither text nor numbers.
pub(super) fn values(key: &str, depth: u32) -> io::Result<Vec<RegistryValue>> {
    let (root, path) = key.split_once('\\').ok_or(io::ErrorKind::InvalidInput)?;
    let root = match root {
        "HKEY_LOCAL_MACHINE" => LOCAL_MACHINE,
        "HKEY_CURRENT_USER" => CURRENT_USER,
        _ => return Err(io::ErrorKind::InvalidInput.into()),
    };
    let opened = root.options().read().open(path).map_err(io::Error::from)?;
    let mut found = Vec::new();
    read(&opened, key, depth, &mut found);
    Ok(found)
}

fn read(opened: &Key, key: &str, depth: u32, found: &mut Vec<RegistryValue>) {
    let values = opened.values().into_iter().flatten();
    found.extend(values.filter_map(|(name, value)| {
        Some(RegistryValue { key: key.to_owned(), name, value: text(value)? })
    }));
    if depth == 0 {
        return;
    }
    for name in opened.keys().into_iter().flatten() {
        if let Ok(below) = opened.options().read().open(&name) {
            read(&below, &format!("{key}\\{name}"), depth - 1, found);
        }
    }
}

/// Text as it is, numbers in decimal.
fn text(value: Value) -> Option<String> {
    match value.ty() {
        Type::String | Type::ExpandString => value.try_into().ok(),
        Type::U32 => u32::try_from(value).ok().map(|number| number.to_string()),
        Type::U64 => u64::try_from(value).ok().map(|number| number.to_string()),
        _ => None,
    }
}
