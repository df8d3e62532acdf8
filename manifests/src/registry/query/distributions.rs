//! Distribution x release. Open: a system without a row was not read. A row that names GPUs says no
//! of the others.

use crate::version::RocmVersion;

use super::super::loader::Registry;
use super::super::rows::support::{OsSupport, SupportStatus};
use super::super::verdict::{Evidence, Judgement, Reason, Verdict};
use super::gpus::{Covers, KnownGpu};
use super::system::System;

impl Registry {
    /// A distribution with a release, for a GPU where known.
    pub fn system_with_rocm(
        &self,
        system: &System,
        rocm: &RocmVersion,
        gpu: Option<&KnownGpu>,
    ) -> Judgement {
        let release = rocm.dotted();
        let rows: Vec<_> = self
            .os_support()
            .row
            .iter()
            .filter(|row| row.releases.iter().any(|own| own.contains(release.parts())))
            .filter(|row| system.is(&row.os))
            .collect();
        let holds = |row: &&&OsSupport| match gpu {
            Some(gpu) => self.covers(&row.gpus, gpu) != Covers::No,
            None => true,
        };
        let evidence = |rows: &[&OsSupport]| -> Vec<Evidence> {
            rows.iter()
                .flat_map(|row| self.evidence(&row.source, &row.notes, &row.confidence))
                .collect()
        };
        let of = |wanted: &[SupportStatus]| -> Vec<&OsSupport> {
            rows.iter().filter(holds).filter(|row| wanted.contains(&row.status)).copied().collect()
        };
        let good = of(&[SupportStatus::Supported, SupportStatus::Preview]);
        let bad = of(&[SupportStatus::Unsupported]);
        let other =
            of(&[SupportStatus::Conflict, SupportStatus::Replaced, SupportStatus::Unstable]);
        if !good.is_empty() {
            let kernels: Vec<_> = good.iter().filter_map(|row| row.kernel.clone()).collect();
            let more = if kernels.is_empty() {
                String::new()
            } else {
                format!("listed with kernel {}", kernels.join("; "))
            };
            return Judgement::new(Verdict::Listed, Reason::Listed(more), evidence(&good))
                .contradicted_by(evidence(&bad));
        }
        if !bad.is_empty() {
            let reason = Reason::Status(SupportStatus::Unsupported);
            return Judgement::new(Verdict::StatedNo, reason, evidence(&bad));
        }
        if let Some(row) = other.first() {
            let judgement =
                Judgement::new(Verdict::NotKnown, Reason::Status(row.status), evidence(&other));
            let disagree = row.status == SupportStatus::Conflict;
            return judgement.contradicted_by(if disagree { evidence(&other) } else { Vec::new() });
        }
        if !rows.is_empty() {
            let only: Vec<String> = rows.iter().map(|row| scope_words(row)).collect();
            return Judgement::new(Verdict::StatedNo, Reason::OnlyFor(only), evidence(&rows));
        }
        let what = format!("{system} with ROCm {rocm}");
        Judgement::new(Verdict::NotKnown, Reason::NothingRead(what), Vec::new())
    }
}

fn scope_words(row: &OsSupport) -> String {
    let scope = &row.gpus;
    let classes = scope.class.iter().map(|class| format!("{class:?}").to_lowercase());
    let except = scope.except.iter().map(|product| format!("not {product}"));
    let not_gfx = scope.not_gfx.iter().map(|gfx| format!("not {gfx}"));
    let words = classes
        .chain(scope.products.iter().cloned())
        .chain(except)
        .chain(not_gfx)
        .chain(scope.gfx.iter().map(ToString::to_string));
    words.collect::<Vec<_>>().join(" ")
}
