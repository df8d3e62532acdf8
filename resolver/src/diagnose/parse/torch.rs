//! `python -m torch.utils.collect_env`, and what people print of torch.

use rocmenv_manifests::gfx::GfxTarget;

use crate::diagnose::facts::Facts;

pub(super) fn parse(text: &str, found: &mut Facts) {
    let torch = &mut found.around.torch;
    let value = |line: &str, key: &str| {
        let rest = line.trim().strip_prefix(key)?;
        Some(rest.trim_start_matches([':', '=', ' ']).trim().to_owned())
    };
    let built = |said: String| if is_none(&said) { String::new() } else { said };
    for line in text.lines() {
        if let Some(version) = value(line, "PyTorch version:").filter(|said| !is_none(said)) {
            torch.version.get_or_insert(version);
        }
        if let Some(version) = value(line, "torch.__version__") {
            torch.version.get_or_insert(version.trim_matches(['\'', '"']).to_owned());
        }
        if let Some(hip) =
            value(line, "ROCM used to build PyTorch:").or(value(line, "torch.version.hip"))
        {
            torch.hip.get_or_insert(built(hip));
        }
        if let Some(cuda) =
            value(line, "CUDA used to build PyTorch:").or(value(line, "torch.version.cuda"))
        {
            torch.cuda.get_or_insert(built(cuda));
        }
        let available =
            value(line, "Is CUDA available:").or(value(line, "torch.cuda.is_available()"));
        if let Some(said) = available {
            torch.available.get_or_insert(said.eq_ignore_ascii_case("true"));
        }
        if line.contains("get_arch_list")
            || line.contains("arch list")
            || line.contains("PYTORCH_ROCM_ARCH")
        {
            let archs = targets_in(line);
            if torch.archs.is_empty() {
                torch.archs = archs;
            }
        }
    }
}

fn is_none(said: &str) -> bool {
    matches!(said, "" | "N/A" | "None" | "Could not collect")
}

/// All instruction sets that a line names, sorted.
pub(super) fn targets_in(line: &str) -> Vec<GfxTarget> {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric());
    let mut targets: Vec<GfxTarget> = words.filter_map(|word| word.parse().ok()).collect();
    targets.sort();
    targets.dedup();
    targets
}
