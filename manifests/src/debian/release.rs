//! The body of an InRelease or Release file: what a suite is, until when it holds, its lists.
//!
//! The body only: the signature around it is checked by the store, and so is the time.

use std::str::FromStr;

use deb822_fast::borrowed::BorrowedParagraphIter;

use crate::digest::Sha256;

/// A suite of an apt repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// `stable`, `oldstable` ...
    pub suite: Option<String>,
    /// `bookworm`, `noble` ...
    pub codename: Option<String>,
    /// When it was made, as written (RFC 2822, UTC).
    pub date: Option<String>,
    /// Until when it may be used, as written.
    pub valid_until: Option<String>,
    /// Whether lists are served under `by-hash/SHA256/DIGEST` too.
    pub acquire_by_hash: bool,
    /// The parts: `main`, `contrib`.
    pub components: Vec<String>,
    /// The architectures: `amd64`, `all`.
    pub architectures: Vec<String>,
    /// The files of the suite, in the order of the list.
    pub files: Vec<ReleaseFile>,
}

/// A file that a Release vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFile {
    /// Its digest.
    pub sha256: Sha256,
    /// Its bytes.
    pub size: u64,
    /// Where it lies, relative to the folder of the Release.
    pub path: String,
}

/// A Release that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReleaseError {
    /// It is no paragraph of fields.
    #[error("the release file is damaged: {0}")]
    Syntax(String),
    /// It lists no SHA-256 digests.
    #[error("the release file has no `SHA256`")]
    NoDigests,
    /// A line of the list cannot be read.
    #[error("the release file has a `SHA256` line that cannot be read: `{0}`")]
    Line(String),
}

impl Release {
    /// The entry of one file, by its path (`main/binary-amd64/Packages.xz`).
    pub fn file(&self, path: &str) -> Option<&ReleaseFile> {
        self.files.iter().find(|file| file.path == path)
    }
}

impl FromStr for Release {
    type Err = ReleaseError;

    fn from_str(text: &str) -> Result<Self, ReleaseError> {
        let paragraph = BorrowedParagraphIter::new(text)
            .next()
            .ok_or_else(|| ReleaseError::Syntax("it is empty".to_owned()))?
            .map_err(|error| ReleaseError::Syntax(error.to_string()))?;
        let text = |field: &str| paragraph.get_single(field).map(|text| text.trim().to_owned());
        let words = |field: &str| {
            let words = text(field).unwrap_or_default();
            words.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        let digests = paragraph.get("SHA256").ok_or(ReleaseError::NoDigests)?;
        let lines = digests.iter().filter(|line| !line.trim().is_empty());
        Ok(Self {
            suite: text("Suite"),
            codename: text("Codename"),
            date: text("Date"),
            valid_until: text("Valid-Until"),
            acquire_by_hash: text("Acquire-By-Hash").as_deref() == Some("yes"),
            components: words("Components"),
            architectures: words("Architectures"),
            files: lines.map(|line| file(line)).collect::<Result<_, _>>()?,
        })
    }
}

/// `DIGEST SIZE PATH`.
fn file(line: &str) -> Result<ReleaseFile, ReleaseError> {
    let fail = || ReleaseError::Line(line.trim().to_owned());
    let [digest, size, path] = line.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(fail());
    };
    let sha256 = digest.parse().map_err(|_| fail())?;
    Ok(ReleaseFile { sha256, size: size.parse().map_err(|_| fail())?, path: path.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_read() {
        let release: Release = BODY.parse().unwrap();
        assert!(release.file("main/binary-amd64/Packages.xz").is_some());
        assert!(release.file("main/binary-arm64/Packages.xz").is_none());
        insta::assert_debug_snapshot!(release, @r#"
        Release {
            suite: Some(
                "oldstable",
            ),
            codename: Some(
                "bookworm",
            ),
            date: Some(
                "Sat, 06 Sep 2025 09:55:21 UTC",
            ),
            valid_until: Some(
                "Sat, 13 Sep 2025 09:55:21 UTC",
            ),
            acquire_by_hash: true,
            components: [
                "main",
                "contrib",
            ],
            architectures: [
                "all",
                "amd64",
            ],
            files: [
                ReleaseFile {
                    sha256: Sha256(e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855),
                    size: 0,
                    path: "main/binary-amd64/Packages",
                },
                ReleaseFile {
                    sha256: Sha256(6d2c1f0b3a495e6b7a8899aabbccddeeff00112233445566778899aabbccddee),
                    size: 8788384,
                    path: "main/binary-amd64/Packages.xz",
                },
            ],
        }
        "#);
    }

    #[test]
    fn what_vouches_for_nothing_is_refused() {
        let error = |text: &str| text.parse::<Release>().unwrap_err();
        assert_eq!(error("Suite: stable\n"), ReleaseError::NoDigests);
        let line = "SHA256:\n abc 1 main/Packages\n";
        assert_eq!(error(line), ReleaseError::Line("abc 1 main/Packages".to_owned()));
    }

    const BODY: &str = "Origin: Debian
Suite: oldstable
Codename: bookworm
Date: Sat, 06 Sep 2025 09:55:21 UTC
Valid-Until: Sat, 13 Sep 2025 09:55:21 UTC
Acquire-By-Hash: yes
Architectures: all amd64
Components: main contrib
MD5Sum:
 d41d8cd98f00b204e9800998ecf8427e        0 main/binary-amd64/Packages
SHA256:
 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855        0 main/binary-amd64/Packages
 6d2c1f0b3a495e6b7a8899aabbccddeeff00112233445566778899aabbccddee  8788384 main/binary-amd64/Packages.xz
";
}
