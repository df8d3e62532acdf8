//! Windows programs and DLLs: the same sections under shorter names, and the DLLs they import.

use object::read::ReadCache;
use object::read::pe::PeFile64;
use object::{Object as _, ObjectSection as _, pe};
use rocmenv_manifests::device_code::{Fault, Linking, NativeFile};

use super::source::{Source, Stream};
use super::{elf, kpack};

/// Fills in what the file says of itself.
pub(super) fn read(mut file: NativeFile, source: &dyn Source) -> NativeFile {
    if let Err(problem) = read_into(&mut file, source) {
        file.faults.push(Fault::Unreadable { problem: problem.to_owned() });
    }
    file
}

fn read_into(file: &mut NativeFile, source: &dyn Source) -> Result<(), &'static str> {
    let cache = ReadCache::new(Stream::all(source));
    let parsed = PeFile64::parse(&cache).map_err(|_| "it is no 64-bit Windows file")?;
    let (mut code, mut registers) = (Vec::new(), false);
    for section in parsed.sections() {
        let Some((at, size)) = section.file_range() else { continue };
        // What the file holds may be padded beyond what is loaded.
        let range = at..at.saturating_add(size.min(section.size()));
        match section.name_bytes().unwrap_or_default() {
            b".hip_fat" => code.push(range),
            b".hipFatB" => registers |= !range.is_empty(),
            b".kpackrf" => {
                let bytes = source.bytes(range.start, range.end, kpack::LARGEST_MARKER);
                file.reference = bytes.and_then(|bytes| kpack::read_reference(&bytes));
            }
            _ => {}
        }
    }
    elf::put_code(file, source, code, registers);
    let is_small = parsed.section_table().iter().all(|section| {
        let address = section.virtual_address.get(object::LittleEndian);
        let size = section.size_of_raw_data.get(object::LittleEndian);
        let imports = parsed.data_directory(pe::IMAGE_DIRECTORY_ENTRY_IMPORT);
        let at = imports.map_or(0, |imports| imports.virtual_address.get(object::LittleEndian));
        !(address..address.saturating_add(size)).contains(&at) || size <= LARGEST_SECTION
    });
    if is_small {
        file.linking = imports(&parsed);
    }
    Ok(())
}

/// Where the device code of a file ends of which the beginning is here: the end of its list of
/// sections where none holds any; `None` before that list is here.
pub(super) fn end_of_code(source: &dyn Source) -> Option<u64> {
    let cache = ReadCache::new(Stream::all(source));
    let parsed = PeFile64::parse(&cache).ok()?;
    let ends = parsed.sections().filter(|section| {
        let name = section.name_bytes().unwrap_or_default();
        CODE.contains(&name)
    });
    let end = ends.filter_map(|one| one.file_range()).map(|(at, size)| at.saturating_add(size));
    Some(end.max().unwrap_or(0))
}

fn imports<'d, R: object::ReadRef<'d>>(parsed: &PeFile64<'d, R>) -> Option<Linking> {
    let mut found = Linking::default();
    let Some(table) = parsed.import_table().ok()? else { return Some(found) };
    let mut descriptors = table.descriptors().ok()?;
    while let Some(descriptor) = descriptors.next().ok()? {
        let name = table.name(descriptor.name.get(object::LittleEndian)).ok()?;
        found.needs.push(String::from_utf8_lossy(name).into_owned());
        if found.needs.len() > MOST_DLLS {
            return None;
        }
    }
    Some(found)
}

/// Sections that hold device code, register it, or refer to it.
const CODE: [&[u8]; 3] = [b".hip_fat", b".hipFatB", b".kpackrf"];
/// The section with the imports is read whole; larger ones are left alone.
const LARGEST_SECTION: u32 = 256 * 1024 * 1024;
const MOST_DLLS: usize = 10_000;
