//! What the masks leave: ROCR first, then HIP (or CUDA where HIP is not set), then the ordinals,
//! each counting within what the one before left.
//!
//! Source: AMD's document on GPU isolation (ROCm/rocm-systems, gpu_isolation_hip_env.rst), and the
//! counts that users measured (Parsl/parsl#3858, mcmonkeyprojects/SwarmUI#566, ROCm/hip#3001).

/// The masks of a process.
#[derive(Debug, Clone, Copy, Default)]
pub struct Masks<'v> {
    /// `ROCR_VISIBLE_DEVICES`.
    pub rocr: Option<&'v str>,
    /// `HIP_VISIBLE_DEVICES`; empty it is no mask.
    pub hip: Option<&'v str>,
    /// `CUDA_VISIBLE_DEVICES`, which HIP obeys where its own is not set.
    pub cuda: Option<&'v str>,
    /// `GPU_DEVICE_ORDINAL`.
    pub ordinal: Option<&'v str>,
}

impl Masks<'_> {
    /// The GPUs that remain, as indices of all `count`.
    pub fn visible(&self, count: usize) -> Vec<usize> {
        let all: Vec<usize> = (0..count).collect();
        self.stages().into_iter().fold(all, |left, (_, mask)| apply(&left, mask))
    }

    /// The masks that count, in the order in which they are applied.
    pub fn stages(&self) -> Vec<(&'static str, &str)> {
        let hip = self.hip.filter(|mask| !mask.is_empty());
        let second = match (hip, self.cuda) {
            (Some(mask), _) => Some(("HIP_VISIBLE_DEVICES", mask)),
            (None, Some(mask)) => Some(("CUDA_VISIBLE_DEVICES", mask)),
            (None, None) => None,
        };
        let ordinal = self.ordinal.filter(|mask| !mask.is_empty());
        let first = self.rocr.map(|mask| ("ROCR_VISIBLE_DEVICES", mask));
        first
            .into_iter()
            .chain(second)
            .chain(ordinal.map(|mask| ("GPU_DEVICE_ORDINAL", mask)))
            .collect()
    }
}

/// One mask over what is left. The first index that does not exist ends the list; an id
/// (`GPU-…`) names a GPU that is there, which one cannot be told without the ids.
fn apply(left: &[usize], mask: &str) -> Vec<usize> {
    let mut kept = Vec::new();
    for entry in mask.split(',').map(str::trim) {
        if entry.starts_with("GPU-") {
            kept.extend(
                left.iter()
                    .find(|gpu| !kept.contains(*gpu))
                    .copied()
                    .into_iter()
                    .collect::<Vec<_>>(),
            );
            continue;
        }
        let Some(gpu) = entry.parse::<usize>().ok().and_then(|index| left.get(index)) else {
            break;
        };
        if !kept.contains(gpu) {
            kept.push(*gpu);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_compose_as_users_measured() {
        let count = |rocr: Option<&str>, hip: Option<&str>, cuda: Option<&str>| {
            Masks { rocr, hip, cuda, ordinal: None }.visible(8)
        };
        let two = |rocr: Option<&str>, hip: Option<&str>, cuda: Option<&str>| {
            Masks { rocr, hip, cuda, ordinal: None }.visible(2).len()
        };
        assert_eq!(two(None, None, Some("1")), 1);
        assert_eq!(two(Some("1"), None, None), 1);
        assert_eq!(two(Some("1"), None, Some("0")), 1);
        assert_eq!(two(Some("1"), None, Some("1")), 0);
        assert_eq!(two(Some("1"), Some("1"), None), 0);
        assert_eq!(two(None, Some(""), None), 2);
        assert_eq!(two(None, None, Some("")), 0);
        assert_eq!(count(Some("0,3,4,7"), Some("0,1"), None), [0, 3]);
        assert_eq!(count(Some("-1"), None, None), [0_usize; 0]);
        assert_eq!(count(Some("0,9,1"), None, None), [0]);
    }
}
