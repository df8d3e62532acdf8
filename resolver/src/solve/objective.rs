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
    let searched = kept(universe, &root, &axes).and_then(|kept| {
        let mut best: Option<(Vec<usize>, Vec<Need>)> = None;
        for fixed in kept {
            let found = descend(universe, &root, &axes, fixed, first.clone())?;
            if best.as_ref().is_none_or(|best| found.0 < best.0) {
                best = Some(found);
            }
        }
        Ok(best.map(|(_, fixed)| fixed).unwrap_or_default())
    });
    match searched.map(|fixed| attempt(universe, &root, &fixed)) {
        Err(missing) | Ok(Attempt::Missing(missing)) => Found::Missing(missing),
        Ok(Attempt::Solution(solution)) => Found::Solution(solution),
        // What was just solved with the same needs cannot be unsolvable now.
        Ok(Attempt::Unsolvable(conflict, _)) => Found::None(conflict),
    }
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

/// The largest sets of held axes that can stay together, each as needs.
fn kept(
    universe: &Universe<'_>,
    root: &[Need],
    axes: &[Axis],
) -> Result<Vec<Vec<Need>>, BTreeSet<Query>> {
    let held: Vec<Need> = axes
        .iter()
        .filter_map(|axis| Some(axis.need(axis.held?..axis.held? + 1)))
        .take(MAX_HELD)
        .collect();
    let mut subsets: Vec<u32> = (0..1_u32 << held.len()).collect();
    subsets.sort_by_key(|subset| std::cmp::Reverse(subset.count_ones()));
    let mut possible: Vec<(u32, Vec<Need>)> = Vec::new();
    for subset in subsets {
        if possible.last().is_some_and(|(size, _)| subset.count_ones() < *size) {
            break;
        }
        let needs: Vec<Need> = held
            .iter()
            .enumerate()
            .filter(|(at, _)| subset >> at & 1 == 1)
            .map(|(_, need)| need.clone())
            .collect();
        match attempt(universe, root, &needs) {
            Attempt::Solution(_) => possible.push((subset.count_ones(), needs)),
            Attempt::Missing(missing) => return Err(missing),
            Attempt::Unsolvable(..) => {}
        }
    }
    Ok(possible.into_iter().map(|(_, needs)| needs).collect())
}

/// Settles every axis in turn; gives the class of each and the needs that fix them all.
fn descend(
    universe: &Universe<'_>,
    root: &[Need],
    axes: &[Axis],
    mut fixed: Vec<Need>,
    first: Vec<SolvableId>,
) -> Result<(Vec<usize>, Vec<Need>), BTreeSet<Query>> {
    let mut best = first;
    if !fixed.is_empty() {
        match attempt(universe, root, &fixed) {
            Attempt::Solution(solution) => best = solution,
            Attempt::Missing(missing) => return Err(missing),
            Attempt::Unsolvable(..) => {}
        }
    }
    let mut classes = Vec::new();
    for axis in axes {
        let mut class = axis.class_of(universe, &best);
        while class > 0 {
            let better = axis.need(0..class);
            let needs: Vec<Need> = fixed.iter().cloned().chain([better]).collect();
            match attempt(universe, root, &needs) {
                Attempt::Solution(solution) => {
                    best = solution;
                    class = axis.class_of(universe, &best);
                }
                Attempt::Missing(missing) => return Err(missing),
                // Stand-ins for what is missing only ever allow more.
                Attempt::Unsolvable(..) => break,
            }
        }
        fixed.push(axis.need(class..class + 1));
        classes.push(class);
    }
    Ok((classes, fixed))
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
