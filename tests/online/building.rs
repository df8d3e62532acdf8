//! An extension in HIP, compiled in an environment with the distribution's compiler for the GPUs
//! of the target, and what is in it.

use rocmenv_tests::machine_python;

use super::distribution::is_bookworm;
use super::{rocmenv, sandbox, skipped};

#[test]
fn an_extension_has_code_for_the_targets_gpus_and_loads() {
    let test = "an_extension_has_code_for_the_targets_gpus_and_loads";
    let Some(sandbox) = sandbox(test).filter(|_| is_bookworm(test)) else { return };
    let series = machine_python().1;
    let headers = format!("/usr/include/python{series}");
    if !std::path::Path::new(&headers).join("Python.h").exists() {
        skipped(test, "it needs python3-dev");
        return;
    }
    sandbox.write(
        "rocm.toml",
        format!(
            "[requires]\nrocm = \"5.2\"\npython = \"{series}\"\n\
             [rocm]\nchannel = \"distro\"\ncomponents = [\"runtime\", \"hip-dev\"]\n\
             [python]\nsource = \"host\"\n\
             [targets.node]\nos = \"debian-12\"\ngpus = [\"gfx90a\", \"gfx1030\"]\n"
        ),
    );
    sandbox.write("scale.hip.cpp", SOURCE);
    sandbox.write("build.py", BUILD);
    let output = rocmenv(&sandbox, &["sync", "--target", "node"]);
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let run = ["run", "--target", "node"];
    let output = rocmenv(&sandbox, &[&run[..], &["python", "build.py", &headers]].concat());
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let library = fs_err::read(sandbox.project().join("scale.so")).expect("it was linked");
    assert_eq!(code_objects(&library), ["gfx1030", "gfx90a"]);
    let code = "import scale; print(scale.devices())";
    let output = rocmenv(&sandbox, &[&run[..], &["python", "-c", code]].concat());
    // hipErrorNoDevice where there is none; a machine that has one counts it
    let counted = output.stdout.starts_with("(0, ");
    assert!(counted || output.stdout == "(100, 0)\n", "{}", output.snapshot());
    let code = "import os; print(os.environ['CMAKE_PREFIX_PATH'] == os.environ['ROCM_PATH'])";
    let output = rocmenv(&sandbox, &[&run[..], &["python", "-c", code]].concat());
    assert_eq!(output.stdout, "True\n", "{}", output.snapshot());
}

/// The GPUs that a file has code for: the ELF entries of its offload bundles, as
/// clang-offload-bundler lays them out (a count, then offset, size and name of each).
fn code_objects(file: &[u8]) -> Vec<String> {
    let number = |at: usize| {
        let bytes = file[at..at + 8].try_into().expect("eight bytes");
        usize::try_from(u64::from_le_bytes(bytes)).expect("a place in the file")
    };
    let mut found = std::collections::BTreeSet::new();
    let starts =
        (0..file.len().saturating_sub(MARK.len())).filter(|at| file[*at..].starts_with(MARK));
    for start in starts {
        let mut place = start + MARK.len() + 8;
        for _ in 0..number(start + MARK.len()) {
            let (offset, size, length) = (number(place), number(place + 8), number(place + 16));
            let name = String::from_utf8_lossy(&file[place + 24..place + 24 + length]);
            place += 24 + length;
            if name.starts_with("hip") && size > 0 {
                assert!(file[start + offset..].starts_with(b"\x7fELF"), "{name}");
                found.extend(name.rsplit('-').next().map(str::to_owned));
            }
        }
    }
    found.into_iter().collect()
}

const MARK: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";

/// What a build does: the targets come from the variable that PyTorch's own builder reads.
const BUILD: &str = "\
import os, subprocess, sys
targets = ['--offload-arch=' + name for name in os.environ['PYTORCH_ROCM_ARCH'].split(';')]
words = ['-shared', '-fPIC', '-I' + sys.argv[1], 'scale.hip.cpp', '-o', 'scale.so']
subprocess.check_call(['hipcc', *targets, *words])
";

const SOURCE: &str = "\
#include <Python.h>
#include <hip/hip_runtime.h>
__global__ void scale(float* values, float by) { values[threadIdx.x] *= by; }
void launch(float* values) { scale<<<1, 32>>>(values, 2.0f); }
static PyObject* devices(PyObject*, PyObject*) {
    int count = 0;
    hipError_t error = hipGetDeviceCount(&count);
    return Py_BuildValue(\"ii\", (int)error, count);
}
static PyMethodDef methods[] = {{\"devices\", devices, METH_NOARGS, \"\"}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, \"scale\", nullptr, -1, methods};
PyMODINIT_FUNC PyInit_scale() { return PyModule_Create(&module); }
";
