//! Binary interfaces: NumPy, glibc, libstdc++.

use rocmenv_manifests::registry::Registry;

use super::Confidence::Certain;
use super::{Finding, Rule, told};
use crate::diagnose::facts::{Facts, Signal};

pub(super) const RULES: &[Rule] = &[numpy, glibc, libstdcxx];

fn numpy(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::NumpyAbi], "D-numpy-abi", Certain)
}

fn glibc(facts: &Facts, _: &Registry) -> Option<Finding> {
    let finding = told(facts, &[Signal::Glibc], "D-glibc-too-old", Certain)?;
    Some(match &facts.host.libc {
        Some(libc) => finding.because(format!("this system has {libc}")),
        None => finding,
    })
}

fn libstdcxx(facts: &Facts, _: &Registry) -> Option<Finding> {
    told(facts, &[Signal::Glibcxx], "D-libstdcxx-too-old", Certain)
}
