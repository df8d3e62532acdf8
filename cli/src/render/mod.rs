//! All printing: data on standard output, talk on standard error, failures, progress.

mod bench;
mod bytes;
mod check;
mod collection;
mod difference;
mod doctor;
mod failure;
mod graph;
mod host;
mod moment;
mod outdated;
mod output;
mod page;
mod plan;
mod profile;
mod progress;
mod prove;
mod pythons;
mod rollback;
mod status;
mod storage;
mod style;
mod table;
mod tree;
mod tune;
mod upgrade;
mod verify;

pub use bench::{
    bench, bench_html, bench_json, bench_runs, bench_svg, comparison, comparison_json,
};
pub use bytes::bytes;
pub use check::check;
pub use collection::{collection, collection_json, collection_warnings, collections_json};
pub use difference::{difference, difference_words};
pub use doctor::{diagnosis, diagnosis_json, requirements, walk, walk_json};
pub use graph::{Format, Graph, Node, graph};
pub use host::host;
pub use moment::moment;
pub use outdated::outdated;
pub use output::Output;
pub use page::{RoadmapPage, VerifyPage, matrix_html, roadmap_html, verify_html};
pub use plan::plan;
pub use profile::{profile, profile_html, profile_json};
pub use progress::reporter;
pub use prove::{prove, prove_notes};
pub use pythons::{python_choice, pythons, pythons_json};
pub use rollback::{mismatch_json, rollback, rollback_json, rollback_warnings};
pub use status::{status, status_json};
pub use storage::{storage, storage_json};
pub use style::Style;
pub use table::table;
pub use tree::tree;
pub use tune::{tune, tune_json};
pub use upgrade::{carried_json, host_wait, journal, passed_stage, upgrade_plan, way_back};
pub use verify::verify;
