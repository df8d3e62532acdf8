//! What the walk through a conflict has found, put together so that nothing is told twice:
//! versions of which the same is said stand in one cause.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::sourced::Origin;

use super::cause::Cause;
use super::exclusion::Exclusion;
use super::stack::{Fact, Grade};

/// What was found so far, each with the shortest way to it from what was asked.
#[derive(Default)]
pub(super) struct Told {
    pub(super) plain: BTreeMap<Cause, usize>,
    /// By who needs, and the name that is needed: what is needed, by whose versions.
    needs: BTreeMap<(String, String, Option<IndexName>), BTreeMap<String, Of>>,
    /// What single ways to bring a component lack: told only if nothing else is.
    ways: BTreeSet<Cause>,
    unusable: BTreeMap<(String, Reason, Option<IndexName>), Unusable>,
    graded: BTreeMap<(String, Grade, Option<String>), (Of, Texts)>,
    host: BTreeMap<Asker, (Of, Texts)>,
}

/// Versions by preference, and how far they are from what was asked.
#[derive(Default)]
struct Of {
    versions: BTreeSet<Version>,
    depth: Option<usize>,
}

/// The sentence that belongs to a version.
type Texts = BTreeMap<Version, String>;

/// The place in the order of preference, and the version.
pub(super) type Version = (u32, String);

/// By what versions that cannot be used are put together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// Reasons of a kind, each with a value of its own.
    OfKind(&'static str),
    /// This very reason.
    Only(Exclusion),
}

#[derive(Default)]
struct Unusable {
    of: Of,
    whys: BTreeSet<Exclusion>,
}

/// Who asks what of a fact of the host.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Asker {
    pub(super) fact: Fact,
    pub(super) has: String,
    pub(super) origin: Option<Origin>,
    pub(super) who: String,
    pub(super) needs: String,
    pub(super) source: Option<String>,
}

impl Of {
    fn add(&mut self, version: Version, depth: usize) {
        self.versions.insert(version);
        self.depth = Some(self.depth.map_or(depth, |known| known.min(depth)));
    }

    fn texts(self) -> (usize, Vec<String>) {
        let texts = self.versions.into_iter().map(|(_, text)| text).filter(|it| !it.is_empty());
        (self.depth.unwrap_or_default(), texts.collect())
    }
}

impl Told {
    pub(super) fn plain(&mut self, cause: Cause, depth: usize) {
        let known = self.plain.entry(cause).or_insert(depth);
        *known = (*known).min(depth);
    }

    /// That single ways to bring a component lack something.
    pub(super) fn way(&mut self, cause: Cause) {
        self.ways.insert(cause);
    }

    pub(super) fn needs(
        &mut self,
        (who, version, index): (String, Version, Option<IndexName>),
        (name, what): (String, String),
        depth: usize,
    ) {
        let whats = self.needs.entry((who, name, index)).or_default();
        whats.entry(what).or_default().add(version, depth);
    }

    pub(super) fn unusable(
        &mut self,
        (what, version, index): (String, Version, Option<IndexName>),
        why: Exclusion,
        depth: usize,
    ) {
        let reason =
            if merges(&why) { Reason::OfKind(why.code()) } else { Reason::Only(why.clone()) };
        let entry = self.unusable.entry((what, reason, index)).or_default();
        entry.of.add(version, depth);
        entry.whys.insert(why);
    }

    /// Leaves out what is no cause: why versions of these names cannot be used, and that there are
    /// previews where something else stands in the way.
    pub(super) fn leave_out(&mut self, contradicted: &BTreeSet<String>) {
        self.unusable.retain(|(what, _, _), _| !contradicted.contains(what));
        let is_preview = |reason: &Reason| *reason == Reason::Only(Exclusion::Preview);
        let others = self.unusable.keys().any(|(_, reason, _)| !is_preview(reason));
        let not_found = self.plain.keys().any(|cause| matches!(cause, Cause::NotFound { .. }));
        if others || not_found || !self.host.is_empty() || !self.graded.is_empty() {
            self.unusable.retain(|(_, reason, _), _| !is_preview(reason));
        }
    }

    /// Whether anything unusable is so for a reason of some kind.
    pub(super) fn has_unusable(&self, is: impl Fn(&Exclusion) -> bool) -> bool {
        self.unusable.values().any(|entry| entry.whys.iter().any(&is))
    }

    pub(super) fn graded(
        &mut self,
        (what, version): (String, Version),
        (grade, text, source): (Grade, String, Option<String>),
        depth: usize,
    ) {
        let (of, texts) = self.graded.entry((what, grade, source)).or_default();
        of.add(version.clone(), depth);
        texts.insert(version, text);
    }

    pub(super) fn host(&mut self, asker: Asker, version: Version, text: String, depth: usize) {
        let (of, texts) = self.host.entry(asker).or_default();
        of.add(version.clone(), depth);
        texts.insert(version, text);
    }

    /// The causes in the order of telling: by kind, then what is nearer to what was asked.
    pub(super) fn causes(self) -> Vec<Cause> {
        let mut causes: Vec<(usize, Cause)> =
            self.plain.into_iter().map(|(cause, depth)| (depth, cause)).collect();
        for ((who, name, index), mut whats) in self.needs {
            // Many versions that each need another version of one package are told as one.
            if whats.len() > MAX_LISTED {
                let mut all = Of::default();
                for of in std::mem::take(&mut whats).into_values() {
                    let depth = of.depth.unwrap_or_default();
                    of.versions.into_iter().for_each(|version| all.add(version, depth));
                }
                whats.insert(name, all);
            }
            causes.extend(whats.into_iter().map(|(what, of)| {
                let (depth, versions) = of.texts();
                let (who, index) = (who.clone(), index.clone());
                (depth, Cause::Needs { who, versions, what, index })
            }));
        }
        causes.extend(self.unusable.into_iter().map(|((what, _, index), entry)| {
            let (depth, versions) = entry.of.texts();
            let whys = entry.whys.into_iter().collect();
            (depth, Cause::Unusable { what, versions, whys, index })
        }));
        causes.extend(self.graded.into_iter().map(|((what, grade, source), (of, texts))| {
            let (depth, versions) = of.texts();
            let text = texts.into_values().next().unwrap_or_default();
            (depth, Cause::Graded { what, versions, grade, text, source })
        }));
        causes.extend(self.host.into_iter().map(|(asker, (of, texts))| {
            let Asker { fact, has, origin, who, needs, source } = asker;
            let (depth, versions) = of.texts();
            let text = texts.into_values().next().unwrap_or_default();
            (depth, Cause::Host { fact, has, origin, who, versions, needs, text, source })
        }));
        if causes.iter().all(|(_, cause)| matches!(cause, Cause::Asked { .. })) {
            causes.extend(self.ways.into_iter().map(|cause| (0, cause)));
        }
        causes.sort_by(|(a_depth, a), (b_depth, b)| {
            (rank(a), a_depth, a).cmp(&(rank(b), b_depth, b))
        });
        causes.into_iter().map(|(_, cause)| cause).collect()
    }
}

/// Reasons that many versions share with another value each.
fn merges(why: &Exclusion) -> bool {
    matches!(
        why,
        Exclusion::BuiltForOther(_)
            | Exclusion::PythonTags(_)
            | Exclusion::Platform(_)
            | Exclusion::RequiresPython(_)
            | Exclusion::Libc { .. }
    )
}

pub(super) fn rank(cause: &Cause) -> u8 {
    match cause {
        Cause::Asked { .. } => 0,
        Cause::NativeWindows { .. } => 1,
        Cause::Needs { .. } => 2,
        Cause::Unusable { .. } => 3,
        Cause::NotFound { .. } => 4,
        Cause::KnownBuilds { .. } => 5,
        Cause::Graded { .. } => 6,
        Cause::Host { .. } => 7,
        Cause::Unreadable { .. } => 8,
    }
}

/// More versions than this are told as a range.
pub(super) const MAX_LISTED: usize = 4;
