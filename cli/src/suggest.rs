//! The name that was probably meant.

/// The most similar of `known`, if any is near enough to be a slip.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let scored = known.into_iter().map(|known| {
        let score = strsim::jaro_winkler(&lower, &known.to_lowercase());
        (score, known)
    });
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))?;
    (best.0 >= NEAR).then_some(best.1)
}

/// Below this, two names have little more in common than some letters.
const NEAR: f64 = 0.8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_nonsense_is_not() {
        let names = ["pytorch", "jax", "onnxruntime"];
        assert_eq!(nearest("pytroch", names), Some("pytorch"));
        assert_eq!(nearest("ONNX-runtime", names), Some("onnxruntime"));
        assert_eq!(nearest("zzz", names), None);
    }
}
