//! The level "ran": `prove` says it of the GPU on which `verify` ran a kernel, and of no other.
//! PyTorch is made here and computes on the processor: no GPU is used and none is proven.

use rocmenv_tests::{Index, STUB_TENSORS, WheelBuilder};

use crate::Project;

/// A PyTorch as far as `verify` asks it: one GPU of the target in `GFX`.
const TORCH: &str = r#"
__version__ = "2.9.1+rocm7.2"
GFX = "gfx1100"
class version:
    hip, cuda = "7.2.26015", None
class Properties:
    gcnArchName = GFX + ":sramecc+:xnack-"
class cuda:
    is_available = staticmethod(lambda: True)
    device_count = staticmethod(lambda: 1)
    get_device_properties = staticmethod(lambda device: Properties)
class _C:
    _cuda_getArchFlags = staticmethod(lambda: "gfx1100")
"#;

const HOST: &str = r#"{"schema": 1, "os": {"family": "linux"}, "arch": "x86_64",
 "gpus": [{"gfx": "gfx1100", "kfd-node": 1}]}"#;

/// An environment of this PyTorch, on a described host with one gfx1100.
fn with_torch(change: &str) -> Project {
    let torch = WheelBuilder::new("torch", "2.9.1+rocm7.2")
        .without_module()
        .file("torch/__init__.py", format!("{TORCH}{STUB_TENSORS}{change}\n"));
    let mut project = Project::on(Index::new("main").wheel(torch));
    project.sandbox.filter(r"20\d\d-\d\d-\d\dT[0-9:.]+Z", "[TIME]");
    let host = project.sandbox.write("host.json", HOST);
    project.sandbox.env("ROCMENV_HOST", &host.display().to_string());
    let url = project.server.url("main");
    let packages = "torch = { version = \"*\", index = \"local\" }\n";
    let index = format!("[indexes.local]\nurl = \"{url}\"\nkind = \"simple\"\n");
    project.ask(packages, &index);
    let synced = project.call("sync");
    assert_eq!(synced.code, 0, "{}", synced.snapshot());
    // Only what is asked for as a framework is made to compute.
    let text = project.sandbox.read("rocm.toml");
    project
        .sandbox
        .write("rocm.toml", text.replace("[requires]\n", "[requires]\npytorch = \"*\"\n"));
    project
}

fn levels(project: &Project) -> String {
    let said = project.call("prove --gpu gfx1100 --gpu gfx942").snapshot();
    let lines = said.lines().filter(|line| line.starts_with("level"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_kernel_that_ran_is_proof_for_its_own_gpu() {
    let project = with_torch("");
    insta::assert_snapshot!(levels(&project), @r"
        level: static (generation 1 of `host`): files were read, nothing was loaded or ran
        level ran: no kernel of this environment was seen to run on gfx1100 or gfx942; `rocmenv verify` on a host that has one runs the first of each framework
        ");
    let verified = project.call("verify");
    assert!(verified.stdout.contains("first kernel on GPU 0"), "{}", verified.snapshot());
    insta::assert_snapshot!(levels(&project), @r"
        level: static (generation 1 of `host`): files were read, nothing was loaded or ran
        level: loaded, by `rocmenv verify` at [TIME]
        level: ran on gfx1100, by `rocmenv verify` at [TIME]
        level ran: no kernel of this environment was seen to run on gfx942; `rocmenv verify` on a host that has one runs the first of each framework
        ");
    let proved = project.json("prove --gpu gfx1100 --gpu gfx942");
    assert_eq!(proved["reached"][0]["level"], "ran");
    assert_eq!(proved["reached"][1]["level"], "static");
}

#[test]
fn a_kernel_that_computed_wrong_is_no_proof() {
    let project = with_torch("FACTOR = 2.0");
    assert_eq!(project.call("verify").code, 1);
    assert!(!levels(&project).contains("level: ran"), "{}", levels(&project));
}
