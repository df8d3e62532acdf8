//! Windows: what one query says, natively, or asked from inside a WSL of the Windows outside.
//!
//! In a capture the answer is that of the program in the side file, or texts that were taken
//! from the machine lie at the top of the tree.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rocmenv_manifests::platform::OsFamily;

use super::Reader;
use super::gpu::{choose_by_name, common_gfx};
use crate::host::facts::{
    DisplayAdapter, Driver, DriverFlavour, GfxSource, Gpu, HostFacts, Interpreter, Os,
};
use crate::host::lookup::{Product, ProductLookup};
use crate::host::sysroot::Sysroot;
use crate::host::windows::{
    KEYS, POWERSHELL, PYTHON_CORES, QUERY, Sources, WindowsFacts, decoded, registry_export,
    video_controllers,
};

/// Fills the facts of a native Windows.
pub(super) fn native(
    reader: &mut Reader<'_>,
    products: &dyn ProductLookup,
    folders: &[PathBuf],
    facts: &mut HostFacts,
) {
    facts.os = Os { family: Some(OsFamily::Windows), ..Os::default() };
    let (sources, adapters) = match native_sources(reader) {
        Some(sources) => (sources, Adapters::Present),
        None => match registry_alone(reader) {
            Some(sources) => (sources, Adapters::EverPresent),
            None => return,
        },
    };
    let read = WindowsFacts::of(&sources);
    facts.os = read.os();
    facts.arch = read.arch();
    facts.cpu = read.cpu();
    facts.memory = read.memory();
    facts.disks = read.disks(folders);
    facts.driver = read.driver().unwrap_or(Driver { loaded: Some(false), ..Driver::default() });
    facts.rocm = read.rocm();
    facts.python = read.interpreters();
    match adapters {
        Adapters::Present if read.windows.adapters.is_empty() => {}
        Adapters::Present => facts.gpus = Some(gpus(&read.windows.adapters, products)),
        Adapters::EverPresent => {
            reader.note("GPUs", "the registry keeps adapters that are gone");
            if !agree(&read.windows.adapters) {
                facts.driver = Driver::default();
            }
        }
    }
    facts.windows = Some(read.windows);
}

/// What a list of adapters means.
enum Adapters {
    /// They are there.
    Present,
    /// They had a driver once: the registry's keys outlive a card that was taken out.
    EverPresent,
}

/// Whether all of AMD's adapters have the same driver, whichever of them are still there.
fn agree(adapters: &[DisplayAdapter]) -> bool {
    let ours = || adapters.iter().filter(|adapter| adapter.is_amd());
    let first = ours().next();
    first.is_some_and(|first| ours().all(|one| one.driver_number == first.driver_number))
}

/// Fills what a WSL can learn of the Windows outside: its release, driver and adapters.
pub(super) fn outside_wsl(
    reader: &mut Reader<'_>,
    products: &dyn ProductLookup,
    facts: &mut HostFacts,
) {
    let powershell = given(reader.root())
        .unwrap_or_else(|| Path::new("/mnt/c/Windows").join(POWERSHELL.replace('\\', "/")));
    let sources = reader.exists(&powershell).then(|| ask(reader, &powershell)).flatten();
    match sources {
        Some(sources) => {
            let read = WindowsFacts::of(&sources);
            if let Some(wsl) = &mut facts.wsl {
                wsl.windows = read.release();
            }
            if let Some(driver) = read.driver() {
                facts.driver = driver;
            }
            if !read.windows.adapters.is_empty() {
                facts.gpus = Some(gpus(&read.windows.adapters, products));
            }
        }
        None => {
            if let Some(driver) = shared_driver(reader) {
                facts.driver = driver;
            }
        }
    }
    if facts.gpus.is_none() {
        reader.note("GPUs", "WSL shows GPUs to the runtime only");
    }
}

/// The driver by the inf file of the store that Windows shares with WSL, which has Windows'
/// number and no Adrenalin version.
fn shared_driver(reader: &mut Reader<'_>) -> Option<Driver> {
    let folders = reader.list(DRIVER_STORE);
    // AMD's graphics drivers are called u0NNNNNN.inf
    let ours = folders.iter().filter(|name| name.starts_with("u0"));
    let mut versions = ours.filter_map(|folder| {
        let (inf, _) = folder.split_once(".inf_amd64_")?;
        let path = format!("{DRIVER_STORE}/{folder}/{inf}.inf");
        let text = decoded(&reader.root().read(path.as_ref()).ok()?);
        let said = text.lines().find_map(|line| {
            let (label, value) = line.split_once('=')?;
            label.trim().eq_ignore_ascii_case("DriverVer").then(|| value.trim().to_owned())
        })?;
        let (day, number) = said.split_once(',')?;
        let display = text.contains("PCI\\VEN_1002");
        display.then(|| (day.trim().to_owned(), number.trim().to_owned()))
    });
    // several may lie there, and nothing says which of them runs
    let (date, number) = versions.next()?;
    versions.next().is_none().then_some(())?;
    Some(Driver {
        loaded: Some(true),
        flavour: Some(DriverFlavour::Adrenalin),
        windows_number: Some(number),
        windows_date: crate::host::windows::day(&date),
        ..Driver::default()
    })
}

fn native_sources(reader: &mut Reader<'_>) -> Option<Sources> {
    if let Some(sources) = captured(reader) {
        return Some(sources);
    }
    let powershell = given(reader.root()).unwrap_or_else(|| {
        let variables = reader.root().variables();
        let root = variables.iter().find(|(name, _)| name.eq_ignore_ascii_case("SystemRoot"));
        let root = root.map_or(r"C:\Windows", |(_, folder)| folder.as_str());
        PathBuf::from(format!(r"{root}\{POWERSHELL}"))
    });
    ask(reader, &powershell)
}

/// What the registry says by itself: where WMI hangs, nobody answers for it, and the build, the
/// driver in both its numbers and settings are known all the same.
fn registry_alone(reader: &Reader<'_>) -> Option<Sources> {
    let read = |(key, depth)| reader.root().registry(key, depth).unwrap_or_default();
    Sources::of_registry(KEYS.into_iter().flat_map(read).collect())
}

/// The interpreters that registered themselves for the launcher of Windows (PEP 514), in a
/// capture or on this machine; no program is run for it.
pub(in crate::host) fn registered_interpreters(root: &dyn Sysroot) -> Vec<Interpreter> {
    // what a capture has wrong is told by whoever reads it for its facts
    let captured = captured(&mut Reader::new(root));
    let sources = captured.unwrap_or_else(|| Sources {
        registry: PYTHON_CORES
            .into_iter()
            .flat_map(|(key, depth)| root.registry(key, depth).unwrap_or_default())
            .collect(),
        ..Sources::default()
    });
    WindowsFacts::of(&sources).interpreters()
}

fn ask(reader: &mut Reader<'_>, powershell: &Path) -> Option<Sources> {
    let words = ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", QUERY];
    let root = reader.root();
    let answer = root.run_once(powershell, &words, limit(root)).map_err(|error| error.to_string());
    let read =
        answer.and_then(|answer| Sources::from_json(&answer).map_err(|error| error.to_string()));
    match read {
        Ok(sources) => Some(sources),
        Err(why) => {
            reader.note("Windows, by PowerShell", why);
            None
        }
    }
}

/// The PowerShell that a variable names: a WSL may have its disks elsewhere than under `/mnt`.
fn given(root: &dyn Sysroot) -> Option<PathBuf> {
    root.variables().get(PROGRAM_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// How long PowerShell may take: a cold one takes seconds, and a broken WMI never answers.
fn limit(root: &dyn Sysroot) -> Duration {
    let said = root.variables().get(LIMIT_VARIABLE).and_then(|text| text.trim().parse().ok());
    said.map_or(LIMIT, Duration::from_secs)
}

/// Texts at the top of a captured tree.
fn captured(reader: &mut Reader<'_>) -> Option<Sources> {
    let text = |name: &str| Some(decoded(&reader.root().captured(name)?));
    let mut sources = match text("windows.json").map(|text| Sources::from_json(&text)) {
        Some(Ok(sources)) => sources,
        Some(Err(error)) => {
            reader.note("windows.json", error.to_string());
            return None;
        }
        None => Sources::default(),
    };
    if let Some(export) = text("registry.reg") {
        sources.registry.extend(registry_export(&export));
    }
    for name in ["video-controllers.txt", "dxdiag.txt"] {
        if let (true, Some(list)) = (sources.video_controllers.is_empty(), text(name)) {
            sources.video_controllers = video_controllers(&list);
        }
    }
    (sources != Sources::default()).then_some(sources)
}

/// AMD's adapters as GPUs. Windows has no KFD: the instruction set is the table's for the PCI id.
fn gpus(adapters: &[DisplayAdapter], table: &dyn ProductLookup) -> Vec<Gpu> {
    adapters.iter().filter(|adapter| adapter.is_amd()).map(|adapter| gpu(adapter, table)).collect()
}

fn gpu(adapter: &DisplayAdapter, table: &dyn ProductLookup) -> Gpu {
    let mut products = adapter.pci.map(|id| table.by_pci(id)).unwrap_or_default();
    let gfx = common_gfx(&products);
    if let Some(name) = &adapter.name {
        choose_by_name(&mut products, name);
    }
    let gfx = gfx.or_else(|| common_gfx(&products));
    let kind = products
        .first()
        .and_then(|first| first.kind)
        .filter(|kind| products.iter().all(|product: &Product| product.kind == Some(*kind)));
    let names: Vec<String> = products.iter().map(|product| product.name.clone()).collect();
    let mut gpu = Gpu {
        gfx,
        gfx_source: gfx.map(|_| GfxSource::PciTable),
        marketing_name: adapter.name.clone(),
        pci: adapter.pci,
        kind: kind.or_else(|| table.kind_of(gfx?)),
        vram_bytes: adapter.memory_bytes,
        kernel_driver: adapter.driver_number.is_some().then(|| "amdkmdag".to_owned()),
        ..Gpu::default()
    };
    match names.as_slice() {
        [only] => gpu.product = Some(only.clone()),
        _ => gpu.product_candidates = names,
    }
    gpu
}

const LIMIT: Duration = Duration::from_secs(15);

const PROGRAM_VARIABLE: &str = "ROCMENV_POWERSHELL";

/// In seconds.
const LIMIT_VARIABLE: &str = "ROCMENV_PROBE_SECONDS";

const DRIVER_STORE: &str = "/usr/lib/wsl/drivers";
