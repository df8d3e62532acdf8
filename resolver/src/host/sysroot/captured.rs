//! A machine that was taken down as a tree of files.
//!
//! Links are followed inside of the tree, absolute ones too, as if it were `/`. Device
//! nodes, owners, ids, the kernel's name, the environment and answers of programs come from
//! the side file.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use rocmenv_manifests::platform::OsFamily;

use super::live::{after_last_mark, after_mark, names_in, stamp_of, start_of};
use super::side_file::{Device, SideFile};
use super::{KernelName, Ownership, Space, Stamp, Sysroot};
use crate::host::facts::{DeviceOpen, Process};

/// Name of the side file, at the top of the tree.
pub const SIDE_FILE: &str = ".rocmenv-capture.toml";

/// A captured machine.
#[derive(Debug, Clone)]
pub struct CapturedSysroot {
    root: PathBuf,
    side: SideFile,
}

/// The side file of a capture cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// It cannot be read.
    #[error("cannot read `{path}`")]
    Read {
        /// Its path.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("`{path}` is not a description of a captured machine")]
    Parse {
        /// Its path.
        path: PathBuf,
        /// Where and why.
        #[source]
        source: Box<toml_edit::de::Error>,
    },
}

impl CapturedSysroot {
    /// The machine under a folder. Without a side file only what the tree holds is known.
    pub fn at(root: impl Into<PathBuf>) -> Result<Self, CaptureError> {
        let root = root.into();
        let path = root.join(SIDE_FILE);
        let side = match fs::read_to_string(&path) {
            Ok(text) => toml_edit::de::from_str(&text)
                .map_err(|source| CaptureError::Parse { path, source: Box::new(source) })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => SideFile::default(),
            Err(source) => return Err(CaptureError::Read { path, source }),
        };
        Ok(Self { root, side })
    }

    fn device(&self, path: &Path) -> Option<&Device> {
        self.side.device.iter().find(|device| Path::new(&device.path) == path)
    }

    fn device_names_in(&self, folder: &Path) -> impl Iterator<Item = String> {
        self.side.device.iter().filter_map(move |device| {
            let path = Path::new(&device.path);
            let name = path.file_name().filter(|_| path.parent() == Some(folder))?;
            Some(name.to_string_lossy().into_owned())
        })
    }

    /// The place in the tree behind a path of the machine.
    fn place(&self, path: &Path) -> io::Result<PathBuf> {
        let canonical = self.follow(path)?;
        if self.side.unreadable.iter().any(|barred| Path::new(barred) == canonical) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(self.outside(&canonical))
    }

    fn outside(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    fn follow(&self, path: &Path) -> io::Result<PathBuf> {
        let mut done = PathBuf::from("/");
        let mut ahead = parts_reversed(path);
        let mut links = 0;
        while let Some(part) = ahead.pop() {
            if part.as_os_str() == ".." {
                done.pop();
                continue;
            }
            let next = done.join(&part);
            let Ok(target) = fs::read_link(self.outside(&next)) else {
                done = next;
                continue;
            };
            links += 1;
            if links > MAXIMUM_LINKS {
                return Err(io::Error::other("too many links"));
            }
            if target.is_absolute() {
                done = PathBuf::from("/");
            }
            ahead.extend(parts_reversed(&target));
        }
        Ok(done)
    }
}

impl Sysroot for CapturedSysroot {
    fn family(&self) -> OsFamily {
        self.side.family.unwrap_or(OsFamily::Linux)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(self.place(path)?)
    }

    fn read_start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>> {
        start_of(&self.place(path)?, length)
    }

    fn read_after(&self, path: &Path, mark: &[u8], length: usize) -> io::Result<Option<Vec<u8>>> {
        after_mark(&self.place(path)?, mark, length)
    }

    fn read_after_last(
        &self,
        path: &Path,
        mark: &[u8],
        length: usize,
    ) -> io::Result<Option<Vec<u8>>> {
        after_last_mark(&self.place(path)?, mark, length)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let devices: Vec<_> = self.device_names_in(path).collect();
        let mut names = match names_in(&self.place(path)?) {
            Ok(names) => names,
            Err(_) if !devices.is_empty() => Vec::new(),
            Err(error) => return Err(error),
        };
        names.extend(devices);
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        if self.device(path).is_some() {
            return Ok(path.to_owned());
        }
        let canonical = self.follow(path)?;
        fs::metadata(self.outside(&canonical))?;
        Ok(canonical)
    }

    fn is_executable(&self, path: &Path) -> bool {
        self.place(path).is_ok_and(|place| place.is_file())
    }

    fn ownership(&self, path: &Path) -> io::Result<Ownership> {
        let device = self.device(path).ok_or(io::ErrorKind::NotFound)?;
        let mode = u32::from_str_radix(&device.mode, 8)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(Ownership { uid: device.uid, gid: device.gid, mode })
    }

    fn stamp(&self, path: &Path) -> io::Result<Stamp> {
        stamp_of(&self.place(path)?)
    }

    fn open_device(&self, path: &Path) -> DeviceOpen {
        self.device(path).map_or(DeviceOpen::Absent, |device| device.open)
    }

    fn kernel(&self) -> io::Result<KernelName> {
        let uname = self.side.uname.as_ref().ok_or(io::ErrorKind::NotFound)?;
        Ok(KernelName { release: uname.release.clone(), machine: uname.machine.clone() })
    }

    fn process(&self) -> io::Result<Process> {
        self.side.process.clone().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn space(&self, path: &Path) -> io::Result<Space> {
        let disk = self.side.disk.iter().find(|disk| Path::new(&disk.path) == path);
        let disk = disk.ok_or(io::ErrorKind::NotFound)?;
        Ok(Space { total: disk.total_bytes, free: disk.free_bytes })
    }

    fn run(&self, program: &Path, _: &[&str], _: Duration) -> io::Result<String> {
        let answers = self.side.program.iter().find(|entry| Path::new(&entry.path) == program);
        match answers {
            Some(entry) if entry.exit_code == 0 => Ok(entry.output.clone()),
            Some(entry) => {
                Err(io::Error::other(format!("the program ended with {}", entry.exit_code)))
            }
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn captured(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.root.join(name)).ok()
    }

    fn variables(&self) -> &BTreeMap<String, String> {
        &self.side.environment
    }
}

/// The parts of a path, last one first, without the root and `.`.
fn parts_reversed(path: &Path) -> Vec<PathBuf> {
    let mut parts: Vec<_> = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir))
        .map(|part| PathBuf::from(part.as_os_str()))
        .collect();
    parts.reverse();
    parts
}

/// As many as Linux follows before it gives up.
const MAXIMUM_LINKS: u32 = 40;
