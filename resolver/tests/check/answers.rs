//! Questions that people ask.

use rocmenv_manifests::project::Accept;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::check::{CheckHost, CheckQuestion, Description, check};

use super::said::{ask, host, said};

#[test]
fn a_gpu_without_classic_kernels_is_sent_to_device_wheels_and_to_no_override() {
    insta::assert_snapshot!(said(
        &["rocm==7.2", "pytorch==2.9.1"],
        "gpu=RX 6700 XT; os=ubuntu-24.04; driver=30.20.0",
    ), @r"
    refused: ROCm 7.2.4 (classic), known bad
    pytorch: torch 2.9.1+rocm7.2.4.lw.git39497456 from amd-manylinux-7.2.4
      needs ROCm beside it
      AMD lists 2.9.1 2.8.0 2.7.1
      known: 2.14.1+rocm7.2 (cp312), 2.14.0+rocm7.2 (cp312), 2.13.0+rocm7.2 (cp312), 2.12.1+rocm7.2 (cp312), 2.11.0+rocm7.2 (cp312), 2.10.0+rocm7.2.4.lw.git3d3aa833 (cp312), 2.9.1+rocm7.2.4.lw.git39497456 (cp312/cp313), 2.9.1+rocmsdk20260116 (cp312), 2.9.1+rocm7.2.0.lw.git7e1940d4 (cp310/cp312), 2.9.1+rocm7.2.1 (cp312), 2.9.1+rocm7.2.1.lw.gitff65f5bc (cp312), 2.8.0+rocm7.2.4, 2.8.0+rocm7.2.0.lw.gitbf943426 (cp312)
    python 3.13 3.12
      driver 30.20.0 x ROCm 7.2.4: listed [ad-matrix-10.0]
      AMD Radeon RX 6700 XT on ubuntu-24.04 x ROCm 7.2.4: not known [-]
      ubuntu-24.04 x ROCm 7.2.4: listed [lg-matrix-7.2]
      pytorch 2.9.1 x ROCm 7.2.4: listed [lg-matrix-7.2]
      gfx103x-classic-torch x ROCm 7.2.4: known bad [gh-nomad-1076]
    because with ROCm 7.2.4: classic builds hold no kernels for this target; people run them under an override; take a release with device wheels (7.14 and newer)
    would do: ask for rocm 10.0.0 and ask for pytorch 2.13.0 -> ROCm 10.0.0, torch[device-gfx1031] 2.13.0+rocm10.0.0, built, not listed
    not checked: kernel python
    ");
}

#[test]
fn a_listed_stack() {
    insta::assert_snapshot!(said(
        &["rocm==7.2", "pytorch==2.9.1"],
        "gpu=RX 7900 XTX; os=ubuntu-24.04; driver=30.20.0; kernel=6.8.0-45-generic; python=3.12",
    ), @r"
    fits: ROCm 7.2.4 (classic), listed
    pytorch: torch 2.9.1+rocm7.2.4.lw.git39497456 from amd-manylinux-7.2.4
      needs ROCm beside it
      AMD lists 2.9.1 2.8.0 2.7.1
      known: 2.14.1+rocm7.2 (cp312), 2.14.0+rocm7.2 (cp312), 2.13.0+rocm7.2 (cp312), 2.12.1+rocm7.2 (cp312), 2.11.0+rocm7.2 (cp312), 2.10.0+rocm7.2.4.lw.git3d3aa833 (cp312), 2.9.1+rocm7.2.4.lw.git39497456 (cp312/cp313), 2.9.1+rocmsdk20260116 (cp312), 2.9.1+rocm7.2.0.lw.git7e1940d4 (cp310/cp312), 2.9.1+rocm7.2.1 (cp312), 2.9.1+rocm7.2.1.lw.gitff65f5bc (cp312), 2.8.0+rocm7.2.4, 2.8.0+rocm7.2.0.lw.gitbf943426 (cp312)
    python 3.12
      driver 30.20.0 x ROCm 7.2.4: listed [ad-matrix-10.0]
      AMD Radeon RX 7900 XTX on ubuntu-24.04 x ROCm 7.2.4: listed [lg-matrix-7.2]
      ubuntu-24.04 x ROCm 7.2.4: listed [lg-matrix-7.2]
      pytorch 2.9.1 x ROCm 7.2.4: listed [lg-matrix-7.2]
    ");
}

#[test]
fn an_old_driver_is_the_reason_and_moving_it_the_remedy() {
    insta::assert_snapshot!(said(
        &["rocm==10.0", "jax"],
        "gpu=gfx942; os=ubuntu-24.04; driver=6.2.0; python=3.12",
    ), @r"
    refused: ROCm 10.0.0 (therock), stated no
    jax: jax-rocm10-plugin 0.11.2 from python
      AMD lists 0.10.0
      known: 0.11.2 (cp312/cp313/cp314/cp315)
    python 3.12
      driver 6.2.0 x ROCm 10.0.0: stated no [ad-matrix-10.0]
      gfx942 on ubuntu-24.04 x ROCm 10.0.0: not known [rd-os-10.0]
      ubuntu-24.04 x ROCm 10.0.0: listed [rd-os-10.0]
      jax 0.11.2 x ROCm 10.0.0: built, not listed [wheel-metadata]
    because driver 6.2.0 and ROCm 10.0.0: not listed by AMD's matrix of driver and ROCm, which has ROCm 6.0.x, ROCm 6.1.x, ROCm 6.2.x, ROCm 6.3.x, ROCm 6.4.x, ROCm 7.0.x
    would do: ask for rocm 7.0.2 -> ROCm 7.0.2, jax-rocm7-plugin 0.6.0, listed
    would do: move the driver to 30.10 -> ROCm 10.0.0, jax-rocm10-plugin 0.11.2, not known
    not checked: kernel
    ");
}

#[test]
fn a_wheel_newer_than_amds_table_is_built_not_listed() {
    insta::assert_snapshot!(said(
        &["rocm==10.1", "jax"],
        "gpu=gfx942; os=ubuntu-24.04; driver=31.50.0; python=3.12",
    ), @r"
    fits: ROCm 10.1.0 (therock), not known
    jax: jax-rocm10-plugin 0.12.0 from python
      AMD lists 0.11.1 0.11.0 0.10.2
      known: 0.12.0 (cp312/cp313/cp314/cp315)
    python 3.12
      driver 31.50.0 x ROCm 10.1.0: not known [rd-notes-10.1]
      gfx942 on ubuntu-24.04 x ROCm 10.1.0: not known [rd-os-10.0]
      ubuntu-24.04 x ROCm 10.1.0: listed [rd-notes-10.1]
      jax 0.12.0 x ROCm 10.1.0: built, not listed [wheel-metadata]
    not checked: kernel
    ");
}

#[test]
fn no_single_environment_serves_all() {
    insta::assert_snapshot!(said(
        &["rocm==10.1", "vllm", "tensorflow"],
        "gpu=MI300X; os=ubuntu-24.04",
    ), @r"
        refused: ROCm 10.1.0 (therock), not known
        vllm: no build
          AMD lists 0.29.0
          known: 
        tensorflow: tensorflow-rocm 2.21.0+rocm10.1.0 from amd-frameworks
          AMD lists 2.21 2.20
          known: 2.21.0+rocm10.1.0 (cp312), 2.20.0+rocm10.1.0 (cp312)
          AMD Instinct MI300X on ubuntu-24.04 x ROCm 10.1.0: listed [rd-os-10.0]
          ubuntu-24.04 x ROCm 10.1.0: listed [rd-notes-10.1]
          vllm 0.29.0 x ROCm 10.1.0: listed [rd-ai-10.1]
          vllm 0.29.0 x its builds for ROCm 10.1: not known [-]
          tensorflow 2.21.0 x ROCm 10.1.0: listed [rd-ai-10.1]
        because no Python serves all of the frameworks (vllm 3.14; tensorflow 3.12)
        not checked: kernel driver python
        ");
    insta::assert_snapshot!(said(
        &["rocm==10.1", "vllm==0.29.0", "pytorch==2.14.0"],
        "gpu=MI300X; os=ubuntu-24.04",
    ), @r"
    refused: ROCm 10.1.0 (therock), not known
    vllm: no build
      AMD lists 0.29.0
      known: 
    pytorch: no build
      AMD lists 2.14.0 2.13.0 2.12.0
      known: 2.14.0+rocm10.1.0 (cp312), 2.13.0+rocm10.1.0 (cp312), 2.12.0+rocm10.1.0 (cp312)
    python 3.14
      AMD Instinct MI300X on ubuntu-24.04 x ROCm 10.1.0: listed [rd-os-10.0]
      ubuntu-24.04 x ROCm 10.1.0: listed [rd-notes-10.1]
      vllm 0.29.0 x ROCm 10.1.0: listed [rd-ai-10.1]
      vllm 0.29.0 x its builds for ROCm 10.1: not known [-]
    because vllm needs `pytorch==2.13.0`
    would do: ask for pytorch 2.13.0 -> ROCm 10.1.0, torch[device-gfx942] 2.13.0+rocm10.1.0, not known
    not checked: kernel driver python
    ");
}

#[test]
fn windows_and_apus() {
    insta::assert_snapshot!(said(
        &["rocm==10.0", "pytorch"],
        "gpu=RX 9070 XT; os=windows-11-25H2; adrenalin=26.9.1; python=3.12",
    ), @r"
    fits: ROCm 10.0.0 (therock), not known
    pytorch: torch 2.13.0+rocm10.0.0 from amd-whl-next
      with [device-gfx1201]: amd-torch-device-gfx1201 amd-torch-device-gfx12-0
      AMD lists 2.13.0
      known: 2.13.0+rocm10.0.0 (cp310/cp311/cp312/cp313/cp314), 2.12.0+rocm10.0.0, 2.11.0+rocm10.0.0
    python 3.12
      driver 26.9.1 x ROCm 10.0.0: not known [rd-drv-10.0]
      AMD Radeon RX 9070 XT on windows-11-25H2 x ROCm 10.0.0: listed [rd-os-10.0]
      windows-11-25H2 x ROCm 10.0.0: listed [rd-os-10.0]
      pytorch 2.13.0 x ROCm 10.0.0: listed [3p-torch10]
      torch 2.13.0+rocm10.0.0 x AMD Radeon RX 9070 XT: listed [wl-ownership]
    ");
    insta::assert_snapshot!(said(
        &["rocm==7.1", "pytorch"],
        "gpu=Ryzen AI Max+ 395; os=fedora-43; kernel=6.18.6; driver=in-tree",
    ), @r"
    refused: ROCm 7.1.1 (classic), known bad
    pytorch: torch 2.8.0+rocm7.1.1.lw.gitcba8b9d2 from amd-manylinux-7.1.1
      needs ROCm beside it
      AMD lists 2.9 2.8 2.7
      known: 2.13.0+rocm7.1 (cp312), 2.10.0+rocm7.1 (cp311/cp312), 2.9.0+rocmsdk20251116 (cp312), 2.8.0+rocm7.1.1.lw.gitcba8b9d2 (cp310), 2.8.0+rocm7.1.0.lw.git7a520360 (cp312)
    python 3.10
      driver in-tree x ROCm 7.1.1: not known [-]
      AMD Ryzen AI Max+ 395 on fedora-43 x ROCm 7.1.1: stated no [rd-rdna35]
      fedora-43 x ROCm 7.1.1: not known [-]
      kernel 6.18.6 on gfx1151 x ROCm 7.1.1: stated no [rd-rdna35]
      pytorch 2.8.0 x ROCm 7.1.1: listed [lg-matrix-7.1.1]
      gfx1151-vgpr-new-kernel x ROCm 7.1.1: known bad [gh-therock-2991]
    because AMD Ryzen AI Max+ 395 on fedora-43 and ROCm 7.1.1: a document says `unsupported`
    because kernel 6.18.6 on gfx1151 and ROCm 7.1.1: a document says `unsupported`
    because with ROCm 7.1.1: these releases count the registers of gfx1151 wrongly and crash on kernels that report the right size; take ROCm 7.2 or 7.11 and newer
    would do: ask for rocm 10.1.0 -> ROCm 10.1.0, torch[device-gfx1151] 2.14.0+rocm10.1.0, not known
    not checked: python
    ");
}

#[test]
fn nothing_described_is_nothing_checked() {
    insta::assert_snapshot!(said(&["rocm==7.2"], ""), @r"
    fits: ROCm 7.2.4 (classic), listed
    not checked: gpu system kernel driver python
    ");
}

#[test]
fn unknown_names_are_errors_with_the_nearest() {
    let error = |wishes: &[&str]| ask(wishes, "").unwrap_err().to_string();
    insta::assert_snapshot!(error(&["pytroch"]), @"`pytroch` is not known to the registry; the nearest known name is `pytorch`");
    insta::assert_snapshot!(error(&["rocm==7.2.9"]), @"no known ROCm release satisfies `==7.2.9`; the nearest known name is `7.2.4`");
    insta::assert_snapshot!(error(&["rocm==7.13"]), @"only preview releases satisfy `==7.13`, such as 7.13.0: ask for previews");
    insta::assert_snapshot!(error(&["rocm==8.0"]), @"no known ROCm release satisfies `==8.0`");
}

#[test]
fn a_gpu_left_out_and_another_python_are_remedies() {
    insta::assert_snapshot!(said(
        &["rocm==6.3", "pytorch==2.9.1"],
        "gpu=RX 7900 XTX; gpu=RX 6600; os=ubuntu-24.04; driver=6.3.2",
    ), @r"
    refused: ROCm 6.3.3 (classic), known bad
    pytorch: torch 2.9.1+rocm6.3 from pytorch-rocm6.3
      AMD lists 2.4 2.3 2.2 1.13
      known: 2.9.1+rocm6.3 (cp311), 2.8.0+rocm6.3 (cp312), 2.7.1+rocm6.3 (cp312), 2.7.0+rocm6.3 (cp312), 2.5.1+rocm6.3.2 (cp310), 2.4.0+rocm6.3.4.git7cecbf6d (cp310)
    python 3.11
      driver 6.3.2 x ROCm 6.3.3: listed [ad-matrix-10.0]
      AMD Radeon RX 7900 XTX on ubuntu-24.04 x ROCm 6.3.3: listed [rr-hist]
      AMD Radeon RX 6600 on ubuntu-24.04 x ROCm 6.3.3: not known [-]
      ubuntu-24.04 x ROCm 6.3.3: listed [rr-hist]
      pytorch 2.9.1 x ROCm 6.3.3: built, not listed [onetrainer-1381]
      torch 2.9.1+rocm6.3 x AMD Radeon RX 7900 XTX: listed [uv-torch]
      torch 2.9.1+rocm6.3 x AMD Radeon RX 6600: stated no [uv-torch]
      gfx103x-classic-torch x ROCm 6.3.3: known bad [gh-nomad-1076]
    because torch 2.9.1+rocm6.3 and AMD Radeon RX 6600: no code for gfx1032, only for gfx900 gfx906 gfx908 gfx90a gfx942 gfx1030 gfx1100 gfx1101 gfx1102 gfx1200 gfx1201
    because with ROCm 6.3.3: classic builds hold no kernels for this target; people run them under an override; take a release with device wheels (7.14 and newer)
    would do: leave AMD Radeon RX 6600 out -> ROCm 6.3.3, torch 2.9.1+rocm6.3, built, not listed
    not checked: kernel python
    ");
    insta::assert_snapshot!(said(
        &["rocm==10.1", "jax"],
        "gpu=MI300X; os=ubuntu-24.04; python=3.10",
    ), @r"
    refused: ROCm 10.1.0 (therock), not known
    jax: no build
      AMD lists 0.11.1 0.11.0 0.10.2
      known: 0.12.0 (cp312/cp313/cp314/cp315)
    python 3.10
      AMD Instinct MI300X on ubuntu-24.04 x ROCm 10.1.0: listed [rd-os-10.0]
      ubuntu-24.04 x ROCm 10.1.0: listed [rd-notes-10.1]
      jax 0.11.1 x ROCm 10.1.0: not known [rd-ai-10.1]
    because the known builds of jax for ROCm 10.1.0 are for cp312 cp313 cp314 cp315, not for Python 3.10
    would do: ask for rocm 7.0.2 -> ROCm 7.0.2, jax-rocm7-plugin 0.6.0, listed
    would do: take Python 3.12 -> ROCm 10.1.0, jax-rocm10-plugin 0.12.0, built, not listed
    not checked: kernel driver
    ");
}

#[test]
fn a_module_version_is_mapped_or_not_known() {
    insta::assert_snapshot!(said(&["rocm==10.0.0"], "module=6.16.6"), @r"
    fits: ROCm 10.0.0 (therock), listed
      driver module 6.16.6 x ROCm 10.0.0: listed [ad-matrix-10.0]
    not checked: gpu system kernel python
    ");
    insta::assert_snapshot!(said(&["rocm==10.0.0"], "module=6.12.12"), @r"
    refused: ROCm 10.0.0 (therock), stated no
      driver module 6.12.12 x ROCm 10.0.0: stated no [ad-matrix-10.0]
    because driver module 6.12.12 and ROCm 10.0.0: not listed by AMD's matrix of driver and ROCm, which has ROCm 6.1.x, ROCm 6.2.x, ROCm 6.3.x, ROCm 6.4.x, ROCm 7.0.x, ROCm 7.1.x, ROCm 7.2.x
    would do: ask for rocm 7.2.4 -> ROCm 7.2.4, no builds, listed
    would do: move the driver to 30.10 -> ROCm 10.0.0, no builds, listed
    not checked: gpu system kernel python
    ");
    insta::assert_snapshot!(said(&["rocm==10.0.0"], "module=6.7.0"), @r"
    fits: ROCm 10.0.0 (therock), not known
      driver module 6.7.0 x ROCm 10.0.0: not known [-]
    not checked: gpu system kernel python
    ");
}

#[test]
fn a_wheel_that_names_its_rocm_in_a_runpath_is_for_that_line_only() {
    insta::assert_snapshot!(
        said(&["rocm==7.2.4", "onnxruntime==1.27.1"], "os=ubuntu-24.04; python=3.12"), @r"
    fits: ROCm 7.2.4 (classic), built, not listed
    onnxruntime: onnxruntime-migraphx 1.27.1 from python
      AMD lists 1.23.2
      known: 1.27.1 (cp310/cp311/cp312/cp313/cp314), 1.23.2 (cp312), 1.23.2 (cp312), 1.23.2 (cp312)
    python 3.12
      ubuntu-24.04 x ROCm 7.2.4: listed [lg-matrix-7.2]
      onnxruntime 1.27.1 x ROCm 7.2.4: built, not listed [wheel-metadata]
    not checked: gpu kernel driver
    ");
    let other = ask(&["rocm==10.0", "onnxruntime==1.27.1"], "os=ubuntu-24.04").unwrap();
    assert!(!other.fits());
}

#[test]
fn a_policy_narrows_what_is_accepted() {
    let registry = Registry::embedded();
    let wishes = vec!["rocm==10.1".parse().unwrap(), "jax==0.12.0".parse().unwrap()];
    let mut question = CheckQuestion::new(wishes, host("gpu=MI300X; os=ubuntu-24.04"));
    assert!(check(&registry, &question).unwrap().fits());
    question.accept = Accept::Built;
    assert!(check(&registry, &question).unwrap().fits());
    question.accept = Accept::Listed;
    let refused = check(&registry, &question).unwrap();
    let reasons: Vec<_> = refused.refusals.iter().map(ToString::to_string).collect();
    assert_eq!(
        reasons,
        ["jax 0.12.0 and ROCm 10.1.0: built, not listed, which the policy does not accept"]
    );
    let changes: Vec<_> = refused
        .remedies
        .iter()
        .flat_map(|remedy| &remedy.changes)
        .map(ToString::to_string)
        .collect();
    assert_eq!(changes, ["ask for rocm 7.2.4", "ask for jax 0.8.2"]);
}

#[test]
fn a_build_that_does_not_say_its_rocm_needs_the_switch() {
    let registry = Registry::embedded();
    let wishes = vec!["rocm==7.2".parse().unwrap(), "jax==0.10.2".parse().unwrap()];
    let mut question = CheckQuestion::new(wishes, CheckHost::default());
    assert!(!check(&registry, &question).unwrap().fits());
    question.unproven = true;
    let answer = check(&registry, &question).unwrap();
    let chosen = answer.frameworks[0].build.as_ref().unwrap();
    assert_eq!(
        (chosen.build.version.as_str(), chosen.build.built_for.as_str()),
        ("0.10.2", "unknown")
    );
}

#[test]
fn a_host_is_described_in_words() {
    let registry = Registry::embedded();
    let os = "windows-11-25H2".parse().unwrap();
    let gpus = ["rx 9070 xt".to_owned()];
    let said = Description {
        gpus: &gpus,
        os: Some(&os),
        driver: Some("26.8.1"),
        python: Some("3.12.4"),
        ..Description::default()
    };
    let described = CheckHost::describe(&registry, &said).unwrap();
    let expected = "gpu=RX 9070 XT; os=windows-11-25H2; adrenalin=26.8.1; python=3.12";
    assert_eq!(described, host(expected));

    let error =
        |said: Description<'_>| CheckHost::describe(&registry, &said).unwrap_err().to_string();
    let gpus = ["gfx1108".to_owned()];
    insta::assert_snapshot!(error(Description { gpus: &gpus, ..Description::default() }), @"`gfx1108` is not a GPU of the registry; the nearest known name is `gfx1100`");
    let gpus = ["RX 7900 XTZ".to_owned()];
    insta::assert_snapshot!(error(Description { gpus: &gpus, ..Description::default() }), @"`RX 7900 XTZ` is not a GPU of the registry; the nearest known name is `AMD Radeon RX 7900 XT`");
    let driver = Some("newest");
    insta::assert_snapshot!(error(Description { driver, ..Description::default() }), @"`newest` is not a driver");
}

#[test]
fn vllms_own_wheels_are_known_by_variant() {
    let answer = ask(&["rocm==10.0", "vllm"], "os=ubuntu-24.04").unwrap();
    let mut known = answer.frameworks[0].known.iter();
    let known = known.find(|known| known.package.starts_with("vllm (")).unwrap();
    assert_eq!((known.package.as_str(), known.version.as_str()), ("vllm (rocm100)", "nightlies"));
    assert_eq!(known.python_tags, ["cp312"]);
}
