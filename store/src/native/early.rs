//! When enough of a file is here, while it is still coming from its beginning on.
//!
//! The list of sections stands at a file's end, so that of a compressed member of an archive
//! nothing could be said before all of it came. But a section lies in one loaded segment, whose
//! place is said at the beginning, and bundles begin at multiples of 4096: once the segment that
//! holds the first bundle is here, every bundle is. Files of Windows say at their beginning where
//! each section lies, so that it is known at once whether there is any device code.

use std::ops::Range;

use rocmenv_manifests::device_code::{FileKind, NativeFile};

use super::bundle::{Extent, begins, walk};
use super::pe;
use super::source::{Fields, Source};

/// What was seen of a file so far.
#[derive(Debug, Default)]
pub struct Early {
    segments: Option<Vec<Range<u64>>>,
    scanned: u64,
    first: Option<u64>,
}

impl Early {
    /// Looks at what has come since the last time; gives the range of the code once it is whole.
    pub fn look(&mut self, so_far: &dyn Source) -> Option<Range<u64>> {
        if is_pe(so_far) {
            let end = pe::end_of_code(so_far)?;
            return (end <= so_far.length()).then_some(0..end);
        }
        if self.segments.is_none() {
            self.segments = segments(so_far);
        }
        let here = so_far.length();
        while self.first.is_none() && self.scanned.saturating_add(PAGE) <= here {
            let start = so_far.array::<24>(self.scanned)?;
            if begins(&start) {
                self.first = Some(self.scanned);
            }
            self.scanned += PAGE;
        }
        let first = self.first?;
        let segment = self.segments.as_ref()?.iter().find(|segment| segment.contains(&first))?;
        (segment.end <= here).then_some(first..segment.end)
    }

    /// The facts of a file of which no more than that range was waited for.
    pub fn facts(path: &str, so_far: &dyn Source, code: Range<u64>) -> NativeFile {
        if is_pe(so_far) {
            return pe::read(NativeFile::new(path, FileKind::Pe), so_far);
        }
        let mut file = NativeFile::new(path, FileKind::Elf);
        walk(so_far, code, Extent::Open).put_into(&mut file);
        file
    }
}

fn is_pe(source: &dyn Source) -> bool {
    source.array::<2>(0).is_some_and(|start| start == *b"MZ")
}

/// The loaded segments; `None` until the list of them is here, or where there is none.
fn segments(source: &dyn Source) -> Option<Vec<Range<u64>>> {
    let header = source.array::<64>(0)?;
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let fields = Fields(&header);
    let (at, size, count) = (fields.u64(32)?, fields.u16(54)?, fields.u16(56)?);
    if usize::from(size) != SEGMENT {
        return None;
    }
    let mut found = Vec::new();
    for index in 0..u64::from(count) {
        let segment = source.array::<SEGMENT>(at.checked_add(index * SEGMENT as u64)?)?;
        let fields = Fields(&segment);
        if fields.u32(0)? == LOADED {
            let start = fields.u64(8)?;
            found.push(start..start.checked_add(fields.u64(32)?)?);
        }
    }
    Some(found)
}

const PAGE: u64 = 4096;
const SEGMENT: usize = 56;
const LOADED: u32 = 1;
