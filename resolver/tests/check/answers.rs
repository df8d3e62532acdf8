//! Questions that people ask.

use super::said::{ask, said};

#[test]
fn a_gpu_without_classic_kernels_is_sent_to_device_wheels_and_to_no_override() {
    insta::assert_snapshot!(said(
        &["rocm==7.2", "pytorch==2.9.1"],
        "gpu=RX 6700 XT; os=ubuntu-24.04; driver=30.20.0",
    ), @"");
}

#[test]
fn a_listed_stack() {
    insta::assert_snapshot!(said(
        &["rocm==7.2", "pytorch==2.9.1"],
        "gpu=RX 7900 XTX; os=ubuntu-24.04; driver=30.20.0; kernel=6.8.0-45-generic; python=3.12",
    ), @"");
}

#[test]
fn an_old_driver_is_the_reason_and_moving_it_the_remedy() {
    insta::assert_snapshot!(said(
        &["rocm==10.0", "jax"],
        "gpu=gfx942; os=ubuntu-24.04; driver=6.2.0; python=3.12",
    ), @"");
}

#[test]
fn a_wheel_newer_than_amds_table_is_built_not_listed() {
    insta::assert_snapshot!(said(
        &["rocm==10.1", "jax"],
        "gpu=gfx942; os=ubuntu-24.04; driver=31.50.0; python=3.12",
    ), @"");
}

#[test]
fn no_single_environment_serves_all() {
    insta::assert_snapshot!(said(
        &["rocm==10.1", "vllm", "tensorflow"],
        "gpu=MI300X; os=ubuntu-24.04",
    ), @"");
    insta::assert_snapshot!(said(
        &["rocm==10.1", "vllm==0.29.0", "pytorch==2.14.0"],
        "gpu=MI300X; os=ubuntu-24.04",
    ), @"");
}

#[test]
fn windows_and_apus() {
    insta::assert_snapshot!(said(
        &["rocm==10.0", "pytorch"],
        "gpu=RX 9070 XT; os=windows-11-25H2; adrenalin=26.9.1; python=3.12",
    ), @"");
    insta::assert_snapshot!(said(
        &["rocm==7.1", "pytorch"],
        "gpu=Ryzen AI Max+ 395; os=fedora-43; kernel=6.18.6; driver=in-tree",
    ), @"");
}

#[test]
fn nothing_described_is_nothing_checked() {
    insta::assert_snapshot!(said(&["rocm==7.2"], ""), @"");
}

#[test]
fn unknown_names_are_errors_with_the_nearest() {
    let error = |wishes: &[&str]| ask(wishes, "").unwrap_err().to_string();
    insta::assert_snapshot!(error(&["pytroch"]), @"");
    insta::assert_snapshot!(error(&["rocm==7.2.9"]), @"");
    insta::assert_snapshot!(error(&["rocm==8.0"]), @"");
}
