//! Native files made by hand: ELF libraries with device code right, missing or wrong, bundles
//! plain and compressed, kernel archives.
//!
//! Formats: System V gABI for ELF, LSB 10.7 for version needs, LLVM's ClangOffloadBundler for
//! bundles, ROCm's shared/kpack for archives. Nothing in these files can run.

mod windows;

use std::io::Write as _;

pub use windows::WindowsBuilder;

/// Describes a library; [`ElfBuilder::build`] makes its bytes.
///
/// ```text
/// header, program headers | .hip_fatbin at 4096 | .dynstr .dynamic .gnu.version_r others | list
/// '-------------- one loaded segment ---------'
/// ```
#[derive(Debug, Clone, Default)]
pub struct ElfBuilder {
    code: Option<Vec<u8>>,
    registers: bool,
    soname: Option<String>,
    needs: Vec<String>,
    runpath: Option<String>,
    versions: Vec<(String, Vec<String>)>,
    sections: Vec<(String, Vec<u8>)>,
}

impl ElfBuilder {
    /// A library that needs nothing and holds nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Device code: the bytes of `.hip_fatbin`, and the section that registers it.
    #[must_use]
    pub fn code(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.code = Some(bytes.into());
        self.registers = true;
        self
    }

    /// Registers device code that is not there.
    #[must_use]
    pub fn without_code(mut self) -> Self {
        self.registers = true;
        self
    }

    /// `DT_SONAME`.
    #[must_use]
    pub fn soname(mut self, name: &str) -> Self {
        self.soname = Some(name.to_owned());
        self
    }

    /// One `DT_NEEDED`.
    #[must_use]
    pub fn needs(mut self, name: &str) -> Self {
        self.needs.push(name.to_owned());
        self
    }

    /// `DT_RUNPATH`.
    #[must_use]
    pub fn runpath(mut self, path: &str) -> Self {
        self.runpath = Some(path.to_owned());
        self
    }

    /// Versions of symbols of one library.
    #[must_use]
    pub fn versions(mut self, library: &str, versions: &[&str]) -> Self {
        let versions = versions.iter().map(|&version| version.to_owned()).collect();
        self.versions.push((library.to_owned(), versions));
        self
    }

    /// Any other section.
    #[must_use]
    pub fn section(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.sections.push((name.to_owned(), bytes.into()));
        self
    }

    /// The reference of a split library to its kernel archives.
    #[must_use]
    pub fn reference(self, kernel: &str, paths: &[&str]) -> Self {
        let mut bytes = vec![0x82];
        text(&mut bytes, "kernel_name");
        text(&mut bytes, kernel);
        text(&mut bytes, "kpack_search_paths");
        bytes.push(0x90 | u8::try_from(paths.len()).expect("few paths"));
        for path in paths {
            text(&mut bytes, path);
        }
        self.section(".rocm_kpack_ref", bytes)
    }

    /// The bytes.
    pub fn build(&self) -> Vec<u8> {
        let mut out = vec![0; 64 + 56];
        let mut list = vec![Section::default()];
        let mut names = vec![0];
        let mut put = |out: &mut Vec<u8>, name: &str, kind: u32, link: u32, bytes: &[u8]| {
            let at = out.len() as u64;
            out.extend(bytes);
            let name_at = u32::try_from(names.len()).expect("short");
            names.extend(name.as_bytes());
            names.push(0);
            list.push(Section { name: name_at, kind, link, at, size: bytes.len() as u64 });
        };
        if let Some(code) = &self.code {
            out.resize(out.len().next_multiple_of(4096), 0);
            put(&mut out, ".hip_fatbin", 1, 0, code);
        }
        let loaded = out.len() as u64;
        let mut strings = vec![0];
        let mut dynamic = Vec::new();
        let mut string = |text: &str| {
            let at = strings.len() as u64;
            strings.extend(text.as_bytes());
            strings.push(0);
            at
        };
        let entries = self.needs.iter().map(|name| (1_u64, name));
        let entries = entries.chain(self.soname.iter().map(|name| (14, name)));
        for (tag, name) in entries.chain(self.runpath.iter().map(|name| (29, name))) {
            dynamic.extend(tag.to_le_bytes());
            dynamic.extend(string(name).to_le_bytes());
        }
        dynamic.extend([0; 16]);
        let mut needs = Vec::new();
        for (at, (library, versions)) in self.versions.iter().enumerate() {
            let length = 16 + 16 * versions.len();
            let next = if at + 1 < self.versions.len() { length } else { 0 };
            needs.extend(1_u16.to_le_bytes());
            needs.extend(half(versions.len()));
            needs.extend(word(string(library)));
            needs.extend(16_u32.to_le_bytes());
            needs.extend(word(next as u64));
            for (index, version) in versions.iter().enumerate() {
                let next = if index + 1 < versions.len() { 16 } else { 0_u32 };
                needs.extend(0_u32.to_le_bytes());
                needs.extend([0; 4]);
                needs.extend(word(string(version)));
                needs.extend(next.to_le_bytes());
            }
        }
        let first = u32::try_from(if self.code.is_some() { 2 } else { 1 }).expect("small");
        put(&mut out, ".dynstr", 3, 0, &strings);
        put(&mut out, ".dynamic", 6, first, &dynamic);
        if !needs.is_empty() {
            put(&mut out, ".gnu.version_r", 0x6fff_fffe, first, &needs);
        }
        if self.registers {
            put(&mut out, ".hipFatBinSegment", 1, 0, &[0; 24]);
        }
        for (name, bytes) in &self.sections {
            put(&mut out, name, 1, 0, bytes);
        }
        let name_at = u32::try_from(names.len()).expect("short");
        names.extend(b".shstrtab\0");
        let (at, size) = (out.len() as u64, names.len() as u64);
        list.push(Section { name: name_at, kind: 3, link: 0, at, size });
        out.extend(&names);
        out.resize(out.len().next_multiple_of(8), 0);
        let list_at = out.len() as u64;
        for section in &list {
            section.write(&mut out);
        }
        header(&mut out, list_at, list.len(), loaded);
        out
    }
}

#[derive(Default)]
struct Section {
    name: u32,
    kind: u32,
    link: u32,
    at: u64,
    size: u64,
}

impl Section {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.name.to_le_bytes());
        out.extend(self.kind.to_le_bytes());
        for number in [0, 0, self.at, self.size] {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.link.to_le_bytes());
        out.extend([0; 4]);
        for number in [1_u64, if self.kind == 6 { 16 } else { 0 }] {
            out.extend(number.to_le_bytes());
        }
    }
}

fn header(out: &mut [u8], list_at: u64, sections: usize, loaded: u64) {
    let mut head = b"\x7fELF\x02\x01\x01".to_vec();
    head.resize(16, 0);
    head.extend(3_u16.to_le_bytes());
    head.extend(62_u16.to_le_bytes());
    head.extend(1_u32.to_le_bytes());
    for number in [0, 64, list_at] {
        head.extend(u64::to_le_bytes(number));
    }
    head.extend(0_u32.to_le_bytes());
    for number in [64, 56, 1, 64] {
        head.extend(u16::to_le_bytes(number));
    }
    head.extend(half(sections));
    head.extend(half(sections - 1));
    // One loaded segment from the beginning to the end of the code.
    head.extend(1_u32.to_le_bytes());
    head.extend(4_u32.to_le_bytes());
    for number in [0, 0, 0, loaded, loaded, 4096] {
        head.extend(u64::to_le_bytes(number));
    }
    out[..head.len()].copy_from_slice(&head);
}

/// A plain bundle: host code of no bytes, then code for each target.
pub fn bundle(targets: &[&str]) -> Vec<u8> {
    let ids = targets.iter().map(|target| format!("hipv4-amdgcn-amd-amdhsa--{target}"));
    let ids: Vec<String> =
        std::iter::once("host-x86_64-unknown-linux-gnu-".to_owned()).chain(ids).collect();
    let table: usize = ids.iter().map(|id| 24 + id.len()).sum();
    let mut at = (24 + 8 + table).next_multiple_of(64);
    let mut out = b"__CLANG_OFFLOAD_BUNDLE__".to_vec();
    out.extend((ids.len() as u64).to_le_bytes());
    for (index, id) in ids.iter().enumerate() {
        let size = if index == 0 { 0 } else { 64 };
        for number in [at, size, id.len()] {
            out.extend((number as u64).to_le_bytes());
        }
        out.extend(id.as_bytes());
        at += size;
    }
    out.resize(at, 0xc3);
    out
}

/// A bundle compressed as LLVM does it: version 1, 2 or 3 of the format, with zlib or zstd.
pub fn compressed(bundle: &[u8], version: u16, zstd: bool) -> Vec<u8> {
    let packed = if zstd {
        zstd::bulk::compress(bundle, 3).expect("compressed")
    } else {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
        packer.write_all(bundle).expect("memory");
        packer.finish().expect("memory")
    };
    let mut out = b"CCOB".to_vec();
    out.extend(version.to_le_bytes());
    out.extend(u16::from(zstd).to_le_bytes());
    let header = match version {
        1 => 20,
        2 => 24,
        _ => 32,
    };
    let (all, unpacked) = ((packed.len() + header) as u64, bundle.len() as u64);
    match version {
        1 => out.extend(word(unpacked)),
        2 => out.extend([word(all), word(unpacked)].concat()),
        _ => out.extend([all.to_le_bytes(), unpacked.to_le_bytes()].concat()),
    }
    out.extend([0xab; 8]);
    out.extend(packed);
    out
}

/// Several bundles as a linker lays them into one section: each at a multiple of 4096.
pub fn section_of(bundles: &[Vec<u8>]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for bundle in bundles {
        out.resize(out.len().next_multiple_of(4096), 0);
        out.extend(bundle);
    }
    out
}

/// A kernel archive: per kernel name the targets that it has code for.
pub fn kernel_archive(kernels: &[(&str, &[&str])]) -> Vec<u8> {
    let mut out = b"KPAK".to_vec();
    out.extend(1_u32.to_le_bytes());
    out.extend(64_u64.to_le_bytes());
    out.resize(64, 0);
    out.push(0x82);
    text(&mut out, "format_version");
    out.push(1);
    text(&mut out, "toc");
    out.push(0x80 | u8::try_from(kernels.len()).expect("few kernels"));
    for (kernel, targets) in kernels {
        text(&mut out, kernel);
        out.push(0x80 | u8::try_from(targets.len()).expect("few targets"));
        for target in *targets {
            text(&mut out, target);
            out.push(0x81);
            text(&mut out, "ordinal");
            out.push(0);
        }
    }
    out
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend([0xd9, u8::try_from(text.len()).expect("a short text")]);
    out.extend(text.as_bytes());
}

fn half(number: usize) -> [u8; 2] {
    u16::try_from(number).expect("small").to_le_bytes()
}

fn word(number: u64) -> [u8; 4] {
    u32::try_from(number).expect("small").to_le_bytes()
}
