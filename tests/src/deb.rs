//! Debian packages built in memory.
//!
//! Format: deb(5): an ar archive of `debian-binary`, `control.tar*`, `data.tar*`.
//! Control fields: Debian policy, chapter 5.

use std::fmt::Write as _;

use crate::archive::{Compression, Entry, missing_parents, tar};

/// Describes a binary package; [`DebBuilder::build`] makes its bytes.
///
/// ```
/// use rocmenv_tests::DebBuilder;
/// let deb = DebBuilder::new("rocminfo", "5.2.3-2").depends("libc6 (>= 2.34)").build();
/// assert_eq!(deb.filename, "rocminfo_5.2.3-2_amd64.deb");
/// ```
#[derive(Debug, Clone)]
pub struct DebBuilder {
    name: String,
    version: String,
    architecture: String,
    fields: Vec<(String, String)>,
    scripts: Vec<Entry>,
    entries: Vec<Entry>,
    control_compression: Compression,
    data_compression: Compression,
    truncated: Option<usize>,
}

/// A built package.
#[derive(Debug, Clone)]
pub struct Deb {
    /// The package's name.
    pub name: String,
    /// The Debian version, epoch included.
    pub version: String,
    /// `NAME_VERSION_ARCH.deb`, the epoch left out as in Debian's pool.
    pub filename: String,
    /// The archive.
    pub bytes: Vec<u8>,
    /// The control paragraph, each line ended.
    pub control: String,
}

impl DebBuilder {
    /// A package of architecture amd64 without files.
    pub fn new(name: &str, version: &str) -> Self {
        Self {
            name: name.to_owned(),
            version: version.to_owned(),
            architecture: "amd64".to_owned(),
            fields: Vec::new(),
            scripts: Vec::new(),
            entries: vec![Entry::folder("./")],
            control_compression: Compression::Xz,
            data_compression: Compression::Xz,
            truncated: None,
        }
    }

    /// Another architecture, such as `all`.
    #[must_use]
    pub fn architecture(mut self, architecture: &str) -> Self {
        architecture.clone_into(&mut self.architecture);
        self
    }

    /// Any control field.
    #[must_use]
    pub fn field(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The `Depends` field, as policy writes it.
    #[must_use]
    pub fn depends(self, relations: &str) -> Self {
        self.field("Depends", relations)
    }

    /// The `Provides` field.
    #[must_use]
    pub fn provides(self, relations: &str) -> Self {
        self.field("Provides", relations)
    }

    /// A maintainer script such as `postinst`. It must never run.
    #[must_use]
    pub fn script(mut self, name: &str, content: &str) -> Self {
        self.scripts.push(Entry::executable(&format!("./{name}"), content));
        self
    }

    /// A file at an absolute path such as `/usr/lib/libx.so.1`, its folders with it.
    #[must_use]
    pub fn file(self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.member(Entry::file(&inside(path), content))
    }

    /// An executable file at an absolute path, its folders with it.
    #[must_use]
    pub fn executable(self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.member(Entry::executable(&inside(path), content))
    }

    /// A symbolic link at an absolute path, its folders with it.
    #[must_use]
    pub fn symlink(self, path: &str, target: &str) -> Self {
        self.member(Entry::symlink(&inside(path), target))
    }

    /// An entry of the data archive exactly as given: a device, a setuid file, `../evil` ...
    #[must_use]
    pub fn entry(mut self, entry: Entry) -> Self {
        self.entries.push(entry);
        self
    }

    /// The compressions of the control and the data archive; xz by default.
    #[must_use]
    pub fn compressed(mut self, control: Compression, data: Compression) -> Self {
        self.control_compression = control;
        self.data_compression = data;
        self
    }

    /// The archive ends after this many bytes.
    #[must_use]
    pub fn truncated(mut self, length: usize) -> Self {
        self.truncated = Some(length);
        self
    }

    /// Builds the package.
    pub fn build(&self) -> Deb {
        let control = self.control();
        let mut members = vec![Entry::folder("./"), Entry::file("./control", &*control)];
        members.extend(self.scripts.iter().cloned());
        let mut bytes = ar(&[
            ("debian-binary", b"2.0\n".to_vec()),
            (
                &format!("control.tar{}", self.control_compression.extension()),
                self.control_compression.compress(&tar(&members)),
            ),
            (
                &format!("data.tar{}", self.data_compression.extension()),
                self.data_compression.compress(&tar(&self.entries)),
            ),
        ]);
        if let Some(length) = self.truncated {
            bytes.truncate(length);
        }
        let version = self.version.split_once(':').map_or(&*self.version, |it| it.1);
        Deb {
            name: self.name.clone(),
            version: self.version.clone(),
            filename: format!("{}_{version}_{}.deb", self.name, self.architecture),
            bytes,
            control,
        }
    }

    fn member(mut self, entry: Entry) -> Self {
        let parents = missing_parents(&self.entries, &entry.path);
        self.entries.extend(parents);
        self.entry(entry)
    }

    fn control(&self) -> String {
        let mut text = format!(
            "Package: {}\nVersion: {}\nArchitecture: {}\n",
            self.name, self.version, self.architecture
        );
        for (name, value) in &self.fields {
            let _ = writeln!(text, "{name}: {value}");
        }
        text.push_str("Maintainer: Nobody <nobody@example.com>\nDescription: a fixture\n");
        text
    }
}

fn inside(path: &str) -> String {
    format!("./{}", path.trim_start_matches('/'))
}

fn ar(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = ar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = ar::Header::new(name.as_bytes().to_vec(), content.len() as u64);
        header.set_mode(0o100_644);
        archive.append(&header, content.as_slice()).expect("writing to memory does not fail");
    }
    archive.into_inner().expect("writing to memory does not fail")
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use crate::archive::tests::{decompress, listing};

    /// The members of a package, with what lies in its two archives.
    fn contents(deb: &Deb) -> String {
        let mut text = format!("{}\n", deb.filename);
        let mut archive = ar::Archive::new(deb.bytes.as_slice());
        while let Some(member) = archive.next_entry() {
            let mut member = member.unwrap();
            let name = String::from_utf8(member.header().identifier().to_vec()).unwrap();
            let mut content = Vec::new();
            member.read_to_end(&mut content).unwrap();
            let _ = writeln!(text, "{name}");
            let compression = match name.split(".tar").nth(1) {
                None => continue,
                Some(".gz") => Compression::Gz,
                Some(".xz") => Compression::Xz,
                Some(".zst") => Compression::Zst,
                Some(_) => Compression::None,
            };
            for line in listing(&decompress(compression, &content)).lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        text
    }

    #[test]
    fn a_package_is_complete() {
        let deb = DebBuilder::new("libdemo1", "1:1.0-2")
            .depends("libc6 (>= 2.34)")
            .script("postinst", "#!/bin/sh\nexit 1\n")
            .file("/usr/lib/x86_64-linux-gnu/libdemo.so.1.0", "ELF")
            .symlink("/usr/lib/x86_64-linux-gnu/libdemo.so.1", "libdemo.so.1.0")
            .executable("/usr/bin/demo", "#!/bin/sh\n")
            .build();
        insta::assert_snapshot!(format!("{}{}", contents(&deb), deb.control), @r"
        libdemo1_1.0-2_amd64.deb
        debian-binary
        control.tar.xz
          Directory 755 ./
          Regular 644 ./control
          Regular 755 ./postinst
        data.tar.xz
          Directory 755 ./
          Directory 755 ./usr/
          Directory 755 ./usr/lib/
          Directory 755 ./usr/lib/x86_64-linux-gnu/
          Regular 644 ./usr/lib/x86_64-linux-gnu/libdemo.so.1.0
          Symlink 777 ./usr/lib/x86_64-linux-gnu/libdemo.so.1 -> libdemo.so.1.0
          Directory 755 ./usr/bin/
          Regular 755 ./usr/bin/demo
        Package: libdemo1
        Version: 1:1.0-2
        Architecture: amd64
        Depends: libc6 (>= 2.34)
        Maintainer: Nobody <nobody@example.com>
        Description: a fixture
        ");
    }

    #[test]
    fn every_compression_and_every_bad_entry() {
        let deb = DebBuilder::new("bad", "1")
            .compressed(Compression::Gz, Compression::Zst)
            .entry(Entry::file("./../evil", "x"))
            .entry(Entry::device("./dev/null"))
            .entry(Entry::executable("./su", "x").mode(0o4755))
            .build();
        insta::assert_snapshot!(contents(&deb), @r"
        bad_1_amd64.deb
        debian-binary
        control.tar.gz
          Directory 755 ./
          Regular 644 ./control
        data.tar.zst
          Directory 755 ./
          Regular 644 ./../evil
          Char 666 ./dev/null
          Regular 4755 ./su
        ");
    }

    #[test]
    fn same_calls_same_bytes() {
        let build = || DebBuilder::new("a", "1").file("/a", "a").build().bytes;
        assert_eq!(build(), build());
    }
}
