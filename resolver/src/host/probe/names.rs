//! Marketing names from libdrm's `amdgpu.ids` (`744C, C8, AMD Radeon RX 7900 XTX`).

use super::Reader;
use crate::host::facts::PciId;

/// The table of names that this host has, empty where it has none.
pub(super) struct Names(String);

impl Names {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let text = PATHS.iter().find_map(|path| reader.text(path));
        Self(text.unwrap_or_default())
    }

    /// The name of exactly this device and revision.
    pub(super) fn name(&self, id: PciId) -> Option<String> {
        let revision = id.revision?;
        self.0.lines().find_map(|line| {
            let mut fields = line.splitn(3, ',').map(str::trim);
            let device = u16::from_str_radix(fields.next()?, 16).ok()?;
            let listed = u8::from_str_radix(fields.next()?, 16).ok()?;
            let name = fields.next()?;
            (device == id.device && listed == revision).then(|| name.to_owned())
        })
    }
}

/// The distribution's file, then the one of AMD's graphics packages.
const PATHS: &[&str] = &["/usr/share/libdrm/amdgpu.ids", "/opt/amdgpu/share/libdrm/amdgpu.ids"];
