//! Checks the tables against each other: every name that a row uses has to exist.
//!
//! Run by the build script over the embedded data (a fault fails the build) and by overlays over
//! what they add. It says nothing of whether a fact is true.

mod checker;
mod tables;

use std::fmt::{self, Display};

use self::checker::Checker;
use super::tables::Tables;

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Fault {
    /// A name that no table has.
    #[error("{table}: `{name}` is not a known {kind}")]
    Unknown {
        /// The table that uses it.
        table: &'static str,
        /// What it should be.
        kind: Kind,
        /// The name.
        name: String,
    },
    /// A name that two rows of a table have.
    #[error("{table}: {kind} `{name}` is there twice")]
    Twice {
        /// The table.
        table: &'static str,
        /// What it is.
        kind: Kind,
        /// The name.
        name: String,
    },
    /// A text that is no day.
    #[error("{table}: `{text}` is not a day (YYYY-MM-DD)")]
    Date {
        /// The table.
        table: &'static str,
        /// The text.
        text: String,
    },
}

/// The kinds of names that rows use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A key of `sources`.
    Source,
    /// A ROCm release.
    Release,
    /// A line of releases.
    Line,
    /// A gfx target.
    Gfx,
    /// A product.
    Product,
    /// A group of products.
    Group,
    /// A channel.
    Channel,
    /// A framework.
    Framework,
    /// A component.
    Component,
    /// A known-bad combination.
    Combination,
    /// A file of an index.
    File,
}

impl Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Source => "source",
            Self::Release => "release",
            Self::Line => "line",
            Self::Gfx => "gfx target",
            Self::Product => "product",
            Self::Group => "product group",
            Self::Channel => "channel",
            Self::Framework => "framework",
            Self::Component => "component",
            Self::Combination => "combination",
            Self::File => "file",
        })
    }
}

/// All faults of `tables`, sorted; empty when each name that is used exists, within `tables` or
/// within `base` (the tables that an overlay extends).
pub fn validate(tables: &Tables, base: Option<&Tables>) -> Vec<Fault> {
    let mut checker = Checker::new(tables, base);
    checker.check(tables);
    checker.into_faults()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;

    fn faults(break_it: impl FnOnce(&mut Tables)) -> Vec<String> {
        let mut tables = Registry::all_embedded();
        break_it(&mut tables);
        validate(&tables, None).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_embedded_tables_are_consistent() {
        assert_eq!(faults(|_| ()), Vec::<String>::new());
    }

    #[test]
    fn a_reference_to_nothing_is_a_fault() {
        let found = faults(|tables| {
            tables.gpu_support.row[0].gfx.push("gfx1999".parse().unwrap());
            tables.drivers.matrix[0].rocm.push("8.0.x".parse().unwrap());
            tables.builds.build[0].channel = "amd-whl-last".to_owned();
            tables.roadmap.entry[0].source = "hearsay".to_owned().try_into().unwrap();
            tables.os_support.row[0].gpus.products.push("AMD Instinct MI9".to_owned());
            tables.frameworks.listed[0].framework = "theano".to_owned();
        });
        assert_eq!(
            found,
            [
                "builds: `amd-whl-last` is not a known channel",
                "drivers: `8.0.x` is not a known release",
                "frameworks: `theano` is not a known framework",
                "gpu-support: `gfx1999` is not a known gfx target",
                "os-support: `AMD Instinct MI9` is not a known product",
                "roadmap: `hearsay` is not a known source",
            ]
        );
    }

    #[test]
    fn a_name_twice_and_a_day_that_is_none_are_faults() {
        let found = faults(|tables| {
            let again = tables.releases.release[0].clone();
            tables.releases.release.push(again);
            tables.releases.release[1].date = Some("August 2026".to_owned());
        });
        assert_eq!(
            found,
            [
                "releases: release `10.1.0` is there twice",
                "releases: `August 2026` is not a day (YYYY-MM-DD)",
            ]
        );
    }
}
