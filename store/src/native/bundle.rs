//! Bundles of code objects, as `clang-offload-bundler` writes them and HIP registers them.
//!
//! A section holds one bundle for each source file with kernels, each at a multiple of its
//! alignment with zeros between. Only the table at a bundle's beginning is read, never the code.
//! Format: LLVM, clang/docs/ClangOffloadBundler, "Bundled Binary File Layout".

use std::io::Read;
use std::ops::Range;

use rocmenv_manifests::device_code::{BundleSet, Fault, Isa, NativeFile};

use super::compressed;
use super::source::{Source, Stream};

/// One bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// Where it begins in the file.
    pub at: u64,
    /// The targets that it has code for, sorted.
    pub targets: Vec<Isa>,
    /// Whether it is compressed.
    pub compressed: bool,
}

/// What a range holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Its bundles, in order.
    pub bundles: Vec<Bundle>,
    /// What could not be read.
    pub faults: Vec<Fault>,
}

/// How far the range that is walked is known to hold bundles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Bundles and nothing else: anything else there is a fault.
    Whole,
    /// Bundles begin there; what comes behind the last is something else.
    Open,
}

impl Extent {
    /// Where bundles are looked for: among other things only where clang puts them, because
    /// compilers hold the magic as a text.
    fn alignment(self) -> u64 {
        match self {
            Self::Whole => ALIGNMENT,
            Self::Open => PAGE,
        }
    }
}

/// A table, and where the bundle ends.
pub(super) struct Table {
    pub(super) targets: Vec<Isa>,
    /// Bytes from the bundle's beginning, where they are known.
    pub(super) length: Option<u64>,
}

/// Whether a bundle begins here.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || bytes.starts_with(compressed::MAGIC)
}

/// Reads every bundle of a range.
pub fn walk(source: &dyn Source, range: Range<u64>, extent: Extent) -> Found {
    let mut found = Found::default();
    let end = range.end.min(source.length());
    if range.end > source.length() {
        found.faults.push(damaged(range.start, "its section ends behind the file's end"));
    }
    let mut at = range.start;
    while let Some(next) = skip_zeros(source, at, end) {
        at = next;
        if found.bundles.len() + found.faults.len() >= MOST_BUNDLES {
            found.faults.push(damaged(at, "more bundles than any file has"));
            break;
        }
        let start = source.bytes(at, end, MAGIC.len() as u64).unwrap_or_default();
        let is_compressed = start.starts_with(compressed::MAGIC);
        let table = if is_compressed {
            compressed::table(source, at..end)
        } else if start.starts_with(MAGIC) {
            plain(source, at..end)
        } else if extent == Extent::Whole {
            Err("no bundle begins where one should")
        } else {
            Ok(Table { targets: Vec::new(), length: None })
        };
        let is_bundle = begins(&start);
        let length = match table {
            Ok(table) => {
                if is_bundle {
                    let compressed = is_compressed;
                    found.bundles.push(Bundle { at, targets: table.targets, compressed });
                }
                table.length
            }
            Err(problem) => {
                found.faults.push(damaged(at, problem));
                None
            }
        };
        // Behind a bundle of unknown length the next beginning is looked for.
        let after = length.and_then(|length| at.checked_add(length));
        match after.or_else(|| next_beginning(source, at, end, extent.alignment())) {
            Some(after) if after > at => at = after,
            _ => break,
        }
    }
    found
}

impl Found {
    /// Writes it into the facts of a file, equal bundles counted.
    pub(super) fn put_into(self, file: &mut NativeFile) {
        for bundle in self.bundles {
            let compressed = u32::from(bundle.compressed);
            match file.code.iter_mut().find(|set| set.targets == bundle.targets) {
                Some(set) => {
                    set.bundles += 1;
                    set.compressed += compressed;
                }
                None => {
                    file.code.push(BundleSet { targets: bundle.targets, bundles: 1, compressed });
                }
            }
        }
        file.code.sort_by(|a, b| b.bundles.cmp(&a.bundles).then(a.targets.cmp(&b.targets)));
        // A file of nothing but damage needs no list of it.
        file.faults.extend(self.faults.into_iter().take(MOST_FAULTS));
    }
}

fn plain(source: &dyn Source, range: Range<u64>) -> Result<Table, &'static str> {
    let total = range.end - range.start;
    read_table(&mut Stream::new(source, range.start, range.end), total)
}

/// Reads a table from its magic on. `total` is the most bytes that the bundle can have.
pub(super) fn read_table(from: &mut dyn Read, total: u64) -> Result<Table, &'static str> {
    let mut magic = [0; MAGIC.len()];
    from.read_exact(&mut magic).map_err(|_| CUT)?;
    if magic != *MAGIC {
        return Err("no table of code objects begins it");
    }
    let count = number(from)?;
    if count > MOST_ENTRIES {
        return Err("an absurd number of code objects");
    }
    let (mut targets, mut end) = (Vec::new(), 0);
    let mut read = MAGIC.len() as u64 + 8;
    for _ in 0..count {
        let (offset, size, length) = (number(from)?, number(from)?, number(from)?);
        if length > LONGEST_ID {
            return Err("an absurd name of a code object");
        }
        let mut id = vec![0; usize::try_from(length).map_err(|_| CUT)?];
        from.read_exact(&mut id).map_err(|_| CUT)?;
        read += 24 + length;
        let last = offset.checked_add(size).filter(|last| *last <= total);
        end = last.ok_or("it is cut off: a code object lies behind its end")?.max(end);
        if size > 0 {
            targets.extend(target(&String::from_utf8_lossy(&id))?);
        }
    }
    targets.sort();
    targets.dedup();
    Ok(Table { targets, length: Some(end.max(read)) })
}

/// The target of an entry (`hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-`); none for host code and for
/// other makers' GPUs.
fn target(id: &str) -> Result<Option<Isa>, &'static str> {
    if id.starts_with("host-") || !id.contains("-amd-amdhsa") {
        return Ok(None);
    }
    let target = match id.find("-gfx") {
        Some(at) => id.get(at + 1..),
        None => id.rsplit('-').next(),
    };
    let isa = target.and_then(|target| target.parse().ok());
    isa.map(Some).ok_or("a code object without a target")
}

fn number(from: &mut dyn Read) -> Result<u64, &'static str> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes).map_err(|_| CUT)?;
    Ok(u64::from_le_bytes(bytes))
}

/// The first byte from `at` on that is not zero.
fn skip_zeros(source: &dyn Source, mut at: u64, end: u64) -> Option<u64> {
    while at < end {
        let bytes = source.bytes(at, end, CHUNK)?;
        if let Some(offset) = bytes.iter().position(|byte| *byte != 0) {
            return Some(at + offset as u64);
        }
        at += bytes.len() as u64;
    }
    None
}

/// Where the next bundle begins behind `at`, at a multiple of `alignment`.
pub(super) fn next_beginning(
    source: &dyn Source,
    at: u64,
    end: u64,
    alignment: u64,
) -> Option<u64> {
    let mut from = at.checked_add(1)?.checked_next_multiple_of(alignment)?;
    while from < end {
        // A magic that lies across the border is found in the next chunk.
        let bytes = source.bytes(from, end, CHUNK + MAGIC.len() as u64)?;
        let step = usize::try_from(alignment).ok()?;
        let places = (0..bytes.len().min(usize::try_from(CHUNK).ok()?)).step_by(step);
        if let Some(place) = places.into_iter().find(|place| begins(&bytes[*place..])) {
            return Some(from + place as u64);
        }
        from = from.checked_add(CHUNK)?;
    }
    None
}

fn damaged(at: u64, problem: &str) -> Fault {
    Fault::Damaged { at, problem: problem.to_owned() }
}

pub(super) const MAGIC: &[u8; 24] = b"__CLANG_OFFLOAD_BUNDLE__";
const CUT: &str = "it is cut off";
/// Bundles lie at multiples of 8 at the least; clang puts them at multiples of 4096.
pub(super) const ALIGNMENT: u64 = 8;
const PAGE: u64 = 4096;
const CHUNK: u64 = 64 * 1024;
/// Far above what a bundle for every GPU of today holds.
const MOST_ENTRIES: u64 = 4096;
const LONGEST_ID: u64 = 1024;
/// PyTorch's largest library has some hundreds.
const MOST_BUNDLES: usize = 100_000;
const MOST_FAULTS: usize = 20;
