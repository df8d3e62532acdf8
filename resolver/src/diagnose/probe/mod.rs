//! Reads off a machine what only a diagnosis wants, through [`Sysroot`] and nothing else. On Linux
//! no tool is run but rpm, where the packages are its own; on Windows the registry is asked by
//! Windows' own `reg`.

mod config;
mod kernel;
mod packages;
mod pci;
mod windows;

use std::path::PathBuf;

use rocmenv_manifests::platform::OsFamily;

use super::facts::{Facts, Surroundings};
use crate::host::HostFacts;
use crate::host::probe_reader::Reader;
use crate::host::sysroot::Sysroot;

/// What to look at beside the machine.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The folder of the environment's packages (`site-packages`), where there is one.
    pub site_packages: Option<PathBuf>,
}

/// What a probe gives: facts, and texts that are still to be parsed.
#[derive(Debug, Clone, Default)]
pub struct Probed {
    /// The facts.
    pub facts: Facts,
    /// Lines of the kernel log that concern GPUs, and Windows' answers.
    pub texts: Vec<String>,
}

/// Reads the machine around facts that were read already.
pub fn probe(root: &dyn Sysroot, host: HostFacts, options: &Options) -> Probed {
    let mut around = Surroundings::default();
    let mut texts = Vec::new();
    let mut reader = Reader::new(root);
    if let Some(folder) = &options.site_packages {
        packages::python(&mut reader, folder, &mut around);
    }
    if root.family() == OsFamily::Windows {
        windows::read(root, &mut around, &mut texts);
        return Probed { facts: Facts { host, around }, texts };
    }
    kernel::read(&mut reader, &host, &mut around);
    pci::read(&mut reader, &host, &mut around);
    packages::system(&mut reader, &mut around);
    packages::hip_libraries(&mut reader, &host, options.site_packages.as_deref(), &mut around);
    texts.extend(packages::rpm(&mut reader));
    texts.extend(kernel::log(root));
    Probed { facts: Facts { host, around }, texts }
}
