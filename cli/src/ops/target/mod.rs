//! `target`: the hosts that a lock is made for. Adding or removing one leaves the locked parts of
//! the others as they are.

mod add;
mod describe;
mod error;
mod list;
mod remove;

pub use add::{AddOutcome, add};
pub use describe::{name_of, of_host as described};
pub use error::TargetEditError;
pub use list::{ListedTarget, Standing, list};
pub use remove::{RemoveOutcome, remove};
