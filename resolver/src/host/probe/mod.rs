//! Reads a machine into [`HostFacts`], through a [`Sysroot`] and nothing else.
//!
//! Probing cannot fail: what is not there stays unknown, what is there and cannot be read is
//! listed. No ROCm tool is run, since a machine without ROCm is the ordinary case; the
//! only programs that run are Python interpreters.

mod container;
mod devices;
mod dkms;
mod gpu;
mod gpu_kind;
mod interpreters;
mod kfd;
mod libc;
mod machine;
mod names;
mod os_release;
pub(crate) mod package;
mod pci;
pub(crate) mod reader;
mod rocm;
mod windows;

use std::path::PathBuf;
use std::thread;

use rocmenv_manifests::platform::OsFamily;

use super::facts::{
    Base, Driver, DriverFlavour, EnvironmentVariable, HostFacts, Interpreter, role_of,
};
use super::lookup::ProductLookup;
use super::sysroot::Sysroot;
pub(super) use reader::Reader;
pub(super) use windows::registered_interpreters;

/// What to look at beside the machine itself.
pub struct ProbeOptions<'a> {
    /// Names of products, and instruction sets where the kernel does not say them.
    pub products: &'a dyn ProductLookup,
    /// Folders whose free space matters.
    pub disks: Vec<PathBuf>,
    /// Whether to run Python interpreters; they take most of the time.
    pub interpreters: bool,
}

/// Reads a machine.
pub fn probe(root: &dyn Sysroot, options: &ProbeOptions<'_>) -> HostFacts {
    if !options.interpreters {
        return machine_facts(root, options);
    }
    thread::scope(|scope| {
        let interpreters = scope.spawn(|| {
            let mut reader = Reader::new(root);
            let found = interpreters::find(&mut reader);
            (found, reader.into_unread())
        });
        let mut facts = machine_facts(root, options);
        if let Ok((found, unread)) = interpreters.join() {
            let registered = std::mem::replace(&mut facts.python, found);
            facts.python.extend(not_found_yet(registered, &facts.python));
            facts.unread.extend(unread);
        }
        facts
    })
}

/// What only the launcher of Windows knows; what also lies on the search path was run there.
fn not_found_yet(registered: Vec<Interpreter>, found: &[Interpreter]) -> Vec<Interpreter> {
    let same = |one: &Interpreter, other: &Interpreter| {
        one.path.eq_ignore_ascii_case(&other.path)
            || one.real_path.eq_ignore_ascii_case(&other.real_path)
    };
    let is_new = |one: &Interpreter| !found.iter().any(|other| same(one, other));
    registered.into_iter().filter(is_new).collect()
}

fn machine_facts(root: &dyn Sysroot, options: &ProbeOptions<'_>) -> HostFacts {
    let mut facts = HostFacts { base: Base::Probed, ..HostFacts::unknown() };
    facts.disks = machine::disks(root, &options.disks);
    facts.environment = environment(root);
    if root.family() == OsFamily::Windows {
        let mut reader = Reader::new(root);
        windows::native(&mut reader, options.products, &options.disks, &mut facts);
        facts.unread = reader.into_unread();
        return facts;
    }
    let mut reader = Reader::new(root);
    facts.os = os_release::read(&mut reader);
    machine::kernel(&mut reader, &mut facts);
    facts.libc = libc::find(&mut reader);
    facts.cpu = machine::cpu(&mut reader);
    facts.memory = machine::memory(&mut reader);
    facts.process = root.process().ok();
    facts.container = Some(container::find(&mut reader));
    facts.wsl = container::wsl(&mut reader, facts.kernel.release.as_deref());
    facts.driver = driver(&mut reader);
    facts.gpus = gpu::find(&mut reader, options.products, facts.wsl.is_some());
    if facts.wsl.is_some() {
        windows::outside_wsl(&mut reader, options.products, &mut facts);
    }
    facts.devices = devices::find(&mut reader);
    facts.rocm = rocm::find(&mut reader);
    facts.unread = reader.into_unread();
    facts
}

fn driver(reader: &mut Reader<'_>) -> Driver {
    let loaded = reader.exists("/sys/module").then(|| reader.exists("/sys/module/amdgpu"));
    let module_version = reader.line("/sys/module/amdgpu/version");
    let flavour = (loaded == Some(true)).then_some(match module_version {
        // the kernel's own amdgpu declares no version, AMD's dkms build does
        Some(_) => DriverFlavour::Dkms,
        None => DriverFlavour::InTree,
    });
    let package = package::amdgpu_dkms(reader);
    // before the next reboot the package may be another one than the module that runs
    let same = |package: &&super::facts::DriverPackage| match loaded {
        Some(true) => module_version.is_some() && package.module_version == module_version,
        _ => true,
    };
    let release = package.as_ref().filter(same).and_then(|package| package.release.clone());
    Driver {
        loaded,
        flavour,
        release,
        module_version,
        package,
        dkms: dkms::trees(reader),
        ..Driver::default()
    }
}

fn environment(root: &dyn Sysroot) -> Vec<EnvironmentVariable> {
    let watched = |(name, value): (&String, &String)| {
        let role = role_of(name)?;
        Some(EnvironmentVariable { name: name.clone(), value: value.clone(), role })
    };
    root.variables().iter().filter_map(watched).collect()
}
