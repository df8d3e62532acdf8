//! DLLs made by hand: device code in the sections that HIP uses on Windows, and imports.
//!
//! Format: Microsoft, "PE Format" (PE32+). Nothing in these files can run.

/// Describes a DLL; [`WindowsBuilder::build`] makes its bytes.
#[derive(Debug, Clone, Default)]
pub struct WindowsBuilder {
    code: Option<Vec<u8>>,
    needs: Vec<String>,
}

impl WindowsBuilder {
    /// A DLL that needs nothing and holds nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Device code: the bytes of `.hip_fat`, and the section that registers it.
    #[must_use]
    pub fn code(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.code = Some(bytes.into());
        self
    }

    /// One imported DLL.
    #[must_use]
    pub fn needs(mut self, name: &str) -> Self {
        self.needs.push(name.to_owned());
        self
    }

    /// The bytes.
    pub fn build(&self) -> Vec<u8> {
        let mut sections: Vec<(&[u8], Vec<u8>)> = Vec::new();
        if let Some(code) = &self.code {
            sections.push((b".hipFatB", vec![0; 48]));
            sections.push((b".hip_fat", code.clone()));
        }
        let imports = address(sections.len(), &sections);
        sections.push((b".idata", self.imports(imports)));
        let mut out = headers(sections.len(), imports);
        let mut at = HEADERS;
        for (index, (name, bytes)) in sections.iter().enumerate() {
            let raw = bytes.len().next_multiple_of(512);
            let mut field = name.to_vec();
            field.resize(8, 0);
            out.extend(field);
            for number in [bytes.len(), address(index, &sections), raw, at, 0, 0, 0] {
                out.extend(word(number));
            }
            out.extend(word(0x4000_0040));
            at += raw;
        }
        out.resize(HEADERS, 0);
        for (_, bytes) in &sections {
            out.extend(bytes);
            out.resize(out.len().next_multiple_of(512), 0);
        }
        out
    }

    /// A list of descriptors, an empty one, an empty table of addresses, and the names.
    fn imports(&self, at: usize) -> Vec<u8> {
        let table = 20 * (self.needs.len() + 1);
        let mut names = Vec::new();
        let mut out = Vec::new();
        for name in &self.needs {
            let name_at = at + table + 16 + names.len();
            for number in [at + table, 0, 0, name_at, at + table] {
                out.extend(word(number));
            }
            names.extend(name.as_bytes());
            names.push(0);
        }
        out.resize(table + 16, 0);
        out.extend(names);
        out
    }
}

/// Where a section lies once it is loaded.
fn address(index: usize, sections: &[(&[u8], Vec<u8>)]) -> usize {
    let before = sections.iter().take(index).map(|(_, bytes)| bytes.len().next_multiple_of(4096));
    4096 + before.sum::<usize>()
}

fn headers(sections: usize, imports: usize) -> Vec<u8> {
    let mut out = b"MZ".to_vec();
    out.resize(60, 0);
    out.extend(word(64));
    out.extend(b"PE\0\0");
    out.extend(half(0x8664));
    out.extend(half(sections));
    out.extend([0; 12]);
    out.extend(half(240));
    out.extend(half(0x2022));
    // The optional header: only what a reader needs to find its way.
    out.extend(half(0x20b));
    out.resize(out.len() + 30, 0);
    out.extend(word(4096));
    out.extend(word(512));
    out.resize(out.len() + 16, 0);
    out.extend(word(1 << 20));
    out.extend(word(HEADERS));
    out.resize(out.len() + 44, 0);
    out.extend(word(16));
    // Data directories: exports, imports, and fourteen others.
    out.extend([0; 8]);
    out.extend(word(imports));
    out.extend(word(40));
    out.resize(out.len() + 14 * 8, 0);
    out
}

fn half(number: usize) -> [u8; 2] {
    u16::try_from(number).expect("small").to_le_bytes()
}

fn word(number: usize) -> [u8; 4] {
    u32::try_from(number).expect("small").to_le_bytes()
}

const HEADERS: usize = 1024;
