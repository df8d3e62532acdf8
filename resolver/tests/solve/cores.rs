//! Unsolvable universes by the hundred: the reported core is the smallest, and every fix solves.
//!
//! What a core and a fix mean is written here once more, so that a slip in the program's own
//! reading of them would show.

use std::collections::BTreeSet;

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use rocmenv_resolver::solve::{
    Diagnosis, Edit, Fix, Grade, Interpreter, Member, Question, Refusal, Wish,
};

use crate::oracle::{asked, best, universe, world};
use crate::world::{World, described, diagnosed, rounds};

/// How many unsolvable universes are looked at.
const UNSOLVABLE: usize = 150;

#[test]
fn cores_are_minimal_and_fixes_solve() {
    let mut runner = TestRunner::deterministic();
    let (mut found, mut tried, mut fixes, mut without) = (0, 0, 0, 0);
    while found < UNSOLVABLE {
        tried += 1;
        assert!(tried < 20_000, "only {found} of {tried} universes are unsolvable");
        let mut universe = universe().new_tree(&mut runner).expect("a universe").current();
        // rocm.toml has one line for a package
        universe.roots.sort_by(|a, b| a.0.cmp(&b.0));
        universe.roots.dedup_by(|a, b| a.0 == b.0);
        if best(&universe).is_some() {
            continue;
        }
        found += 1;
        let (question, world) = (asked(&universe), world(&universe));
        let refusal = rounds(&question, &world).0.expect_err("brute force found nothing");
        let refusal = diagnosed(&question, &world, refusal);
        core_is_minimal(&question, &world, &refusal);
        for fix in &refusal.fixes {
            let changed = fixed(&question, fix);
            assert!(rounds(&changed, &world).0.is_ok(), "{fix} does not help\n{refusal}");
            assert!(is_smallest(&question, &world, fix), "a part of {fix} would do\n{refusal}");
        }
        assert!(refusal.fixes.len() <= 5);
        fixes += refusal.fixes.len();
        if refusal.fixes.is_empty() {
            without += 1;
            no_wish_could_be_dropped(&question, &world);
        }
        // Neither the order of files nor of arrival changes a word.
        let lazily = world.clone().shuffled(found as u64).unfetched();
        let again = rounds(&question, &lazily).0.expect_err("the same world");
        assert_eq!(refusal, diagnosed(&question, &lazily, again));
    }
    assert!(fixes >= 50, "{found} unsolvable of {tried}: {fixes} fixes, {without} without one");
}

/// Nothing was found; then no single wish less helps either.
fn no_wish_could_be_dropped(question: &Question, world: &World) {
    let wants = &question.wants;
    if wants.frameworks.len() + wants.packages.len() < 2 {
        return;
    }
    let members = (0..wants.frameworks.len()).map(Member::Framework);
    for dropped in members.chain((0..wants.packages.len()).map(Member::Package)) {
        let mut less = question.clone();
        match dropped {
            Member::Framework(at) => drop(less.wants.frameworks.remove(at)),
            Member::Package(at) => drop(less.wants.packages.remove(at)),
            _ => {}
        }
        assert!(rounds(&less, world).0.is_err(), "without {dropped:?} there is an answer");
    }
}

fn core_is_minimal(question: &Question, world: &World, refusal: &Refusal) {
    let core: BTreeSet<Member> = refusal.core.iter().copied().collect();
    assert!(!core.is_empty());
    assert!(rounds(&only(question, &core), world).0.is_err(), "{core:?} has an answer\n{refusal}");
    for member in &core {
        let mut less = core.clone();
        less.remove(member);
        let answer = rounds(&only(question, &less), world).0;
        assert!(answer.is_ok(), "{core:?} does not need {member:?}\n{refusal}");
    }
}

/// The question with only some of its parts.
fn only(question: &Question, kept: &BTreeSet<Member>) -> Question {
    let mut less = question.clone();
    less.wants.frameworks.clear();
    less.wants.packages.clear();
    for member in kept {
        match member {
            Member::Framework(at) => {
                less.wants.frameworks.push(question.wants.frameworks[*at].clone());
            }
            Member::Package(at) => less.wants.packages.push(question.wants.packages[*at].clone()),
            _ => {}
        }
    }
    if !kept.contains(&Member::Rocm) {
        let any =
            (!less.wants.frameworks.is_empty()).then(|| described(">=0,<99".parse().unwrap()));
        less.wants.rocm = any;
    }
    for release in &mut less.stack.releases {
        for demand in &mut release.demands {
            if demand.judgement.grade == Grade::Refused
                && !kept.contains(&Member::Host(demand.fact))
            {
                demand.judgement.grade = Grade::Listed;
            }
        }
    }
    less
}

/// The question after every edit of a fix.
fn fixed(question: &Question, fix: &Fix) -> Question {
    fix.edits.iter().fold(question.clone(), |changed, edit| edited(&changed, edit))
}

fn edited(question: &Question, edit: &Edit) -> Question {
    let mut changed = question.clone();
    let wants = &mut changed.wants;
    match edit {
        Edit::Unproven => changed.unproven = true,
        Edit::Rocm(series) => wants.rocm = Some(described(series.to_string().parse().unwrap())),
        Edit::Python(series) => {
            wants.python = Some(described(series.to_string().parse().unwrap()));
            changed.interpreters =
                vec![Interpreter::series(u16::try_from(series.part(1)).unwrap())];
        }
        Edit::Version { what: Wish::Package { name, .. }, to } => {
            let to: rocmenv_manifests::version::Requirement = to.parse().unwrap();
            for want in wants.packages.iter_mut().filter(|want| want.name == *name) {
                want.specifiers = to.to_pep440().parse().unwrap();
            }
        }
        Edit::Drop(Wish::Package { name, .. }) => {
            wants.packages.retain(|want| want.name != *name);
        }
        Edit::Drop(Wish::Framework(name)) => wants.frameworks.retain(|one| one.name != *name),
        other => panic!("{other:?} cannot come of this universe"),
    }
    changed
}

/// Whether no part of a fix would do alone.
fn is_smallest(question: &Question, world: &World, fix: &Fix) -> bool {
    fix.edits.len() == 1
        || (0..fix.edits.len()).all(|at| {
            let mut less = fix.clone();
            less.edits.remove(at);
            rounds(&fixed(question, &less), world).0.is_err()
        })
}

#[test]
fn nothing_is_diagnosed_where_an_index_cannot_be_read() {
    let world = World::default().unfetched();
    let question = crate::world::question(&["numpy"]);
    let refusal = Refusal {
        code: "R-index-unreadable",
        causes: Vec::new(),
        core: Vec::new(),
        fixes: Vec::new(),
    };
    let told = Diagnosis::new(refusal.clone(), &question, &world, None).tell();
    assert_eq!((told.refusal, told.missing.len()), (refusal, 0));
}
