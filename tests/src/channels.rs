//! AMD's and PyTorch's channels in small: the same addresses, layouts and names, tiny files.
//!
//! What they hold comes from `tests/data/channels/*.tsv`, which names the public files
//! that showed it; how they behave is [`Index::amd`], [`Index::pytorch`] and
//! [`Index::folder`]. The files are fixtures: their hashes are not the real ones.

mod debs;
mod table;

use std::collections::BTreeSet;
use std::path::Path;

pub use debs::{amd_classic, amd_core};
use table::{Row, rows};

use crate::digest::sha256;
use crate::server::{IndexServer, Validity};
use crate::tarball::TarballBuilder;
use crate::wheel::WheelBuilder;
use crate::world::{Index, Served, World};

/// The address of AMD's index for ROCm 10.
pub const WHL_NEXT: &str = "https://stable.repo.amd.com/rocm/whl-next/";
/// The address of AMD's index for ROCm 7.14.
pub const MULTI_ARCH: &str = "https://repo.amd.com/rocm/whl-multi-arch/";

/// A server for a whole world of hosts, and the proxy that leads every address to it.
///
/// A program in a sandbox with [`crate::Sandbox::internet`] sees AMD's and PyTorch's
/// addresses as they are, with valid certificates.
#[derive(Debug)]
pub struct Internet {
    /// The server, which speaks TLS.
    pub server: IndexServer,
    /// The proxy in front of it.
    pub proxy: crate::Proxy,
}

impl Internet {
    /// Serves `world`.
    pub fn start(world: World) -> Self {
        let server = IndexServer::start_tls(world, Validity::Valid);
        let proxy = crate::Proxy::to(&server);
        Self { server, proxy }
    }
}

/// Every channel of wheels that the table knows, and a general index called `main`.
pub fn every_wheel_channel() -> World {
    world_of(&rows())
}

/// [`every_wheel_channel`], where AMD's index for ROCm 10 has the wheels that it has for some
/// Python of Linux for `series` (`3.11`) too: what is run needs an interpreter of this machine.
pub fn every_wheel_channel_for(series: &str) -> World {
    world_of(&rows_for(series))
}

fn rows_for(series: &str) -> Vec<Row> {
    let mut rows = rows();
    let python = format!("cp{}", series.replace('.', ""));
    for row in rows.iter_mut().filter(|row| row.index == WHL_NEXT) {
        let is_of_linux = |tag: &&String| tag.starts_with("cp3") && tag.ends_with("-linux_x86_64");
        let tag = format!("{python}-{python}-linux_x86_64");
        if row.tags.iter().any(|tag| is_of_linux(&tag)) && !row.tags.contains(&tag) {
            row.tags.push(tag);
        }
    }
    rows
}

/// [`every_wheel_channel_for`], where AMD's index for ROCm 10 has these projects and versions as
/// well: made up, for what no public file shows of a release.
pub fn every_wheel_channel_with(series: &str, also: &[(&str, &str)]) -> World {
    let python = format!("cp{}", series.replace('.', ""));
    let made_up = also.iter().map(|(project, version)| Row {
        index: WHL_NEXT.to_owned(),
        project: (*project).to_owned(),
        version: (*version).to_owned(),
        tags: vec![format!("{python}-{python}-linux_x86_64")],
        requires: Vec::new(),
    });
    let mut all = rows_for(series);
    all.extend(made_up);
    world_of(&all)
}

/// The files of every project in `version` at `address`, each with its sha256.
pub fn digests(address: &str, version: &str) -> Vec<(String, String)> {
    let rows = rows();
    let wanted = rows.iter().filter(|row| row.index == address && row.version == version);
    let files = wanted.flat_map(|row| files(row, &rows));
    files.map(|file| (file.filename, sha256(&file.bytes))).collect()
}

/// The channel of wheels at `address`, such as [`WHL_NEXT`] or `https://download.pytorch.org/whl/rocm6.4/`.
pub fn wheels(address: &str) -> Index {
    wheels_of(&rows(), address)
}

fn world_of(rows: &[Row]) -> World {
    let addresses: BTreeSet<&str> = rows.iter().map(|row| row.index.as_str()).collect();
    let world = World::new().index(general());
    addresses.iter().fold(world, |world, address| world.index(wheels_of(rows, address)))
}

fn wheels_of(rows: &[Row], address: &str) -> Index {
    let host = address.split('/').nth(2).unwrap_or_default();
    let mut index = match host {
        "download.pytorch.org" => {
            let files = address.replace("//download.", "//download-r2.");
            Index::pytorch(address).at(address).files_at(&files)
        }
        "repo.radeon.com" => Index::folder(address).at(address),
        "rocm.frameworks.amd.com" | "wheels.vllm.ai" => Index::new(address).at(address),
        _ => Index::amd(address).at(address),
    };
    if address == WHL_NEXT {
        for (project, owner) in table::owners() {
            index = index.owned_by(&project, &format!("https://{host}/rocm/{owner}/"));
        }
    }
    let found: Vec<Row> = rows.iter().filter(|row| row.index == address).cloned().collect();
    assert!(!found.is_empty(), "no row of the table is about `{address}`");
    for row in &found {
        for file in files(row, &found) {
            index = index.wheel(file);
            if row.project.contains("triton") && host == "download.pytorch.org" {
                // They lie at the root of all indexes, without a hash (pytorch issue 173099).
                index = index.lies_at("https://download.pytorch.org/whl/").unhashed();
            }
        }
    }
    index
}

/// The general index, called `main`, with what makes ROCm go wrong there: the CUDA builds of
/// torch and triton, and the placeholders under the names of AMD's packages.
pub fn general() -> Index {
    let mut index = Index::new("main")
        .wheel(WheelBuilder::new("torch", "2.15.0").tag("cp312-cp312-manylinux_2_28_x86_64"))
        .wheel(WheelBuilder::new("triton", "3.9.0").tag("cp312-cp312-manylinux_2_28_x86_64"))
        .sdist("rocm", "0.1.0");
    for name in ["rocm-profiler", "amd-torch-device-gfx1151", "amd-torch-device-gfx942"] {
        index = index.wheel(WheelBuilder::new(name, "0.0.1.dev0").without_module());
    }
    // It is no placeholder: TheRock's wheels need it, and it comes from here.
    index = index.wheel(WheelBuilder::new("rocm-bootstrap", "0.3.0"));
    for name in PLAIN {
        index = index.wheel(WheelBuilder::new(name, "1.0"));
    }
    index
}

/// Adds a tarball of TheRock; `family` is `multiarch`, `gfx110X-all` and the like.
pub fn therock_tarball(world: World, family: &str, version: &str) -> World {
    let address = format!(
        "https://stable.repo.amd.com/rocm/core/tarball/therock-dist-linux-{family}-{version}.tar.gz"
    );
    world.file(&address, TarballBuilder::therock(version).build())
}

/// Adds a standalone Python build (`install_only_stripped`) that runs `interpreter`.
pub fn standalone_python(world: World, version: &str, build: &str, interpreter: &Path) -> World {
    let address = format!(
        "https://github.com/astral-sh/python-build-standalone/releases/download/{build}/\
         cpython-{version}%2B{build}-x86_64-unknown-linux-gnu-install_only_stripped.tar.gz"
    );
    world.file(&address, TarballBuilder::standalone_python(version, interpreter).build())
}

/// The files of a row: a wheel a tag, or the source distribution of `rocm`.
fn files(row: &Row, all: &[Row]) -> Vec<Served> {
    if row.tags == ["sdist"] {
        return vec![rocm_sdist(&row.version)];
    }
    let build = |tag: &String| {
        let mut wheel = WheelBuilder::new(&row.project, &row.version).tag(tag);
        wheel.requires.clone_from(&row.requires);
        for device in device_packages(row, all) {
            let extra = device.rsplit("device-").next().unwrap_or_default().to_owned();
            let pinned = format!("{device}=={}", row.version);
            wheel = wheel.extra(&format!("device-{extra}"), &[&pinned]);
        }
        match row.project.split_once("-device-") {
            // Device wheels hold files inside another package's folder.
            Some(("amd-torch", gfx)) => {
                wheel.without_module().file(&format!("torch/.kpack/torch_{gfx}.kpack"), "kernels\n")
            }
            Some(("rocm-sdk", gfx)) => wheel
                .without_module()
                .file(&format!("_rocm_sdk_libraries/.kpack/blas_lib_{gfx}.kpack"), "kernels\n"),
            _ => wheel,
        }
        .build()
        .into()
    };
    row.tags.iter().map(build).collect()
}

/// The device packages of `row`'s project that its index has in `row`'s version.
fn device_packages<'r>(row: &Row, all: &'r [Row]) -> impl Iterator<Item = &'r str> {
    let prefix = format!("amd-{}-device-", row.project);
    let version = row.version.clone();
    all.iter()
        .filter(move |other| other.project.starts_with(&prefix) && other.version == version)
        .map(|other| other.project.as_str())
}

/// The source distribution `rocm`, whose requirements depend on the machine that builds it:
/// its setup must not be run, and the module in it is pure Python.
fn rocm_sdist(version: &str) -> Served {
    let sdist = TarballBuilder::new()
        .prefix(&format!("rocm-{version}/"))
        .file("PKG-INFO", format!("Metadata-Version: 2.1\nName: rocm\nVersion: {version}\n"))
        .file("setup.py", "raise SystemExit('the setup of rocm was run')\n")
        .file("src/rocm_sdk/__init__.py", format!("__version__ = \"{version}\"\n"))
        .file("src/rocm_sdk/_dist_info.py", "DEFAULT_TARGET_FAMILY = \"gfx94X-dcgpu\"\n")
        .file(
            "src/rocm_sdk/__main__.py",
            "import rocm_sdk\n\n\ndef main():\n    print(rocm_sdk.__version__)\n",
        )
        .file(
            "src/rocm.egg-info/entry_points.txt",
            "[console_scripts]\nrocm-sdk = rocm_sdk.__main__:main\n",
        );
    Served::raw("rocm", version, &format!("rocm-{version}.tar.gz"), sdist.build())
}

/// What torch needs and every index of the world has in the version 1.0.
const PLAIN: [&str; 11] = [
    "filelock",
    "fsspec",
    "jinja2",
    "markupsafe",
    "mpmath",
    "networkx",
    "numpy",
    "pillow",
    "setuptools",
    "sympy",
    "typing-extensions",
];

#[cfg(test)]
mod tests;
