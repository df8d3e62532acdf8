//! `[verify] bench`: an upgrade keeps no stage that became slower, and says where nobody could
//! measure.

use fs_err as fs;

use crate::node::Node;

/// A node whose JAX comes with something that answers as PyTorch on one GPU does: a copy takes
/// `cost` milliseconds by the device's own clock, always.
fn node(cost: impl Fn(&str) -> f64) -> Node {
    let mut node = Node::with(BENCH, |wheel, jax| {
        wheel.file("torch/__init__.py", TORCH.replace("COST", &cost(jax).to_string()))
    });
    node.sandbox.filter(r"\(x \d\.\d+\)", "(x [RATIO])");
    node
}

#[test]
fn a_stage_that_became_slower_is_taken_back_by_itself() {
    let node = node(|jax| if jax == "0.32.0" { 1.1 } else { 1.0 });
    let plan = node.call("rocm", "upgrade --to 10.0").stdout;
    let verified = "the commands of [verify] succeed; bench memory is not slower than before";
    assert!(plan.contains(verified), "{plan}");
    let before = (node.file("rocm.toml"), node.file("rocm.lock"));
    let failed = node.call("rocm", "upgrade --to 10.0 --apply --yes");
    assert_eq!(failed.code, 1, "{}", failed.snapshot());
    let slower = "stage 2 did not verify and was taken back: bench memory --sizes 65536,1048576 \
                  --samples 3: device-to-device takes 1.100 times as long (1.100 to 1.100), \
                  device-to-host takes 1.100 times as long (1.100 to 1.100), host-to-device takes";
    assert!(failed.stderr.contains(slower), "{}", failed.stderr);
    let evidence = failed.stderr.split('`').find(|text| text.ends_with("evidence-2.json"));
    let evidence = fs::read_to_string(evidence.expect("a path")).expect("the evidence is kept");
    assert!(evidence.contains("\"judgement\": \"slower\""), "{evidence}");
    assert_eq!(node.jax(), "0.30.0");
    assert_eq!((node.file("rocm.toml"), node.file("rocm.lock")), before);
    let runs = node.call("rocm", "bench list --json").stdout;
    let runs: serde_json::Value = serde_json::from_str(&runs).expect("JSON");
    let of = |generation: u64| {
        let all = runs.as_array().expect("runs").iter();
        all.filter(|run| run["generation"] == generation).count()
    };
    assert_eq!((of(1), of(2)), (10, 5), "before anything changed, and both in turn: {runs:#}");
    node.must("rocm", "upgrade --abort");
}

#[test]
fn a_stage_that_is_as_fast_is_kept() {
    let node = node(|_| 1.0);
    insta::assert_snapshot!(node.snapshot("rocm", "upgrade --to 10.0 --apply --yes"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        stage 1: firmware none -> 01.26.00.04: so you say
        stage 2: ROCm 7.2.4 -> 10.0.0, jax 0.30.0 -> 0.32.0: generation 2, verified
          bench memory --sizes 65536,1048576 --samples 3: device-to-device the same (x [RATIO]), device-to-host the same (x [RATIO]), host-to-device the same (x [RATIO])
        all 2 stages are done
        ");
    assert_eq!(node.jax(), "0.32.0");
}

#[test]
fn where_the_old_one_runs_no_more_its_kept_runs_count() {
    let node = node(|_| 1.0);
    assert_eq!(node.call("first", "upgrade --to 10.0 --apply --yes").code, 6);
    // The JAX of the beginning does not run on the host's new ROCm.
    node.sandbox.write("rocm-is-new", "");
    insta::assert_snapshot!(node.snapshot("last", "upgrade --continue"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        stage 2: ROCm 7.2.4 -> 10.0.0, jax 0.30.0 -> 0.32.0: generation 2, verified
          bench memory --sizes 65536,1048576 --samples 3: device-to-device the same (x [RATIO]), device-to-host the same (x [RATIO]), host-to-device the same (x [RATIO]) (against kept runs)
        all 2 stages are done
        ");
    assert_eq!(node.jax(), "0.32.0");
}

#[test]
fn where_nobody_can_measure_the_stage_is_kept_and_it_is_said() {
    let node = node(|jax| if jax == "0.32.0" { 1.1 } else { 1.0 });
    node.sandbox.write("no-gpu", "");
    insta::assert_snapshot!(node.snapshot("rocm", "upgrade --to 10.0 --apply --yes"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        stage 1: firmware none -> 01.26.00.04: so you say
        stage 2: ROCm 7.2.4 -> 10.0.0, jax 0.30.0 -> 0.32.0: generation 2, verified
          bench memory --sizes 65536,1048576 --samples 3: not run: PyTorch sees no GPU, and the CPU says nothing of one
        all 2 stages are done
        ");
    let node = Node::with(BENCH, |wheel, _| wheel);
    insta::assert_snapshot!(node.snapshot("rocm", "upgrade --to 10.0 --apply --yes"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        stage 1: firmware none -> 01.26.00.04: so you say
        stage 2: ROCm 7.2.4 -> 10.0.0, jax 0.30.0 -> 0.32.0: generation 2, verified
          bench memory --sizes 65536,1048576 --samples 3: not run: the measuring program ended with code 1: ModuleNotFoundError: No module named 'torch'
        all 2 stages are done
        ");
    let rocm = node
        .sandbox
        .read("rocm.json")
        .replace("{ \"gfx\": \"gfx942\", \"product\": \"AMD Instinct MI300X\" }", "");
    node.must("rocm", "rollback --to 1 --files");
    node.sandbox.write("bare.json", rocm);
    insta::assert_snapshot!(node.snapshot("bare", "upgrade --to 10.0 --apply --yes"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        stage 1: ROCm 7.2.4 -> 10.0.0, jax 0.30.0 -> 0.32.0: generation 3, verified
          bench memory --sizes 65536,1048576 --samples 3: not run: this host has no AMD GPU
        all 1 stages are done
        ");
}

#[test]
fn a_bench_that_runs_no_more_speaks_against_the_stage() {
    let node = Node::with(BENCH, |wheel, jax| match jax {
        "0.32.0" => wheel,
        _ => wheel.file("torch/__init__.py", TORCH.replace("COST", "1.0")),
    });
    insta::assert_snapshot!(node.snapshot("rocm", "upgrade --to 10.0 --apply --yes"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[upgrade-taken-back]: stage 2 did not verify and was taken back: bench memory --sizes 65536,1048576 --samples 3: it ran in the generation before and does not in this one: the measuring program ended with code 1: ModuleNotFoundError: No module named 'torch'
        help: see `[TEMP]/project/.rocmenv/host/before-upgrade/[TIME]/evidence-2.json`; rocmenv upgrade --continue tries again, `rocmenv upgrade --abort` returns
        ");
    assert_eq!(node.jax(), "0.30.0");
}

#[test]
fn what_is_no_measurement_is_refused_where_it_stands() {
    let node = Node::new();
    let text = node.file("rocm.toml");
    for wrong in ["speed", "memory --runs 9"] {
        node.sandbox.write("rocm.toml", format!("{text}bench = [\"{wrong}\"]\n"));
        let output = node.call("rocm", "upgrade");
        assert_eq!(output.code, 2, "{}", output.snapshot());
        assert!(output.stderr.contains("rocm.toml:"), "{}", output.stderr);
    }
}

const BENCH: &str = "bench = [\"memory --sizes 65536,1048576 --samples 3\"]\n";

const TORCH: &str = r#"
import os

if os.path.exists("rocm-is-new") and COST == 1.0 and __file__.split("/generations/")[1][0] == "1":
    raise ImportError("libamdhip64.so.7 is not there")

__version__ = "2.12.0"
uint8 = "uint8"
copies = 0


class version:
    hip = "7.2.0"
    cuda = None


class device:
    def __init__(self, name):
        self.type = name.split(":")[0]


class Tensor:
    def pin_memory(self):
        return self

    def copy_(self, other, non_blocking=False):
        global copies
        copies += 1


def ones(size, dtype=None, device=None):
    return Tensor()


def empty_like(other):
    return Tensor()


class cuda:
    class Event:
        def __init__(self, enable_timing):
            pass

        def record(self):
            self.at = copies

        def synchronize(self):
            pass

        def elapsed_time(self, end):
            return (end.at - self.at) * COST

    @staticmethod
    def is_available():
        return not os.path.exists("no-gpu")

    @staticmethod
    def synchronize(device):
        pass

    @staticmethod
    def get_device_name(device):
        return "AMD Instinct MI300X"
"#;
