//! The distribution's archive, from the host's apt sources, and the repositories of rocm.toml.

use std::path::{Path, PathBuf};

use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::project::IndexSpec;
use rocmenv_store::fetch::{Logins, split_login};
use rocmenv_store::index::{AptSource, IndexLocation, Keyring, parse_sources};
use url::Url;

use super::{WorldError, WorldOptions};
use crate::context::Context;
use crate::ops::files;

/// The host's own apt sources, all of them; `None` on a machine without apt. A file that was
/// named in their place must be readable.
pub(super) fn distribution(
    context: &Context,
    options: &WorldOptions<'_>,
    logins: &mut Logins,
) -> Result<Option<IndexLocation>, WorldError> {
    let mut sources = Vec::new();
    if let Some(file) = &context.settings.folders.apt_sources {
        let text = files::read(&context.cwd.join(file))?;
        sources.extend(parse_sources(&text, &file.display().to_string(), logins)?);
    } else {
        for file in host_source_files() {
            if let Some(text) = files::read_optional(&file)? {
                sources.extend(parse_sources(&text, &file.display().to_string(), logins)?);
            }
        }
        sources.retain(|source| is_of_distribution(source, options.codename));
    }
    Ok((!sources.is_empty()).then(|| IndexLocation::Apt {
        name: IndexName::distribution(),
        sources,
        architecture: options.arch.debian().to_owned(),
    }))
}

/// An apt repository of rocm.toml; one without suites is a flat one.
pub(super) fn own(spec: &IndexSpec, url: Url, root: &Path, logins: &mut Logins) -> AptSource {
    let (mut url, login) = split_login(url);
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    if let Some(login) = login {
        logins.add(&url, login);
    }
    let is_flat = spec.suites.is_empty();
    let or = |given: &[String], other: &str| match given {
        [] => vec![other.to_owned()],
        given => given.to_vec(),
    };
    AptSource {
        url,
        suites: or(&spec.suites, "./"),
        components: if is_flat { Vec::new() } else { or(&spec.components, "main") },
        architectures: Vec::new(),
        keyring: match &spec.signed_by {
            Some(file) => Keyring::Files(vec![root.join(file)]),
            None => Keyring::Apt,
        },
        trusted: false,
        check_valid_until: true,
    }
}

/// `/etc/apt/sources.list` and the files beside it, in apt's order.
pub fn host_source_files() -> Vec<PathBuf> {
    let mut found = vec![PathBuf::from("/etc/apt/sources.list")];
    let entries = fs_err::read_dir(Path::new("/etc/apt/sources.list.d"));
    let mut parts: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "list" || end == "sources"))
        .collect();
    parts.sort();
    found.extend(parts);
    found
}

/// A machine's sources often hold other vendors' repositories. Those are not the distribution,
/// and a solve must not take its packages from them: only entries whose suites begin with the
/// distribution's code name (`bookworm`, `bookworm-updates`) count.
fn is_of_distribution(source: &AptSource, codename: Option<&str>) -> bool {
    let Some(codename) = codename else { return true };
    // a rolling one calls itself by both names (`forky/sid`)
    let mut names = codename.split('/');
    names.any(|name| source.suites.iter().any(|suite| suite.starts_with(name)))
}
