//! The native files of a wheel, out of the parts of it that they lie in.
//!
//! The directory at the wheel's end says what it holds. Names of kernel data cost no more. A
//! compressed file can only be read from its beginning on; it is unpacked into a scratch file as
//! it comes, and no more is asked for once all its device code is there.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use rocmenv_manifests::device_code::{NativeFile, ObjectFacts};

use super::object::by_names;
use super::ranges::{Place, Ranges};
use crate::fetch::{FailureClass, FetchError};
use crate::index::Member;
use crate::index::zip_tail::{Pieces, Stop, data_start, members};
use crate::native::{self, DiskSource, Early};
use crate::report::{Progress, Reporter, Task, TaskKind};

/// How much of a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// Until all its device code is there; what it needs to load may then be unknown.
    #[default]
    DeviceCode,
    /// All of it.
    Whole,
}

/// What was read of a wheel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WheelProof {
    /// What its native files hold and need.
    pub facts: ObjectFacts,
    /// Bytes that were read of it.
    pub fetched: u64,
    /// Bytes that it has.
    pub size: u64,
    /// Native files that could not be read.
    pub unread: Vec<Unread>,
}

/// A file of a wheel that was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Its path.
    pub path: String,
    /// Why not.
    pub why: &'static str,
}

/// A wheel could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The network.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// Its server only serves whole files.
    #[error("the server of `{name}` serves no parts of files")]
    NoRanges {
        /// The file.
        name: String,
    },
    /// It is no wheel.
    #[error("`{name}` is no wheel: it has {problem}")]
    Damaged {
        /// The file.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A file of the user's own cannot be read, or the scratch file not written.
    #[error("cannot read or write `{path}`")]
    Local {
        /// The file.
        path: PathBuf,
        /// The system's word.
        #[source]
        source: std::io::Error,
    },
}

impl ProofError {
    /// Which kind of failure it is.
    pub fn class(&self) -> FailureClass {
        match self {
            Self::Fetch(error) => error.class(),
            Self::NoRanges { .. } => FailureClass::Network,
            Self::Damaged { .. } => FailureClass::Integrity,
            Self::Local { .. } => FailureClass::Local,
        }
    }
}

/// Reads the native files of a wheel; `scratch` is a folder that one file at a time is unpacked in.
///
/// # Errors
/// The network, a server without ranges, a file that is no wheel, or the disk.
pub async fn read_wheel(
    place: Place<'_>,
    depth: Depth,
    scratch: &Path,
    reporter: &dyn Reporter,
) -> Result<WheelProof, ProofError> {
    let (mut ranges, first, bytes) = Ranges::open(place, FIRST_READ, reporter).await?;
    let mut pieces = Pieces::new(ranges.total);
    pieces.add(first, bytes);
    let members = directory(&mut ranges, &mut pieces).await?;
    let (data, libraries) = by_names(members.iter().map(|member| member.name.as_str()));
    let mut proof = WheelProof {
        facts: ObjectFacts { files: Vec::new(), data, libraries },
        fetched: 0,
        size: ranges.total,
        unread: Vec::new(),
    };
    let task = Task { kind: TaskKind::Download, name: ranges.name(), total: None };
    let progress = Progress::start(reporter, &task);
    for member in &members {
        let is_data = native::data_of(&member.name).is_some();
        let first = if is_data { None } else { first_part(member) };
        let Some(first) = first else { continue };
        let before = ranges.fetched;
        match read_member(&mut ranges, member, first, depth, scratch).await? {
            Ok(file) => proof.facts.files.extend(file),
            Err(why) => proof.unread.push(Unread { path: member.name.clone(), why }),
        }
        progress.advance(ranges.fetched - before);
    }
    proof.facts.files.sort_by(|a, b| a.path.cmp(&b.path));
    proof.fetched = ranges.fetched;
    Ok(proof)
}

async fn directory(
    ranges: &mut Ranges<'_>,
    pieces: &mut Pieces,
) -> Result<Vec<Member>, ProofError> {
    for _ in 0..MOST_READS {
        match members(pieces) {
            Ok(members) => return Ok(members),
            Err(Stop::Damaged(problem)) => return Err(ranges.damaged(problem)),
            Err(Stop::Needs(range)) => {
                let bytes = ranges.read(range.clone()).await?;
                pieces.add(range.start, bytes);
            }
        }
    }
    Err(ranges.damaged("a directory that leads nowhere"))
}

/// How many bytes are asked for first; `None` for a member that is no native file. The names of
/// libraries say what they are. A program's does not, and it may be a script: of one a little is
/// asked for, and no more unless it begins as a native file does.
fn first_part(member: &Member) -> Option<u64> {
    if native::is_native(&member.name, false) && has_extension(&member.name) {
        return Some(SMALLEST);
    }
    let is_program = member.executable.unwrap_or_else(|| !member.name.contains(".dist-info/"));
    let is_empty = member.unpacked < SMALLEST_PROGRAM;
    (!is_empty && native::is_native(&member.name, is_program)).then_some(GLANCE)
}

fn has_extension(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// The facts of one member: none for one that is no native file after all.
async fn read_member(
    ranges: &mut Ranges<'_>,
    member: &Member,
    first: u64,
    depth: Depth,
    scratch: &Path,
) -> Result<Result<Option<NativeFile>, &'static str>, ProofError> {
    let local = ranges.read(member.offset..member.offset.saturating_add(HEADER)).await?;
    let start = match data_start(member, &local) {
        Ok(start) => start,
        Err(Stop::Damaged(problem)) => return Ok(Err(problem)),
        Err(Stop::Needs(_)) => return Ok(Err("its header leads nowhere")),
    };
    let end = start.saturating_add(member.packed);
    let failed = |source| ProofError::Local { path: scratch.to_owned(), source };
    let mut unpacker = match Unpacker::new(member, scratch).map_err(failed)? {
        Ok(unpacker) => unpacker,
        Err(why) => return Ok(Err(why)),
    };
    let (mut at, mut chunk, mut early) = (start, first, Early::default());
    while at < end {
        let to = at.saturating_add(chunk).min(end);
        let bytes = ranges.read(at..to).await?;
        if let Err(why) = unpacker.put(&bytes).map_err(failed)? {
            return Ok(Err(why));
        }
        if at == start && at < end && !native::begins_native(&unpacker.so_far().map_err(failed)?) {
            return Ok(Ok(None));
        }
        (at, chunk) = (to, (chunk * 2).clamp(SMALLEST, LARGEST));
        if depth == Depth::DeviceCode && at < end {
            let so_far = unpacker.so_far().map_err(failed)?;
            if let Some(code) = early.look(&so_far) {
                return Ok(Ok(Some(Early::facts(&member.name, &so_far, code))));
            }
        }
    }
    match unpacker.finish().map_err(failed)? {
        Ok(whole) => Ok(Ok(native::read(&member.name, &whole))),
        Err(why) => Ok(Err(why)),
    }
}

/// Unpacks what comes into a file without a name.
struct Unpacker {
    writer: Writer,
    scratch: std::fs::File,
    unpacked: u64,
}

enum Writer {
    Stored(Limited),
    Deflated(flate2::write::DeflateDecoder<Limited>),
}

/// A file that may not become larger than the directory says.
struct Limited {
    file: std::fs::File,
    left: u64,
}

impl Unpacker {
    fn new(member: &Member, scratch: &Path) -> std::io::Result<Result<Self, &'static str>> {
        let file = tempfile::tempfile_in(scratch)?;
        let limited = Limited { file: file.try_clone()?, left: member.unpacked };
        let writer = match member.method {
            0 => Writer::Stored(limited),
            8 => Writer::Deflated(flate2::write::DeflateDecoder::new(limited)),
            _ => return Ok(Err("it is packed in an unknown way")),
        };
        Ok(Ok(Self { writer, scratch: file, unpacked: member.unpacked }))
    }

    fn put(&mut self, bytes: &[u8]) -> std::io::Result<Result<(), &'static str>> {
        let written = match &mut self.writer {
            Writer::Stored(file) => file.write_all(bytes),
            Writer::Deflated(file) => file.write_all(bytes).and_then(|()| file.flush()),
        };
        match written {
            Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => Ok(Err(DAMAGED)),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Ok(Err(DAMAGED)),
            Err(error) if error.kind() == std::io::ErrorKind::WriteZero => Ok(Err(DAMAGED)),
            other => other.map(Ok),
        }
    }

    fn so_far(&self) -> std::io::Result<DiskSource> {
        DiskSource::new(self.scratch.try_clone()?)
    }

    fn finish(mut self) -> std::io::Result<Result<DiskSource, &'static str>> {
        if let Writer::Deflated(file) = &mut self.writer
            && file.try_finish().is_err()
        {
            return Ok(Err(DAMAGED));
        }
        let source = self.so_far()?;
        let is_whole = native::Source::length(&source) == self.unpacked;
        Ok(if is_whole { Ok(source) } else { Err(DAMAGED) })
    }
}

impl std::io::Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if bytes.len() as u64 > self.left {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        let written = self.file.write(bytes)?;
        self.left -= written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// Holds the directory of all but the largest wheels.
const FIRST_READ: u64 = 64 * 1024;
const MOST_READS: usize = 8;
/// A local header's own bytes: its name and extra fields follow and are only counted.
const HEADER: u64 = 30;
const SMALLEST: u64 = 128 * 1024;
/// Enough of a packed program to see how it begins.
const GLANCE: u64 = 1024;
/// The header of an ELF file; anything shorter is none.
const SMALLEST_PROGRAM: u64 = 64;
const LARGEST: u64 = 4 * 1024 * 1024;
const DAMAGED: &str = "its compressed data is damaged";
