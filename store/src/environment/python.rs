//! The virtual environment: its layout, its own files, and the packages in it.

use std::path::{Path, PathBuf};

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::platform::OsFamily;

use super::blueprint::{Action, Blueprint, Identity};
use super::build::EnvironmentError;
use super::project::{LocalProject, PROJECT_FILE};
use crate::fs::joined;
use crate::layout::GenerationLayout;
use crate::object::Object;
use crate::unpack::{Entry, Node};
use crate::wheel::{
    FileSource, InstalledFile, Launcher, Place, Scheme, WheelError, WheelInfo, install,
    install_rocm_meta, of_entry_point,
};

/// One virtual environment of one interpreter.
pub(super) struct PythonLayout<'p> {
    pub(super) interpreter: &'p Interpreter,
    pub(super) scheme: Scheme,
    series: (u32, u32),
    /// The environment's own interpreter, absolute: what scripts begin with.
    pub(super) program: String,
}

impl<'p> PythonLayout<'p> {
    pub(super) fn new(
        interpreter: &'p Interpreter,
        place: &GenerationLayout,
        system: OsFamily,
        launcher: Option<Launcher>,
    ) -> Result<Self, EnvironmentError> {
        let series = series(&interpreter.version)?;
        let scheme = Scheme { launcher, ..Scheme::of_venv(system, series.0, series.1) };
        let name = if system == OsFamily::Windows { "python.exe" } else { "python" };
        let program = place.env().join(&scheme.scripts).join(name);
        let program = program.to_string_lossy().into_owned();
        Ok(Self { interpreter, scheme, series, program })
    }

    /// Adds the folders of the scheme, first of all, so that on Windows they are spelled as CPython
    /// spells them whatever a package calls them.
    pub(super) fn add_folders(&self, blueprint: &mut Blueprint) {
        blueprint.folder(&in_env(&self.scheme.site_packages));
        blueprint.folder(&in_env(&self.scheme.scripts));
    }

    /// Adds a wheel or TheRock's `rocm` archive, with its bytecode.
    pub(super) fn add_package(
        &self,
        blueprint: &mut Blueprint,
        object: &Object,
        compiled: Option<&Object>,
    ) -> Result<(), WheelError> {
        let (tree, entries) = (object.layout.tree(), &object.manifest.entries);
        let owner = blueprint.owner(&object.manifest.name);
        let files = if object.manifest.kind == ArtifactKind::RocmMeta {
            let version = &object.manifest.version;
            install_rocm_meta(&tree, entries, &self.scheme, &self.program, version)?
        } else {
            let mut extra = Vec::new();
            if let Some(compiled) = compiled {
                let info = WheelInfo::read(&tree, entries)?;
                let bytecode = Origin::of(compiled);
                for entry in &compiled.manifest.entries {
                    let Place::Module(path) = self.scheme.place(&info, &entry.path)? else {
                        continue;
                    };
                    add_linked(blueprint, owner, &bytecode, entry, in_env(&path));
                    extra.push(path);
                }
            }
            install(&tree, entries, &self.scheme, &self.program, &extra)?
        };
        let origin = Origin::of(object);
        for file in files {
            add_installed(blueprint, owner, &origin, file);
        }
        Ok(())
    }

    /// Adds `pyvenv.cfg` and the interpreter (PEP 405).
    pub(super) fn add_itself(&self, blueprint: &mut Blueprint) {
        let owner = blueprint.owner("the virtual environment");
        let real = Path::new(&self.interpreter.path);
        let home = real.parent().unwrap_or(real).display();
        let version = &self.interpreter.version;
        let config = format!(
            "home = {home}\nimplementation = CPython\nversion = {version}\n\
             include-system-site-packages = false\n"
        );
        add_written(blueprint, owner, "env/pyvenv.cfg".to_owned(), config.into(), false);
        match self.scheme.system {
            OsFamily::Windows => self.add_redirectors(blueprint, owner, real),
            OsFamily::Linux => self.add_links(blueprint, owner),
        }
    }

    /// `python` leads to the interpreter, its other names to `python`.
    fn add_links(&self, blueprint: &mut Blueprint, owner: usize) {
        let scripts = &self.scheme.scripts;
        let (major, minor) = self.series;
        let names =
            ["python".to_owned(), format!("python{major}"), format!("python{major}.{minor}")];
        for (at, name) in names.into_iter().enumerate() {
            let path = in_env(&format!("{scripts}/{name}"));
            let target = if at == 0 { self.interpreter.path.clone() } else { "python".to_owned() };
            let identity = Identity::Symlink(target.clone());
            blueprint.add(owner, path, Action::Symlink { target }, identity);
        }
    }

    /// On Windows the programs are copies of CPython's own launchers, which read `pyvenv.cfg`;
    /// from 3.13 on they are called `venvlauncher.exe`.
    fn add_redirectors(&self, blueprint: &mut Blueprint, owner: usize, real: &Path) {
        let folder = real.with_file_name("Lib").join("venv").join("scripts").join("nt");
        for (name, launcher) in
            [("python.exe", "venvlauncher.exe"), ("pythonw.exe", "venvwlauncher.exe")]
        {
            let new = folder.join(launcher);
            let from = if new.exists() { new } else { folder.join(name) };
            if !from.exists() && name == "pythonw.exe" {
                // Smaller builds leave out what has no console.
                continue;
            }
            let path = in_env(&format!("{}/{name}", self.scheme.scripts));
            let identity = Identity::Symlink(from.to_string_lossy().into_owned());
            blueprint.add(owner, path, Action::Copy { from, mode: 0o755 }, identity);
        }
    }

    /// Makes a project importable from its source.
    pub(super) fn add_project(
        &self,
        blueprint: &mut Blueprint,
        project: &LocalProject,
    ) -> Result<(), WheelError> {
        let owner = blueprint.owner(&project.name);
        let path = in_env(&project_file(&self.scheme));
        add_written(blueprint, owner, path, project.path_file().into(), false);
        for point in &project.scripts {
            for file in of_entry_point(point, &self.scheme, &self.program, true)? {
                add_installed(blueprint, owner, &Origin::default(), file);
            }
        }
        Ok(())
    }
}

/// Where files come from: the tree of an object, and whether it is somebody else's. Files that
/// lie in no object have the default.
#[derive(Default)]
pub(super) struct Origin {
    tree: PathBuf,
    foreign: bool,
}

impl Origin {
    pub(super) fn of(object: &Object) -> Self {
        Self { tree: object.layout.tree(), foreign: object.foreign }
    }
}

/// Adds a file of an object that may be linked.
pub(super) fn add_linked(
    blueprint: &mut Blueprint,
    owner: usize,
    origin: &Origin,
    entry: &Entry,
    path: String,
) {
    match &entry.node {
        Node::File { sha256, size, executable } => {
            let from = joined(&origin.tree, &entry.path);
            let (size, mode, foreign) = (*size, entry.node.mode(), origin.foreign);
            let action = Action::Link { from, size, mode, foreign };
            let identity = Identity::File { sha256: *sha256, executable: *executable };
            blueprint.add(owner, path, action, identity);
        }
        Node::Link { target } => {
            let action = Action::Symlink { target: target.clone() };
            blueprint.add(owner, path, action, Identity::Symlink(target.clone()));
        }
        Node::Folder => blueprint.folder(&path),
    }
}

fn add_installed(blueprint: &mut Blueprint, owner: usize, origin: &Origin, file: InstalledFile) {
    let identity = Identity::File { sha256: file.sha256, executable: file.executable };
    let in_tree = |path: String| joined(&origin.tree, &path);
    let foreign = origin.foreign;
    let mode = if file.executable { 0o755 } else { 0o644 };
    let linked = if file.executable { 0o555 } else { 0o444 };
    let link = |from| Action::Link { from, size: file.size, mode: linked, foreign };
    let action = match file.source {
        FileSource::Linked(from) => link(in_tree(from)),
        FileSource::Stored(from) => link(from),
        FileSource::Copied(from) => Action::Copy { from: in_tree(from), mode },
        FileSource::Written(content) => Action::Write { content, mode },
    };
    blueprint.add(owner, in_env(&file.path), action, identity);
}

fn add_written(
    blueprint: &mut Blueprint,
    owner: usize,
    path: String,
    content: Vec<u8>,
    executable: bool,
) {
    let identity = Identity::File { sha256: Sha256::of(&content), executable };
    let mode = if executable { 0o755 } else { 0o644 };
    blueprint.add(owner, path, Action::Write { content, mode }, identity);
}

fn in_env(path: &str) -> String {
    ["env/", path].concat()
}

/// Where the file lies by which an interpreter finds the project's source, relative to `env/`.
pub(super) fn project_file(scheme: &Scheme) -> String {
    format!("{}/{PROJECT_FILE}", scheme.site_packages)
}

/// Major and minor of `3.12.1`.
pub(super) fn series(version: &str) -> Result<(u32, u32), EnvironmentError> {
    let bad = || EnvironmentError::PythonVersion(version.to_owned());
    let mut parts = version.split('.');
    let mut number = || parts.next().and_then(|part| part.parse().ok()).ok_or_else(bad);
    Ok((number()?, number()?))
}
