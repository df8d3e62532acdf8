//! Which of all solutions is meant: lexicographic, the stack first, then the closure.
//!
//! In order: fewest changes of the stack from the old lock, better grade, newest ROCm, frameworks
//! in file order, Python. Each is settled by asking again for something better than what was
//! found until there is nothing, and then kept while the next is settled. The closure of Python
//! packages is then solved with the stack fixed: newest first, what was locked before that.

use std::collections::BTreeSet;

use resolvo::conflict::ConflictGraph;
use resolvo::{Problem, SolvableId, Solver, UnsolvableOrCancelled};
use rocmenv_manifests::catalog::Query;
use rocmenv_manifests::python::version::public;

use super::needs;
use super::provider::Provider;
use super::thing::{Candidate, Name, Need, Set, Thing};
use super::universe::{GRADES, Universe};
use super::wheels::concerns_rocm;

/// What a search in one universe came to.
pub(super) enum Found {
    /// The best solution, as candidates in the order of their names.
    Solution(Vec<SolvableId>),
    /// There is none; why, as the solver sees it.
    None(ConflictGraph),
    /// These things have to be fetched first.
    Missing(BTreeSet<Query>),
}

/// Finds the best solution.
pub(super) fn search(universe: &Universe<'_>) -> Found {
    let root = needs::root(universe);
    let axes = axes(universe);
    let first = match attempt(universe, &root, &[]) {
        Attempt::Unsolvable(conflict, missing) if missing.is_empty() => {
            return Found::None(conflict);
        }
        Attempt::Missing(missing) | Attempt::Unsolvable(_, missing) => {
            return Found::Missing(missing);
        }
        Attempt::Solution(solution) => solution,
    };
    let settled = kept(universe, &root, &axes, first).and_then(|starts| {
        let mut best: Option<Settled> = None;
        for start in starts {
            let found = descend(universe, &root, &axes, start)?;
            if best.as_ref().is_none_or(|best| found.classes < best.classes) {
                best = Some(found);
            }
        }
        Ok(best)
    });
    let settled = match settled {
        Err(missing) => return Found::Missing(missing),
        Ok(None) => return Found::Solution(Vec::new()),
        Ok(Some(settled)) => settled,
    };
    if !settled.was_improved {
        return Found::Solution(settled.solution);
    }
    // The way to the stack must not show in the closure: it is solved once more by itself.
    match attempt(universe, &root, &settled.fixed) {
        Attempt::Missing(missing) => Found::Missing(missing),
        Attempt::Solution(solution) => Found::Solution(solution),
        // What was just solved with the same needs cannot be unsolvable now.
        Attempt::Unsolvable(conflict, _) => Found::None(conflict),
    }
}

/// A set of held axes that can stay together, with a solution in which they do.
struct Start {
    fixed: Vec<Need>,
    solution: Vec<SolvableId>,
}

/// A stack with every axis settled.
struct Settled {
    /// The class of each axis.
    classes: Vec<usize>,
    /// What fixes them.
    fixed: Vec<Need>,
    solution: Vec<SolvableId>,
    /// Whether the solution is of a later run than the start.
    was_improved: bool,
}

/// One thing to settle: a name, and its candidates in classes, best first.
struct Axis {
    name: Name,
    classes: Vec<Vec<u32>>,
    /// The class that the old lock had, if it is to stay.
    held: Option<usize>,
}

/// The axes in the order in which they are settled.
fn axes(universe: &Universe<'_>) -> Vec<Axis> {
    let previous = &universe.question.previous;
    let singles = |count: usize| (0..).take(count).map(|at| vec![at]).collect::<Vec<Vec<u32>>>();
    let mut axes = vec![Axis { name: Name::Grade, classes: singles(GRADES.len()), held: None }];
    if concerns_rocm(universe) {
        let is_held = |at: usize| {
            let release = &universe.releases[at].version;
            previous.holds("rocm") && previous.rocm.as_ref() == Some(release)
        };
        let held = (0..universe.releases.len()).find(|&at| is_held(at));
        axes.push(Axis { name: Name::Rocm, classes: singles(universe.releases.len()), held });
    }
    for framework in &universe.question.wants.frameworks {
        axes.push(framework_axis(universe, &framework.name));
    }
    let interpreters = &universe.question.interpreters;
    let held = previous.python.filter(|_| previous.holds("python"));
    let held = held.and_then(|minor| interpreters.iter().position(|python| python.minor == minor));
    axes.push(Axis { name: Name::Python, classes: singles(interpreters.len()), held });
    axes
}

/// A framework's candidates by version, newest first; the release has its own axis.
fn framework_axis(universe: &Universe<'_>, framework: &str) -> Axis {
    let name = Name::Framework(framework.to_owned());
    let table = universe.table(universe.pool.intern_package_name(name.clone()));
    let version = |candidate: &Candidate| match &candidate.thing {
        Thing::Framework { version, .. } => version.clone(),
        _ => None,
    };
    let mut versions: Vec<_> = Vec::new();
    let mut classes: Vec<Vec<u32>> = Vec::new();
    for candidate in table.candidates.iter().map(|&id| universe.candidate(id)) {
        if versions.last() != Some(&version(candidate)) {
            versions.push(version(candidate));
            classes.push(Vec::new());
        }
        if let Some(class) = classes.last_mut() {
            class.push(candidate.ordinal);
        }
    }
    let rule = universe.question.stack.frameworks.get(framework);
    let held = rule
        .filter(|_| universe.question.previous.holds(framework))
        .and_then(|rule| universe.question.previous.held(&rule.main))
        .and_then(|held| versions.iter().position(|version| *version == Some(public(held))));
    Axis { name, classes, held }
}

/// The largest sets of held axes that can stay together.
fn kept(
    universe: &Universe<'_>,
    root: &[Need],
    axes: &[Axis],
    first: Vec<SolvableId>,
) -> Result<Vec<Start>, BTreeSet<Query>> {
    let held: Vec<Need> = axes
        .iter()
        .filter_map(|axis| Some(axis.need(axis.held?..axis.held? + 1)))
        .take(MAX_HELD)
        .collect();
    let mut subsets: Vec<u32> = (1..1_u32 << held.len()).collect();
    subsets.sort_by_key(|subset| std::cmp::Reverse(subset.count_ones()));
    let mut possible: Vec<Start> = Vec::new();
    for subset in subsets {
        let size = subset.count_ones() as usize;
        if possible.last().is_some_and(|start| size < start.fixed.len()) {
            break;
        }
        let chosen = held.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1);
        let fixed: Vec<Need> = chosen.map(|(_, need)| need.clone()).collect();
        match attempt(universe, root, &fixed) {
            Attempt::Solution(solution) => possible.push(Start { fixed, solution }),
            Attempt::Missing(missing) => return Err(missing),
            Attempt::Unsolvable(..) => {}
        }
    }
    if possible.is_empty() {
        possible.push(Start { fixed: Vec::new(), solution: first });
    }
    Ok(possible)
}

/// Settles every axis in turn.
fn descend(
    universe: &Universe<'_>,
    root: &[Need],
    axes: &[Axis],
    start: Start,
) -> Result<Settled, BTreeSet<Query>> {
    let Start { mut fixed, mut solution } = start;
    let mut classes = Vec::new();
    let mut was_improved = false;
    for axis in axes {
        let mut class = axis.class_of(universe, &solution);
        while class > 0 {
            let better = axis.need(0..class);
            let needs: Vec<Need> = fixed.iter().cloned().chain([better]).collect();
            match attempt(universe, root, &needs) {
                Attempt::Solution(found) => {
                    solution = found;
                    was_improved = true;
                    class = axis.class_of(universe, &solution);
                }
                Attempt::Missing(missing) => return Err(missing),
                // Stand-ins for what is missing only ever allow more.
                Attempt::Unsolvable(..) => break,
            }
        }
        fixed.push(axis.need(class..class + 1));
        classes.push(class);
    }
    Ok(Settled { classes, fixed, solution, was_improved })
}

impl Axis {
    fn need(&self, classes: std::ops::Range<usize>) -> Need {
        let chosen = self.classes.get(classes).unwrap_or_default();
        Need::new(self.name.clone(), Set::of(chosen.iter().flatten().copied(), ""))
    }

    fn class_of(&self, universe: &Universe<'_>, solution: &[SolvableId]) -> usize {
        let chosen = solution.iter().find(|&&id| *universe.name(id) == self.name);
        let ordinal = chosen.map(|&id| universe.candidate(id).ordinal);
        let holds = |class: &Vec<u32>| ordinal.is_some_and(|ordinal| class.contains(&ordinal));
        self.classes.iter().position(holds).unwrap_or(0)
    }
}

/// What one run of the solver came to.
enum Attempt {
    Solution(Vec<SolvableId>),
    Missing(BTreeSet<Query>),
    /// With what stood in for missing things at that time.
    Unsolvable(ConflictGraph, BTreeSet<Query>),
}

fn attempt(universe: &Universe<'_>, root: &[Need], fixed: &[Need]) -> Attempt {
    let provider = Provider(universe);
    let needs: Vec<Need> = fixed.iter().chain(root).cloned().collect();
    let requirements = provider.requirements(&needs);
    let mut solver = Solver::new(provider);
    let found = solver.solve(Problem::new().requirements(requirements));
    let missing = universe.take_missing();
    match found {
        Ok(_) if !missing.is_empty() => Attempt::Missing(missing),
        Ok(mut solution) => {
            solution.sort_by(|&a, &b| universe.name(a).cmp(universe.name(b)));
            Attempt::Solution(solution)
        }
        Err(UnsolvableOrCancelled::Unsolvable(conflict)) => {
            Attempt::Unsolvable(conflict.graph(&solver), missing)
        }
        // Nothing here ever cancels.
        Err(UnsolvableOrCancelled::Cancelled(_)) => Attempt::Missing(missing),
    }
}

/// More axes than this are not held together: the subsets would be too many to try.
const MAX_HELD: usize = 8;
