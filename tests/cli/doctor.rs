//! `doctor`: replayed reports, false friends, captures, mends.

#[path = "doctor/archives.rs"]
mod archives;
#[path = "doctor/captures.rs"]
mod captures;
#[path = "doctor/friends.rs"]
mod friends;
#[path = "doctor/held_out.rs"]
mod held_out;
#[path = "doctor/pcie.rs"]
mod pcie;
#[path = "doctor/replayed.rs"]
mod replayed;
#[path = "doctor/rpm.rs"]
mod rpm;
#[path = "doctor/words.rs"]
mod words;

use rocmenv_tests::Sandbox;

use crate::rocmenv;

/// The codes that `doctor --from` finds in a text, and the exit code.
fn codes(text: &str) -> (Vec<String>, i32) {
    let sandbox = Sandbox::new();
    codes_in(&sandbox, text)
}

fn codes_in(sandbox: &Sandbox, text: &str) -> (Vec<String>, i32) {
    sandbox.write("case.txt", text);
    let output = rocmenv(sandbox, "doctor --from case.txt --json");
    let json: serde_json::Value = serde_json::from_str(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}\n{text}", output.snapshot()));
    let code = |finding: &serde_json::Value| finding["code"].as_str().map(str::to_owned);
    let findings = json["findings"].as_array().into_iter().flatten().filter_map(code);
    (findings.collect(), output.code)
}

/// As `codes`, of facts and one log.
fn found(facts: &str, log: &str) -> Vec<String> {
    codes(&format!("rocmenv-capture 1\n=== facts\n{facts}\n=== outputs/log.txt\n{log}\n")).0
}
