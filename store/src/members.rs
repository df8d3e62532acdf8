//! A few plain files as one `.tar.gz`, in memory: small archives for people to send and look into.
//!
//! The bytes follow from the members alone: no owner, no time. What is read may be anybody's, so
//! only regular files with plain relative names are taken, up to a size.

use std::io::{self, Read, Write as _};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name, with `/` between folders.
    pub name: String,
    /// What is in it.
    pub content: Vec<u8>,
}

/// Whether bytes begin as a gzip stream does (RFC 1952).
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// The archive of members, in their order.
///
/// # Errors
/// A name does not fit into an archive.
pub fn pack(members: &[Member]) -> io::Result<Vec<u8>> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for member in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(member.content.len() as u64);
        header.set_mode(0o644);
        header.set_entry_type(tar::EntryType::Regular);
        builder.append_data(&mut header, &member.name, member.content.as_slice())?;
    }
    let mut encoder = builder.into_inner()?;
    encoder.flush()?;
    encoder.finish()
}

/// The members of an archive of at most `most` bytes, unpacked.
///
/// # Errors
/// It is no such archive, is larger, or holds something other than plain files and folders.
pub fn unpack(bytes: &[u8], most: u64) -> io::Result<Vec<Member>> {
    let refuse = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let stream = MultiGzDecoder::new(bytes).take(most);
    let mut archive = tar::Archive::new(stream);
    let mut members = Vec::new();
    let mut left = most;
    for entry in archive.entries()? {
        let mut entry = entry?;
        let kind = entry.header().entry_type();
        if matches!(kind, tar::EntryType::Directory | tar::EntryType::XGlobalHeader) {
            continue;
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if kind != tar::EntryType::Regular {
            return Err(refuse(format!("`{name}` is no plain file")));
        }
        let name = name.trim_start_matches("./").to_owned();
        let is_plain = |part: &str| !part.is_empty() && part != ".." && part != ".";
        if !name.split('/').all(is_plain) || name.contains('\\') {
            return Err(refuse(format!("`{name}` is no plain name")));
        }
        left = left
            .checked_sub(entry.size())
            .ok_or_else(|| refuse(format!("it holds more than {most} bytes")))?;
        let mut content = Vec::new();
        entry.read_to_end(&mut content)?;
        members.push(Member { name, content });
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, content: &str) -> Member {
        Member { name: name.to_owned(), content: content.as_bytes().to_vec() }
    }

    #[test]
    fn what_was_packed_comes_back_and_the_bytes_are_the_same_each_time() {
        let long = format!("seen/{}", "a-long-name/".repeat(20));
        let members = [member("first", "1\n"), member(&format!("{long}x"), &"z".repeat(5000))];
        let bytes = pack(&members).unwrap();
        assert_eq!(bytes, pack(&members).unwrap());
        assert!(is_packed(&bytes));
        assert_eq!(unpack(&bytes, 100_000).unwrap(), members);
        assert!(unpack(&bytes, 4_000).is_err(), "a size is a limit");
        assert!(unpack(&bytes[..bytes.len() / 2], 100_000).is_err(), "half an archive is none");
    }

    #[test]
    fn names_that_lead_out_of_it_and_links_are_refused() {
        let with = |name: &str, kind: tar::EntryType| {
            let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
            let mut header = tar::Header::new_gnu();
            let bytes = name.as_bytes();
            header.as_old_mut().name[..bytes.len()].copy_from_slice(bytes);
            header.set_size(0);
            header.set_entry_type(kind);
            header.set_cksum();
            builder.append(&header, io::empty()).unwrap();
            builder.into_inner().unwrap().finish().unwrap()
        };
        assert!(unpack(&with("a/b", tar::EntryType::Regular), 99_999).is_ok());
        for name in ["../b", "a/../b", "/etc/passwd", "a//b"] {
            assert!(unpack(&with(name, tar::EntryType::Regular), 99_999).is_err(), "{name}");
        }
        assert!(unpack(&with("a", tar::EntryType::Symlink), 99_999).is_err());
    }
}
