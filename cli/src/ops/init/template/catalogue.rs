//! The scenarios that there are.

use rocmenv_manifests::project::nearest;

use super::TemplateError;

/// One scenario.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// The frameworks that it needs.
    pub frameworks: &'static [&'static str],
    /// Python packages beside them.
    pub packages: &'static [&'static str],
    /// File names and texts.
    pub files: &'static [(&'static str, &'static str)],
    /// Commands of `[verify]`: toy sizes, so that they end soon with and without a GPU.
    pub verify: &'static [&'static str],
    /// How it is run; `{gpus}` is the number of GPUs.
    pub run: &'static str,
}

macro_rules! script {
    ($path:literal) => {
        include_str!(concat!("../../../../scripts/templates/", $path))
    };
}

/// All of them.
pub const TEMPLATES: [Template; 6] = [
    Template {
        name: "resnet50",
        title: "train ResNet-50 on one GPU, images a second",
        frameworks: &["pytorch"],
        packages: &[],
        files: &[("train.py", script!("resnet50/train.py"))],
        verify: &[
            "python train.py --batch-size 2 --image-size 64 --classes 10 --steps 2 --warm-up 1 --epochs 1",
        ],
        run: "rocmenv run python train.py",
    },
    Template {
        name: "llm-train",
        title: "train a Llama-shaped model over all GPUs, tokens a second a GPU",
        frameworks: &["pytorch"],
        packages: &[],
        files: &[
            ("train.py", script!("llm-train/train.py")),
            ("model.py", script!("llm-train/model.py")),
        ],
        verify: &["python train.py --model toy --length 32 --batch-size 2 --steps 2 --warm-up 1"],
        run: "rocmenv run torchrun --standalone --nproc-per-node {gpus} train.py",
    },
    Template {
        name: "llm-serve",
        title: "serve a language model with vLLM, time to the first token",
        frameworks: &["vllm"],
        packages: &[],
        files: &[
            ("serve.py", script!("llm-serve/serve.py")),
            ("load.py", script!("llm-serve/load.py")),
        ],
        verify: &["python serve.py --random-weights --dry-run"],
        run: "rocmenv run python serve.py --random-weights, and in another shell rocmenv run python load.py",
    },
    Template {
        name: "jax",
        title: "train a small network with JAX, steps a second",
        frameworks: &["jax"],
        packages: &[],
        files: &[("train.py", script!("jax/train.py"))],
        verify: &["python train.py --batch-size 8 --width 32 --steps 20 --epochs 1"],
        run: "rocmenv run python train.py",
    },
    Template {
        name: "onnx",
        title: "run a model with ONNX Runtime, inferences a second",
        frameworks: &["onnxruntime"],
        packages: &["onnx"],
        files: &[("infer.py", script!("onnx/infer.py"))],
        verify: &["python infer.py --batch-size 2 --width 32 --layers 2 --runs 3 --warm-up 1"],
        run: "rocmenv run python infer.py",
    },
    Template {
        name: "minimal",
        title: "PyTorch and a script that says which GPUs it sees",
        frameworks: &["pytorch"],
        packages: &[],
        files: &[("hello.py", script!("minimal/hello.py"))],
        verify: &["python hello.py"],
        run: "rocmenv run python hello.py",
    },
];

pub(super) fn named(name: &str) -> Result<&'static Template, TemplateError> {
    TEMPLATES.iter().find(|template| template.name == name).ok_or_else(|| {
        let known = TEMPLATES.iter().map(|template| template.name);
        TemplateError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name, known).map(str::to_owned),
        }
    })
}
