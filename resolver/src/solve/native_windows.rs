//! What documents say of native Windows about the wishes of a refused question. Its wheels only
//! show that there are none; this says that AMD does not have the thing there, and who says so.

use std::collections::BTreeSet;

use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_manifests::platform::OsFamily;
use rocmenv_manifests::registry::rows::frameworks::FrameworkRow;
use rocmenv_manifests::registry::rows::sources::SourceKeys;
use rocmenv_manifests::registry::{Registry, System};
use rocmenv_manifests::version::RocmVersion;

use super::cause::Cause;
use super::member::Member;
use super::question::{Question, Want};
use crate::check::{Said, on_native_windows};

/// What is said of the members of a core; nothing for any other system.
pub(super) fn causes(
    question: &Question,
    registry: &Registry,
    core: &BTreeSet<Member>,
) -> Vec<Cause> {
    if question.target.family != OsFamily::Windows {
        return Vec::new();
    }
    let asking = Asking { question, registry };
    let causes = core.iter().filter_map(|member| asking.of(*member));
    causes.map(|Said { text, source }| Cause::NativeWindows { text, source }).collect()
}

struct Asking<'a> {
    question: &'a Question,
    registry: &'a Registry,
}

impl Asking<'_> {
    fn of(&self, member: Member) -> Option<Said> {
        let wants = &self.question.wants;
        match member {
            Member::Framework(at) => {
                let name = &wants.frameworks.get(at)?.name;
                self.framework(self.registry.framework_named(name)?)
            }
            Member::Component(at) => self.component(wants.components.get(at)?.value.as_ref()),
            Member::Package(at) => {
                let want = wants.packages.get(at)?;
                self.wants_rocm()?;
                let row = || framework_of(self.registry, &want.name);
                self.index(want).or_else(|| self.framework(row()?))
            }
            Member::Rocm | Member::Python | Member::Driver | Member::Host(_) => None,
        }
    }

    fn wants_rocm(&self) -> Option<()> {
        let wants = &self.question.wants;
        (wants.rocm.is_some() || !wants.frameworks.is_empty()).then_some(())
    }

    /// The releases that were asked for, the newest first.
    fn releases(&self) -> Vec<&RocmVersion> {
        let wanted = self.question.wants.rocm.as_ref().map(|rocm| &rocm.value);
        let mut releases: Vec<&RocmVersion> = self
            .question
            .stack
            .releases
            .iter()
            .filter(|release| self.question.preview || !release.preview)
            .map(|release| &release.version)
            .filter(|version| wanted.is_none_or(|wanted| wanted.matches(&version.dotted())))
            .collect();
        releases.sort();
        releases.dedup();
        releases.reverse();
        releases
    }

    /// What is said of a framework with the newest release that was asked for, if the same holds
    /// for all of them.
    fn framework(&self, row: &FrameworkRow) -> Option<Said> {
        let os = self.question.target.os.as_ref()?.value.clone();
        let system = System { os, wsl: false };
        let of = |rocm: &RocmVersion| on_native_windows(self.registry, row, &system, rocm);
        let all: Option<Vec<Said>> = self.releases().into_iter().map(of).collect();
        all?.into_iter().next()
    }

    /// That AMD's whole list of what native Windows has lacks a component, or that the channels
    /// which have it are for other systems.
    fn component(&self, name: &str) -> Option<Said> {
        let rocm = self.releases().into_iter().next()?;
        if let Some(judgement) = self.registry.not_on_native_windows(name, rocm) {
            let text = format!("{name} on native Windows and ROCm {rocm}: {}", judgement.reason);
            let source = judgement.evidence.first().map(ToString::to_string);
            return Some(Said { text, source });
        }
        let rows = self.registry.components().provides.iter();
        let rows: Vec<_> = rows.filter(|row| row.component == name).collect();
        let serves_windows = |channel: &str| {
            let channel = self.registry.channel(channel);
            channel.is_some_and(|row| row.platforms.iter().any(|own| own == WINDOWS))
        };
        if rows.iter().any(|row| serves_windows(&row.channel)) {
            return None;
        }
        let mut channels: Vec<String> =
            rows.iter().map(|row| format!("`{}`", row.channel)).collect();
        channels.dedup();
        let source = rows.last().and_then(|row| self.document(&row.source));
        let text = format!(
            "{name} comes from {}, which are for Linux; nothing of it is known for native Windows",
            channels.join(" and ")
        );
        (!rows.is_empty()).then_some(Said { text, source })
    }

    /// That the index which a package was bound to has files for other systems only.
    fn index(&self, want: &Want) -> Option<Said> {
        let index: &IndexName = want.index.as_ref()?;
        let mut channels = self.registry.channels().channel.iter();
        let channel = channels.find(|channel| {
            self.registry.indexes_of_channel(channel).iter().any(|own| own.name == *index)
        })?;
        let platforms = &channel.platforms;
        if platforms.is_empty() || platforms.iter().any(|own| own == WINDOWS) {
            return None;
        }
        let text = format!("index `{index}` has files for {} only", platforms.join(", "));
        Some(Said { text, source: self.document(&channel.source) })
    }

    fn document(&self, keys: &SourceKeys) -> Option<String> {
        self.registry.evidence(keys, "", &None).first().map(ToString::to_string)
    }
}

/// Whether AMD says that a member does not go under WSL2 with a release either.
pub(super) fn stays_out_of_wsl(
    question: &Question,
    registry: &Registry,
    member: Member,
    rocm: &RocmVersion,
) -> bool {
    let wants = &question.wants;
    let row = match member {
        Member::Framework(at) => {
            wants.frameworks.get(at).and_then(|it| registry.framework_named(&it.name))
        }
        Member::Package(at) => {
            wants.packages.get(at).and_then(|it| framework_of(registry, &it.name))
        }
        _ => None,
    };
    row.is_some_and(|row| registry.not_under_wsl(&row.name, rocm).is_some())
}

/// The framework that a package is a part of, whatever its release.
fn framework_of<'r>(registry: &'r Registry, package: &PackageName) -> Option<&'r FrameworkRow> {
    let name = package.as_ref();
    let is_of_template = |template: &str| {
        let Some((before, after)) = template.split_once("{major}") else { return false };
        let number = name.strip_prefix(before).and_then(|it| it.strip_suffix(after));
        number.is_some_and(|it| it.bytes().all(|letter| letter.is_ascii_digit()))
    };
    let is_part = |row: &&FrameworkRow| {
        row.package == name || row.packages.iter().any(|own| own == name || is_of_template(own))
    };
    registry.frameworks().framework.iter().find(is_part)
}

/// The word of the registry for native Windows.
const WINDOWS: &str = "windows";
