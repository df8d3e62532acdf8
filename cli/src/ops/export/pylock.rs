//! pylock.toml, the lock file of the packaging standards (PEP 751, version 1.0).
//!
//! The standard wants a place for every file. It is what the user's own index says, with no login
//! in it; or with `--wheels FOLDER` a path in that folder.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::platform::{Arch, OsFamily};
use rocmenv_store::cache::Refresh;
use rocmenv_store::fetch::split_login;
use rocmenv_store::report::Reporter;
use toml_edit::Value;
use url::Url;

use super::ExportError;
use super::subject::{IndexAddress, Subject};
use crate::context::Context;
use crate::error::Error;
use crate::ops::world::{WorldOptions, world};

/// Where a file is.
pub(super) enum FilePlace {
    /// An address.
    Url(String),
    /// A path, relative to the lock where it lies below the project.
    Path(String),
}

/// The places of all files, by their names.
pub(super) async fn places(
    context: &Context,
    subject: &Subject,
    reporter: &dyn Reporter,
) -> Result<BTreeMap<String, FilePlace>, Error> {
    let packages = subject.python()?;
    let mut places = BTreeMap::new();
    if let Some(folder) = &subject.options.wheels {
        let folder = folder.trim_end_matches('/');
        for (artifact, _) in packages {
            let place = FilePlace::Path(format!("{folder}/{}", artifact.file));
            places.insert(artifact.file.clone(), place);
        }
        return Ok(places);
    }
    let world = world(
        context,
        &WorldOptions {
            root: &subject.root,
            project: &subject.project,
            registry: &subject.registry,
            arch: subject.arch(),
            codename: None,
            refresh: Refresh::WhenOld,
        },
    )?;
    for (artifact, _) in packages {
        let request = world.catalog.locate(artifact, reporter).await?;
        places.insert(artifact.file.clone(), place(subject.root.folder(), request.url));
    }
    Ok(places)
}

fn place(project: &Path, url: Url) -> FilePlace {
    if let Ok(path) = url.to_file_path() {
        let shown = path.strip_prefix(project).unwrap_or(&path);
        return FilePlace::Path(shown.to_string_lossy().into_owned());
    }
    let (mut url, _) = split_login(url);
    url.set_fragment(None);
    FilePlace::Url(url.to_string())
}

/// The text.
pub(super) fn text(
    subject: &Subject,
    places: &BTreeMap<String, FilePlace>,
) -> Result<String, ExportError> {
    let packages = subject.python()?;
    let mut text = format!(
        "# Written by `rocmenv export pylock` from rocm.lock ({}).\nlock-version = \"1.0\"\n\
         environments = [{}]\n",
        subject.title(),
        quoted(&environment(subject))
    );
    if let Some(python) = &subject.target.python {
        let floor = python.floor.to_string();
        let at_least = if floor.ends_with(".0") { String::new() } else { format!(">={floor},") };
        let series = format!("{at_least}=={}.*", python.series);
        let _ = writeln!(text, "requires-python = {}", quoted(&series));
    }
    text.push_str("created-by = \"rocmenv\"\n");
    for (artifact, sha256) in packages {
        let _ = writeln!(
            text,
            "\n[[packages]]\nname = {}\nversion = {}",
            quoted(&artifact.name),
            quoted(&artifact.version)
        );
        if let IndexAddress::Simple(url) = subject.address(&artifact.index)
            && Url::parse(&url).is_ok()
        {
            let _ = writeln!(text, "index = {}", quoted(&url));
        }
        text.push_str(match artifact.kind {
            ArtifactKind::RocmMeta => "\n[packages.sdist]\n",
            _ => "\n[[packages.wheels]]\n",
        });
        let _ = writeln!(text, "name = {}", quoted(&artifact.file));
        let _ = match places.get(&artifact.file) {
            Some(FilePlace::Url(url)) => writeln!(text, "url = {}", quoted(url)),
            Some(FilePlace::Path(path)) => writeln!(text, "path = {}", quoted(path)),
            None => Ok(()),
        };
        if let Some(size) = artifact.size {
            let _ = writeln!(text, "size = {size}");
        }
        let _ = writeln!(text, "hashes = {{ sha256 = {} }}", quoted(&sha256));
    }
    Ok(text)
}

/// The marker of the target: the solve has evaluated all others.
fn environment(subject: &Subject) -> String {
    let (platform, machine) = match (subject.os_family(), subject.arch()) {
        (OsFamily::Windows, Arch::X86_64) => ("win32", "AMD64"),
        (OsFamily::Windows, Arch::Aarch64) => ("win32", "ARM64"),
        (OsFamily::Linux, Arch::X86_64) => ("linux", "x86_64"),
        (OsFamily::Linux, Arch::Aarch64) => ("linux", "aarch64"),
    };
    format!(
        "sys_platform == '{platform}' and platform_machine == '{machine}' and \
         platform_python_implementation == 'CPython'"
    )
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
