//! A copy of an ELF file with another search path, and as little else changed as can be.
//!
//! The names of a dynamic section lie in a table that has no room left, so a longer table goes
//! behind the last loaded segment, which is moved to the end of the file for that:
//!
//! ```text
//! before  headers | segments ... | last segment |        sections that are not loaded
//! after   headers | segments ... | (old bytes)  |        ... | last segment | .bss | names
//! ```
//!
//! No address changes but that of the table; symbols, versions, hashes, notes, relocations,
//! thread-local data, protection and separate debug information stay true. There is no program
//! header to make room for, which is what makes such changes fail. A file is never held in memory:
//! libraries of ROCm have up to two gigabytes.
//!
//! Formats: System V gABI, chapters 4 and 5.

use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use fs_err as fs;
use object::elf::{self, Dyn64, FileHeader64, ProgramHeader64, SectionHeader64};
use object::{LittleEndian, pod};

use crate::fs::DiskError;
use crate::native::{DiskSource, Source};

/// Goes up when the same call begins to give another file.
pub(super) const VERSION: u32 = 1;

/// A file got no copy.
#[derive(Debug)]
pub(super) enum RewriteError {
    /// It is not such a file as can be changed.
    Unfit(&'static str),
    /// The disk failed.
    Disk(DiskError),
}

impl From<io::Error> for RewriteError {
    fn from(error: io::Error) -> Self {
        Self::Disk(error.into())
    }
}

/// Writes a copy of `from` to the new file `to` whose search path is `runpath`.
///
/// A file that has DT_RPATH and no DT_RUNPATH keeps the kind: such a path also serves what its
/// libraries load.
pub(super) fn rewrite(from: &Path, to: &Path, runpath: &str) -> Result<(), RewriteError> {
    let source = DiskSource::open(from)?;
    let change = Image::read(&source)?.with(&source, runpath)?;
    let (mut input, mut output) =
        (fs::File::open(from)?.into_parts().0, fs::File::create_new(to)?.into_parts().0);
    let written = change.write(&mut input, &mut output);
    if written.is_err() {
        let _ = fs::remove_file(to);
    }
    Ok(written?)
}

type E = LittleEndian;
const LE: E = LittleEndian;

/// The lists of a file.
struct Image {
    header: FileHeader64<E>,
    segments: Vec<ProgramHeader64<E>>,
    sections: Vec<SectionHeader64<E>>,
    length: u64,
}

/// What is written over a copy.
struct Change {
    /// The bytes of the last segment: from, how many, to.
    moved: (u64, u64, u64),
    /// Places in the new file and their bytes, none of which overlap.
    edits: Vec<(u64, Vec<u8>)>,
}

impl Image {
    fn read(source: &DiskSource) -> Result<Self, RewriteError> {
        let header: FileHeader64<E> =
            *many(source, 0, 1)?.first().ok_or(RewriteError::Unfit(HEADER))?;
        let ident = &header.e_ident;
        if ident.magic != elf::ELFMAG
            || ident.class != elf::ELFCLASS64
            || ident.data != elf::ELFDATA2LSB
        {
            return Err(RewriteError::Unfit("it is not for a 64-bit little-endian machine"));
        }
        let count = u64::from(header.e_phnum.get(LE));
        let segments = many(source, header.e_phoff.get(LE), count)?;
        let at = header.e_shoff.get(LE);
        let mut count = u64::from(header.e_shnum.get(LE));
        if at != 0 && count == 0 {
            // Then the first section's size is the count.
            let first: Vec<SectionHeader64<E>> = many(source, at, 1)?;
            count = first.first().map_or(u64::MAX, |first| first.sh_size.get(LE));
        }
        let sections = if at == 0 { Vec::new() } else { many(source, at, count)? };
        Ok(Self { header, segments, sections, length: source.length() })
    }

    fn with(mut self, source: &DiskSource, runpath: &str) -> Result<Change, RewriteError> {
        let last = self.last_segment()?;
        let names = self.names(source, runpath)?;
        let segment = self.segments[last];
        let (start, size) = (segment.p_offset.get(LE), segment.p_filesz.get(LE));
        let (address, memory) = (segment.p_vaddr.get(LE), segment.p_memsz.get(LE));
        let to = self.end_for(&segment)?;
        let table =
            Table { address: address + memory, at: to + memory, size: names.bytes.len() as u64 };
        let is_moved = |at: u64| (start..start + size).contains(&at);
        let moved = |at: u64| if is_moved(at) { at - start + to } else { at };

        let mut edits = vec![(table.at, names.bytes)];
        for (at, entry) in names.entries {
            let value = match entry.d_tag.get(LE) {
                tag if tag == elf::DT_STRTAB => table.address,
                tag if tag == elf::DT_STRSZ => table.size,
                _ => entry.d_val.get(LE),
            };
            let mut entry = entry;
            entry.d_val.set(LE, value);
            edits.push((moved(at), pod::bytes_of(&entry).to_vec()));
        }
        for (index, one) in self.segments.iter_mut().enumerate() {
            if index == last {
                one.p_offset.set(LE, to);
                one.p_filesz.set(LE, memory + table.size);
                one.p_memsz.set(LE, memory + table.size);
            } else if one.p_filesz.get(LE) > 0 {
                one.p_offset.set(LE, moved(one.p_offset.get(LE)));
            }
        }
        for section in self.sections.iter_mut().filter(|one| is_loaded(one)) {
            let (its_address, at) = (section.sh_addr.get(LE), section.sh_offset.get(LE));
            if section.sh_type.get(LE) == elf::SHT_STRTAB && its_address == names.old_address {
                section.sh_addr.set(LE, table.address);
                section.sh_offset.set(LE, table.at);
                section.sh_size.set(LE, table.size);
            } else if (address..=address + memory).contains(&its_address) && at >= start {
                section.sh_offset.set(LE, to + (its_address - address));
            }
        }
        edits.push((self.header.e_phoff.get(LE), pod::bytes_of_slice(&self.segments).to_vec()));
        if !self.sections.is_empty() {
            edits.push((self.header.e_shoff.get(LE), pod::bytes_of_slice(&self.sections).to_vec()));
        }
        Ok(Change { moved: (start, size, to), edits })
    }

    /// The loaded segment with the highest addresses, behind which there is room.
    fn last_segment(&self) -> Result<usize, RewriteError> {
        let end = |one: &ProgramHeader64<E>| one.p_vaddr.get(LE).checked_add(one.p_memsz.get(LE));
        let loads = self.of_kind(elf::PT_LOAD);
        let (last, segment) = loads
            .max_by_key(|(_, one)| one.p_vaddr.get(LE))
            .ok_or(RewriteError::Unfit("nothing of it is loaded"))?;
        let highest = self.of_kind(elf::PT_LOAD).map(|(_, one)| end(one)).max().flatten();
        let (start, size) = (segment.p_offset.get(LE), segment.p_filesz.get(LE));
        let headers = (self.segments.len() * size_of::<ProgramHeader64<E>>()) as u64;
        let lists = self.header.e_phoff.get(LE).saturating_add(headers).max(HEADER_SIZE);
        let memory = segment.p_memsz.get(LE);
        if start.checked_add(size).is_none_or(|end| end > self.length) || size > memory {
            return Err(RewriteError::Unfit("it is cut off"));
        }
        if highest.is_none() || highest != end(segment) {
            return Err(RewriteError::Unfit("its segments lie in each other"));
        }
        if start < lists {
            return Err(RewriteError::Unfit("its headers are in the segment that would move"));
        }
        // What has no bytes in the file gets some.
        if memory - size > LARGEST_BSS {
            return Err(RewriteError::Unfit("its zeroed data is too large to be written out"));
        }
        Ok(last)
    }

    /// The table of names with the path behind it, and the entries that must change.
    fn names(&self, source: &DiskSource, runpath: &str) -> Result<Names, RewriteError> {
        let mut all = self.of_kind(elf::PT_DYNAMIC).map(|(_, one)| one);
        let (Some(segment), None) = (all.next(), all.next()) else {
            return Err(RewriteError::Unfit("it has no dynamic section"));
        };
        let (at, each) = (segment.p_offset.get(LE), size_of::<Dyn64<E>>() as u64);
        let entries: Vec<Dyn64<E>> = many(source, at, segment.p_filesz.get(LE) / each)?;
        let is = |tag| move |entry: &Dyn64<E>| entry.d_tag.get(LE) == tag;
        let end = entries
            .iter()
            .position(is(elf::DT_NULL))
            .ok_or(RewriteError::Unfit("its dynamic section has no end"))?;
        // Of two of one kind the loader takes the last.
        let find = |tag| entries[..end].iter().rposition(is(tag));
        let (Some(table), Some(size)) = (find(elf::DT_STRTAB), find(elf::DT_STRSZ)) else {
            return Err(RewriteError::Unfit("it has no table of names"));
        };
        let (old_address, length) = (entries[table].d_val.get(LE), entries[size].d_val.get(LE));
        let mut bytes: Vec<u8> = many(source, self.place_of(old_address, length)?, length)?;
        let mut path = Dyn64::<E> { d_tag: entries[end].d_tag, d_val: entries[end].d_val };
        path.d_val.set(LE, length);
        let slot = match (find(elf::DT_RUNPATH), find(elf::DT_RPATH)) {
            (Some(slot), _) | (None, Some(slot)) => {
                path.d_tag = entries[slot].d_tag;
                slot
            }
            // Linkers leave some entries free; one has to stay as the end.
            (None, None) if entries.get(end + 1).is_some_and(is(elf::DT_NULL)) => {
                path.d_tag.set(LE, elf::DT_RUNPATH);
                end
            }
            (None, None) => {
                return Err(RewriteError::Unfit("its dynamic section has no room for a path"));
            }
        };
        bytes.extend(runpath.as_bytes());
        bytes.push(0);
        let place = |index: usize| at + index as u64 * each;
        let changed = [(table, entries[table]), (size, entries[size]), (slot, path)];
        let entries = changed.map(|(index, entry)| (place(index), entry)).to_vec();
        Ok(Names { bytes, entries, old_address })
    }

    /// Where in the file an address lies.
    fn place_of(&self, address: u64, length: u64) -> Result<u64, RewriteError> {
        let end = address.checked_add(length);
        let mut loads = self.of_kind(elf::PT_LOAD).filter(|(_, one)| {
            let start = one.p_vaddr.get(LE);
            let whole = start.checked_add(one.p_filesz.get(LE));
            start <= address && end.is_some() && end <= whole
        });
        let (_, segment) =
            loads.next().ok_or(RewriteError::Unfit("its table of names is not loaded"))?;
        Ok(segment.p_offset.get(LE).saturating_add(address - segment.p_vaddr.get(LE)))
    }

    /// The first place behind everything where a segment may be mapped from.
    fn end_for(&self, segment: &ProgramHeader64<E>) -> Result<u64, RewriteError> {
        let align = segment.p_align.get(LE).max(1);
        if !align.is_power_of_two() || align > LARGEST_ALIGN {
            return Err(RewriteError::Unfit("an absurd alignment"));
        }
        let short = segment.p_vaddr.get(LE).wrapping_sub(self.length) & (align - 1);
        Ok(self.length + short)
    }

    fn of_kind(&self, kind: u32) -> impl Iterator<Item = (usize, &ProgramHeader64<E>)> {
        self.segments.iter().enumerate().filter(move |(_, one)| one.p_type.get(LE) == kind)
    }
}

/// The new table of names.
struct Names {
    bytes: Vec<u8>,
    /// Entries of the dynamic section with their places in the old file.
    entries: Vec<(u64, Dyn64<E>)>,
    old_address: u64,
}

/// Where the new table comes to lie.
struct Table {
    address: u64,
    at: u64,
    size: u64,
}

impl Change {
    fn write(&self, input: &mut std::fs::File, output: &mut std::fs::File) -> io::Result<()> {
        io::copy(input, output)?;
        let (from, size, to) = self.moved;
        input.seek(SeekFrom::Start(from))?;
        output.seek(SeekFrom::Start(to))?;
        io::copy(&mut input.take(size), output)?;
        // What lies between was never written and reads as zeros, as it would in memory.
        for (at, bytes) in &self.edits {
            output.seek(SeekFrom::Start(*at))?;
            output.write_all(bytes)?;
        }
        Ok(())
    }
}

fn is_loaded(section: &SectionHeader64<E>) -> bool {
    section.sh_flags.get(LE) & u64::from(elf::SHF_ALLOC) != 0
}

/// So many records at a place.
fn many<T: pod::Pod>(source: &DiskSource, at: u64, count: u64) -> Result<Vec<T>, RewriteError> {
    let size = count.checked_mul(size_of::<T>() as u64).filter(|size| *size <= LARGEST_TABLE);
    let size = size.ok_or(RewriteError::Unfit("an absurd number of entries"))?;
    if at.checked_add(size).is_none_or(|end| end > source.length()) {
        return Err(RewriteError::Unfit("it is cut off"));
    }
    let mut bytes = vec![0; usize::try_from(size).map_err(|_| RewriteError::Unfit(HEADER))?];
    source.read_at(at, &mut bytes)?;
    let records = pod::slice_from_all_bytes::<T>(&bytes);
    Ok(records.map_err(|()| RewriteError::Unfit(HEADER))?.to_vec())
}

const HEADER: &str = "its header is damaged";
const HEADER_SIZE: u64 = size_of::<FileHeader64<E>>() as u64;
/// Names of C++ take tens of megabytes in the largest libraries.
const LARGEST_TABLE: u64 = 256 * 1024 * 1024;
const LARGEST_BSS: u64 = 64 * 1024 * 1024;
/// The largest page of any Linux, and what linkers have aligned segments to.
const LARGEST_ALIGN: u64 = 2 * 1024 * 1024;

#[cfg(all(test, unix))] // made and run by a compiler of this system
mod tests;
