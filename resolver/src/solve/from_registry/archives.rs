//! The archives that hold a whole release, on channels that serve such.

use std::collections::BTreeMap;

use rocmenv_manifests::registry::query::RocmArchive;
use rocmenv_manifests::registry::rows::channels::{Channel, ChannelKind};
use rocmenv_manifests::version::RocmVersion;

use super::StackRequest;
use crate::solve::stack::Release;

/// The archive of each release whose channel has one for the target.
pub(super) fn of(
    request: &StackRequest<'_>,
    releases: &[Release],
) -> BTreeMap<RocmVersion, RocmArchive> {
    let archive = |release: &Release| {
        let archive = of_release(request, &release.channel, &release.version)?;
        Some((release.version.clone(), archive))
    };
    releases.iter().filter_map(archive).collect()
}

/// Whether a channel has all that it promises of a release: one of archives has the target's.
pub(super) fn is_there(request: &StackRequest<'_>, channel: &Channel, rocm: &RocmVersion) -> bool {
    channel.kind != ChannelKind::Tarball || of_release(request, &channel.name, rocm).is_some()
}

fn of_release(
    request: &StackRequest<'_>,
    channel: &str,
    rocm: &RocmVersion,
) -> Option<RocmArchive> {
    let target = request.target;
    request.registry.rocm_archive(channel, rocm, target.family, &target.gfx_targets())
}
