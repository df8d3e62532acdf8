//! `init --template`: what is written for a target, and what is refused with which reason.

use rocmenv_tests::Sandbox;

use crate::snapshot;

#[test]
fn the_templates_are_listed() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "init --list-templates"), @r"
        exit: 0
        --- stdout ---
        TEMPLATE   FRAMEWORK    WHAT IT IS
        resnet50   pytorch      train ResNet-50 on one GPU, images a second
        llm-train  pytorch      train a Llama-shaped model over all GPUs, tokens a second a GPU
        llm-serve  vllm         serve a language model with vLLM, time to the first token
        jax        jax          train a small network with JAX, steps a second
        onnx       onnxruntime  run a model with ONNX Runtime, inferences a second
        minimal    pytorch      PyTorch and a script that says which GPUs it sees
        --- stderr ---
        ");
}

#[test]
fn a_scenario_fits_the_targets_memory() {
    let sandbox = Sandbox::new();
    let words = "init --name r --template resnet50 --gpu gfx1100 --os ubuntu-24.04";
    insta::assert_snapshot!(snapshot(&sandbox, words), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        made `[TEMP]/project/rocm.toml`
        chosen for you: python 3.14 (`--python`)
        chosen for you: rocm 10.1 (`--rocm`)
        made `train.py`
        next: rocmenv lock && rocmenv sync
        then: rocmenv run python train.py
        ");
    assert!(
        sandbox.read("train.py").contains("    \"batch_size\": 32,\n"),
        "no product, no memory"
    );

    let sandbox = Sandbox::new();
    let output = sandbox
        .command(env!("CARGO_BIN_EXE_rocmenv"))
        .args("init --name r --template resnet50 --os ubuntu-24.04 --gpu".split_whitespace())
        .args(["RX 7900 XTX"])
        .run();
    insta::assert_snapshot!(output.snapshot(), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        made `[TEMP]/project/rocm.toml`
        chosen for you: python 3.14 (`--python`)
        chosen for you: rocm 10.1 (`--rocm`)
        chosen for you: batch_size 256 (from 25.8 GB on the smallest GPU)
        made `train.py`
        next: rocmenv lock && rocmenv sync
        then: rocmenv run python train.py
        ");
    assert!(sandbox.read("train.py").contains("    \"batch_size\": 256,\n"));
    assert!(sandbox.read("rocm.toml").contains("commands = [\"python train.py --batch-size 2 "));
}

#[test]
fn training_starts_a_process_a_gpu() {
    let sandbox = Sandbox::new();
    let words = "init --name l --template llm-train --gpu MI300X --gpu MI300X --os ubuntu-24.04";
    insta::assert_snapshot!(snapshot(&sandbox, words), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        made `[TEMP]/project/rocm.toml`
        chosen for you: python 3.14 (`--python`)
        chosen for you: rocm 10.1 (`--rocm`)
        chosen for you: model 3b (from 206.2 GB on the smallest GPU)
        chosen for you: batch_size 16 (from 206.2 GB on the smallest GPU)
        made `train.py`
        made `model.py`
        next: rocmenv lock && rocmenv sync
        then: rocmenv run torchrun --standalone --nproc-per-node 2 train.py
        ");
    assert!(sandbox.exists("model.py"));
}

#[test]
fn a_framework_of_images_gives_no_manifest_that_cannot_lock() {
    let sandbox = Sandbox::new();
    let words = "init --name s --template llm-serve --gpu MI300X --os ubuntu-24.04";
    insta::assert_snapshot!(snapshot(&sandbox, words), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[template-image-only]: vllm for ROCm 10.1.0 is served as a container image, not as wheels that can be locked
        help: docker pull rocm/vllm:rocm10.1.0_ubuntu24.04_py3.14_pytorch_2.13.0_vllm_0.29.0   # aie-vllm-10.1
                    docker pull rocm/vllm:rocm10.0.0_ubuntu24.04_py3.14_pytorch_2.12.0_vllm_0.27.0   # aie-vllm-10.0
                    docker pull rocm/vllm:rocm7.14.1_cdna_ubuntu24.04_py3.14_pytorch_2.11.0_vllm_0.23.0   # aie-vllm-7.14
                    docker pull rocm/vllm:rocm7.14.0_cdna_ubuntu24.04_py3.14_pytorch_2.11.0_vllm_0.23.0   # rd-eco-vllm
                    docker pull rocm/vllm:rocm7.12.0_gfx94X-dcgpu_ubuntu24.04_py3.12_pytorch_2.9.1_vllm_0.16.0   # rd-vllm-7.12
                    docker pull rocm/vllm:rocm7.0.0_vllm_0.11.2_20251210   # 3p-vultr-setup
                    docker pull vllm/vllm-openai-rocm:latest   # 3p-vultr-setup
                    --rocm 10.0.0   # has wheels
                    --rocm 7.0   # has wheels
        ");
    assert!(!sandbox.exists("rocm.toml") && !sandbox.exists("serve.py"));
    let other = snapshot(&sandbox, &format!("{words} --rocm 7.14"));
    insta::assert_snapshot!(other, @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[template-image-only]: vllm for ROCm 7.14.0 is served as a container image, not as wheels that can be locked
        help: docker pull rocm/vllm:rocm7.14.0_cdna_ubuntu24.04_py3.14_pytorch_2.11.0_vllm_0.23.0   # rd-eco-vllm
                    docker pull rocm/vllm:rocm10.1.0_ubuntu24.04_py3.14_pytorch_2.13.0_vllm_0.29.0   # aie-vllm-10.1
                    docker pull rocm/vllm:rocm10.0.0_ubuntu24.04_py3.14_pytorch_2.12.0_vllm_0.27.0   # aie-vllm-10.0
                    docker pull rocm/vllm:rocm7.14.1_cdna_ubuntu24.04_py3.14_pytorch_2.11.0_vllm_0.23.0   # aie-vllm-7.14
                    docker pull rocm/vllm:rocm7.12.0_gfx94X-dcgpu_ubuntu24.04_py3.12_pytorch_2.9.1_vllm_0.16.0   # rd-vllm-7.12
                    docker pull rocm/vllm:rocm7.0.0_vllm_0.11.2_20251210   # 3p-vultr-setup
                    docker pull vllm/vllm-openai-rocm:latest   # 3p-vultr-setup
                    --rocm 10.0.0   # has wheels
                    --rocm 7.0   # has wheels
        ");
    assert!(!sandbox.exists("rocm.toml"));
}

#[test]
fn check_names_the_image_where_no_build_is_known() {
    let sandbox = Sandbox::new();
    let words = "check vllm rocm==10.1 --gpu MI300X --os ubuntu-24.04";
    insta::assert_snapshot!(snapshot(&sandbox, words), @r"
        exit: 0
        --- stdout ---
        the described host: yes, ROCm 10.1.0 (therock): not known
          vllm: no known build of `*`
            image: rocm/vllm:rocm10.1.0_ubuntu24.04_py3.14_pytorch_2.13.0_vllm_0.29.0 (aie-vllm-10.1)
            AMD lists 0.29.0
          Python: 3.14

          VERDICT    WHAT                                 WITH                      SOURCE                    WHY
          listed     AMD Instinct MI300X on ubuntu-24.04  ROCm 10.1.0               rd-os-10.0 rd-notes-10.1  listed with kernel GA 6.8
          listed     ubuntu-24.04                         ROCm 10.1.0               rd-notes-10.1             listed with kernel 6.8 GA
          listed     vllm 0.29.0                          ROCm 10.1.0               rd-ai-10.1                requires PyTorch 2.13.0 (so never together with 2.14.0)
          not known  vllm 0.29.0                          its builds for ROCm 10.1                            no document that was read speaks of a build of it; seen: none was
          not described, so not checked: kernel (--kernel), driver (--driver), Python (--python)
        --- stderr ---
        registry of 2026-11-30
        ");
    let words = "check tensorflow rocm==6.4.1 --gpu MI300X --os ubuntu-24.04 --python 3.14";
    insta::assert_snapshot!(snapshot(&sandbox, words), @r"
        exit: 0
        --- stdout ---
        the described host: yes, ROCm 6.4.1 (classic): not known
          tensorflow: no known build of `*`
            image: rocm/tensorflow:rocm6.4.1-py3.12-tf2.18-dev (il-tf-6.4.1)
            image: rocm/tensorflow:rocm6.4.1-py3.12-tf2.18-runtime (il-tf-6.4.1)
            image: rocm/tensorflow:rocm6.4.1-py3.10-tf2.18-dev (il-tf-6.4.1)
            image: rocm/tensorflow:rocm6.4.1-py3.10-tf2.18-runtime (il-tf-6.4.1)
            image: rocm/tensorflow:rocm6.4.1-py3.12-tf2.17-dev (il-tf-6.4.1)
            image: rocm/tensorflow:rocm6.4.1-py3.12-tf2.17-runtime (il-tf-6.4.1)
            image: rocm/tensorflow:rocm6.4.1-py3.10-tf2.17-dev (il-tf-6.4.1)
            image: rocm/tensorflow:rocm6.4.1-py3.10-tf2.17-runtime (il-tf-6.4.1)
            image: rocm/tensorflow:rocm6.4.1-py3.12-tf2.16-dev (il-tf-6.4.1)
            image: rocm/tensorflow:rocm6.4.1-py3.12-tf2.16-runtime (il-tf-6.4.1)
            image: rocm/tensorflow:rocm6.4.1-py3.10-tf2.16-dev (il-tf-6.4.1)
            image: rocm/tensorflow:rocm6.4.1-py3.10-tf2.16-runtime (il-tf-6.4.1)
            AMD lists 2.18.1 2.17.1 2.16.2
          Python: 3.14

          VERDICT    WHAT                                 WITH                     SOURCE           WHY
          listed     AMD Instinct MI300X on ubuntu-24.04  ROCm 6.4.1               lg-matrix-6.4.1  a document lists it
          listed     ubuntu-24.04                         ROCm 6.4.1               lg-matrix-6.4.1  listed with kernel 6.8 GA; 6.11 HWE
          listed     tensorflow 2.18.1                    ROCm 6.4.1               lg-matrix-6.4.1  a document lists it
          not known  tensorflow 2.18.1                    its builds for ROCm 6.4                   no document that was read speaks of a build of it; seen: none was
          not described, so not checked: kernel (--kernel), driver (--driver)
        --- stderr ---
        registry of 2026-11-30
        ");
}

#[test]
fn a_stack_that_cannot_be_had_is_refused_with_the_reason() {
    let sandbox = Sandbox::new();
    let words = "init --name j --template jax --gpu MI300X --os windows-11-25H2";
    insta::assert_snapshot!(snapshot(&sandbox, words), @r#"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[template-refused]: the template's stack cannot be had for the described host: AMD lists jax with ROCm 10.1.0 for Linux only, and no build of it for another system is known
        help: rocmenv check "jax" "rocm 10.1" --gpu "MI300X" --os windows-11-25H2
        "#);
    assert!(!sandbox.exists("rocm.toml"));
}

#[test]
fn a_slip_in_the_name_is_answered_with_the_nearest() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(snapshot(&sandbox, "init --template resnet-50"), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[template-unknown]: no template is called `resnet-50`; did you mean `resnet50`?
        help: rocmenv init --list-templates
        ");
}

#[test]
fn a_file_that_is_there_is_not_replaced() {
    let sandbox = Sandbox::new();
    sandbox.write("hello.py", "mine");
    let words = "init --name m --template minimal --gpu gfx1100 --os ubuntu-24.04";
    insta::assert_snapshot!(snapshot(&sandbox, words), @r"
        exit: 2
        --- stdout ---
        --- stderr ---
        error[project-exists]: `[TEMP]/project/hello.py` is there already
        help: move it away, or choose another folder
        ");
    assert_eq!(sandbox.read("hello.py"), "mine");
    assert!(!sandbox.exists("rocm.toml"));
}
