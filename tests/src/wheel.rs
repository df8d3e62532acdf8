//! Wheels built in memory: right ones, and by [`Damage`] wrong ones.
//!
//! Format: the binary distribution format of the Python packaging authority
//! (PEP 427), core metadata 2.1, RECORD (PEP 376, 627). The same calls give the
//! same bytes on every machine.

mod damage;
mod metadata;

pub use damage::Damage;
pub(crate) use metadata::with_extra;

use crate::digest::record_sha256;
use crate::zipfile::{self, ZipEntry};

/// Describes a wheel; [`WheelBuilder::build`] makes its bytes.
///
/// ```
/// use rocmenv_tests::WheelBuilder;
/// let wheel = WheelBuilder::new("demo", "1.0").requires("idna>=3").build();
/// assert_eq!(wheel.filename, "demo-1.0-py3-none-any.whl");
/// ```
#[derive(Debug, Clone)]
pub struct WheelBuilder {
    pub(crate) name: String,
    pub(crate) version: String,
    build_number: Option<String>,
    tags: String,
    pub(crate) requires: Vec<String>,
    pub(crate) requires_python: Option<String>,
    pub(crate) extras: Vec<String>,
    pub(crate) summary: Option<String>,
    pub(crate) headers: Vec<(String, String)>,
    purelib: Option<bool>,
    entry_points: Vec<(String, String, String)>,
    files: Vec<ZipEntry>,
    module: bool,
    damage: Vec<Damage>,
}

/// A built wheel.
#[derive(Debug, Clone)]
pub struct Wheel {
    /// The name's normal form (PEP 503).
    pub name: String,
    /// The version as given to the builder.
    pub version: String,
    /// The file name, with a literal `+` where the version has one.
    pub filename: String,
    /// The archive.
    pub bytes: Vec<u8>,
    /// The content of `METADATA`.
    pub metadata: String,
    /// The `Requires-Python` value, if there is one.
    pub requires_python: Option<String>,
}

impl WheelBuilder {
    /// A pure wheel (`py3-none-any`) with one module of the project's name, which defines `__version__`.
    pub fn new(name: &str, version: &str) -> Self {
        Self {
            name: name.to_owned(),
            version: version.to_owned(),
            build_number: None,
            tags: "py3-none-any".to_owned(),
            requires: Vec::new(),
            requires_python: None,
            extras: Vec::new(),
            summary: None,
            headers: Vec::new(),
            purelib: None,
            entry_points: Vec::new(),
            files: Vec::new(),
            module: true,
            damage: Vec::new(),
        }
    }

    /// The tag of the file name, such as `cp312-cp312-manylinux_2_28_x86_64`; a compressed set is allowed.
    #[must_use]
    pub fn tag(mut self, tag: &str) -> Self {
        tag.clone_into(&mut self.tags);
        self
    }

    /// A build number, the part between version and tags.
    #[must_use]
    pub fn build_number(mut self, number: &str) -> Self {
        self.build_number = Some(number.to_owned());
        self
    }

    /// One `Requires-Dist` line, a requirement as PEP 508 writes it.
    #[must_use]
    pub fn requires(mut self, requirement: &str) -> Self {
        self.requires.push(requirement.to_owned());
        self
    }

    /// An extra with its requirements; the marker `extra == "NAME"` is added to each.
    #[must_use]
    pub fn extra(mut self, extra: &str, requirements: &[&str]) -> Self {
        self.extras.push(extra.to_owned());
        for requirement in requirements {
            self.requires.push(with_extra(requirement, extra));
        }
        self
    }

    /// The `Requires-Python` specifier.
    #[must_use]
    pub fn requires_python(mut self, specifier: &str) -> Self {
        self.requires_python = Some(specifier.to_owned());
        self
    }

    /// The `Summary` line. JAX's ROCm plugins say there what they were built for.
    #[must_use]
    pub fn summary(mut self, summary: &str) -> Self {
        self.summary = Some(summary.to_owned());
        self
    }

    /// Any other line of METADATA.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// `Root-Is-Purelib`; by default what the platform tag says.
    #[must_use]
    pub fn purelib(mut self, purelib: bool) -> Self {
        self.purelib = Some(purelib);
        self
    }

    /// A console script: `name = "module:function"`.
    #[must_use]
    pub fn console_script(self, name: &str, object: &str) -> Self {
        self.entry_point("console_scripts", name, object)
    }

    /// An entry point of any group.
    #[must_use]
    pub fn entry_point(mut self, group: &str, name: &str, object: &str) -> Self {
        self.entry_points.push((group.to_owned(), name.to_owned(), object.to_owned()));
        self
    }

    /// A file at a path of the archive.
    #[must_use]
    pub fn file(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.push(ZipEntry::file(path, content));
        self
    }

    /// An executable file (mode 0755) at a path of the archive.
    #[must_use]
    pub fn executable(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.push(ZipEntry { mode: 0o100_755, ..ZipEntry::file(path, content) });
        self
    }

    /// A file of the data folder: scheme is `scripts`, `data`, `headers`, `purelib` or `platlib`.
    #[must_use]
    pub fn data_file(self, scheme: &str, path: &str, content: impl Into<Vec<u8>>) -> Self {
        let path = format!("{}.data/{scheme}/{path}", self.stem());
        self.executable(&path, content)
    }

    /// No module of the project's name: a wheel such as a device wheel, which holds only given files.
    #[must_use]
    pub fn without_module(mut self) -> Self {
        self.module = false;
        self
    }

    /// Damage, applied in the order given.
    #[must_use]
    pub fn damage(mut self, damage: Damage) -> Self {
        self.damage.push(damage);
        self
    }

    /// Builds the wheel.
    pub fn build(&self) -> Wheel {
        let metadata = metadata::metadata(self);
        let mut entries = self.payload();
        let info = format!("{}.dist-info", self.stem());
        entries.push(ZipEntry::file(format!("{info}/METADATA"), &*metadata));
        entries.push(ZipEntry::file(format!("{info}/WHEEL"), self.wheel_file()));
        if !self.entry_points.is_empty() {
            entries.push(ZipEntry::file(
                format!("{info}/entry_points.txt"),
                metadata::entry_points(&self.entry_points),
            ));
        }
        for damage in &self.damage {
            damage.to_entries(&mut entries);
        }
        let record = format!("{info}/RECORD");
        let mut lines = record_lines(&entries, &record);
        for damage in &self.damage {
            damage.to_record(&mut lines);
        }
        entries.push(ZipEntry::file(record, lines.join("\n") + "\n"));
        for damage in &self.damage {
            damage.to_listed(&mut entries);
        }
        let mut bytes = zipfile::write(&entries);
        for damage in &self.damage {
            damage.to_bytes(&mut bytes);
        }
        Wheel {
            name: normal_name(&self.name),
            version: self.version.clone(),
            filename: self.filename(),
            bytes,
            metadata,
            requires_python: self.requires_python.clone(),
        }
    }

    fn filename(&self) -> String {
        let build = self.build_number.as_ref().map_or(String::new(), |number| format!("-{number}"));
        format!("{}{build}-{}.whl", self.stem(), self.tags)
    }

    /// Name and version as they stand in file names: runs of `-_.` become one `_`.
    fn stem(&self) -> String {
        format!("{}-{}", self.import_name(), self.version)
    }

    fn import_name(&self) -> String {
        normal_name(&self.name).replace('-', "_")
    }

    fn payload(&self) -> Vec<ZipEntry> {
        let mut entries = Vec::new();
        if self.module {
            entries.push(ZipEntry::file(
                format!("{}/__init__.py", self.import_name()),
                format!("__version__ = \"{}\"\n", self.version),
            ));
        }
        entries.extend(self.files.iter().cloned());
        entries
    }

    fn wheel_file(&self) -> String {
        let purelib = self.purelib.unwrap_or_else(|| self.tags.ends_with("-any"));
        let mut text =
            format!("Wheel-Version: 1.0\nGenerator: rocmenv-tests\nRoot-Is-Purelib: {purelib}\n");
        for tag in metadata::expand_tags(&self.tags) {
            text.push_str("Tag: ");
            text.push_str(&tag);
            text.push('\n');
        }
        if let Some(number) = &self.build_number {
            text.push_str("Build: ");
            text.push_str(number);
            text.push('\n');
        }
        text
    }
}

/// The normal form of a project name (PEP 503).
pub fn normal_name(name: &str) -> String {
    let mut normal = String::new();
    for character in name.chars() {
        if !matches!(character, '-' | '_' | '.') {
            normal.extend(character.to_lowercase());
        } else if !normal.ends_with('-') {
            normal.push('-');
        }
    }
    normal
}

fn record_lines(entries: &[ZipEntry], record: &str) -> Vec<String> {
    let mut lines: Vec<String> = entries
        .iter()
        .map(|entry| {
            let hash = record_sha256(&entry.data);
            format!("{},{hash},{}", entry.name, entry.data.len())
        })
        .collect();
    lines.push(format!("{record},,"));
    lines
}

#[cfg(test)]
mod tests;
