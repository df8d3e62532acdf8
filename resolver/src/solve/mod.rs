//! The one solve: from a question and a catalog to a solution, a refusal, or what is missing.
//!
//! Everything is one problem, because the faults that hurt lie between layers. `question` and
//! `stack` say what is asked and known; `universe` finds candidates, `needs` what they need;
//! `provider` tells the solver; `objective` decides which of all solutions is meant; `solution`
//! and `refusal` are the answers, `diagnosis` and `fixes` what more is proved of a refusal. Nothing
//! here waits, reads a disk or remembers anything between two solves: a solve that lacks something
//! says what, and is begun again from the start.

mod cause;
mod components;
mod contract;
mod contradiction;
mod debs;
mod diagnosis;
mod exclusion;
mod fixes;
mod frameworks;
mod from_registry;
mod known_builds;
mod member;
mod metas;
mod native_windows;
mod needs;
mod notes;
mod objective;
mod own_wheel;
mod provider;
mod question;
mod refusal;
mod releases;
mod solution;
mod stack;
mod telling;
mod thing;
mod to_lock;
mod told;
mod trials;
mod universe;
mod wheel_fault;
mod wheel_page;
mod wheel_text;
mod wheels;

pub use cause::Cause;
pub use diagnosis::{Diagnosis, Told};
pub use exclusion::Exclusion;
pub use fixes::{Edit, Fix, Surroundings, Wish};
pub use from_registry::StackRequest;
pub use known_builds::KnownBuild;
pub use member::Member;
pub use own_wheel::own_wheel;
pub use question::{Interpreter, Moves, Previous, Question, Want, WantError, Wants};
pub use refusal::Refusal;
pub use solution::{Chosen, ChosenDeb, ChosenFramework, ChosenWheel, Reason, Solution};
pub use stack::{
    Binding, BuildRule, Built, ComponentPackages, ComponentWay, Coupling, Demand, Fact,
    FrameworkRule, Grade, JudgedVersions, Judgement, ListedVersions, MetaRule, Otherwise,
    PackageRule, Release, Stack,
};

use std::collections::BTreeSet;

use rocmenv_manifests::catalog::{Catalog, Query};

use objective::Found;
use universe::Universe;

/// What a solve came to.
#[derive(Debug)]
pub enum Outcome {
    /// A solution, the best by the objective.
    Solved(Box<Solution>),
    /// There is none, and why.
    Refused(Refusal),
    /// These things have to be fetched; then the solve is begun again.
    Missing(BTreeSet<Query>),
}

/// Solves a question over what the catalog holds now. The answer depends on what the catalog
/// says, never on the order in which it learned it.
pub fn solve(question: &Question, catalog: &dyn Catalog) -> Outcome {
    let universe = Universe::new(question, catalog);
    let chosen = match objective::search(&universe) {
        _ if !universe.failed().is_empty() => {
            return Outcome::Refused(Refusal::of_failures(&universe.failed()));
        }
        Found::Missing(missing) => return Outcome::Missing(missing),
        Found::None(conflict) => return Outcome::Refused(refusal::explain(&universe, &conflict)),
        Found::Solution(chosen) => chosen,
    };
    let interpreter = solution::interpreter(&universe, &chosen);
    let several = question.interpreters.len() > 1;
    if let Some(interpreter) = interpreter.filter(|_| several) {
        // The stack is settled; the closure is solved again with this interpreter's own wheels.
        let interpreters = vec![question.interpreters[interpreter].clone()];
        return solve(&Question { interpreters, ..question.clone() }, catalog);
    }
    let root = needs::root(&universe);
    Outcome::Solved(Box::new(solution::build(&universe, &root, &chosen)))
}
