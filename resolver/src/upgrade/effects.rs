//! What lies between two states: what is gained, lost and renamed, and the rules on the way.

use rocmenv_manifests::registry::rows::changes::{ChangeKind, ChangeSubject, ReleaseChange};
use rocmenv_manifests::registry::rows::support::Platform;
use rocmenv_manifests::registry::{
    FrameworkQuestion, Judgement, KnownGpu, Registry, System, Verdict,
};
use rocmenv_manifests::upgrade::{
    Driver, FrameworkVersion, Gain, Loss, Move, MoveKind, Note, State,
};
use rocmenv_manifests::version::{RocmVersion, Series};

use super::goal::UpgradeHost;
use super::judge::name;
use super::standing::production;
use super::targets::{counted, last_listed};

/// What lies between two states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effects {
    /// What the second has and the first has not.
    pub gains: Vec<Gain>,
    /// What the first has and the second has not.
    pub losses: Vec<Loss>,
    /// What has another name or place.
    pub moves: Vec<Move>,
    /// Key changes and rules of the releases between.
    pub notes: Vec<Note>,
}

/// What lies between two states of a host. Going back is judged like going on, but for the changes
/// of releases, which are told forwards only.
pub fn effects_between(
    registry: &Registry,
    host: &UpgradeHost,
    from: &State,
    to: &State,
) -> Effects {
    let gpus = counted(registry, host);
    let mut effects = Effects::default();
    if from.driver != to.driver {
        effects.driver(registry, from.driver.as_ref(), to.driver.as_ref());
    }
    if let (Some(before), Some(after)) = (&from.rocm, &to.rocm)
        && before != after
    {
        effects.gpus(registry, host, &gpus, (from, before), (to, after));
        effects.frameworks(registry, host, &gpus, (from, before), (to, after));
        let platform = system(host, to).map(|system| system.platform());
        let is_of_host = |row: &&ReleaseChange| {
            let gfx = row.gfx.is_empty() || gpus.iter().any(|gpu| row.gfx.contains(&gpu.gfx));
            let framework = row.framework.as_ref().is_none_or(|name| {
                from.frameworks.iter().chain(&to.frameworks).any(|own| own.name == *name)
            });
            // a distribution under WSL2 is a Linux too
            let is_on = |own: Platform| {
                let linux = own == Platform::Wsl && row.os.contains(&Platform::Linux);
                linux || row.os.contains(&own)
            };
            let os = row.os.is_empty() || platform.is_none_or(is_on);
            gfx && framework && os
        };
        for change in registry.changes_between(before, after).into_iter().filter(is_of_host) {
            effects.change(registry, change);
        }
    }
    effects
}

impl Effects {
    /// The series of ROCm that one driver serves and the other does not.
    fn driver(&mut self, registry: &Registry, from: Option<&Driver>, to: Option<&Driver>) {
        let (Some(Driver::Amd(from)), Some(Driver::Amd(to))) = (from, to) else { return };
        let served = |driver| -> Vec<Series> {
            let all = newest_patches(registry).into_iter();
            let listed = |rocm: &RocmVersion| {
                registry.driver_with_rocm(driver, rocm, None).verdict == Verdict::Listed
            };
            all.filter(listed).map(|rocm| rocm.series()).collect()
        };
        let (before, after) = (served(from), served(to));
        let only = |own: &[Series], other: &[Series]| -> Vec<String> {
            own.iter().filter(|series| !other.contains(series)).map(ToString::to_string).collect()
        };
        let (gained, lost) = (only(&after, &before), only(&before, &after));
        self.gains.extend((!gained.is_empty()).then_some(Gain::Releases(gained)));
        self.losses.extend((!lost.is_empty()).then_some(Loss::Releases(lost)));
    }

    /// GPUs that are listed on one side only.
    fn gpus(
        &mut self,
        registry: &Registry,
        host: &UpgradeHost,
        gpus: &[KnownGpu],
        (from, before): (&State, &RocmVersion),
        (to, after): (&State, &RocmVersion),
    ) {
        for gpu in gpus {
            let judge = |state: &State, rocm: &RocmVersion| {
                let system = system(host, state)?;
                Some(registry.gpu_on_system(gpu, &system, rocm))
            };
            let (Some(was), Some(now)) = (judge(from, before), judge(to, after)) else { continue };
            match (was.verdict == Verdict::Listed, now.verdict == Verdict::Listed) {
                (true, false) => {
                    let systems: Vec<System> = system(host, from).into_iter().collect();
                    let last = last_listed(registry, gpu, &systems, Some(after));
                    let last = last.map_or_else(|| before.clone(), |(last, _)| last);
                    self.losses.push(Loss::Gpu {
                        gpu: name(gpu),
                        now: now.verdict,
                        date: registry.release(&last).and_then(|row| row.date.clone()),
                        last,
                        evidence: now.evidence,
                    });
                }
                (false, true) => self.gains.push(Gain::Gpu {
                    gpu: name(gpu),
                    was: was.verdict,
                    evidence: now.evidence,
                }),
                _ => {}
            }
        }
    }

    /// Frameworks that are listed for these GPUs on one side only, and where they come from.
    fn frameworks(
        &mut self,
        registry: &Registry,
        host: &UpgradeHost,
        gpus: &[KnownGpu],
        (from, before): (&State, &RocmVersion),
        (to, after): (&State, &RocmVersion),
    ) {
        for old in &from.frameworks {
            let was = framework(registry, host, gpus, (from, before), old);
            let Some(new) = to.frameworks.iter().find(|new| new.name == old.name) else {
                let (name, now, evidence) = (old.name.clone(), Verdict::NotKnown, Vec::new());
                self.losses.push(Loss::Framework { name, now, evidence });
                continue;
            };
            let now = framework(registry, host, gpus, (to, after), new);
            let is = |judged: &Option<Judgement>| {
                judged.as_ref().is_some_and(|judged| judged.verdict == Verdict::Listed)
            };
            match (is(&was), is(&now), now) {
                (true, false, Some(now)) => self.losses.push(Loss::Framework {
                    name: old.name.clone(),
                    now: now.verdict,
                    evidence: now.evidence,
                }),
                (false, true, _) => self
                    .gains
                    .push(Gain::Framework { name: new.name.clone(), version: new.version.clone() }),
                _ => {}
            }
            self.places(old, new);
        }
    }

    /// A framework's package or index with another name.
    fn places(&mut self, old: &FrameworkVersion, new: &FrameworkVersion) {
        let package = |own: &FrameworkVersion| {
            own.build.as_deref().and_then(|text| text.split(' ').next().map(str::to_owned))
        };
        let pairs = [
            (MoveKind::Package, package(old), package(new)),
            (MoveKind::Index, old.index.clone(), new.index.clone()),
        ];
        for (kind, from, to) in pairs {
            let (Some(from), Some(to)) = (from, to) else { continue };
            let is_known = self.moves.iter().any(|known| known.from == from && known.to == to);
            if from != to && !is_known {
                self.moves.push(Move { kind, from, to, since: None, evidence: Vec::new() });
            }
        }
    }

    /// A change of a release that lies between.
    fn change(&mut self, registry: &Registry, row: &ReleaseChange) {
        let evidence = registry.evidence(&row.source, &row.notes, &row.confidence);
        let since = row.since.clone();
        match (row.kind, row.subject, since) {
            (ChangeKind::Removed | ChangeKind::EndOfSupport, ChangeSubject::Component, since) => {
                self.losses.push(Loss::Component {
                    name: row.from.clone(),
                    since,
                    instead: row.to.clone(),
                    evidence,
                });
            }
            (ChangeKind::Added, ChangeSubject::Component, Some(since)) => {
                self.gains.push(Gain::Component { name: row.from.clone(), since, evidence });
            }
            (ChangeKind::Renamed | ChangeKind::Moved, subject, since) => self.moves.push(Move {
                kind: match subject {
                    ChangeSubject::Index => MoveKind::Index,
                    ChangeSubject::Path => MoveKind::Path,
                    ChangeSubject::Method => MoveKind::Method,
                    _ => MoveKind::Package,
                },
                from: row.from.clone(),
                to: row.to.clone().unwrap_or_default(),
                since,
                evidence,
            }),
            _ => {
                let to = row.to.as_deref().map(|to| format!(": {to}")).unwrap_or_default();
                let text = format!("{}{to}", row.from);
                self.notes.push(Note { text, evidence });
            }
        }
    }
}

fn system(host: &UpgradeHost, state: &State) -> Option<System> {
    state.os.clone().map(|os| System { os, wsl: host.wsl })
}

/// The worst verdict on a framework over the GPUs.
fn framework(
    registry: &Registry,
    host: &UpgradeHost,
    gpus: &[KnownGpu],
    (state, rocm): (&State, &RocmVersion),
    own: &FrameworkVersion,
) -> Option<Judgement> {
    let version = own.version.parse().ok()?;
    let each: Vec<Option<&KnownGpu>> =
        if gpus.is_empty() { vec![None] } else { gpus.iter().map(Some).collect() };
    let judged = each.into_iter().map(|gpu| {
        registry.framework_with_rocm(&FrameworkQuestion {
            framework: &own.name,
            version: &version,
            rocm,
            platform: system(host, state).map(|system| system.platform()),
            python: state.python.as_deref(),
            gpu,
        })
    });
    judged.max_by_key(|judged| judged.verdict)
}

fn newest_patches(registry: &Registry) -> Vec<RocmVersion> {
    let mut all: Vec<&RocmVersion> = production(registry).map(|row| &row.version).collect();
    all.sort();
    let is_newest = |at: usize| {
        all.get(at + 1).is_none_or(|next: &&RocmVersion| next.series() != all[at].series())
    };
    (0..all.len()).filter(|at| is_newest(*at)).map(|at| all[at].clone()).collect()
}
