//! How each kind of artifact becomes a tree.

use std::path::Path;

use rocmenv_manifests::lock::ArtifactKind;

use crate::unpack::{
    Entry, Limits, Names, OnBytes, Policy, Strip, UnpackError, unpack_deb, unpack_tarball,
    unpack_zip,
};

/// What an artifact of a kind may contain. Wheels are read on every system, so their names must
/// be possible on every one; the other kinds are each for one system.
pub fn policy_for(kind: ArtifactKind) -> Policy {
    let native = if cfg!(windows) { Names::Portable } else { Names::Linux };
    let (names, strip) = match kind {
        ArtifactKind::Wheel => (Names::Portable, Strip::Nothing),
        ArtifactKind::Deb | ArtifactKind::Tarball => (native, Strip::Nothing),
        // "install_only" archives of python-build-standalone: every member lies under `python/`.
        ArtifactKind::Python => (native, Strip::Prefix("python".to_owned())),
        ArtifactKind::RocmMeta => (Names::Portable, Strip::FirstFolder),
    };
    Policy { limits: Limits::default(), names, strip }
}

/// Unpacks an artifact into the empty folder `tree`.
pub fn unpack(
    kind: ArtifactKind,
    archive: &Path,
    tree: &Path,
    on_bytes: OnBytes<'_>,
) -> Result<Vec<Entry>, UnpackError> {
    let policy = policy_for(kind);
    match kind {
        ArtifactKind::Wheel => unpack_zip(archive, tree, &policy, on_bytes),
        ArtifactKind::Deb => unpack_deb(archive, tree, &policy, on_bytes),
        ArtifactKind::Tarball | ArtifactKind::Python | ArtifactKind::RocmMeta => {
            unpack_tarball(archive, tree, &policy, on_bytes)
        }
    }
}
