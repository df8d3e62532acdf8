//! A package that is published as source only, made into a wheel of one's own.

use rocmenv_tests::{Index, WheelBuilder};

use super::{rocmenv, served};

#[test]
fn the_refusal_of_a_source_distribution_says_both_lines_and_they_work() {
    let (_server, sandbox) = served(Index::new("main").sdist("slow", "1.0"));
    sandbox.write("rocm.toml", "[python-packages]\nslow = \"*\"\n");
    let output = rocmenv(&sandbox, "lock");
    assert_eq!(output.code, 1, "{}", output.snapshot());
    let parts: Vec<&str> = output.stderr.split('`').collect();
    let said = |start: &str| {
        let found = parts.iter().find(|part| part.starts_with(start));
        (*found.unwrap_or_else(|| panic!("{start}: {}", output.stderr))).to_owned()
    };
    let command = said("rocmenv run pip wheel");
    assert_eq!(command, "rocmenv run pip wheel --no-deps --wheel-dir wheels slow==1.0");
    // what the command makes, without a build here
    let wheel = WheelBuilder::new("slow", "1.0").build();
    sandbox.write(&format!("wheels/{}", wheel.filename), wheel.bytes);
    let (package, index) = (said("slow = {"), said("wheels = {"));
    sandbox.write("rocm.toml", format!("[python-packages]\n{package}\n[indexes]\n{index}\n"));
    let output = rocmenv(&sandbox, "sync");
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let code = "import slow; print(slow.__version__)";
    let program = env!("CARGO_BIN_EXE_rocmenv");
    let output = sandbox.command(program).args(["run", "python", "-c", code]).run();
    assert_eq!(output.stdout, "1.0\n", "{}", output.snapshot());
}
