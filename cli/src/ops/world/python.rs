//! The general Python index, from rocm.toml, rocmenv's, pip's and uv's configuration.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rocmenv_manifests::name::IndexName;
use rocmenv_store::fetch::Logins;
use rocmenv_store::index::{PageSource, Surroundings, discover};
use rocmenv_store::layout::StoreLayout;

use super::{WorldError, WorldOptions, home, pips};
use crate::context::Context;

/// What stands for the general index.
pub(super) struct General {
    /// Its sources, best first; none where nothing on this machine names one.
    pub(super) sources: Vec<PageSource>,
    /// Certificates that pip was told to trust.
    pub(super) certificates: Vec<PathBuf>,
}

/// Finds it. A `[indexes.python]` of rocm.toml comes before everything else.
pub(super) fn general_index(
    context: &Context,
    options: &WorldOptions<'_>,
    logins: &mut Logins,
) -> Result<General, WorldError> {
    let own = options.project.indexes.iter().find(|index| index.name == IndexName::python());
    let variables: BTreeMap<String, String> = context
        .environment
        .all()
        .iter()
        .filter_map(|(key, value)| Some((key.to_str()?.to_owned(), value.to_str()?.to_owned())))
        .collect();
    let home = home(context);
    let kept = context.data().ok().map(|data| StoreLayout::new(&data).pythons());
    let pips = pips::find(&variables, home.as_deref(), kept.as_deref());
    let read = |path: &Path| fs_err::read(path).ok();
    let found = discover(&Surroundings {
        project: own.map(|index| index.url.clone()),
        folder: options.root.base(),
        home: home.as_deref(),
        variables: &variables,
        pips: &pips,
        read: &read,
    })?;
    logins.extend(found.logins);
    let mut sources = Vec::new();
    for index in found.index.into_iter().chain(found.extra) {
        sources.push(PageSource::simple(index.value, false, logins));
    }
    for links in found.find_links {
        match links.value.to_file_path() {
            Ok(path) if path.is_dir() => sources.push(PageSource::Folder { path }),
            // pip passes over a folder that is not there
            Ok(_) => {}
            Err(()) => sources.push(PageSource::links(links.value, logins)),
        }
    }
    let certificates = found.certificates.into_iter().map(|path| path.value).collect();
    Ok(General { sources, certificates })
}
