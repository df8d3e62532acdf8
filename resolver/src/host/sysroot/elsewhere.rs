//! Where there is no unix kernel to ask: every question is answered with "unsupported", so
//! that the facts behind it stay unknown.

use std::io;
use std::path::Path;

use super::{KernelName, Ownership, Space};
use crate::host::facts::{DeviceOpen, Process};

pub(super) fn kernel() -> io::Result<KernelName> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn process() -> io::Result<Process> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn space(_: &Path) -> io::Result<Space> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn ownership(_: &Path) -> io::Result<Ownership> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn is_executable(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("exe"))
        && path.is_file()
}

pub(super) fn open_device(_: &Path) -> DeviceOpen {
    DeviceOpen::NotTried
}

pub(super) fn kernel_log() -> io::Result<String> {
    Err(io::ErrorKind::Unsupported.into())
}
