//! The two pairs that old guides recommend, answered truly.

use super::said::said;

#[test]
fn rocm_6_0_with_pytorch_2_1_0() {
    insta::assert_snapshot!(said(&["rocm==6.0", "pytorch==2.1.0", "python==3.10"], "os=ubuntu-22.04"), @"");
    insta::assert_snapshot!(said(&["rocm==6.0", "pytorch==2.1.0", "python==3.10"], "os=windows-11-25H2"), @"");
}

#[test]
fn rocm_6_3_with_tensorflow_2_15_0() {
    insta::assert_snapshot!(said(&["rocm==6.3", "tensorflow==2.15.0", "python==3.11"], "os=ubuntu-22.04"), @"");
    insta::assert_snapshot!(said(&["rocm==6.3", "tensorflow==2.15.0", "python==3.11"], "os=windows-11-25H2"), @"");
}
