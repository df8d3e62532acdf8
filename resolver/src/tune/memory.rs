//! What fits into a GPU's memory: rules of thumb with what they rest on. They choose a first value
//! that runs; the right one is found by trying.

use serde::Serialize;

/// A batch size with the bytes that it was reckoned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Batch {
    /// The size to begin with.
    pub start: u32,
    /// The largest that should still fit.
    pub most: u32,
}

/// ResNet-50 in bfloat16 at 224 pixels: measured with the template's script, 6.57 GiB were
/// reserved at 128 images and 12.63 GiB at 256, so 48.5 MiB an image and 0.5 GiB beside (on an
/// NVIDIA H200 with PyTorch 2.11; no AMD GPU was at hand).
const RESNET_IMAGE: u64 = 49 << 20;
const RESNET_BASE: u64 = 512 << 20;

/// A batch of images for ResNet-50 on a GPU with so much memory: bytes.
pub fn batch_size(vram: u64) -> Batch {
    let room = (vram / 10 * 9).saturating_sub(RESNET_BASE);
    let most = u32::try_from(room / RESNET_IMAGE).unwrap_or(u32::MAX).max(1);
    // Beyond some hundreds of images a GPU is busy, and a larger batch only changes the training.
    Batch { start: power_below(most / 4 * 3).clamp(1, 256), most }
}

/// A Llama-shaped model of the template `llm-train`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ModelSize {
    /// The script's name for it.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: u64,
    /// Bytes of activations a token, without recomputing: measured 2.6 MB for `1b`, the others in
    /// proportion of layers times width.
    pub bytes_a_token: u64,
}

const MODELS: [ModelSize; 5] = [
    ModelSize { name: "7b", parameters: 6_738_000_000, bytes_a_token: 10_400_000 },
    ModelSize { name: "3b", parameters: 3_213_000_000, bytes_a_token: 6_800_000 },
    ModelSize { name: "1b", parameters: 1_104_000_000, bytes_a_token: 2_600_000 },
    ModelSize { name: "125m", parameters: 134_000_000, bytes_a_token: 730_000 },
    ModelSize { name: "toy", parameters: 200_000, bytes_a_token: 20_000 },
];

/// Float32 weights, gradients and two moments of Adam.
const BYTES_A_PARAMETER: u64 = 16;

/// The largest model that one GPU of this memory can train without sharding, and the sequences of
/// `length` tokens that fit beside it.
pub fn llm_batch(vram: u64, length: u64) -> (ModelSize, u32) {
    let usable = vram / 10 * 9;
    let fits = |model: &&ModelSize| {
        let weights = model.parameters * BYTES_A_PARAMETER;
        weights + model.bytes_a_token * length <= usable && weights <= usable / 2
    };
    let model = *MODELS.iter().find(fits).unwrap_or(&MODELS[MODELS.len() - 1]);
    let room = usable.saturating_sub(model.parameters * BYTES_A_PARAMETER);
    let most = u32::try_from(room / (model.bytes_a_token * length.max(1))).unwrap_or(u32::MAX);
    (model, power_below(most).clamp(1, 32))
}

/// How a model is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Serving {
    /// GPUs that share the model.
    pub tensor_parallel: u32,
    /// Bytes of weights on each.
    pub weights_each: u64,
    /// Bytes for the cache of keys and values on each.
    pub cache_each: u64,
}

/// The smallest number of GPUs (1, 2, 4, 8 ...) over which a model's weights leave at least a
/// fifth of the usable memory to the cache. None where all of them together do not.
pub fn serving(weights: u64, vram: u64, gpus: u32) -> Option<Serving> {
    let usable = vram / 10 * 9;
    let mut tensor_parallel = 1;
    while tensor_parallel <= gpus {
        let weights_each = weights.div_ceil(u64::from(tensor_parallel));
        if weights_each <= usable / 5 * 4 {
            return Some(Serving {
                tensor_parallel,
                weights_each,
                cache_each: usable - weights_each,
            });
        }
        tensor_parallel *= 2;
    }
    None
}

fn power_below(number: u32) -> u32 {
    if number == 0 { 0 } else { 1 << number.ilog2() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    #[test]
    fn batches_follow_the_memory() {
        assert_eq!(batch_size(24 * GIB), Batch { start: 256, most: 440 });
        assert_eq!(batch_size(8 * GIB).start, 64);
        assert_eq!(batch_size(0), Batch { start: 1, most: 1 });
    }

    #[test]
    fn models_follow_the_memory() {
        let chosen = |gib: u64| {
            let (model, batch) = llm_batch(gib * GIB, 1024);
            (model.name, batch)
        };
        assert_eq!(chosen(24), ("125m", 16));
        assert_eq!(chosen(64), ("1b", 16));
        assert_eq!(chosen(0), ("toy", 1));
        assert_eq!(chosen(288).0, "7b");
    }

    #[test]
    fn a_model_too_large_is_said_to_be_so() {
        let seventy = 140_000_000_000;
        assert_eq!(serving(seventy, 24 * GIB, 2), None);
        assert_eq!(serving(seventy, 192 * GIB, 8).map(|serving| serving.tensor_parallel), Some(1));
        assert_eq!(serving(seventy, 48 * GIB, 8).map(|serving| serving.tensor_parallel), Some(4));
    }
}
