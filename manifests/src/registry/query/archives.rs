//! Archives of a whole ROCm, and the digests of files whose index gives none.

use std::collections::BTreeSet;

use crate::digest::Sha256;
use crate::gfx::GfxTarget;
use crate::name::IndexName;
use crate::platform::OsFamily;
use crate::version::RocmVersion;

use super::super::loader::Registry;
use super::super::rows::channels::ChannelKind;

/// The archive that holds a whole release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RocmArchive {
    /// The index, as a lock names it.
    pub index: IndexName,
    /// The file.
    pub file: String,
}

impl Registry {
    /// The archive of a release on a channel of tarballs, for an operating system and its GPUs:
    /// that of their family where they are of one, else the archive of all families. `None` where
    /// the channel is of another kind, does not serve them, or names its files in a way that is
    /// not known.
    pub fn rocm_archive(
        &self,
        channel: &str,
        rocm: &RocmVersion,
        system: OsFamily,
        gpus: &[GfxTarget],
    ) -> Option<RocmArchive> {
        let row = self.channel(channel)?;
        let platform = match system {
            OsFamily::Linux => "linux",
            OsFamily::Windows => "windows",
        };
        let is_served = row.kind == ChannelKind::Tarball
            && row.platforms.iter().any(|own| own == platform)
            && row.rocm.iter().any(|own| own.contains(rocm.dotted().parts()));
        if !is_served {
            return None;
        }
        let families: BTreeSet<&str> =
            gpus.iter().map(|gfx| self.archive_family(*gfx).unwrap_or(ALL_FAMILIES)).collect();
        let family = match families.first() {
            Some(only) if families.len() == 1 => only,
            _ => ALL_FAMILIES,
        };
        let family = row.families.iter().find(|own| *own == family)?;
        let values = [("platform", platform), ("family", family), ("version", &rocm.to_string())];
        let index = self.index(channel, &values)?;
        let file = index.url.as_deref()?.rsplit('/').next()?.to_owned();
        (!file.is_empty()).then_some(RocmArchive { index: index.name, file })
    }

    /// The digest that is known of a file, by the index that serves it. What an overlay says
    /// of it stands, because a mirror may have built the file anew.
    pub fn known_sha256(&self, index: &IndexName, file: &str) -> Option<Sha256> {
        let rows = self.hashes().file.iter().filter(|row| row.file == file);
        let of_index = rows.filter(|row| {
            let series = row.series.as_deref().map(|series| ("series", series));
            let values: Vec<_> = series.into_iter().collect();
            self.index_name(&row.channel, &values).as_ref() == Some(index)
        });
        of_index.last().map(|row| row.sha256)
    }

    fn archive_family(&self, gfx: GfxTarget) -> Option<&str> {
        self.gfx_row(gfx)?.tarball.as_deref()
    }
}

/// The family of the archive that holds the kernels of all.
const ALL_FAMILIES: &str = "multiarch";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_of_a_target_has_an_archive() {
        let registry = Registry::embedded();
        let rocm: RocmVersion = "10.0.0".parse().unwrap();
        let family = |row: &crate::registry::rows::gpus::GfxRow| {
            let archive =
                registry.rocm_archive("amd-tarball", &rocm, OsFamily::Linux, &[row.name]).unwrap();
            let family = row.tarball.as_deref().unwrap_or(ALL_FAMILIES);
            assert_eq!(archive.file, format!("therock-dist-linux-{family}-10.0.0.tar.gz"));
            family.to_owned()
        };
        let mut used: BTreeSet<String> = registry.gfx().target.iter().map(family).collect();
        used.insert(ALL_FAMILIES.to_owned());
        let listed = &registry.channel("amd-tarball").unwrap().families;
        assert_eq!(used, listed.iter().cloned().collect());
    }

    #[test]
    fn a_digest_is_known_by_index_and_name() {
        let registry = Registry::embedded();
        let known = |index: &str, file: &str| {
            let digest = registry.known_sha256(&index.parse().unwrap(), file)?;
            Some(digest.to_string()[..8].to_owned())
        };
        let torch = "torch-2.9.1+rocm6.4-cp312-cp312-manylinux_2_28_x86_64.whl";
        assert_eq!(known("pytorch-rocm6.4", torch).as_deref(), Some("43471c9e"));
        assert_eq!(known("pytorch-rocm6.3", torch), None);
        let whole = "therock-dist-linux-multiarch-10.0.0.tar.gz";
        assert_eq!(known("amd-tarball", whole).as_deref(), Some("1c5e8078"));
    }
}
