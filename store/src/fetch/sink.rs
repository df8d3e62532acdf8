//! Writes a file that comes in pieces and hashes it on the way, in a thread of its own: neither
//! disk nor hash may hold up the network.

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use rocmenv_manifests::digest::Sha256;
use sha2::Digest as _;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::error::FetchError;

/// An open file that takes pieces.
pub(super) struct Sink {
    pieces: mpsc::Sender<Bytes>,
    writer: JoinHandle<Result<Written, FetchError>>,
}

/// What a file became.
pub(super) struct Written {
    /// The hash of all of it.
    pub(super) sha256: Sha256,
    /// Its bytes.
    pub(super) size: u64,
}

impl Sink {
    /// Opens the file, keeping its first `kept` bytes.
    pub(super) fn open(path: PathBuf, kept: u64) -> Self {
        let (pieces, incoming) = mpsc::channel(PIECES_WAITING);
        let writer = tokio::task::spawn_blocking(move || write(&path, kept, incoming));
        Self { pieces, writer }
    }

    /// Takes a piece. `false` means that the writer has failed; `finish` says why.
    pub(super) async fn take(&self, piece: Bytes) -> bool {
        self.pieces.send(piece).await.is_ok()
    }

    /// Waits until all is written.
    pub(super) async fn finish(self) -> Result<Written, FetchError> {
        drop(self.pieces);
        match self.writer.await {
            Ok(written) => written,
            Err(stopped) => Err(FetchError::disk("", std::io::Error::other(stopped))),
        }
    }
}

/// The hash and the size of a file.
pub(super) fn digest_file(path: &Path) -> std::io::Result<Written> {
    let mut file = fs_err::File::open(path)?;
    let mut hasher = sha2::Sha256::new();
    let size = feed(&mut file, &mut hasher, u64::MAX)?;
    Ok(Written { sha256: Sha256::from_bytes(hasher.finalize().into()), size })
}

fn write(path: &Path, kept: u64, incoming: mpsc::Receiver<Bytes>) -> Result<Written, FetchError> {
    append(path, kept, incoming).map_err(|source| FetchError::disk(path, source))
}

fn append(path: &Path, kept: u64, mut incoming: mpsc::Receiver<Bytes>) -> std::io::Result<Written> {
    let mut file = fs_err::OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    file.set_len(kept)?;
    let mut hasher = sha2::Sha256::new();
    let mut size = feed(&mut file, &mut hasher, kept)?;
    file.seek(SeekFrom::Start(size))?;
    while let Some(piece) = incoming.blocking_recv() {
        file.write_all(&piece)?;
        hasher.update(&piece);
        size += piece.len() as u64;
    }
    Ok(Written { sha256: Sha256::from_bytes(hasher.finalize().into()), size })
}

fn feed(file: &mut impl Read, hasher: &mut sha2::Sha256, limit: u64) -> std::io::Result<u64> {
    let mut buffer = vec![0; BUFFER];
    let mut limited = file.take(limit);
    let mut size = 0;
    loop {
        let count = limited.read(&mut buffer)?;
        if count == 0 {
            return Ok(size);
        }
        hasher.update(&buffer[..count]);
        size += count as u64;
    }
}

/// Enough that a slow write does not stop the network at once, few enough to stay small.
const PIECES_WAITING: usize = 64;
const BUFFER: usize = 256 * 1024;
