//! Python interpreters of a host: where they may be, what they say of themselves, and the one that
//! an environment is built on.
//!
//! The probe asks all of them; [`find_interpreter`] asks as few as it can and remembers the
//! answers, so that a sync that has nothing to do runs none.

mod answer;
mod candidates;
mod find;
mod memory;
mod pyenv;
mod unfit;

pub(super) use answer::{Answer, ask};
pub(super) use candidates::{Candidate, candidates};
pub use find::{FoundInterpreter, InterpreterWish, NoInterpreter, find_interpreter};
pub use memory::{InterpreterMemory, NoMemory};
pub use unfit::{LookedAt, Unfit};
