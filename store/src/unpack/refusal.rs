//! Why an archive is not unpacked.

use std::io;

use crate::fs::DiskError;

/// An archive could not be unpacked.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// An entry would do harm.
    #[error("the archive is refused because of its entry `{entry}`, which {reason}")]
    Refused {
        /// The entry's name as the archive has it.
        entry: String,
        /// What is wrong with it.
        reason: Reason,
    },
    /// The archive is damaged or not what it should be.
    #[error("the archive is damaged: {what}")]
    Malformed {
        /// Where.
        what: String,
        /// What the decoder said.
        #[source]
        source: Option<io::Error>,
    },
    /// A zip archive is damaged.
    #[error("the zip archive is damaged")]
    Zip(#[from] zip::result::ZipError),
    /// Its files could not be written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl UnpackError {
    pub(super) fn refuse(entry: impl Into<String>, reason: Reason) -> Self {
        Self::Refused { entry: entry.into(), reason }
    }

    pub(super) fn malformed(what: impl Into<String>) -> Self {
        Self::Malformed { what: what.into(), source: None }
    }

    pub(super) fn unreadable(what: impl Into<String>, source: io::Error) -> Self {
        Self::Malformed { what: what.into(), source: Some(source) }
    }
}

/// What is wrong with an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// `/etc/passwd`.
    #[error("has an absolute path")]
    Absolute,
    /// `a/../../b`.
    #[error("leaves its tree through `..`")]
    ParentFolder,
    /// The name is not UTF-8 or holds a NUL.
    #[error("has a name that is not text")]
    NotText,
    /// A link that points out of the tree.
    #[error("is a link out of its tree, to `{0}`")]
    LinkOutside(String),
    /// A link where the kind of archive has none.
    #[error("is a link, which this kind of archive may not contain")]
    LinkUnexpected,
    /// A hard link to what is not a file that came before.
    #[error("is a hard link to `{0}`, which is no file before it")]
    HardLinkNowhere(String),
    /// A file below something that is a link or a file.
    #[error("lies below `{0}`, which is no folder")]
    NotAFolder(String),
    /// A device, a pipe or a socket.
    #[error("is a device, a pipe or a socket")]
    Device,
    /// A file that would run as somebody else.
    #[error("is a file with the setuid or setgid bit")]
    SetUserId,
    /// Twice the same name.
    #[error("is there twice")]
    Duplicate,
    /// Two names that are one on Windows.
    #[error("differs from `{0}` by case alone")]
    CaseClash(String),
    /// A name that Windows cannot hold.
    #[error("has a name that Windows cannot hold")]
    WindowsName,
    /// Outside of the folder that everything must lie in.
    #[error("does not lie under `{0}`")]
    OutsidePrefix(String),
    /// More bytes than allowed.
    #[error("makes the content larger than {0} bytes")]
    TooLarge(u64),
    /// More entries than allowed.
    #[error("is one more than the {0} entries that are allowed")]
    TooMany(u64),
    /// Compressed beyond belief.
    #[error("makes the content more than {0} times as large as the archive")]
    Bomb(u64),
    /// The two directories of a zip archive disagree, or data is used twice.
    #[error("does not agree with the archive's directory")]
    Inconsistent,
    /// Encrypted.
    #[error("is encrypted")]
    Encrypted,
}
