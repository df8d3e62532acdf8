//! The order in which a server answers does not reach the lock.

use std::time::Duration;

use rocmenv_tests::{Index, IndexServer, Sandbox, WheelBuilder, World};

use super::rocmenv;

/// A closure with choices: several versions, and needs that exclude some of them.
fn tangled() -> Index {
    let mut index = Index::new("main");
    for (name, needs) in [("a", vec!["b", "c>=2"]), ("b", vec!["d<3"]), ("c", vec!["d>1", "e"])] {
        for version in 1..=4 {
            let mut wheel = WheelBuilder::new(name, &format!("{version}.0"));
            for need in &needs {
                wheel = wheel.requires(need);
            }
            if name == "c" && version == 4 {
                wheel = wheel.requires("d>=3");
            }
            index = index.wheel(wheel);
        }
    }
    for name in ["d", "e"] {
        for version in 1..=4 {
            index = index.wheel(WheelBuilder::new(name, &format!("{version}.0")));
        }
    }
    index
}

#[test]
fn shuffled_and_delayed_answers_give_the_same_bytes() {
    let mut locks = std::collections::BTreeSet::new();
    for seed in 0..6 {
        let world = World::new().index(tangled()).shuffled(seed, Duration::from_millis(40));
        let server = IndexServer::start(world);
        let mut sandbox = Sandbox::new();
        sandbox.index(&server, "main");
        sandbox.write(
            "rocm.toml",
            "[requires]\npython = \"3.12\"\n[python-packages]\na = \"*\"\ne = \"<4\"\n\
             [targets.t]\nos = \"ubuntu-24.04\"\n",
        );
        assert_eq!(rocmenv(&sandbox, "lock -q").code, 0);
        locks.insert(sandbox.read("rocm.lock"));
    }
    assert_eq!(locks.len(), 1, "{locks:#?}");
    let lock = locks.pop_first().unwrap_or_default();
    assert!(lock.contains("name = \"c\"\nversion = \"3.0\""), "{lock}");
}
