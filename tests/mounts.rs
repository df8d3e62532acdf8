//! What only another file system shows: power cuts, reflinks, two disks, layers, a full disk.
//!
//! As root on a system with loop devices, and with `ROCMENV_MOUNTS=1`; else each test says that it
//! was skipped. `ROCMENV_MOUNTS=all` looks at every instant of a power cut instead of some.

#![cfg(target_os = "linux")]

#[path = "mounts/cuts.rs"]
mod cuts;
#[path = "mounts/kinds.rs"]
mod kinds;
#[path = "mounts/models.rs"]
mod models;
#[expect(dead_code, reason = "the harness of generations uses the rest")]
#[path = "generations/node.rs"]
mod node;
#[path = "mounts/power.rs"]
mod power;
#[path = "mounts/refused.rs"]
mod refused;
#[path = "mounts/stops.rs"]
mod stops;
#[path = "mounts/trees.rs"]
mod trees;

const SERIES: &str = "import sys; print('%d.%d' % sys.version_info[:2])";
