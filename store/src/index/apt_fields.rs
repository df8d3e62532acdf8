//! Leaves out of a package list what no solve and no install reads: descriptions, tags, old
//! hashes. Half of a list is that, and all of a list is read whenever one is asked.

use std::io::{self, Write};

/// Passes a list through, line by line, in whatever pieces it comes.
#[derive(Debug, Default)]
pub(super) struct Filter {
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    /// Whether the field that is being read is left out, with the lines that go on.
    is_left_out: bool,
}

impl Filter {
    /// Takes a piece.
    pub(super) fn take(&mut self, piece: &[u8], out: &mut impl Write) -> io::Result<()> {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.write_line(out)?;
            }
        }
        Ok(())
    }

    /// The list is over.
    pub(super) fn finish(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.write_line(out)
    }

    fn write_line(&mut self, out: &mut impl Write) -> io::Result<()> {
        if !self.line.starts_with(b" ") && !self.line.starts_with(b"\t") {
            let name = self.line.split(|byte| *byte == b':').next().unwrap_or_default();
            self.is_left_out = LEFT_OUT.iter().any(|field| name.eq_ignore_ascii_case(field));
        }
        if !self.is_left_out {
            out.write_all(&self.line)?;
        }
        self.line.clear();
        Ok(())
    }
}

/// Fields by Debian policy section 5.3 and the archive's own; unknown ones are kept.
const LEFT_OUT: [&[u8]; 12] = [
    b"Description",
    b"Description-md5",
    b"Tag",
    b"Homepage",
    b"Maintainer",
    b"Original-Maintainer",
    b"Section",
    b"MD5sum",
    b"SHA1",
    b"Suggests",
    b"Ruby-Versions",
    b"Bugs",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_go_with_all_their_lines_however_the_list_is_cut() {
        let list = b"Package: a\nDescription: x\n more\n .\nVersion: 1\nDepends: b,\n c\n\n\
                     Package: d\nTag: y,\n z\nSHA256: e";
        let expected = "Package: a\nVersion: 1\nDepends: b,\n c\n\nPackage: d\nSHA256: e";
        for size in 1..list.len() {
            let (mut filter, mut out) = (Filter::default(), Vec::new());
            for piece in list.chunks(size) {
                filter.take(piece, &mut out).unwrap();
            }
            filter.finish(&mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
