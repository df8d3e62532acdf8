//! `bench` and `profile` without a framework: logs of other tools, what is kept, what is refused.

use std::fmt::Write as _;

use rocmenv_tests::Sandbox;

use crate::{rocmenv, snapshot};

const LOG: &str = "# all_reduce_perf\n\
    #  Rank  0 Group  0 Pid  1 on  node device  0 [0x16] AMD Instinct MI300X\n\
    #  Rank  1 Group  0 Pid  1 on  node device  1 [0x27] AMD Instinct MI300X\n\
    #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n";

fn project() -> Sandbox {
    let mut sandbox = Sandbox::new();
    sandbox.filter(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\S*", "[TIME]");
    sandbox.write("rocm.toml", "[python-packages]\nsix = \"*\"\n");
    sandbox
}

/// A log of one line whose time is `microseconds`.
fn log(sandbox: &Sandbox, name: &str, microseconds: f64) {
    let mut text = LOG.to_owned();
    let rate = 1_048_576.0 / microseconds / 1e3;
    let _ = writeln!(
        text,
        "1048576 262144 float sum -1 {microseconds:.2} {rate:.2} {rate:.2} 0 {microseconds:.2} {rate:.2} {rate:.2} 0"
    );
    sandbox.write(name, text);
}

#[test]
fn a_log_becomes_a_run() {
    let sandbox = project();
    log(&sandbox, "rccl.log", 28.15);
    insta::assert_snapshot!(snapshot(&sandbox, "bench import rccl.log --label before"), @r"
        exit: 0
        --- stdout ---
        collectives by rccl-tests on 2 x AMD Instinct MI300X, 1 run(s)

        OPERATION   SIZE    MEDIAN    SPREAD  RATE        BUS         OF THE PUBLISHED PEAK
        all_reduce  1.0 MB  28.15 us  0.0 %   37.25 GB/s  37.25 GB/s
        --- stderr ---
        ");
    insta::assert_snapshot!(snapshot(&sandbox, "bench list"), @r"
        exit: 0
        --- stdout ---
        MADE                  BENCH        GENERATION  LABEL   TOOL        DEVICE               ROWS
        [TIME]  collectives              before  rccl-tests  AMD Instinct MI300X  1
        --- stderr ---
        ");
    sandbox.write("other.log", "Linux version 6.8\n");
    insta::assert_snapshot!(snapshot(&sandbox, "bench import other.log"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[bench-log-unknown]: `[TEMP]/project/other.log` cannot be read
          caused by: none of rccl-tests, TransferBench, rocm_bandwidth_test, vLLM printed this
        help: rocmenv bench import FILE --operation all_reduce
        ");
}

#[test]
fn five_runs_of_each_tell_a_slow_down() {
    let sandbox = project();
    for (label, scale) in [("before", 1.0), ("after", 1.06), ("same", 1.001)] {
        for jitter in [0.0, 0.05, 0.1, 0.15, 0.2] {
            log(&sandbox, "rccl.log", 28.0 * scale + jitter);
            assert_eq!(
                rocmenv(&sandbox, &format!("bench import rccl.log --label {label}")).code,
                0
            );
        }
    }
    insta::assert_snapshot!(snapshot(&sandbox, "bench compare before after"), @r"
        exit: 1
        --- stdout ---
        BENCH        OPERATION   RUNS   TIME     INTERVAL
        collectives  all_reduce  5 / 5  x 1.060  1.054 to 1.065 (97 %)  slower
        --- stderr ---
        ");
    insta::assert_snapshot!(snapshot(&sandbox, "bench compare before same"), @r"
        exit: 0
        --- stdout ---
        BENCH        OPERATION   RUNS   TIME     INTERVAL
        collectives  all_reduce  5 / 5  x 1.001  0.996 to 1.006 (97 %)  the same
        --- stderr ---
        ");
    insta::assert_snapshot!(snapshot(&sandbox, "bench compare before never"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[bench-nothing-to-compare]: no kept run is of `never`
        help: rocmenv bench list
        ");
}

#[test]
fn a_damaged_line_is_named() {
    let sandbox = project();
    log(&sandbox, "rccl.log", 28.0);
    assert_eq!(rocmenv(&sandbox, "bench import rccl.log").code, 0);
    let kept = sandbox.read(".rocmenv/bench/runs.jsonl");
    sandbox.write(".rocmenv/bench/runs.jsonl", format!("{kept}{{\"at\":"));
    insta::assert_snapshot!(snapshot(&sandbox, "bench list"), @r"
        exit: 5
        --- stdout ---
        --- stderr ---
        error[bench-history-damaged]: line 2 of `[TEMP]/project/.rocmenv/bench/runs.jsonl` is no kept run
          caused by: EOF while parsing a value at line 1 column 6
        help: rocmenv explain bench-history-damaged
        ");
}

#[test]
fn without_an_environment_nothing_is_measured() {
    let sandbox = project();
    insta::assert_snapshot!(snapshot(&sandbox, "bench memory"), @r"
        exit: 3
        --- stdout ---
        --- stderr ---
        error[environment-missing]: the project `[TEMP]/project` has no environment yet
        help: rocmenv sync
        ");
    insta::assert_snapshot!(snapshot(&sandbox, "profile -- python train.py"), @r"
        exit: 3
        --- stdout ---
        --- stderr ---
        error[environment-missing]: the project `[TEMP]/project` has no environment yet
        help: rocmenv sync
        ");
}
