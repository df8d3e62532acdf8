//! A machine seen through something: all is asked of the machine under it, but for what the layer
//! answers itself.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rocmenv_manifests::platform::OsFamily;

use super::{KernelName, Ownership, Space, Stamp, Sysroot};
use crate::host::facts::{DeviceOpen, Process};
use crate::host::windows::RegistryValue;

/// A layer over a machine. Whatever is a layer is a [`Sysroot`], too.
pub trait LayeredSysroot: Sync {
    /// The machine under it.
    fn under(&self) -> &dyn Sysroot;

    /// That these bytes of a file were read, the whole of it or its start.
    fn seen(&self, _: &Path, _: &[u8]) {}

    /// What a program answers.
    ///
    /// # Errors
    /// As [`Sysroot::run`].
    fn answer(&self, program: &Path, arguments: &[&str], limit: Duration) -> io::Result<String> {
        self.under().run(program, arguments, limit)
    }

    /// What a slow program answers; see [`Sysroot::run_once`].
    ///
    /// # Errors
    /// As [`Sysroot::run_once`].
    fn answer_once(
        &self,
        program: &Path,
        arguments: &[&str],
        limit: Duration,
    ) -> io::Result<String> {
        self.under().run_once(program, arguments, limit)
    }

    /// The environment of the process.
    fn environment(&self) -> &BTreeMap<String, String> {
        self.under().variables()
    }
}

impl<L: LayeredSysroot> Sysroot for L {
    fn family(&self) -> OsFamily {
        self.under().family()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = self.under().read(path)?;
        self.seen(path, &bytes);
        Ok(bytes)
    }

    fn read_start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>> {
        let bytes = self.under().read_start(path, length)?;
        self.seen(path, &bytes);
        Ok(bytes)
    }

    fn read_after(&self, path: &Path, mark: &[u8], length: usize) -> io::Result<Option<Vec<u8>>> {
        self.under().read_after(path, mark, length)
    }

    fn read_after_last(
        &self,
        path: &Path,
        mark: &[u8],
        length: usize,
    ) -> io::Result<Option<Vec<u8>>> {
        self.under().read_after_last(path, mark, length)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.under().list(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.under().canonical(path)
    }

    fn is_executable(&self, path: &Path) -> bool {
        self.under().is_executable(path)
    }

    fn ownership(&self, path: &Path) -> io::Result<Ownership> {
        self.under().ownership(path)
    }

    fn stamp(&self, path: &Path) -> io::Result<Stamp> {
        self.under().stamp(path)
    }

    fn open_device(&self, path: &Path) -> DeviceOpen {
        self.under().open_device(path)
    }

    fn kernel(&self) -> io::Result<KernelName> {
        self.under().kernel()
    }

    fn process(&self) -> io::Result<Process> {
        self.under().process()
    }

    fn space(&self, path: &Path) -> io::Result<Space> {
        self.under().space(path)
    }

    fn run(&self, program: &Path, arguments: &[&str], limit: Duration) -> io::Result<String> {
        self.answer(program, arguments, limit)
    }

    fn run_once(&self, program: &Path, arguments: &[&str], limit: Duration) -> io::Result<String> {
        self.answer_once(program, arguments, limit)
    }

    fn registry(&self, key: &str, depth: u32) -> io::Result<Vec<RegistryValue>> {
        self.under().registry(key, depth)
    }

    fn variables(&self) -> &BTreeMap<String, String> {
        self.environment()
    }

    fn kernel_log(&self) -> io::Result<String> {
        self.under().kernel_log()
    }

    fn captured(&self, name: &str) -> Option<Vec<u8>> {
        self.under().captured(name)
    }

    fn exists(&self, path: &Path) -> bool {
        self.under().exists(path)
    }
}
