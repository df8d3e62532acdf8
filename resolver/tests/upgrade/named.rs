//! The cases that people are stuck in, each as a whole answer.

use super::said::said;

#[test]
fn an_instinct_host_on_5_7_goes_to_10_0_in_steps_that_overlap() {
    insta::assert_snapshot!(said(
        "gpu=MI250; os=ubuntu-20.04.6; kernel=5.15.0-75-generic; driver=5.7.1; rocm=5.7.1; python=3.10; has=pytorch 2.0.1",
        "rocm=10.0",
    ), @r"
        7 stages, 3 reboots, 0 of them on ground that nobody has spoken of
        1. environment ROCm 6.1.5, Python 3.10: torch 2.6.0+rocm6.1
           built, not listed: pytorch 2.6.0 with ROCm 6.1.5
           - pytorch (built, not listed)
        2. system ubuntu-20.04.6 -> ubuntu-22.04 (kernel 5.15-ga)
           built, not listed: pytorch 2.6.0 with ROCm 6.1.5
        3. firmware -> MU 5 with IFWI 75
           built, not listed: pytorch 2.6.0 with ROCm 6.1.5
        4. driver 5.7.1 -> 6.4.3
           built, not listed: pytorch 2.6.0 with ROCm 6.1.5
           + serves 6.2 6.3 6.4 7.0 7.1 7.2
           - serves 5.5 5.6 5.7 6.0
        5. environment ROCm 7.2.4, Python 3.10: torch 2.9.1+rocm7.2.0.lw.git7e1940d4
           + pytorch 2.9.1 listed
           pytorch-rocm6.1 => amd-manylinux-7.2
        6. driver 6.4.3 -> 31.50.0
           + serves 7.14 10.0
           - serves 6.1 6.2 6.3 6.4
        7. environment ROCm 10.0.0, Python 3.10: torch 2.13.0+rocm10.0.0
           built, not listed: pytorch 2.13.0 with ROCm 10.0.0
           - pytorch (built, not listed)
           - ROCm Bandwidth Test
           - rocALUTION
           - hipfort
           - MIVisionX
           - rocAL
           - rocPyDecode
           - MIGraphX
           amd-manylinux-7.2 => amd-whl-next
           rocm-sdk-libraries-FAMILY => rocm-sdk-libraries with rocm-sdk-device-GFX
           rocm-*, hip-* => amdrocm-*
           /opt/rocm-X.Y.Z => /opt/rocm/core-X.Y
           https://repo.radeon.com/rocm/manylinux/ => https://repo.amd.com/rocm/whl-multi-arch/
           https://repo.radeon.com/rocm/apt/ => https://repo.amd.com/rocm/packages-multi-arch/
           https://repo.amd.com/rocm/whl-multi-arch/ => https://stable.repo.amd.com/rocm/whl-next/
           https://repo.amd.com/rocm/packages-multi-arch/ => https://stable.repo.amd.com/rocm/core/packages/
        ");
}

#[test]
fn a_driver_of_6_2_carries_6_1_to_7_0_and_no_further() {
    insta::assert_snapshot!(said(
        "gpu=MI300X; os=ubuntu-22.04.5; kernel=5.15.0-119-generic; driver=6.2.4; rocm=6.1.2; python=3.10; has=pytorch 2.1.2",
        "rocm=7.2",
    ), @r"
        3 stages, 1 reboots, 0 of them on ground that nobody has spoken of
        1. environment ROCm 7.0.2, Python 3.10: torch 2.8.0+rocm7.0.0.lw.git64359f59
        2. driver 6.2.4 -> 31.50.0
           + serves 7.1 7.2 7.14 10.0
           - serves 6.0 6.1 6.2 6.3 6.4
        3. environment ROCm 7.2.4, Python 3.10: torch 2.9.1+rocm7.2.0.lw.git7e1940d4
           amd-manylinux-7.0 => amd-manylinux-7.2
        ");
}

#[test]
fn a_radeon_needs_another_kernel_for_10_0() {
    insta::assert_snapshot!(said(
        "gpu=RX 7900 XTX; os=ubuntu-24.04.4; kernel=6.8.0-45-generic; driver=30.30.3; rocm=7.2.4; python=3.12; has=pytorch 2.9.1",
        "rocm=10.0",
    ), @r"
        2 stages, 1 reboots, 0 of them on ground that nobody has spoken of
        1. kernel 6.8.0-45-generic -> 6.17-hwe
        2. environment ROCm 10.0.0, Python 3.12: torch 2.13.0+rocm10.0.0
           - ROCm Bandwidth Test
           - rocALUTION
           - hipfort
           - MIVisionX
           - rocAL
           - rocPyDecode
           - MIGraphX
           rocm-sdk-libraries-FAMILY => rocm-sdk-libraries with rocm-sdk-device-GFX
           rocm-*, hip-* => amdrocm-*
           /opt/rocm-X.Y.Z => /opt/rocm/core-X.Y
           https://repo.radeon.com/rocm/manylinux/ => https://repo.amd.com/rocm/whl-multi-arch/
           https://repo.radeon.com/rocm/apt/ => https://repo.amd.com/rocm/packages-multi-arch/
           https://repo.amd.com/rocm/whl-multi-arch/ => https://stable.repo.amd.com/rocm/whl-next/
           https://repo.amd.com/rocm/packages-multi-arch/ => https://stable.repo.amd.com/rocm/core/packages/
        ");
}

#[test]
fn gfx906_is_held_with_reason_and_date_and_what_is_built() {
    insta::assert_snapshot!(said(
        "gpu=Radeon VII; os=ubuntu-22.04.5; kernel=5.15.0-119-generic; driver=6.2.4; rocm=6.2.4; python=3.10; has=pytorch 2.3.1",
        "rocm=7.2",
    ), @r"
        stay: AMD Radeon VII with ROCm 7.2.4: known bad, stock ROCm has no kernels for gfx906 since 6.4.0; take ROCm 6.3
          last listed by 6.2.4 of 2024-11-06; built for 10.1.0 10.0.0 7.14.1 7.14.0
          MI50, Radeon VII, PRO VII [il-624, 2026-11-30]
          maintenance from Q3 2023, ended Q2 2024; MI50, Radeon VII, PRO VII [il-624, 2026-11-30]
        ");
    insta::assert_snapshot!(said(
        "gpu=Radeon VII; os=ubuntu-22.04.5; kernel=5.15.0-119-generic; driver=6.2.4; rocm=6.2.4; python=3.10; has=pytorch 2.3.1",
        "rocm=>=7, <8",
    ), @r"
        stay: AMD Radeon VII with ROCm 7.14.1: built, not listed, TheRock says `build-only`
          last listed by 6.2.4 of 2024-11-06; built for 10.1.0 10.0.0 7.14.1 7.14.0
          MI50, Radeon VII, PRO VII [il-624, 2026-11-30]
          maintenance from Q3 2023, ended Q2 2024; MI50, Radeon VII, PRO VII [il-624, 2026-11-30]
        ");
}

#[test]
fn gfx1151_goes_by_its_kernel_floors() {
    insta::assert_snapshot!(said(
        "gpu=gfx1151; os=ubuntu-24.04.3; kernel=6.11.0-26-generic; driver=in-tree; rocm=6.4.3; python=3.12; has=pytorch 2.7.0",
        "rocm=7.14",
    ), @r"
        4 stages, 2 reboots, 1 of them on ground that nobody has spoken of
        1. environment ROCm 7.2.4, Python 3.12: torch 2.9.1+rocm7.2.4.lw.git39497456
           not known: driver in-tree with ROCm 7.2.4
           not known: ubuntu-24.04.3 with ROCm 7.2.4
           not known: gfx1151-memory with ROCm 7.2.4
           + gfx1151 (was not known)
           + pytorch 2.9.1 listed
        2. system ubuntu-24.04.3 -> ubuntu-24.04.4 (kernel -)
        3. kernel 6.11.0-26-generic -> 6.17-oem
        4. environment ROCm 7.14.1, Python 3.12: torch 2.14.1+rocm7.14
           built, not listed: pytorch 2.14.1 with ROCm 7.14.1
           - pytorch (built, not listed)
           - ROCm Bandwidth Test
           - rocALUTION
           - hipfort
           - MIVisionX
           - rocAL
           - rocPyDecode
           - MIGraphX
           amd-manylinux-7.2.4 => pytorch-rocm7.14
           rocm-sdk-libraries-FAMILY => rocm-sdk-libraries with rocm-sdk-device-GFX
           rocm-*, hip-* => amdrocm-*
           /opt/rocm-X.Y.Z => /opt/rocm/core-X.Y
           https://repo.radeon.com/rocm/manylinux/ => https://repo.amd.com/rocm/whl-multi-arch/
           https://repo.radeon.com/rocm/apt/ => https://repo.amd.com/rocm/packages-multi-arch/
        ");
}

#[test]
fn the_hip_sdk_on_windows_goes_to_wheels() {
    insta::assert_snapshot!(said(
        "gpu=RX 7900 XTX; os=windows-11-25H2; driver=23.30; rocm=5.7.1; python=3.11",
        "rocm=10.0; pytorch",
    ), @r"
        2 stages, 1 reboots, 1 of them on ground that nobody has spoken of
        1. driver Adrenalin 23.30 -> Adrenalin 26.8.1
           not known: driver Adrenalin 26.8.1 with ROCm 5.7.1
           not known: windows-11-25H2 with ROCm 5.7.1
        2. environment ROCm 10.0.0, Python 3.11: torch 2.13.0+rocm10.0.0
           - ROCm Bandwidth Test
           - rocALUTION
           - hipfort
           - MIVisionX
           - rocAL
           - rocPyDecode
           - MIGraphX
           rocm-sdk-libraries-FAMILY => rocm-sdk-libraries with rocm-sdk-device-GFX
           HIP SDK installer for Windows => wheels or tarball
           https://repo.amd.com/rocm/whl-multi-arch/ => https://stable.repo.amd.com/rocm/whl-next/
        ");
    insta::assert_snapshot!(said(
        "gpu=RX 9070 XT; os=windows-11-25H2; driver=25.20.1; rocm=7.1.1; python=3.12; has=pytorch 2.9.0",
        "rocm=10.0; pytorch",
    ), @r"
        2 stages, 1 reboots, 1 of them on ground that nobody has spoken of
        1. driver Adrenalin 25.20.1 -> Adrenalin 26.8.1
           not known: driver Adrenalin 26.8.1 with ROCm 7.1.1
           not known: windows-11-25H2 with ROCm 7.1.1
           not known: AMD Radeon RX 9070 XT on windows-11-25H2 with ROCm 7.1.1
        2. environment ROCm 10.0.0, Python 3.12: torch 2.13.0+rocm10.0.0
           + AMD Radeon RX 9070 XT (was not known)
           + pytorch 2.13.0 listed
           - ROCm Bandwidth Test
           - rocALUTION
           - hipfort
           - MIVisionX
           - rocAL
           - rocPyDecode
           - MIGraphX
           rocm-sdk-libraries-FAMILY => rocm-sdk-libraries with rocm-sdk-device-GFX
           HIP SDK installer for Windows => wheels or tarball
           https://repo.amd.com/rocm/whl-multi-arch/ => https://stable.repo.amd.com/rocm/whl-next/
        ");
}

#[test]
fn jax_moves_its_plugin_with_the_major() {
    insta::assert_snapshot!(said(
        "gpu=MI300X; os=ubuntu-24.04; kernel=6.8.0-45-generic; driver=6.4.3; firmware=01.26.00.04; rocm=7.2.4; python=3.11; has=jax 0.9.2",
        "rocm=7.14; jax",
    ), @r"
        3 stages, 1 reboots, 0 of them on ground that nobody has spoken of
        1. driver 6.4.3 -> 31.50.0
           + serves 7.14 10.0
           - serves 6.1 6.2 6.3 6.4
        2. environment ROCm 7.2.4, Python 3.12: jax-rocm7-plugin 0.10.0
           built, not listed: jax 0.10.0 with ROCm 7.2.4
        3. environment ROCm 7.14.1, Python 3.12: jax-rocm7-plugin 0.12.0
           built, not listed: jax 0.12.0 with ROCm 7.14.1
           - ROCm Bandwidth Test
           - rocALUTION
           - hipfort
           - MIVisionX
           - rocAL
           - rocPyDecode
           - MIGraphX
           rocm-sdk-libraries-FAMILY => rocm-sdk-libraries with rocm-sdk-device-GFX
           rocm-*, hip-* => amdrocm-*
           /opt/rocm-X.Y.Z => /opt/rocm/core-X.Y
           https://repo.radeon.com/rocm/manylinux/ => https://repo.amd.com/rocm/whl-multi-arch/
           https://repo.radeon.com/rocm/apt/ => https://repo.amd.com/rocm/packages-multi-arch/
        ");
    insta::assert_snapshot!(said(
        "gpu=MI300X; os=ubuntu-24.04; kernel=6.8.0-45-generic; driver=30.30.3; firmware=01.26.00.04; rocm=7.14.1; python=3.12; has=jax 0.12.0",
        "rocm=10.0; jax",
    ), @r"
        1 stages, 0 reboots, 0 of them on ground that nobody has spoken of
        1. environment ROCm 10.0.0, Python 3.12: jax-rocm10-plugin 0.11.2
           built, not listed: jax 0.11.2 with ROCm 10.0.0
           https://repo.amd.com/rocm/whl-multi-arch/ => https://stable.repo.amd.com/rocm/whl-next/
           https://repo.amd.com/rocm/packages-multi-arch/ => https://stable.repo.amd.com/rocm/core/packages/
           jax-rocm7-plugin, jax-rocm7-pjrt => jax-rocm10-plugin, jax-rocm10-pjrt
        ");
}

#[test]
fn what_is_there_is_nothing_to_do() {
    let host = "gpu=MI300X; os=ubuntu-24.04; kernel=6.8.0-45-generic; driver=30.30.3; rocm=7.2.4; python=3.12; has=pytorch 2.9.1";
    insta::assert_snapshot!(said(host, "rocm=7.2"), @"nothing to do");
    insta::assert_snapshot!(said(host, "rocm=8.0"), @"no path: no release is `8.0` (nearest None, preview false)");
    insta::assert_snapshot!(said(host, "rocm=7.12"), @r#"no path: no release is `7.12` (nearest Some("7.12.0"), preview true)"#);
}
