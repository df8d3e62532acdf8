//! Questions to the kernel of this machine: ids, names, space, owners, opening of devices.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{Gid, Mode, OFlags, statvfs};
use rustix::io::Errno;
use rustix::process::{getegid, geteuid, getgroups};
use rustix::system::uname;

use super::{KernelName, Ownership, Space};
use crate::host::facts::{DeviceOpen, Process};

#[expect(clippy::unnecessary_wraps, reason = "systems without this call answer with an error")]
pub(super) fn kernel() -> io::Result<KernelName> {
    let name = uname();
    let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
    Ok(KernelName { release: text(name.release()), machine: text(name.machine()) })
}

pub(super) fn process() -> io::Result<Process> {
    let mut groups: Vec<u32> = getgroups()?.into_iter().map(Gid::as_raw).collect();
    groups.sort_unstable();
    groups.dedup();
    Ok(Process { uid: geteuid().as_raw(), gid: getegid().as_raw(), groups })
}

pub(super) fn space(path: &Path) -> io::Result<Space> {
    let sizes = statvfs(path)?;
    Ok(Space {
        total: sizes.f_blocks.saturating_mul(sizes.f_frsize),
        free: sizes.f_bavail.saturating_mul(sizes.f_frsize),
    })
}

pub(super) fn ownership(path: &Path) -> io::Result<Ownership> {
    let metadata = fs::metadata(path)?;
    Ok(Ownership { uid: metadata.uid(), gid: metadata.gid(), mode: metadata.mode() & 0o7777 })
}

pub(super) fn is_executable(path: &Path) -> bool {
    fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

pub(super) fn open_device(path: &Path) -> DeviceOpen {
    match OpenOptions::new().read(true).write(true).open(path) {
        Ok(_) => DeviceOpen::Ok,
        Err(error) => error.raw_os_error().map_or(DeviceOpen::NotTried, device_open),
    }
}

/// The records of `/dev/kmsg` (`priority,sequence,time,flags;text`), without waiting for new
/// ones. A record that the ring buffer dropped meanwhile (`EPIPE`) is passed over.
pub(super) fn kernel_log() -> io::Result<String> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let log = rustix::fs::open("/dev/kmsg", flags, Mode::empty())?;
    let mut text = String::new();
    let mut record = vec![0; LONGEST_RECORD];
    for _ in 0..MOST_RECORDS {
        match rustix::io::read(&log, &mut record) {
            Ok(0) | Err(Errno::AGAIN) => break,
            Ok(length) => {
                let line = String::from_utf8_lossy(&record[..length]);
                let line = line.split_once(';').map_or("", |(_, rest)| rest);
                text.push_str(line.lines().next().unwrap_or_default());
                text.push('\n');
            }
            Err(Errno::PIPE | Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(text)
}

/// The kernel's own limit of one record.
const LONGEST_RECORD: usize = 8192;

/// More than any ring buffer holds.
const MOST_RECORDS: usize = 200_000;

/// The meaning of an error number of `open(2)`, as KFD and DRM return it.
fn device_open(errno: i32) -> DeviceOpen {
    match Errno::from_raw_os_error(errno) {
        Errno::NOENT => DeviceOpen::Absent,
        Errno::ACCESS => DeviceOpen::PermissionDenied,
        Errno::PERM => DeviceOpen::NotPermitted,
        Errno::NXIO | Errno::NODEV => DeviceOpen::NoDevice,
        Errno::INVAL => DeviceOpen::InvalidArgument,
        Errno::NOMEM => DeviceOpen::OutOfMemory,
        _ => DeviceOpen::Errno(errno),
    }
}
