//! One code object as a file: an ELF file for the machine "AMDGPU", whose target its flags say.
//!
//! Numbers: LLVM, AMDGPUUsage, "AMDGPU `EF_AMDGPU_MACH` Values" and the code object V4 header.

use rocmenv_manifests::device_code::{BundleSet, Features, Isa};

use super::source::{Fields, Source};

/// Its target; `None` for an ELF file for another machine.
pub(super) fn read(source: &dyn Source) -> Option<BundleSet> {
    let header = source.array::<64>(0)?;
    let fields = Fields(&header);
    let is_ours = header.starts_with(b"\x7fELF\x02\x01") && fields.u16(18)? == MACHINE;
    if !is_ours {
        return None;
    }
    let flags = fields.u32(48)?;
    let mut isa: Isa = match MACHINES.iter().find(|(number, _)| *number == flags & 0xff) {
        Some((_, name)) => name.parse().ok()?,
        None => format!("gfx-machine-{:x}", flags & 0xff).parse().ok()?,
    };
    // The third version of the format has one bit for each and cannot say "any".
    let abi = header[8];
    if abi >= VERSION_4 {
        isa.features = Features { xnack: mode(flags >> 8), sramecc: mode(flags >> 10) };
    }
    Some(BundleSet { targets: vec![isa], bundles: 1, compressed: 0 })
}

fn mode(bits: u32) -> Option<bool> {
    match bits & 3 {
        2 => Some(false),
        3 => Some(true),
        _ => None,
    }
}

const MACHINE: u16 = 224;
const VERSION_4: u8 = 2;

const MACHINES: [(u32, &str); 44] = [
    (0x2a, "gfx803"),
    (0x2c, "gfx900"),
    (0x2d, "gfx902"),
    (0x2e, "gfx904"),
    (0x2f, "gfx906"),
    (0x30, "gfx908"),
    (0x31, "gfx909"),
    (0x32, "gfx90c"),
    (0x33, "gfx1010"),
    (0x34, "gfx1011"),
    (0x35, "gfx1012"),
    (0x36, "gfx1030"),
    (0x37, "gfx1031"),
    (0x38, "gfx1032"),
    (0x39, "gfx1033"),
    (0x3d, "gfx1035"),
    (0x3e, "gfx1034"),
    (0x3f, "gfx90a"),
    (0x40, "gfx940"),
    (0x41, "gfx1100"),
    (0x42, "gfx1013"),
    (0x43, "gfx1150"),
    (0x44, "gfx1103"),
    (0x45, "gfx1036"),
    (0x46, "gfx1101"),
    (0x47, "gfx1102"),
    (0x48, "gfx1200"),
    (0x49, "gfx1250"),
    (0x4a, "gfx1151"),
    (0x4b, "gfx941"),
    (0x4c, "gfx942"),
    (0x4e, "gfx1201"),
    (0x4f, "gfx950"),
    (0x51, "gfx9-generic"),
    (0x52, "gfx10-1-generic"),
    (0x53, "gfx10-3-generic"),
    (0x54, "gfx11-generic"),
    (0x55, "gfx1152"),
    (0x58, "gfx1153"),
    (0x59, "gfx12-generic"),
    (0x5a, "gfx1251"),
    (0x5f, "gfx9-4-generic"),
    (0x28, "gfx801"),
    (0x29, "gfx802"),
];
