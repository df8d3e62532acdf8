//! The two pairs that old guides recommend, answered truly.

use super::said::said;

#[test]
fn rocm_6_0_with_pytorch_2_1_0() {
    insta::assert_snapshot!(said(&["rocm==6.0", "pytorch==2.1.0", "python==3.10"], "os=ubuntu-22.04"), @r"
    fits: ROCm 6.0.2 (classic), not known
    pytorch: no build
      AMD lists 2.1 2.0 1.13
      known: 2.4.1+rocm6.0, 2.3.0+rocm6.0
    python 3.10
      ubuntu-22.04 x ROCm 6.0.2: listed [rr-hist]
      pytorch 2.1.0 x ROCm 6.0.2: listed [rr-hist]
      pytorch 2.1.0 x its builds for ROCm 6.0: not known [-]
    not checked: gpu kernel driver
    ");
    insta::assert_snapshot!(said(&["rocm==6.0", "pytorch==2.1.0", "python==3.10"], "os=windows-11-25H2"), @r"
        refused: ROCm 6.0.2 (classic), not known
        pytorch: no build
          AMD lists 
          known: 2.4.1+rocm6.0, 2.3.0+rocm6.0
        python 3.10
          windows-11-25H2 x ROCm 6.0.2: not known [-]
          pytorch 2.1.0 x ROCm 6.0.2: not known [-]
        because AMD lists pytorch with ROCm 6.0.2 for Linux only, and no build of it for another system is known
        would do: ask for rocm 10.0.0 and ask for pytorch 2.13.0 -> ROCm 10.0.0, torch 2.13.0+rocm10.0.0, built, not listed
        not checked: gpu driver
        ");
}

#[test]
fn rocm_6_3_with_tensorflow_2_15_0() {
    insta::assert_snapshot!(said(&["rocm==6.3", "tensorflow==2.15.0", "python==3.11"], "os=ubuntu-22.04"), @r"
    refused: ROCm 6.3.3 (classic), stated no
    tensorflow: no build
      AMD lists 2.17.0 2.16.2 2.15.1
      known: 2.17.0 (cp312)
    python 3.11
      ubuntu-22.04 x ROCm 6.3.3: listed [rr-hist]
      tensorflow 2.15.0 x ROCm 6.3.3: stated no [rr-hist]
    because tensorflow 2.15.0 and ROCm 6.3.3: not listed by AMD's matrix for ROCm 6.3.3, which has 2.17.0, 2.16.2, 2.15.1
    would do: ask for tensorflow 2.17.0 -> ROCm 6.3.3, tensorflow-rocm 2.17.0, not known
    not checked: gpu kernel driver
    ");
    insta::assert_snapshot!(said(&["rocm==6.3", "tensorflow==2.15.0", "python==3.11"], "os=windows-11-25H2"), @r"
        refused: ROCm 6.3.3 (classic), not known
        tensorflow: no build
          AMD lists 
          known: 2.17.0 (cp312)
        python 3.11
          windows-11-25H2 x ROCm 6.3.3: not known [-]
          tensorflow 2.15.0 x ROCm 6.3.3: not known [-]
        because AMD lists tensorflow with ROCm 6.3.3 for Linux only, and no build of it for another system is known
        not checked: gpu driver
        ");
}
