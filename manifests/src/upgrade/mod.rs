//! The words of an upgrade: states, stages, what they cost, bring and take away, and the answer.
//!
//! Everything here is plain data that is read and written as JSON, so that a plan survives a
//! reboot: `resolver::upgrade` makes it, cli prints it and carries it out.

mod answer;
mod cost;
mod effect;
mod stage;
mod standing;
mod state;

pub use answer::{Answer, Nearest, NoPathReason, RefusedPair, StayReason, UpgradePlan};
pub use cost::{Amount, AtLeast, Cost, Counted, Gap, TotalCost};
pub use effect::{Gain, Loss, Move, MoveKind, Note, Unproven};
pub use stage::{
    Change, EnvironmentStep, Expectation, Footing, HostStep, Part, Stage, Step, Undo, Usability,
};
pub use standing::{Behind, CheckDue, Continuation, RegistryAge, ReleaseRef, Standing};
pub use state::{Driver, FrameworkVersion, State};
