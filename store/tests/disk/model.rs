//! Random histories against a model: whatever is made, switched, removed and collected, every
//! generation that the model says is there holds exactly its files, and nothing else is kept.

use std::collections::{BTreeMap, BTreeSet};

use fs_err as fs;
use proptest::prelude::*;
use rocmenv_store::gc::{Collector, GcOptions, execute};
use rocmenv_store::generation::{EnvWriter, current, list, previous};
use rocmenv_store::object::damaged_files;

use crate::support::{Sandbox, Wheel};

#[derive(Debug, Clone)]
enum Step {
    /// A generation of these wheels becomes current.
    Sync(BTreeSet<u8>),
    /// A generation is begun and left.
    Die,
    /// The n-th known generation becomes current.
    Switch(usize),
    Pin(usize),
    Unpin(usize),
    /// Generations beyond the newest go.
    Prune(usize),
    Collect,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let wheels = prop::collection::btree_set(0_u8..5, 0..4);
    let step = prop_oneof![
        4 => wheels.prop_map(Step::Sync),
        1 => Just(Step::Die),
        2 => (0_usize..8).prop_map(Step::Switch),
        1 => (0_usize..8).prop_map(Step::Pin),
        1 => (0_usize..8).prop_map(Step::Unpin),
        2 => (0_usize..3).prop_map(Step::Prune),
        2 => Just(Step::Collect),
    ];
    prop::collection::vec(step, 1..12)
}

/// Wheels 0 and 1 share a large file; each has one of its own.
fn wheel(number: u8) -> Wheel {
    let name = format!("w{number}");
    let shared = vec![number / 2; 70_000];
    Wheel::new(&name).file(&format!("{name}/__init__.py"), &format!("n = {number}\n")).file_with(
        &format!("{name}/big.so"),
        &shared,
        0o644,
    )
}

#[derive(Debug, Default)]
struct Model {
    generations: BTreeMap<u32, BTreeSet<u8>>,
    given: u32,
    current: Option<u32>,
    previous: Option<u32>,
    pinned: BTreeSet<u32>,
    /// Wheels that are in the store.
    objects: BTreeSet<u8>,
}

impl Model {
    fn nth(&self, at: usize) -> Option<u32> {
        self.generations.keys().nth(at).copied()
    }

    fn switch(&mut self, number: u32) {
        if self.current != Some(number) {
            self.previous = self.current.or(self.previous);
            self.current = Some(number);
        }
    }

    fn prune(&mut self, newest: usize) -> Vec<u32> {
        let keep: BTreeSet<u32> = self.generations.keys().rev().take(newest).copied().collect();
        let going: Vec<u32> = self
            .generations
            .keys()
            .filter(|number| {
                !keep.contains(number)
                    && !self.pinned.contains(number)
                    && self.current != Some(**number)
                    && self.previous != Some(**number)
            })
            .copied()
            .collect();
        self.generations.retain(|number, _| !going.contains(number));
        going
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn histories_agree_with_the_model(steps in steps()) {
        let sandbox = Sandbox::new();
        let mut model = Model::default();
        for step in steps {
            apply(&sandbox, &mut model, &step);
            compare(&sandbox, &model);
        }
    }
}

fn apply(sandbox: &Sandbox, model: &mut Model, step: &Step) {
    let layout = sandbox.store.layout();
    let writer = || EnvWriter::lock(sandbox.env()).unwrap();
    match step {
        Step::Sync(wheels) => {
            let store = sandbox.store.in_use().unwrap();
            let objects = wheels.iter().map(|n| sandbox.wheel(&store, &wheel(*n))).collect();
            let writer = writer();
            let new = writer.begin(layout).unwrap();
            new.build(&store, &Sandbox::request(objects), &|_| ()).unwrap();
            writer.switch(new.number()).unwrap();
            model.given += 1;
            assert_eq!(new.number(), model.given);
            model.generations.insert(model.given, wheels.clone());
            model.objects.extend(wheels);
            model.switch(model.given);
        }
        Step::Die => {
            model.given += 1;
            assert_eq!(writer().begin(layout).unwrap().number(), model.given);
        }
        Step::Switch(at) => {
            if let Some(number) = model.nth(*at) {
                writer().switch(number).unwrap();
                model.switch(number);
            }
        }
        Step::Pin(at) => {
            if let Some(number) = model.nth(*at) {
                writer().pin(number).unwrap();
                model.pinned.insert(number);
            }
        }
        Step::Unpin(at) => {
            if let Some(number) = model.nth(*at) {
                writer().unpin(number).unwrap();
                model.pinned.remove(&number);
            }
        }
        Step::Prune(newest) => {
            let writer = writer();
            let going = writer.removable(*newest, &[]).unwrap();
            writer.remove(layout, &going).unwrap();
            assert_eq!(going, model.prune(*newest));
        }
        Step::Collect => {
            let collector = Collector::lock(layout.clone()).unwrap();
            let plan =
                collector.plan(&GcOptions { now: 0, forget: vec![], without: vec![] }).unwrap();
            execute(&collector, &plan).unwrap();
            model.objects = model.generations.values().flatten().copied().collect();
        }
    }
}

fn compare(sandbox: &Sandbox, model: &Model) {
    let env = sandbox.env();
    assert_eq!(current(&env).unwrap(), model.current);
    assert_eq!(previous(&env).unwrap(), model.previous);
    let listed = list(&env).unwrap();
    let numbers: Vec<u32> = listed.iter().map(|listed| listed.record.number).collect();
    assert_eq!(numbers, model.generations.keys().copied().collect::<Vec<_>>());
    for listed in &listed {
        assert_eq!(listed.is_pinned, model.pinned.contains(&listed.record.number));
        let wheels = &model.generations[&listed.record.number];
        let files = crate::support::paths_below(&env.generation(listed.record.number).env());
        for number in 0..5 {
            let suffix = format!("/w{number}/big.so");
            let file = files.iter().find(|path| path.ends_with(&suffix));
            assert_eq!(file.is_some(), wheels.contains(&number), "{files:?}");
            if let Some(file) = file {
                let path = env.generation(listed.record.number).env().join(file);
                assert_eq!(fs::read(path).unwrap(), vec![number / 2; 70_000]);
            }
        }
    }
    let store = sandbox.store.in_use().unwrap();
    let objects = fs::read_dir(store.layout().objects()).unwrap();
    let names: Vec<_> = objects.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), model.objects.len());
    for name in names {
        let object = store.find(&name.to_str().unwrap().parse().unwrap()).unwrap().unwrap();
        assert_eq!(damaged_files(&object.layout, &object.manifest), []);
    }
}
