//! Taking away what no generation holds, after saying what it is and what it frees.
//!
//! A [`GcPlan`] is a pure value: dry-run prints it, [`execute`] carries it out. Both happen under
//! the store's exclusive lock, so nothing is linked in between.

mod execute;
mod plan;
mod usage;

pub use execute::execute;
pub use plan::{Collector, Freed, GcOptions, GcPlan};
pub use usage::{StoreUsage, Usage, freed_by, usage};
