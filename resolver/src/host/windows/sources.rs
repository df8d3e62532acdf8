//! What was read of a Windows, before it is judged: registry values, what CIM says, files.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Everything that was read. What nobody read is empty.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
pub struct Sources {
    /// Whether the query itself answered, so that a key that is not here does not exist. An
    /// export holds what somebody chose.
    #[serde(skip)]
    pub is_whole: bool,
    /// Registry values.
    #[serde(deserialize_with = "many")]
    pub registry: Vec<RegistryValue>,
    /// `Win32_VideoController`.
    #[serde(deserialize_with = "many")]
    pub video_controllers: Vec<VideoController>,
    /// `Win32_Processor`.
    #[serde(deserialize_with = "many")]
    pub processors: Vec<Processor>,
    /// `TotalPhysicalMemory` in bytes.
    #[serde(deserialize_with = "number")]
    pub memory: Option<u64>,
    /// The name that Windows shows to people.
    pub caption: Option<String>,
    /// `AMD64`, `ARM64`.
    pub architecture: Option<String>,
    /// `Win32_LogicalDisk`, fixed disks.
    #[serde(deserialize_with = "many")]
    pub disks: Vec<LogicalDisk>,
    /// HIP runtime libraries.
    #[serde(deserialize_with = "many")]
    pub libraries: Vec<Library>,
    /// Folders of HIP SDKs.
    #[serde(deserialize_with = "many")]
    pub sdks: Vec<String>,
}

/// The text is not what the query writes.
#[derive(Debug, thiserror::Error)]
#[error("not the JSON of the query: {0}")]
pub struct SourcesError(#[from] serde_json::Error);

impl Sources {
    /// Reads what the query wrote.
    ///
    /// # Errors
    /// The text is no JSON document of that form.
    pub fn from_json(text: &str) -> Result<Self, SourcesError> {
        let read: Self = serde_json::from_str(text.trim_start_matches('\u{feff}').trim())?;
        let is_whole = read.has_key(WINDOWS_VERSION);
        Ok(Self { is_whole, ..read })
    }

    /// What the registry itself says, read key by key; `None` where it could not be read.
    pub fn of_registry(registry: Vec<RegistryValue>) -> Option<Self> {
        let read = Self { registry, ..Self::default() };
        let is_whole = read.has_key(WINDOWS_VERSION);
        is_whole.then_some(Self { is_whole, ..read })
    }

    /// A registry value by the end of its key and its name.
    pub fn value(&self, key: &str, name: &str) -> Option<&str> {
        let ends = |own: &str| {
            own.len() >= key.len()
                && own.is_char_boundary(own.len() - key.len())
                && own[own.len() - key.len()..].eq_ignore_ascii_case(key)
        };
        let same = |row: &&RegistryValue| ends(&row.key) && row.name.eq_ignore_ascii_case(name);
        self.registry.iter().find(same).map(|row| row.value.as_str())
    }

    /// A registry value that is a number.
    pub fn number(&self, key: &str, name: &str) -> Option<u32> {
        self.value(key, name)?.parse().ok()
    }

    /// Whether any value of a key was read.
    pub fn has_key(&self, key: &str) -> bool {
        self.registry.iter().any(|row| row.key.to_lowercase().ends_with(&key.to_lowercase()))
    }
}

/// The key that every Windows has.
pub(super) const WINDOWS_VERSION: &str = r"\Microsoft\Windows NT\CurrentVersion";

/// One value of the registry.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RegistryValue {
    /// The whole key.
    pub key: String,
    /// The value's name, empty for the key's own.
    #[serde(default)]
    pub name: String,
    /// The value; numbers in decimal.
    #[serde(deserialize_with = "words")]
    pub value: String,
}

/// One adapter as `Win32_VideoController` shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct VideoController {
    /// Its name.
    #[serde(rename = "Name")]
    pub name: Option<String>,
    /// `PCI\VEN_1002&DEV_744C&SUBSYS_...&REV_C8\...`; the end is never kept.
    #[serde(rename = "PNPDeviceID")]
    pub device_id: Option<String>,
    /// Windows' number of the driver.
    #[serde(rename = "DriverVersion")]
    pub driver_version: Option<String>,
    /// Its day, in any of Windows' forms.
    #[serde(rename = "DriverDate", deserialize_with = "maybe_words")]
    pub driver_date: Option<String>,
    /// Error code of the device manager.
    #[serde(rename = "ConfigManagerErrorCode", deserialize_with = "number")]
    pub problem: Option<u64>,
}

/// One processor.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
pub struct Processor {
    /// Model.
    pub name: Option<String>,
    /// Cores.
    #[serde(deserialize_with = "number")]
    pub number_of_cores: Option<u64>,
    /// Hardware threads.
    #[serde(deserialize_with = "number")]
    pub number_of_logical_processors: Option<u64>,
}

/// One fixed disk.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct LogicalDisk {
    /// `C:`.
    #[serde(rename = "DeviceID")]
    pub letter: String,
    /// Bytes.
    #[serde(rename = "Size", deserialize_with = "number")]
    pub size: Option<u64>,
    /// Free bytes.
    #[serde(rename = "FreeSpace", deserialize_with = "number")]
    pub free: Option<u64>,
}

/// One library.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Library {
    /// Its path.
    pub path: String,
    /// Its file version.
    #[serde(default)]
    pub version: Option<String>,
}

/// A list, of which PowerShell writes one element without brackets and none as `null`.
fn many<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: serde::de::DeserializeOwned,
{
    let values = match Value::deserialize(deserializer)? {
        Value::Null => Vec::new(),
        Value::Array(values) => values,
        one => vec![one],
    };
    let values = values.into_iter().filter(|value| !value.is_null());
    values.map(|value| T::deserialize(value).map_err(serde::de::Error::custom)).collect()
}

/// A number, which some versions write as text.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    })
}

fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(maybe_words(deserializer)?.unwrap_or_default())
}

fn maybe_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}
