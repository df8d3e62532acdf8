//! LLVM's generic processors: one code object that runs on every member of a family.
//!
//! Source: LLVM, AMDGPUUsage, table "AMDGPU Generic Processors". Membership is that table's list
//! and never follows from digits (gfx1170 is no member of `gfx11-generic`).

use crate::gfx::GfxTarget;

/// A generic processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Generic {
    /// `gfx9-generic`
    Gfx9,
    /// `gfx9-4-generic`
    Gfx9_4,
    /// `gfx10-1-generic`
    Gfx10_1,
    /// `gfx10-3-generic`
    Gfx10_3,
    /// `gfx11-generic`
    Gfx11,
    /// `gfx12-generic`
    Gfx12,
}

impl Generic {
    /// All that there are.
    pub const ALL: [Self; 6] =
        [Self::Gfx9, Self::Gfx9_4, Self::Gfx10_1, Self::Gfx10_3, Self::Gfx11, Self::Gfx12];

    /// LLVM's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gfx9 => "gfx9-generic",
            Self::Gfx9_4 => "gfx9-4-generic",
            Self::Gfx10_1 => "gfx10-1-generic",
            Self::Gfx10_3 => "gfx10-3-generic",
            Self::Gfx11 => "gfx11-generic",
            Self::Gfx12 => "gfx12-generic",
        }
    }

    /// The processors that its code runs on, as KFD numbers them.
    fn members(self) -> &'static [u32] {
        match self {
            Self::Gfx9 => &[90_000, 90_002, 90_004, 90_006, 90_009, 90_012],
            Self::Gfx9_4 => &[90_400, 90_401, 90_402, 90_500],
            Self::Gfx10_1 => &[100_100, 100_101, 100_102, 100_103],
            Self::Gfx10_3 => &[100_300, 100_301, 100_302, 100_303, 100_304, 100_305, 100_306],
            Self::Gfx11 => {
                &[110_000, 110_001, 110_002, 110_003, 110_500, 110_501, 110_502, 110_503]
            }
            Self::Gfx12 => &[120_000, 120_001],
        }
    }

    /// Whether its code runs on a GPU of this target.
    pub fn covers(self, gpu: GfxTarget) -> bool {
        self.members().contains(&gpu.to_kfd())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn membership_is_the_list_and_not_the_digits() {
        let covers = |generic: Generic, gpu: &str| generic.covers(gpu.parse().unwrap());
        assert!(covers(Generic::Gfx11, "gfx1151") && covers(Generic::Gfx10_3, "gfx1031"));
        assert!(covers(Generic::Gfx9_4, "gfx950") && covers(Generic::Gfx12, "gfx1201"));
        assert!(covers(Generic::Gfx9, "gfx90c"));
        for (generic, gpu) in [
            (Generic::Gfx11, "gfx1170"),
            (Generic::Gfx9, "gfx908"),
            (Generic::Gfx9, "gfx90a"),
            (Generic::Gfx12, "gfx1250"),
            (Generic::Gfx10_3, "gfx1010"),
        ] {
            assert!(!covers(generic, gpu), "{} {gpu}", generic.name());
        }
        // No GPU belongs to two families.
        for one in Generic::ALL {
            for other in Generic::ALL.into_iter().filter(|other| *other != one) {
                assert!(one.members().iter().all(|member| !other.members().contains(member)));
            }
        }
    }
}
