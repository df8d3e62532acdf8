//! The solve as its users see it: questions over small worlds, and the suites of peers.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod cores;
mod debs;
mod oracle;
mod packse;
mod pubgrub;
mod refusals;
mod resolvelib;
mod stack;
mod world;
