//! ELF files: the sections with device code, and what the file needs to load.

use std::ops::Range;

use object::read::elf::{Dyn as _, FileHeader as _, SectionHeader as _, SectionTable};
use object::read::{ReadCache, SectionIndex};
use object::{Endianness, elf};
use rocmenv_manifests::device_code::{Fault, Linking, NativeFile, VersionNeed};

use super::bundle::{Extent, walk};
use super::kpack;
use super::source::{Fields, Source, Stream};

type Header = elf::FileHeader64<Endianness>;
type Cache<'s> = ReadCache<Stream<'s>>;
type Table<'d, 's> = SectionTable<'d, Header, &'d Cache<'s>>;

/// Fills in what the file says of itself.
pub(super) fn read(mut file: NativeFile, source: &dyn Source) -> NativeFile {
    if let Err(problem) = read_into(&mut file, source) {
        file.faults.push(Fault::Unreadable { problem: problem.to_owned() });
    }
    file
}

fn read_into(file: &mut NativeFile, source: &dyn Source) -> Result<(), &'static str> {
    check_header(source)?;
    let cache = ReadCache::new(Stream::all(source));
    let header = Header::parse(&cache).map_err(|_| HEADER)?;
    let endian = header.endian().map_err(|_| HEADER)?;
    let sections = header.sections(endian, &cache).map_err(|_| SECTIONS)?;
    let (mut code, mut registers) = (Vec::new(), false);
    for section in sections.iter() {
        let range = section.file_range(endian).map(|(at, size)| at..at.saturating_add(size));
        match (sections.section_name(endian, section).unwrap_or_default(), range) {
            (b".hip_fatbin", Some(range)) if !range.is_empty() => code.push(range),
            (b".hipFatBinSegment", Some(range)) => registers |= !range.is_empty(),
            (b".rocm_kpack_ref", Some(range)) => {
                let bytes = source.bytes(range.start, range.end, kpack::LARGEST_MARKER);
                file.reference = bytes.and_then(|bytes| kpack::read_reference(&bytes));
                if file.reference.is_none() {
                    let problem = "its reference to kernel archives is damaged".to_owned();
                    file.faults.push(Fault::Unreadable { problem });
                }
            }
            _ => {}
        }
    }
    put_code(file, source, code, registers);
    // What it needs is another question than what it holds: not read, where it cannot be.
    file.linking = linking(source, endian, &cache, &sections).ok();
    Ok(())
}

/// Device code in these ranges; `registers` says whether the file announces any.
pub(super) fn put_code(
    file: &mut NativeFile,
    source: &dyn Source,
    ranges: Vec<Range<u64>>,
    registers: bool,
) {
    for range in ranges {
        walk(source, range, Extent::Whole).put_into(file);
    }
    let is_empty = file.code.is_empty() && file.faults.is_empty();
    if registers && is_empty && file.reference.is_none() {
        file.faults.push(Fault::Missing);
    }
}

/// Sizes that the header claims have limits: the library allocates what it is told.
fn check_header(source: &dyn Source) -> Result<(), &'static str> {
    let header = source.array::<64>(0).ok_or(HEADER)?;
    if header[4] != 2 || header[5] != 1 {
        return Err("it is not for a 64-bit little-endian machine");
    }
    let fields = Fields(&header);
    let (at, mut count) = (fields.u64(40).unwrap_or(0), u64::from(fields.u16(60).unwrap_or(0)));
    if at == 0 {
        return Err("it has no list of sections");
    }
    if count == 0 {
        // Then the first section's size is the count.
        let first = source.array::<64>(at).ok_or(SECTIONS)?;
        count = Fields(&first).u64(32).unwrap_or(u64::MAX);
    }
    if count > MOST_SECTIONS { Err("an absurd number of sections") } else { Ok(()) }
}

fn linking<'d, 's>(
    source: &dyn Source,
    endian: Endianness,
    cache: &'d Cache<'s>,
    sections: &Table<'d, 's>,
) -> Result<Linking, &'static str> {
    let is_small = |kind: u32| {
        let mut of_kind = sections.iter().filter(|section| section.sh_type(endian) == kind);
        of_kind.all(|section| section.sh_size(endian) <= LARGEST_TABLE)
    };
    if !is_small(elf::SHT_DYNAMIC) || !is_small(elf::SHT_GNU_VERNEED) {
        return Err("a dynamic section of absurd size");
    }
    let mut found = Linking::default();
    if let Some((entries, link)) = sections.dynamic(endian, cache).map_err(|_| DYNAMIC)? {
        let names = Names::of(source, endian, sections, link)?;
        let (mut runpath, mut rpath) = (None, None);
        for entry in entries.iter().take(MOST_NEEDS) {
            let tag = entry.d_tag(endian);
            if tag == elf::DT_NULL {
                break;
            }
            let text = || names.at(entry.d_val(endian));
            match tag {
                elf::DT_NEEDED => found.needs.push(text()?),
                elf::DT_SONAME => found.soname = Some(text()?),
                elf::DT_RUNPATH => runpath = Some(text()?),
                elf::DT_RPATH => rpath = Some(text()?),
                _ => {}
            }
        }
        // A loader reads DT_RPATH only where there is no DT_RUNPATH.
        let search = runpath.or(rpath).unwrap_or_default();
        found.search = search.split(':').filter(|one| !one.is_empty()).map(str::to_owned).collect();
    }
    found.versions = versions(source, endian, cache, sections)?;
    Ok(found)
}

fn versions<'d, 's>(
    source: &dyn Source,
    endian: Endianness,
    cache: &'d Cache<'s>,
    sections: &Table<'d, 's>,
) -> Result<Vec<VersionNeed>, &'static str> {
    let mut found = Vec::new();
    let needs = sections.gnu_verneed(endian, cache).map_err(|_| VERSIONS)?;
    let Some((mut libraries, link)) = needs else { return Ok(found) };
    let names = Names::of(source, endian, sections, link)?;
    while let Some((library, mut versions)) = libraries.next().map_err(|_| VERSIONS)? {
        let name = names.at(u64::from(library.vn_file.get(endian)))?;
        while let Some(version) = versions.next().map_err(|_| VERSIONS)? {
            let version = names.at(u64::from(version.vna_name.get(endian)))?;
            found.push(VersionNeed { library: name.clone(), version });
            if found.len() > MOST_NEEDS {
                return Err("an absurd number of versions");
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// The versions of symbols that a library defines (`GLIBCXX_3.4.30` ...); empty where it cannot
/// be read.
pub fn defined_versions(source: &dyn Source) -> Vec<String> {
    read_definitions(source).unwrap_or_default()
}

fn read_definitions(source: &dyn Source) -> Option<Vec<String>> {
    check_header(source).ok()?;
    let cache = ReadCache::new(Stream::all(source));
    let header = Header::parse(&cache).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, &cache).ok()?;
    let table = sections.iter().find(|one| one.sh_type(endian) == elf::SHT_GNU_VERDEF)?;
    if table.sh_size(endian) > LARGEST_TABLE {
        return None;
    }
    let (mut definitions, link) = table.gnu_verdef(endian, &cache).ok()??;
    let all = Names::of(source, endian, &sections, link).ok()?;
    let mut found = Vec::new();
    while let Some((_, mut names)) = definitions.next().ok()? {
        if let Some(name) = names.next().ok()? {
            found.push(all.at(u64::from(name.vda_name.get(endian))).ok()?);
        }
        if found.len() > MOST_NEEDS {
            return None;
        }
    }
    Some(found)
}

/// A section of names. They are read one by one, because the section of a large library has
/// tens of megabytes, and RUNPATHs longer than the library's own limit are published.
struct Names<'s> {
    source: &'s dyn Source,
    range: Range<u64>,
}

impl<'s> Names<'s> {
    fn of(
        source: &'s dyn Source,
        endian: Endianness,
        sections: &Table<'_, '_>,
        index: SectionIndex,
    ) -> Result<Self, &'static str> {
        let section = sections.section(index).map_err(|_| DYNAMIC)?;
        let (at, size) = section.file_range(endian).ok_or(DYNAMIC)?;
        Ok(Self { source, range: at..at.checked_add(size).ok_or(DYNAMIC)? })
    }

    fn at(&self, offset: u64) -> Result<String, &'static str> {
        let start = self.range.start.checked_add(offset).ok_or(DYNAMIC)?;
        for limit in [256, 4096, LONGEST_NAME] {
            let bytes = self.source.bytes(start, self.range.end, limit).ok_or(DYNAMIC)?;
            if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
                return Ok(String::from_utf8_lossy(&bytes[..end]).into_owned());
            }
        }
        Err("a name of absurd length")
    }
}

const HEADER: &str = "its header is damaged";
const SECTIONS: &str = "its list of sections is damaged";
const DYNAMIC: &str = "its dynamic section is damaged";
const VERSIONS: &str = "its versions of symbols are damaged";
const MOST_SECTIONS: u64 = 20_000;
const LARGEST_TABLE: u64 = 4 * 1024 * 1024;
const MOST_NEEDS: usize = 10_000;
const LONGEST_NAME: u64 = 64 * 1024;
