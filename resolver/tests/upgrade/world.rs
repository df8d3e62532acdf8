//! Random worlds: releases, drivers, systems, kernels, firmwares, Pythons, and where a host is.

use proptest::prelude::*;

/// A world of few releases, drivers, systems, kernels, firmwares and Pythons.
#[derive(Debug, Clone)]
pub(crate) struct World {
    /// For each release: whether its firmware is named, and what is said of the GPU.
    pub(crate) releases: Vec<(bool, Said)>,
    /// For each driver: the releases that it serves, and the one that it came out with.
    pub(crate) drivers: Vec<(Vec<bool>, Option<usize>)>,
    /// For each system and release: what is said, and which of its two kernels are named.
    pub(crate) systems: Vec<Vec<(Said, [bool; 2])>>,
    /// For each release: in which Pythons it is built, whether AMD lists it, and its bytes.
    pub(crate) builds: Vec<([bool; 2], bool, Option<u64>)>,
    /// A driver that fails from a kernel on, on one system or on all.
    pub(crate) bad: Option<(usize, usize, Option<usize>)>,
    pub(crate) start: Place,
    /// The release, and the driver where one is asked for.
    pub(crate) goal: (usize, Option<usize>),
    /// What the policy accepts: listed, built, or anything.
    pub(crate) accept: u8,
}

/// What a table says of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    Yes,
    No,
    Nothing,
}

/// A state. `driver` is `None` for the in-tree one, `kernel` where none is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) system: usize,
    pub(crate) kernel: Option<usize>,
    pub(crate) driver: Option<usize>,
    pub(crate) firmware: u32,
    /// Release and Python; `None` where the environment is set aside.
    pub(crate) environment: Option<(usize, usize)>,
}

pub(crate) fn world() -> impl Strategy<Value = World> {
    (2_usize..5, 1_usize..4, 1_usize..4).prop_flat_map(|(releases, drivers, systems)| {
        let said =
            || prop_oneof![4 => Just(Said::Yes), 1 => Just(Said::No), 1 => Just(Said::Nothing)];
        let release = (prop::bool::weighted(0.2), said());
        let driver = (
            prop::collection::vec(prop::bool::weighted(0.6), releases),
            prop::option::weighted(0.8, 0..releases),
        );
        let cell = (said(), prop::array::uniform2(prop::bool::weighted(0.5)));
        let build = (
            prop::array::uniform2(prop::bool::weighted(0.7)),
            prop::bool::weighted(0.7),
            prop::option::weighted(0.7, 1_u64..50),
        );
        let bad = (0..drivers, 1_usize..4, prop::option::of(0..systems));
        let start = (
            0..systems,
            prop::option::weighted(0.8, 0_usize..2),
            0..drivers,
            0_u32..3,
            prop::option::weighted(0.9, (0..releases, 0_usize..2)),
        );
        let goal = (0..releases, prop::option::weighted(0.2, 0..drivers));
        (
            prop::collection::vec(release, releases),
            prop::collection::vec(driver, drivers),
            prop::collection::vec(prop::collection::vec(cell, releases), systems),
            prop::collection::vec(build, releases),
            prop::option::weighted(0.3, bad),
            start,
            prop::bool::weighted(0.1),
            goal,
            0_u8..4,
        )
            .prop_map(
                |(releases, drivers, systems, builds, bad, start, in_tree, goal, accept)| World {
                    releases,
                    drivers,
                    systems,
                    builds,
                    bad,
                    start: Place {
                        system: start.0,
                        kernel: start.1.map(|at| start.0 + at),
                        driver: (!in_tree).then_some(start.2),
                        firmware: start.3,
                        environment: start.4,
                    },
                    goal,
                    accept,
                },
            )
    })
}

/// The kernels, oldest first; each system has two that follow each other.
pub(crate) const KERNELS: [&str; 4] = ["5.4", "5.15", "6.8", "6.17"];
pub(crate) const PYTHONS: [&str; 2] = ["3.11", "3.12"];
