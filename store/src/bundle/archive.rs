//! A bundle as one tar file, every byte of which follows from its list.
//!
//! Any tar reads it. What is read here is compared header by header with what would be written,
//! so that a byte that no digest covers (an owner, a filling) cannot differ either.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use fs_err as fs;
use rocmenv_manifests::digest::Sha256;
use sha2::Digest as _;

use super::list::{Bundle, BundleFile};
use super::{BundleError, LIST, place_of};

pub(super) fn read(at: &Path) -> Result<Bundle, BundleError> {
    Reader::open(at)?.list()
}

pub(super) fn write(
    to: &Path,
    bundle: &Bundle,
    sources: &BTreeMap<Sha256, PathBuf>,
) -> Result<(), BundleError> {
    let folder = to.parent().filter(|path| !path.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    {
        let mut out = BufWriter::with_capacity(BUFFER, new.as_file_mut());
        let list = bundle.to_text();
        out.write_all(&head(LIST, list.len() as u64)?)?;
        out.write_all(&list)?;
        out.write_all(filling(list.len() as u64))?;
        for file in bundle.here() {
            let Some(source) = sources.get(&file.sha256) else {
                return Err(BundleError::damaged(to, format!("`{}` is missing", file.path())));
            };
            out.write_all(&head(&file.path(), file.size)?)?;
            let copied = io::copy(&mut fs::File::open(source)?.take(file.size), &mut out)?;
            if copied != file.size {
                return Err(BundleError::damaged(to, format!("`{}` is cut off", file.path())));
            }
            out.write_all(filling(file.size))?;
        }
        out.write_all(&END)?;
        out.flush()?;
    }
    new.as_file().sync_all()?;
    new.persist(to).map_err(|error| error.error)?;
    readable(to)
}

pub(super) fn take(
    at: &Path,
    wanted: &BTreeSet<Sha256>,
    downloads: &Path,
) -> Result<Bundle, BundleError> {
    let mut reader = Reader::open(at)?;
    let bundle = reader.list()?;
    for file in bundle.here() {
        let is_wanted = wanted.contains(&file.sha256);
        let place = is_wanted.then(|| place_of(file, downloads, at)).transpose()?;
        reader.file(file, place.as_deref())?;
    }
    reader.end()?;
    Ok(bundle)
}

struct Reader<'a> {
    at: &'a Path,
    file: BufReader<fs::File>,
}

impl<'a> Reader<'a> {
    fn open(at: &'a Path) -> Result<Self, BundleError> {
        match fs::File::open(at) {
            Ok(file) => Ok(Self { at, file: BufReader::with_capacity(BUFFER, file) }),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(BundleError::NotOne { at: at.to_owned() })
            }
            Err(error) => Err(error.into()),
        }
    }

    fn list(&mut self) -> Result<Bundle, BundleError> {
        let mut header = tar::Header::new_gnu();
        self.exactly(header.as_mut_bytes(), LIST)?;
        let size = header.entry_size().ok().filter(|size| *size <= LARGEST_LIST);
        let size = size.ok_or_else(|| self.damaged("the header of `bundle.json`"))?;
        if head(LIST, size)? != header.as_bytes() {
            return Err(self.damaged("the header of `bundle.json`"));
        }
        let mut text = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
        self.exactly(&mut text, LIST)?;
        self.expect(filling(size), LIST)?;
        Bundle::parse(&text).map_err(|fault| BundleError::of_list(self.at, fault))
    }

    /// Reads one file to its end; keeps it at `place`, once its digest is known to be right.
    fn file(&mut self, file: &BundleFile, place: Option<&Path>) -> Result<(), BundleError> {
        let path = file.path();
        self.expect(&head(&path, file.size)?, &path)?;
        let folder = place.and_then(Path::parent);
        let mut kept = folder.map(tempfile::NamedTempFile::new_in).transpose()?;
        let mut hasher = sha2::Sha256::new();
        let mut buffer = vec![0; BUFFER];
        let mut left = file.size;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(BUFFER).min(BUFFER);
            self.exactly(&mut buffer[..most], &path)?;
            hasher.update(&buffer[..most]);
            if let Some(kept) = &mut kept {
                kept.write_all(&buffer[..most])?;
            }
            left -= most as u64;
        }
        if Sha256::from_bytes(hasher.finalize().into()) != file.sha256 {
            return Err(self.damaged(&format!("`{path}`")));
        }
        self.expect(filling(file.size), &path)?;
        if let (Some(kept), Some(place)) = (kept, place) {
            kept.persist(place).map_err(|error| error.error)?;
            readable(place)?;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), BundleError> {
        self.expect(&END, "its end")?;
        match self.file.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(self.damaged("what comes after its end")),
        }
    }

    fn expect(&mut self, wanted: &[u8], what: &str) -> Result<(), BundleError> {
        let mut found = vec![0; wanted.len()];
        self.exactly(&mut found, what)?;
        if found == wanted { Ok(()) } else { Err(self.damaged(&format!("around `{what}`"))) }
    }

    fn exactly(&mut self, buffer: &mut [u8], what: &str) -> Result<(), BundleError> {
        match self.file.read_exact(buffer) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Err(BundleError::damaged(self.at, format!("it is cut off in `{what}`")))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn damaged(&self, where_: &str) -> BundleError {
        BundleError::damaged(self.at, format!("{where_} is not what was written"))
    }
}

/// Everything that stands before the content of a file.
fn head(path: &str, size: u64) -> io::Result<Vec<u8>> {
    let mut header = tar::Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o644);
    header.set_entry_type(tar::EntryType::Regular);
    let mut builder = tar::Builder::new(Vec::new());
    builder.append_data(&mut header, path, io::empty())?;
    // Without its content, and without the end that the builder would write.
    let mut bytes = std::mem::take(builder.get_mut());
    bytes.truncate(bytes.len() / BLOCK * BLOCK);
    Ok(bytes)
}

/// What fills the last block of a file.
fn filling(size: u64) -> &'static [u8] {
    let over = usize::try_from(size % BLOCK as u64).unwrap_or_default();
    if over == 0 { &[] } else { &END[..BLOCK - over] }
}

/// A temporary file is its owner's alone; a bundle is for others.
fn readable(path: &Path) -> Result<(), BundleError> {
    Ok(crate::fs::set_mode(path, 0o644)?)
}

const BLOCK: usize = 512;
const END: [u8; 2 * BLOCK] = [0; 2 * BLOCK];
const BUFFER: usize = 256 * 1024;
const LARGEST_LIST: u64 = 64 * 1024 * 1024;

#[cfg(test)]
mod tests {
    use rocmenv_manifests::lock::ArtifactKind;

    use super::*;

    /// A bundle of two files, one with a name that does not fit into a plain header.
    fn bundle(folder: &Path) -> (Bundle, BTreeMap<Sha256, PathBuf>) {
        let mut sources = BTreeMap::new();
        let mut files = Vec::new();
        let long = format!("{}-1.0-py3-none-any.whl", "long_name".repeat(12));
        for (name, content) in [("a-1.0-py3-none-any.whl", vec![7; 700]), (&long, vec![9; 512])] {
            let path = folder.join(name);
            fs::write(&path, &content).unwrap();
            let sha256 = Sha256::of(&content);
            files.push(BundleFile {
                name: name.to_owned(),
                sha256,
                size: content.len() as u64,
                kind: ArtifactKind::Wheel,
                targets: vec!["node".parse().unwrap()],
                here: true,
            });
            sources.insert(sha256, path);
        }
        (Bundle { files, rows: Vec::new() }, sources)
    }

    #[test]
    fn what_was_written_is_taken_and_no_byte_may_differ() {
        let folder = tempfile::tempdir().unwrap();
        let (bundle, sources) = bundle(folder.path());
        let at = folder.path().join("bundle.tar");
        write(&at, &bundle, &sources).unwrap();
        let wanted: BTreeSet<Sha256> = sources.keys().copied().collect();
        let downloads = folder.path().join("downloads");
        assert_eq!(take(&at, &wanted, &downloads).unwrap(), bundle);
        for (sha256, source) in &sources {
            let name = source.file_name().unwrap();
            let taken = fs::read(downloads.join(sha256.to_string()).join(name)).unwrap();
            assert_eq!(taken, fs::read(source).unwrap());
        }
        let good = fs::read(&at).unwrap();
        for place in 0..good.len() {
            let mut bad = good.clone();
            bad[place] ^= 0x20;
            fs::write(&at, bad).unwrap();
            assert!(take(&at, &BTreeSet::new(), &downloads).is_err(), "byte {place}");
        }
        for cut in [0, 100, 600, good.len() - 1] {
            fs::write(&at, &good[..cut]).unwrap();
            assert!(take(&at, &BTreeSet::new(), &downloads).is_err(), "cut at {cut}");
        }
        fs::write(&at, [good.as_slice(), &[0]].concat()).unwrap();
        assert!(take(&at, &BTreeSet::new(), &downloads).is_err(), "something behind it");
    }

    #[test]
    fn any_tar_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let (bundle, sources) = bundle(folder.path());
        let at = folder.path().join("bundle.tar");
        write(&at, &bundle, &sources).unwrap();
        let mut archive = tar::Archive::new(fs::File::open(&at).unwrap());
        let names = archive
            .entries()
            .unwrap()
            .map(|entry| entry.unwrap().path().unwrap().to_string_lossy().into_owned());
        let mut expected = vec![LIST.to_owned()];
        expected.extend(bundle.files.iter().map(BundleFile::path));
        assert_eq!(names.collect::<Vec<_>>(), expected);
    }
}
