//! Real wheels of the Python package index: which family, which version, and that they run.

use super::{DAY, chosen, rocmenv, sandbox};

fn jax(rocm: &str, driver: &str, asked: &str) -> String {
    format!(
        "{DAY}[requires]\nrocm = \"{asked}\"\npython = \"3.12\"\njax = \"*\"\n\
         [rocm]\nchannel = \"host\"\n[targets.node]\nos = \"ubuntu-24.04\"\n\
         gpus = [\"gfx942\"]\ndriver = \"{driver}\"\nrocm = \"{rocm}\"\n"
    )
}

/// Locks and gives what was chosen with what was said.
fn locked(test: &str, rocm_toml: &str) -> Option<(Vec<String>, String)> {
    let sandbox = sandbox(test)?;
    sandbox.write("rocm.toml", rocm_toml);
    let output = rocmenv(&sandbox, &["lock"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    Some((chosen(&sandbox.read("rocm.lock")), output.stderr))
}

#[test]
fn jax_for_rocm_10_locks_syncs_and_imports() {
    let Some(sandbox) = sandbox("jax_for_rocm_10_locks_syncs_and_imports") else { return };
    sandbox.write("rocm.toml", jax("10.1.0", "31.50.0", "10.1.0"));
    let output = rocmenv(&sandbox, &["lock"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let table = "AMD's table for ROCm 10.1.0 ends at JAX 0.11.1; this wheel is built for 10.1";
    assert!(output.stderr.contains(table), "{}", output.stderr);
    assert_eq!(
        chosen(&sandbox.read("rocm.lock")),
        [
            "jax 0.12.0",
            "jax-rocm10-pjrt 0.12.0",
            "jax-rocm10-plugin 0.12.0",
            "jaxlib 0.12.0",
            "ml-dtypes 0.6.0",
            "numpy 2.5.5",
            "opt-einsum 3.4.0",
            "scipy 1.18.1"
        ]
    );
    let output = rocmenv(&sandbox, &["sync", "--target", "node"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    assert!(output.stderr.contains("the lock needs `gfx in gfx942`"), "{}", output.stderr);
    let code = "import jax; print(jax.__version__)";
    let output = rocmenv(&sandbox, &["run", "--target", "node", "python", "-c", code]);
    assert_eq!((output.code, output.stdout.as_str()), (0, "0.12.0\n"), "{}", output.snapshot());
}

#[test]
fn rocm_7_2_takes_the_newest_jax_that_says_it_is_built_for_it() {
    let test = "rocm_7_2_takes_the_newest_jax_that_says_it_is_built_for_it";
    let Some((chosen, _)) = locked(test, &jax("7.2.4", "30.20.0", "7.2")) else { return };
    assert!(chosen.contains(&"jax-rocm7-plugin 0.10.0".to_owned()), "{chosen:?}");
    assert!(chosen.contains(&"jax 0.10.0".to_owned()), "{chosen:?}");
}

#[test]
fn rocm_7_14_takes_the_jax_that_is_built_for_it() {
    let test = "rocm_7_14_takes_the_jax_that_is_built_for_it";
    let Some((chosen, _)) = locked(test, &jax("7.14.0", "30.20.0", "7.14")) else { return };
    assert!(chosen.contains(&"jax-rocm7-plugin 0.12.0".to_owned()), "{chosen:?}");
}

#[test]
fn a_driver_of_6_2_is_the_reason_against_rocm_10() {
    let Some(sandbox) = sandbox("a_driver_of_6_2_is_the_reason_against_rocm_10") else { return };
    sandbox.write("rocm.toml", jax("10.1.0", "6.2.0", "10.1"));
    let output = rocmenv(&sandbox, &["lock"]);
    assert_eq!(output.code, 1, "{}", output.snapshot());
    assert!(output.stderr.contains("the driver of this target is 6.2.0"), "{}", output.stderr);
    assert!(!sandbox.exists("rocm.lock"));
}

#[test]
fn hip_python_10_binds_to_rocm_10() {
    let wish = |rocm: &str, driver: &str| {
        format!(
            "{DAY}[requires]\nrocm = \"*\"\npython = \"3.12\"\n\
             [python-packages]\nhip-python = \"10.0.0.0.1.2\"\nrocm-bootstrap = \"*\"\n\
             [rocm]\nchannel = \"host\"\n[targets.node]\nos = \"ubuntu-24.04\"\n\
             gpus = [\"MI300X\"]\ndriver = \"{driver}\"\nrocm = \"{rocm}\"\n"
        )
    };
    let test = "hip_python_10_binds_to_rocm_10";
    let Some((chosen, _)) = locked(test, &wish("10.0.0", "31.50.0")) else { return };
    assert_eq!(
        chosen,
        [
            "hip-python 10.0.0.0.1.2",
            "rocm-bindings-core 10.0.0.0.1.2",
            "rocm-bindings-hip 10.0.0.0.1.2",
            "rocm-bootstrap 0.3.0"
        ]
    );
    let Some(sandbox) = sandbox(test) else { return };
    sandbox.write("rocm.toml", wish("7.2.4", "30.30.0"));
    let output = rocmenv(&sandbox, &["lock"]);
    assert_eq!(output.code, 1, "{}", output.snapshot());
    assert!(output.stderr.contains("built for ROCm 10"), "{}", output.stderr);
}

#[test]
fn onnxruntime_migraphx_is_offered_for_the_rocm_its_runpath_names() {
    let wish = |rocm: &str| {
        format!(
            "{DAY}[requires]\nrocm = \"*\"\npython = \"3.12\"\n\
             [python-packages]\nonnxruntime-migraphx = \"1.27.1\"\n\
             [rocm]\nchannel = \"host\"\n[targets.node]\nos = \"ubuntu-24.04\"\n\
             gpus = [\"MI300X\"]\ndriver = \"30.30.0\"\nrocm = \"{rocm}\"\n"
        )
    };
    let test = "onnxruntime_migraphx_is_offered_for_the_rocm_its_runpath_names";
    let Some((chosen, _)) = locked(test, &wish("7.2.4")) else { return };
    assert!(chosen.contains(&"onnxruntime-migraphx 1.27.1".to_owned()), "{chosen:?}");
    let Some(sandbox) = sandbox(test) else { return };
    sandbox.write("rocm.toml", wish("7.14.0"));
    let output = rocmenv(&sandbox, &["lock"]);
    assert_eq!(output.code, 1, "{}", output.snapshot());
}
