//! A power cut at any instant leaves the old state or the new one, and never less than what a call
//! had said.

use std::collections::BTreeMap;
use std::path::PathBuf;

use fs_err as fs;
use rocmenv_tests::{Index, IndexServer, Sandbox, WheelBuilder, World};

use crate::cuts::{Cut, Cuts};
use crate::node::Node;
use crate::trees::{Tree, difference, digest_of};

/// A project on the disk of some cuts, whose packages are served on loopback.
struct Project {
    sandbox: Sandbox,
    /// What a generation of each version of `demo` holds.
    whole: BTreeMap<String, Tree>,
    // Serves as long as it lives.
    _server: IndexServer,
}

impl Project {
    fn on(cuts: &Cuts) -> Self {
        // Two large files of one content share an inode of the store.
        let demo = |version: &str, fill: u8| {
            let weights = vec![fill; 100_000];
            WheelBuilder::new("demo", version)
                .file("demo/weights.bin", weights.clone())
                .file("demo/again.bin", weights)
                .console_script("demo", "demo:main")
        };
        let index =
            Index::new("main").wheel(demo("1.0", 1)).wheel(demo("2.0", 2)).wheel(demo("3.0", 3));
        let server = IndexServer::start(World::new().index(index));
        let mut sandbox = Sandbox::inside(cuts.disk());
        sandbox.index(&server, "main");
        // Strace counts no calls here, but fewer threads are stopped sooner.
        sandbox.env("RAYON_NUM_THREADS", "1").env("TOKIO_WORKER_THREADS", "1");
        Self { sandbox, whole: BTreeMap::new(), _server: server }
    }

    fn ask(&self, version: &str) {
        let text = format!("[python-packages]\ndemo = \"=={version}\"\n");
        self.sandbox.write("rocm.toml", text);
    }

    /// Asks for a version, syncs and keeps what the generation holds.
    fn sync(&mut self, version: &str) {
        self.ask(version);
        let output = self.sandbox.command(PROGRAM).args(["sync", "-q"]).run();
        assert_eq!(output.code, 0, "{}", output.snapshot());
        self.remember(version);
    }

    fn remember(&mut self, version: &str) {
        let tree = digest_of(&self.generation(self.current().expect("one is current")));
        self.whole.insert(version.to_owned(), tree);
    }

    fn current(&self) -> Option<u32> {
        let text = fs::read_to_string(self.sandbox.project().join(".rocmenv/host/current"));
        text.ok().map(|text| text.trim().parse().expect("a number"))
    }

    fn generation(&self, number: u32) -> PathBuf {
        self.sandbox.project().join(format!(".rocmenv/host/generations/{number}"))
    }

    /// The version that runs, of which every file of every generation that is listed must be
    /// there; `None` where no generation is current.
    fn whole_version(&self, cut: &Cut) -> Option<String> {
        let current = self.current()?;
        let listed = cut.must(&self.sandbox, "generations --json").stdout;
        let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
        let mut runs = None;
        for one in listed.as_array().expect("a list") {
            let number =
                one["record"]["number"].as_u64().and_then(|number| u32::try_from(number).ok());
            let number = number.expect("a number");
            let tree = digest_of(&self.generation(number));
            let same = self.whole.iter().find(|(_, whole)| **whole == tree);
            let (version, _) = same.unwrap_or_else(|| {
                let differs = self.whole.values().map(|whole| difference(whole, &tree));
                let least = differs.min_by_key(Vec::len).unwrap_or_default();
                panic!("{cut}: {number} is not whole: {}", least.join(" "))
            });
            if current == number {
                runs = Some(version.clone());
            }
        }
        assert!(runs.is_some(), "{cut}: what is current is not listed");
        let words = ["run", "-q", "python", "-B", "-c", "import demo; print(demo.__version__)"];
        let ran = self.sandbox.command(PROGRAM).args(words).run();
        assert_eq!(Some(ran.stdout.trim()), runs.as_deref(), "{cut}: {}", ran.snapshot());
        cut.must(&self.sandbox, "verify files --deep");
        cut.must(&self.sandbox, "status");
        runs
    }

    /// After any cut a sync leads to what is asked for, and nothing is left that hinders.
    fn leads_to(&self, version: &str, cut: &Cut) {
        cut.must(&self.sandbox, "sync -q");
        assert_eq!(self.whole_version(cut).as_deref(), Some(version), "{cut}");
        let current = self.current().expect("one is current");
        let link = fs::read_link(self.sandbox.project().join(".venv")).expect("a link");
        assert!(link.ends_with(format!("{current}/env")), "{cut}: {}", link.display());
        assert_eq!(self.sandbox.read(".rocmenv/.gitignore"), "*\n", "{cut}");
        cut.must(&self.sandbox, "gc -q");
        cut.must(&self.sandbox, "sync -q --offline --locked");
        cut.must(&self.sandbox, "verify files --deep");
    }
}

#[test]
fn a_power_cut_in_a_lock() {
    let Some(mut cuts) = Cuts::start("a_power_cut_in_a_lock") else { return };
    let mut project = Project::on(&cuts);
    project.ask("1.0");
    let taken = cuts.during(&project.sandbox, "lock -q");
    let lock = project.sandbox.read("rocm.lock");
    project.sync("1.0");
    cuts.look(&taken, |cut| {
        let is_there = project.sandbox.exists("rocm.lock");
        assert!(is_there || !cut.has_ended(), "{cut}");
        if is_there {
            assert_eq!(project.sandbox.read("rocm.lock"), lock, "{cut}");
        }
        project.leads_to("1.0", cut);
    });
}

#[test]
fn a_power_cut_in_the_first_sync() {
    let Some(mut cuts) = Cuts::start("a_power_cut_in_the_first_sync") else { return };
    let mut project = Project::on(&cuts);
    project.ask("1.0");
    let taken = cuts.during(&project.sandbox, "sync -q");
    project.remember("1.0");
    cuts.look(&taken, |cut| {
        let runs = project.whole_version(cut);
        assert!(runs.is_some() || !cut.has_ended(), "{cut}");
        project.leads_to("1.0", cut);
    });
}

#[test]
fn a_power_cut_in_a_later_sync() {
    let Some(mut cuts) = Cuts::start("a_power_cut_in_a_later_sync") else { return };
    let mut project = Project::on(&cuts);
    project.sync("1.0");
    project.ask("2.0");
    let taken = cuts.during(&project.sandbox, "sync -q");
    project.remember("2.0");
    cuts.look(&taken, |cut| {
        let runs = project.whole_version(cut).expect("a generation is current");
        assert!(runs == "2.0" || !cut.has_ended(), "{cut}: {runs}");
        project.leads_to("2.0", cut);
    });
}

#[test]
fn a_power_cut_in_a_rollback() {
    let Some(mut cuts) = Cuts::start("a_power_cut_in_a_rollback") else { return };
    let mut project = Project::on(&cuts);
    project.sync("1.0");
    project.sync("2.0");
    let taken = cuts.during(&project.sandbox, "rollback --files -q");
    cuts.look(&taken, |cut| {
        let runs = project.whole_version(cut).expect("a generation is current");
        assert!(runs == "1.0" || !cut.has_ended(), "{cut}: {runs}");
        cut.must(&project.sandbox, "rollback --to 1 --files -q");
        project.leads_to("1.0", cut);
    });
}

#[test]
fn a_power_cut_in_gc() {
    let Some(mut cuts) = Cuts::start("a_power_cut_in_gc") else { return };
    let mut project = Project::on(&cuts);
    project.sync("1.0");
    project.sync("2.0");
    // Neither current nor the one before, the first generation goes with what only it holds.
    project.sync("3.0");
    let taken = cuts.during(&project.sandbox, "gc --keep 1");
    cuts.look(&taken, |cut| {
        let runs = project.whole_version(cut).expect("a generation is current");
        assert_eq!(runs, "3.0", "{cut}");
        project.leads_to("3.0", cut);
        project.ask("1.0");
        project.leads_to("1.0", cut);
    });
}

#[test]
fn a_power_cut_in_an_upgrade() {
    let Some(mut cuts) = Cuts::start("a_power_cut_in_an_upgrade") else { return };
    let node = Node::inside(Sandbox::inside(cuts.disk()), Index::new("main"), "", |wheel, _| wheel);
    let files = |name: &str| node.file(name);
    let before = ["rocm.toml", "rocm.lock"].map(files);
    let taken = cuts.during(&node.sandbox, "--host rocm.json upgrade --to 10.0 --apply --yes");
    let mut at = 0;
    cuts.look(&taken, |cut| {
        at += 1;
        let runs = node.jax();
        let is_either = ["0.30.0", "0.32.0"].contains(&runs.as_str());
        assert!(is_either && (runs == "0.32.0" || !cut.has_ended()), "{cut}: {runs}");
        cut.must(&node.sandbox, "verify files --deep");
        let is_under_way = node.sandbox.exists(".rocmenv/upgrade.json");
        assert!(!(is_under_way && cut.has_ended()), "{cut}");
        let host = if is_under_way && at % 2 == 0 {
            node.must("rocm", "upgrade --abort");
            assert_eq!(node.jax(), "0.30.0", "{cut}");
            assert_eq!(["rocm.toml", "rocm.lock"].map(files), before, "{cut}");
            "first"
        } else {
            if is_under_way {
                node.must("rocm", "upgrade --continue --yes");
            } else if runs == "0.30.0" {
                node.must("rocm", "upgrade --to 10.0 --apply --yes");
            }
            assert_eq!(node.jax(), "0.32.0", "{cut}");
            "rocm"
        };
        node.must(host, "sync -q");
        cut.must(&node.sandbox, "verify files --deep");
    });
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_rocmenv");
