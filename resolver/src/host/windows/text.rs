//! Texts that people take from a Windows: exports of the registry, lists of
//! `Win32_VideoController` (`Format-List`, `wmic /format:list`), reports of dxdiag.

use std::collections::BTreeMap;

use super::sources::{RegistryValue, VideoController};

/// Text of a file as Windows' tools write it: UTF-16 with its mark, or UTF-8.
pub fn decoded(bytes: &[u8]) -> String {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        String::from_utf16_lossy(&units.collect::<Vec<_>>())
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}').to_owned(),
    }
}

/// The values of an export of the registry (`reg export`, regedit): strings, dwords and qwords.
/// Other kinds are left out.
pub fn registry_export(text: &str) -> Vec<RegistryValue> {
    // a long value goes on after a backslash at the end of its line
    let joined = text.replace("\\\r\n", "").replace("\\\n", "");
    let mut key = String::new();
    let mut values = Vec::new();
    for line in joined.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            name.clone_into(&mut key);
            continue;
        }
        let named = line.strip_prefix("@=").map(|value| ("", value));
        let named = named.or_else(|| line.strip_prefix('"')?.split_once("\"="));
        let Some((name, value)) = named.and_then(|(name, value)| Some((name, exported(value)?)))
        else {
            continue;
        };
        values.push(RegistryValue { key: key.clone(), name: name.to_owned(), value });
    }
    values
}

fn exported(value: &str) -> Option<String> {
    if let Some(text) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return Some(text.replace("\\\"", "\"").replace("\\\\", "\\"));
    }
    if let Some(digits) = value.strip_prefix("dword:") {
        return u32::from_str_radix(digits, 16).ok().map(|number| number.to_string());
    }
    let bytes = value.strip_prefix("hex(b):")?.split(',');
    let bytes: Option<Vec<u8>> =
        bytes.map(|byte| u8::from_str_radix(byte.trim(), 16).ok()).collect();
    let bytes: [u8; 8] = bytes?.try_into().ok()?;
    Some(u64::from_le_bytes(bytes).to_string())
}

/// The adapters of a list of `Win32_VideoController` or of a report of dxdiag, in their order. A
/// label that comes again begins the next adapter; what has no name is none.
pub fn video_controllers(text: &str) -> Vec<VideoController> {
    let mut blocks: Vec<BTreeMap<&str, &str>> = Vec::new();
    for line in text.lines() {
        let Some((label, value)) = line.split_once([':', '=']) else { continue };
        let Some(label) = known_label(label.trim()) else { continue };
        if blocks.last().is_none_or(|block| block.contains_key(label)) {
            blocks.push(BTreeMap::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.insert(label, value.trim());
        }
    }
    blocks.iter().filter(|block| block.contains_key("Name")).map(controller).collect()
}

fn controller(block: &BTreeMap<&str, &str>) -> VideoController {
    let text = |label: &str| {
        let value = block.get(label).filter(|value| !value.is_empty())?;
        Some((*value).to_owned())
    };
    let hex = |label: &str| u32::from_str_radix(text(label)?.trim_start_matches("0x"), 16).ok();
    // dxdiag writes the parts of the id one by one
    let of_parts = || {
        let (vendor, device) = (hex("Vendor ID")?, hex("Device ID")?);
        let revision = hex("Revision ID").map(|revision| format!("&REV_{revision:02X}"));
        Some(format!("PCI\\VEN_{vendor:04X}&DEV_{device:04X}{}", revision.unwrap_or_default()))
    };
    VideoController {
        name: text("Name"),
        device_id: text("PNPDeviceID").or_else(of_parts),
        driver_version: text("DriverVersion"),
        driver_date: text("DriverDate"),
        problem: text("ConfigManagerErrorCode").and_then(|code| code.parse().ok()),
    }
}

/// The label by CIM's name of it, `None` for one that says nothing of an adapter.
fn known_label(label: &str) -> Option<&'static str> {
    let (_, known) = LABELS.iter().find(|(own, _)| *own == label)?;
    Some(known)
}

const LABELS: &[(&str, &str)] = &[
    ("Name", "Name"),
    ("Card name", "Name"),
    ("PNPDeviceID", "PNPDeviceID"),
    ("DriverVersion", "DriverVersion"),
    ("Driver Version", "DriverVersion"),
    ("DriverDate", "DriverDate"),
    ("ConfigManagerErrorCode", "ConfigManagerErrorCode"),
    ("Vendor ID", "Vendor ID"),
    ("Device ID", "Device ID"),
    ("Revision ID", "Revision ID"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_is_read_whatever_its_encoding() {
        let text = "Windows Registry Editor Version 5.00\r\n\r\n\
             [HKEY_LOCAL_MACHINE\\SYSTEM\\X\\0000]\r\n@=\"own\"\r\n\
             \"RadeonSoftwareVersion\"=\"26.8.1\"\r\n\"UBR\"=dword:00001f40\r\n\
             \"Path\"=\"C:\\\\Program Files\\\\AMD\"\r\n\"Skip\"=hex:01,02\r\n\
             \"HardwareInformation.qwMemorySize\"=hex(b):00,00,\\\r\n  00,00,06,00,00,00\r\n";
        let wide: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        let values = registry_export(&decoded(&wide));
        assert_eq!(values, registry_export(&decoded(text.as_bytes())));
        let said: Vec<_> = values.iter().map(|row| format!("{}={}", row.name, row.value)).collect();
        let expected = [
            "=own",
            "RadeonSoftwareVersion=26.8.1",
            "UBR=8000",
            r"Path=C:\Program Files\AMD",
            "HardwareInformation.qwMemorySize=25769803776",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn lists_of_adapters_are_read_in_every_order() {
        let named = "Name          : AMD Radeon(TM) Graphics\nDriverVersion : 31.0.21925.2001\n\n\
                     Name          : AMD Radeon RX 7900 XTX\nDriverVersion : 32.0.31007.5012\n";
        let wmic = "\n\nDriverVersion=31.0.21925.2001\r\r\nName=AMD Radeon(TM) Graphics\r\r\n\r\r\n\
                    DriverVersion=32.0.31007.5012\r\r\nName=AMD Radeon RX 7900 XTX\r\r\n";
        let dxdiag = "Display Devices\n   Card name: AMD Radeon RX 7600\n   \
                      Vendor ID: 0x1002\n   Device ID: 0x7480\n   Revision ID: 0x00CF\n   \
                      Driver Version: 32.0.31041.1004\nSound Devices\n   \
                      Description: AMD High Definition Audio\n   Driver Version: 10.0.1.30\n";
        let said = |text: &str| -> Vec<String> {
            let all = video_controllers(text).into_iter();
            all.map(|one| {
                let parts = [one.name, one.device_id, one.driver_version];
                parts.into_iter().flatten().collect::<Vec<_>>().join(" | ")
            })
            .collect()
        };
        let both = [
            "AMD Radeon(TM) Graphics | 31.0.21925.2001",
            "AMD Radeon RX 7900 XTX | 32.0.31007.5012",
        ];
        assert_eq!(said(named), both);
        assert_eq!(said(wmic), both);
        assert_eq!(
            said(dxdiag),
            [r"AMD Radeon RX 7600 | PCI\VEN_1002&DEV_7480&REV_CF | 32.0.31041.1004"]
        );
    }
}
