//! The code of libraries that were split: it lies in kernel archives of other packages.

use std::collections::BTreeMap;

use rocmenv_manifests::device_code::{Archive, ArchiveReference, Isa};
use rocmenv_manifests::gfx::GfxTarget;

use super::placed::{Package, within};

/// Every kernel archive of an environment by its place.
pub(super) struct Archives<'p> {
    at: BTreeMap<String, &'p Archive>,
}

/// What archives hold of one library for one GPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    /// Code for these targets.
    Code(Vec<Isa>),
    /// The archive is there and has nothing of this library for the GPU.
    Nothing { archive: String },
    /// There is no archive for the GPU.
    NoArchive { wanted: String },
}

impl<'p> Archives<'p> {
    pub(super) fn of(packages: &'p [Package]) -> Self {
        let files = packages.iter().flat_map(|one| one.files().iter().map(move |file| (one, file)));
        let archives = files.filter_map(|(package, file)| {
            Some((package.place(&file.path), file.archive.as_ref()?))
        });
        Self { at: archives.collect() }
    }

    /// What there is of the library at `place`.
    pub(super) fn held(&self, place: &str, of: &ArchiveReference, gpu: GfxTarget) -> Held {
        let (mut targets, mut empty, mut wanted) = (Vec::new(), None, String::new());
        for path in &of.paths {
            // As from the folder of the file, whether or not it says so.
            let from_own = format!("$ORIGIN/{path}");
            let Some(pattern) = within(place, &from_own) else { continue };
            if wanted.is_empty() {
                wanted = pattern.replace(MARK, &gpu.to_string());
            }
            for (at, archive) in self.at.iter().filter(|(at, _)| is_for(at, &pattern, gpu)) {
                let found = code(archive, &of.kernel, gpu);
                if found.is_empty() {
                    empty = Some(at.clone());
                }
                targets.extend(found);
            }
        }
        targets.sort();
        targets.dedup();
        match empty {
            _ if !targets.is_empty() => Held::Code(targets),
            Some(archive) => Held::Nothing { archive },
            None => Held::NoArchive { wanted },
        }
    }
}

/// The runtime puts the GPU's target, with or without its modes, in the place of the mark.
fn is_for(at: &str, pattern: &str, gpu: GfxTarget) -> bool {
    let Some((before, after)) = pattern.split_once(MARK) else { return at == pattern };
    let middle = at.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    let isa = middle.and_then(|middle| middle.parse::<Isa>().ok());
    isa.is_some_and(|isa| isa.runs_on(gpu))
}

fn code(archive: &Archive, kernel: &str, gpu: GfxTarget) -> Vec<Isa> {
    let own = archive.kernels.iter().filter(|(name, _)| {
        name.strip_prefix(kernel).is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
    });
    own.flat_map(|(_, targets)| targets).filter(|isa| isa.runs_on(gpu)).cloned().collect()
}

const MARK: &str = "@GFXARCH@";
