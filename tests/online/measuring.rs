//! The scripts on a real PyTorch without a GPU: each template to its end with toy sizes, and the
//! measuring programs through an environment. Debian's PyTorch serves as the framework; what runs
//! here proves that the scripts work, and nothing about speed.

use std::path::Path;
use std::process::{Command, Stdio};

use rocmenv_tests::{Output, Sandbox};

use super::{rocmenv, sandbox};

const PYTHON: &str = "/usr/bin/python3";

/// Runs a script of a template where it was written, on one thread.
fn script(sandbox: &Sandbox, python: &str, words: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = sandbox.command(Path::new(python));
    command = command.args(words).limit(std::time::Duration::from_mins(5));
    for (name, value) in [("OMP_NUM_THREADS", "1")].iter().chain(variables) {
        command = command.env(name, value);
    }
    let output = command.run();
    assert_eq!(output.code, 0, "{words:?}: {}", output.snapshot());
    output.stdout
}

fn template(name: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let words =
        ["init", "--name", "t", "--template", name, "--gpu", "MI300X", "--os", "ubuntu-24.04"];
    let output: Output = rocmenv(&sandbox, &words);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    sandbox
}

#[test]
fn resnet50_trains_two_epochs() {
    let test = "resnet50_trains_two_epochs";
    if sandbox(test).is_none() {
        return;
    }
    let sandbox = template("resnet50");
    let words =
        "train.py --batch-size 2 --image-size 64 --classes 10 --steps 2 --warm-up 1 --epochs 2";
    let said = script(&sandbox, PYTHON, &words.split(' ').collect::<Vec<_>>(), &[]);
    assert!(said.contains("epoch 2/2: ") && said.contains("images/s on the CPU"), "{said}");
    assert!(said.contains("(unverified)"), "the claim is told from the figure: {said}");
}

#[test]
fn a_language_model_trains_on_two_ranks() {
    let test = "a_language_model_trains_on_two_ranks";
    if sandbox(test).is_none() {
        return;
    }
    let sandbox = template("llm-train");
    let words: Vec<&str> =
        "train.py --model toy --steps 2 --warm-up 1 --length 32 --batch-size 2 --accumulate 2"
            .split(' ')
            .collect();
    let said = std::thread::scope(|scope| {
        let rank = |rank: &'static str| {
            let (sandbox, words) = (&sandbox, &words);
            scope.spawn(move || {
                let variables = [
                    ("RANK", rank),
                    ("LOCAL_RANK", rank),
                    ("WORLD_SIZE", "2"),
                    ("MASTER_ADDR", "127.0.0.1"),
                    ("MASTER_PORT", "29533"),
                ];
                script(sandbox, PYTHON, words, &variables)
            })
        };
        let ranks = [rank("0"), rank("1")];
        ranks.map(|rank| rank.join().expect("the rank ends"))
    });
    assert!(
        said[0].contains("2 rank(s)") && said[0].contains("scaling against one GPU: "),
        "{said:?}"
    );
    assert_eq!(said[1], "", "only rank 0 speaks");
}

#[test]
fn a_load_is_measured_against_a_server() {
    let test = "a_load_is_measured_against_a_server";
    if sandbox(test).is_none() {
        return;
    }
    // vLLM is served as an image only, so that its template writes nothing: the scripts are read
    // from the project, the server is a stub that streams.
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/templates/llm-serve");
    let sandbox = Sandbox::new();
    sandbox.write("server.py", SERVER);
    let mut server = Command::new(PYTHON)
        .arg(sandbox.project().join("server.py"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the stub starts");
    let mut port = String::new();
    let stdout = server.stdout.take().expect("it is piped");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut port).expect("a port");
    let url = format!("http://127.0.0.1:{}", port.trim());
    let load = scripts.join("load.py").display().to_string();
    let words = [load.as_str(), "--url", &url, "--requests", "6", "--answer-tokens", "8"];
    let said = script(&sandbox, PYTHON, &words, &[]);
    server.kill().expect("it runs still");
    server.wait().expect("it ends");
    assert!(said.starts_with("6 requests, 0 failed, 48 tokens"), "{said}");
    assert!(said.contains("to the first token: median "), "{said}");
    let serve = scripts.join("serve.py").display().to_string();
    let output =
        sandbox.command(Path::new(PYTHON)).args([&serve, "--random-weights", "--dry-run"]).run();
    assert!(output.stderr.contains("--tensor-parallel-size 1"), "{}", output.snapshot());
}

#[test]
fn jax_and_onnx_run_on_the_index_own_builds() {
    let test = "jax_and_onnx_run_on_the_index_own_builds";
    let Some(sandbox) = sandbox(test) else { return };
    sandbox.write(
        "rocm.toml",
        "[requires]\npython = \"3.11\"\n[python-packages]\njax = \"<0.8\"\nonnx = \"*\"\nonnxruntime = \"*\"\n",
    );
    let output = rocmenv(&sandbox, &["sync"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/templates");
    let jax = scripts.join("jax/train.py").display().to_string();
    let words = [
        "run",
        "python",
        &jax,
        "--batch-size",
        "8",
        "--width",
        "32",
        "--steps",
        "20",
        "--epochs",
        "1",
    ];
    let output = rocmenv(&sandbox, &words);
    assert!(output.code == 0 && output.stdout.contains("epoch 1/1: "), "{}", output.snapshot());
    let onnx = scripts.join("onnx/infer.py").display().to_string();
    let words = [
        "run",
        "python",
        &onnx,
        "--batch-size",
        "2",
        "--width",
        "32",
        "--layers",
        "2",
        "--runs",
        "3",
    ];
    let output = rocmenv(&sandbox, &words);
    assert!(output.code == 0 && output.stdout.contains("inferences/s"), "{}", output.snapshot());
}

#[test]
fn measurements_and_profiles_go_through_the_environment() {
    let test = "measurements_and_profiles_go_through_the_environment";
    let Some(sandbox) = sandbox(test) else { return };
    sandbox.write("rocm.toml", "[requires]\npython = \"3.11\"\n[python-packages]\nsix = \"*\"\n");
    let output = rocmenv(&sandbox, &["sync"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    // The environment borrows the distribution's PyTorch for the length of this test.
    let site = ".rocmenv/host/generations/1/env/lib/python3.11/site-packages/borrowed.pth";
    sandbox.write(site, "/usr/lib/python3/dist-packages\n");
    for (what, more) in [
        ("memory", vec!["--sizes", "65536,1048576", "--samples", "3", "--svg", "memory.svg"]),
        ("matmul", vec!["--sizes", "64", "--samples", "2"]),
        ("collectives", vec!["--sizes", "1024,65536", "--samples", "2"]),
    ] {
        let mut words = vec!["bench", what, "--json"];
        words.extend(more);
        let output = rocmenv(&sandbox, &words);
        assert_eq!(output.code, 0, "{}", output.snapshot());
        let value: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
        let rows = value["runs"][0]["measurement"]["rows"].as_array().expect("rows");
        assert!(rows.len() >= 2, "{}", output.stdout);
        assert_eq!(value["runs"][0]["generation"], 1);
    }
    assert!(sandbox.read("memory.svg").starts_with("<svg "));
    sandbox.write(
        "work.py",
        "import torch\nx = torch.ones(64, 64)\nfor _ in range(20):\n    x = x @ x / 64\n",
    );
    let words = ["profile", "--json", "--html", "page.html", "--", "python", "work.py"];
    let output = rocmenv(&sandbox, &words);
    let value: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(
        value["analysis"]["verdict"], "not-known",
        "no device was measured: {}",
        output.stdout
    );
    assert!(sandbox.read("page.html").starts_with("<!doctype html>"));
}

#[test]
fn the_programs_of_verify_run_on_a_real_pytorch() {
    let test = "the_programs_of_verify_run_on_a_real_pytorch";
    let Some(sandbox) = sandbox(test) else { return };
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/verify");
    let call = |name: &str, words: &[&str]| {
        let file = scripts.join(name).display().to_string();
        script(&sandbox, PYTHON, &[&[file.as_str()], words].concat(), &[])
    };
    // Debian's PyTorch is built for the CPU: where ROCm is asked for, that is a fault.
    let wrong = call("framework.py", &["pytorch", "--build", "rocm", "--gpus", "0"]);
    assert!(wrong.contains("built for cpu; rocm is asked for"), "{wrong}");
    assert!(wrong.contains("not run: no GPU to run it on"), "{wrong}");
    let right = call("framework.py", &["pytorch", "--build", "cpu", "--gpus", "0"]);
    assert!(!right.contains("\"failed\""), "{right}");
    let together = call("collectives.py", &["--cpu", "2"]);
    for name in ["all_reduce", "broadcast", "all_gather"] {
        assert!(
            together.contains(&format!("\"what\": \"{name}\", \"result\": \"passed\"")),
            "{together}"
        );
    }
    assert!(!together.contains("\"gpu\": true"), "the CPU proves nothing of a GPU: {together}");
}

const SERVER: &str = r#"
import http.server, json, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.end_headers()
        for _ in range(body["max_tokens"]):
            self.wfile.write(b'data: {"choices": [{"text": "x"}]}\n\n')
        self.wfile.write(b"data: [DONE]\n\n")
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"#;
