//! Every index that a lock may name, with its place.

use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::project::{IndexKind, IndexSpec};
use rocmenv_manifests::registry::ChannelIndex;
use rocmenv_manifests::registry::rows::channels::{Behaviour, Layout};
use rocmenv_store::fetch::Logins;
use rocmenv_store::index::{IndexLocation, PageSource};
use url::Url;

use super::python::General;
use super::{WorldError, WorldOptions, apt};
use crate::context::Context;

/// The general index, the registry's, the distribution's archive, and the project's own, which
/// replace others of their names.
pub(super) fn assemble(
    context: &Context,
    options: &WorldOptions<'_>,
    general: &General,
    logins: &mut Logins,
) -> Result<Vec<IndexLocation>, WorldError> {
    let python = IndexName::python();
    let mut indexes =
        vec![IndexLocation::Python { name: python.clone(), sources: general.sources.clone() }];
    for index in options.registry.wheel_indexes() {
        indexes.extend(of_registry(&index, logins));
    }
    for index in options.registry.archive_indexes() {
        let folder = index.url.as_deref().and_then(|url| Url::parse(url).ok());
        indexes.extend(folder.map(|url| IndexLocation::files(index.name, url, logins)));
    }
    let entries = apt::entries(context, logins)?;
    indexes.extend(apt::distribution(context, options, &entries));
    if !options.project.rocm.components.is_empty() {
        indexes.extend(apt::of_amd(options, &entries));
    }
    for spec in &options.project.indexes {
        if spec.name != python {
            let own = of_project(options, spec, logins)?;
            indexes.retain(|index| *index.name() != spec.name);
            indexes.push(own);
        }
    }
    Ok(indexes)
}

fn of_registry(index: &ChannelIndex<'_>, logins: &mut Logins) -> Option<IndexLocation> {
    let url = Url::parse(index.url.as_deref()?).ok()?;
    let source = match index.channel.layout? {
        Layout::Simple => {
            let forbidden = index.channel.behaviours.contains(&Behaviour::ForbiddenIsAbsent);
            PageSource::simple(url, forbidden, logins)
        }
        Layout::Folder => PageSource::links(url, logins),
        Layout::Apt | Layout::Files => return None,
    };
    Some(IndexLocation::Python { name: index.name.clone(), sources: vec![source] })
}

fn of_project(
    options: &WorldOptions<'_>,
    spec: &IndexSpec,
    logins: &mut Logins,
) -> Result<IndexLocation, WorldError> {
    let folder = options.root.base();
    let wrong =
        || WorldError::Address { index: spec.name.to_string(), origin: spec.url.origin.clone() };
    let text = spec.url.value.as_str();
    let url = match Url::parse(text) {
        // one letter is a drive of Windows
        Ok(url) if url.scheme().len() > 1 => url,
        // A mistyped address is no folder, and a message about one would show its password.
        Err(_) if text.contains("://") => return Err(wrong()),
        _ => Url::from_file_path(folder.join(text)).map_err(|()| wrong())?,
    };
    let name = spec.name.clone();
    let source = match (spec.kind, url.to_file_path()) {
        (IndexKind::Apt, _) => {
            let entry = apt::own(spec, url, folder, logins);
            let architecture = options.arch.debian().to_owned();
            return Ok(IndexLocation::Apt { name, sources: vec![entry], architecture });
        }
        (IndexKind::Files, _) => return Ok(IndexLocation::files(name, url, logins)),
        (IndexKind::FindLinks, Ok(path)) => PageSource::Folder { path },
        (IndexKind::FindLinks, Err(())) => PageSource::links(url, logins),
        (IndexKind::Simple, _) => PageSource::simple(url, false, logins),
    };
    Ok(IndexLocation::Python { name, sources: vec![source] })
}
