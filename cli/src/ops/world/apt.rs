//! The distribution's archive, from the host's apt sources, the repositories of rocm.toml, and
//! those of AMD that somebody has said whom to trust for.

use std::path::{Path, PathBuf};

use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::project::{Fingerprint, IndexSpec, Project};
use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::query::AptRepository;
use rocmenv_manifests::registry::rows::channels::ChannelKind;
use rocmenv_store::fetch::{Logins, split_login};
use rocmenv_store::index::{AptSource, IndexLocation, Keyring, parse_sources};
use url::Url;

use super::{WorldError, WorldOptions};
use crate::context::Context;
use crate::ops::files;

/// The entries of the host's apt sources, or of the file that was named in their place, which must
/// be readable.
pub(super) fn entries(
    context: &Context,
    logins: &mut Logins,
) -> Result<Vec<AptSource>, WorldError> {
    let mut sources = Vec::new();
    if let Some(file) = &context.settings.folders.apt_sources {
        let text = files::read(&context.cwd.join(file))?;
        sources.extend(parse_sources(&text, &file.display().to_string(), logins)?);
        return Ok(sources);
    }
    for file in host_source_files() {
        if let Some(text) = files::read_optional(&file)? {
            sources.extend(parse_sources(&text, &file.display().to_string(), logins)?);
        }
    }
    Ok(sources)
}

/// The distribution's own of these entries; `None` on a machine without apt. All of a file that
/// was named count.
pub(super) fn distribution(
    context: &Context,
    options: &WorldOptions<'_>,
    entries: &[AptSource],
) -> Option<IndexLocation> {
    let is_named = context.settings.folders.apt_sources.is_some();
    let is_own = |one: &&AptSource| is_named || is_of_distribution(one, options.codename);
    // AMD calls suites by Ubuntu's code names, too
    let own = entries.iter().filter(is_own).filter(|one| !is_of_amd(one, options));
    let sources: Vec<AptSource> = own.cloned().collect();
    (!sources.is_empty()).then(|| IndexLocation::Apt {
        name: IndexName::distribution(),
        sources,
        architecture: options.arch.debian().to_owned(),
    })
}

/// Whether an entry is for a server of AMD's repositories.
fn is_of_amd(entry: &AptSource, options: &WorldOptions<'_>) -> bool {
    let channels = options.registry.channels().channel.iter();
    let mut channels = channels.filter(|channel| channel.kind == ChannelKind::Deb);
    channels.any(|channel| {
        let host = channel.url.as_deref().and_then(|url| url.split('/').nth(2));
        host.is_some() && host == entry.url.host_str()
    })
}

/// AMD's repositories for the system, as far as somebody says who signs them: rocm.toml by a
/// fingerprint, or an entry of the host's apt sources by its keys. Address and suite are the
/// registry's; a key that merely lies where AMD publishes it is trusted by nobody.
pub(super) fn of_amd(options: &WorldOptions<'_>, entries: &[AptSource]) -> Vec<IndexLocation> {
    let mut found = Vec::new();
    for one in amd_repositories(options.registry, options.project, options.codename) {
        let Ok(url) = Url::parse(&format!("{}/", one.url.trim_end_matches('/'))) else { continue };
        let trusted = &options.project.trusted_keys;
        let of_channel = || trusted.get(&one.channel.name.parse::<IndexName>().ok()?);
        let keyring = match trusted.get(&one.name).or_else(of_channel) {
            Some(key) => published(one.key, &key.value),
            None => keyring_of(entries, &url),
        };
        let Some(keyring) = keyring else { continue };
        let source = AptSource {
            url,
            suites: vec![one.suite],
            components: one.channel.components.clone(),
            architectures: Vec::new(),
            keyring,
            trusted: false,
            check_valid_until: true,
        };
        found.push(IndexLocation::Apt {
            name: one.name,
            sources: vec![source],
            architecture: options.arch.debian().to_owned(),
        });
    }
    found
}

/// AMD's repositories for the system of a project, whether or not anybody vouched for their keys.
pub fn amd_repositories<'r>(
    registry: &'r Registry,
    project: &Project,
    codename: Option<&str>,
) -> Vec<AptRepository<'r>> {
    system(project, codename).map_or_else(Vec::new, |os| registry.apt_repositories(&os))
}

fn published(key: Option<&str>, fingerprint: &Fingerprint) -> Option<Keyring> {
    let url = Url::parse(key?).ok()?;
    Some(Keyring::Published { url, fingerprints: vec![fingerprint.to_string()] })
}

/// The keys that the host's own entry for the same place names.
fn keyring_of(entries: &[AptSource], url: &Url) -> Option<Keyring> {
    let plain = |url: &Url| url.as_str().trim_end_matches('/').to_owned();
    let entry = entries.iter().find(|entry| plain(&entry.url) == plain(url) && !entry.trusted)?;
    Some(entry.keyring.clone())
}

/// The one system that the project's targets have, or the host where none is described. An index
/// has one name in a lock and so one suite: where targets have several systems, only rocm.toml can
/// say which is meant.
fn system(project: &Project, codename: Option<&str>) -> Option<OsRelease> {
    let targets = &project.targets;
    if targets.is_empty() {
        let os = match codename? {
            "jammy" => "ubuntu-22.04",
            "noble" => "ubuntu-24.04",
            "bookworm" => "debian-12",
            _ => return None,
        };
        return os.parse().ok();
    }
    let mut systems = targets.iter().map(|spec| spec.os.as_ref().map(|os| &os.value));
    let first = systems.next()??;
    systems.all(|other| other == Some(first)).then(|| first.clone())
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
            None => match &spec.fingerprint {
                Some(key) => Keyring::Fingerprints(vec![key.to_string()]),
                None => Keyring::Apt,
            },
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
