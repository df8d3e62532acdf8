//! What the name of a file says: whether it may be native, and for which GPU kernel data is.
//!
//! The libraries themselves find their data by these names, so that the name is the fact.

use rocmenv_manifests::device_code::{Library, NamedTarget};

/// Whether a file of this name may be native. A program of Linux has no extension, or what looks
/// like one: a version (`python3.11`), or what tells it from others of its kind (`hipcc.bin`,
/// `ld.bfd`). What lies among a wheel's scripts becomes one when it is installed.
pub fn is_native(path: &str, executable: bool) -> bool {
    let name = file_name(path);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
        Some("so" | "dll" | "pyd" | "exe" | "kpack" | "hsaco" | "co" | "hipfb") => true,
        None => executable || path.contains(SCRIPTS),
        Some("bin" | "bfd" | "gold" | "lld") => executable,
        Some(end) if end.starts_with(|first: char| first.is_ascii_digit()) => {
            executable || name.contains(".so.")
        }
        _ => name.contains(".so."),
    }
}

/// The library whose kernel data a file is, and the GPUs that its name says it is for.
pub fn data_of(path: &str) -> Option<(Library, NamedTarget)> {
    let folders = folders(path);
    let inside = |pair: [&str; 2]| folders.windows(2).any(|two| *two == pair);
    let name = file_name(path);
    let tensile = [
        (Library::RocBlas, "rocblas"),
        (Library::HipBlasLt, "hipblaslt"),
        (Library::HipSparseLt, "hipsparselt"),
    ];
    for (library, folder) in tensile {
        // Fedora and Debian leave the folder `library` out or put a version in.
        if inside([folder, "library"]) || folders.contains(&folder) && is_kernel(name) {
            let own = is_kernel(name).then(|| target_in(name)).flatten();
            let above = || folders.iter().rev().find_map(|folder| whole_target(folder));
            return own.or_else(above).map(|target| (library, target));
        }
    }
    if inside(["miopen", "db"]) {
        let ends = [".kdb", ".model", ".db", ".db.txt", ".fdb.txt"];
        let is_tuning = ends.iter().any(|end| name.ends_with(end));
        return is_tuning.then(|| tuning_target(name)).flatten().map(|it| (Library::MiOpen, it));
    }
    let images = folders.iter().position(|folder| *folder == "aotriton.images")?;
    let target = folders.get(images + 1)?.strip_prefix("amd-")?;
    whole_target(target).map(|target| (Library::AoTriton, target))
}

/// Where a wheel keeps its scripts (PEP 427).
const SCRIPTS: &str = ".data/scripts/";

fn folders(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    parts
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_kernel(name: &str) -> bool {
    [".co", ".hsaco", ".dat"].iter().any(|end| name.ends_with(end))
}

/// `TensileLibrary_lazy_gfx90a.dat`, `Kernels.so-000-gfx90a-xnack+.hsaco`.
fn target_in(name: &str) -> Option<NamedTarget> {
    let at = name.find("gfx")?;
    let rest = &name[at..];
    let end =
        3 + rest[3..].find(|one: char| !one.is_ascii_alphanumeric()).unwrap_or(rest.len() - 3);
    let mode = |mark: &str| rest[end..].starts_with(mark);
    let xnack = match (mode("-xnack+"), mode("-xnack-")) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let target = whole_target(&rest[..end])?;
    Some(NamedTarget { xnack, ..target })
}

/// `gfx942`, or `gfx11xx` with open digits.
fn whole_target(text: &str) -> Option<NamedTarget> {
    let digits = text.strip_prefix("gfx")?;
    let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f' | b'x');
    let is_target = (3..=4).contains(&digits.len()) && digits.bytes().all(is_digit);
    is_target.then(|| NamedTarget { name: text.to_owned(), xnack: None })
}

/// MIOpen writes the number of compute units behind the target, with or without a line between:
/// `gfx1030_36.kdb`, `gfx942130.db.txt`, `gfx90a6e.db`. Targets of the ninth generation have
/// three digits, later ones four.
fn tuning_target(name: &str) -> Option<NamedTarget> {
    let digits = name.strip_prefix("gfx")?;
    let length = if digits.starts_with('9') { 3 } else { 4 };
    whole_target(name.get(..3 + length)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str) -> Option<String> {
        data_of(path).map(|(library, target)| format!("{} {target}", library.name()))
    }

    #[test]
    fn names_of_data_say_library_and_target() {
        for (path, expected) in [
            ("lib/rocblas/library/TensileLibrary_lazy_gfx1101.dat", "rocBLAS gfx1101"),
            ("lib/rocblas/library/Kernels.so-000-gfx90a-xnack+.hsaco", "rocBLAS gfx90a:xnack+"),
            ("lib/rocblas/library/gfx942/TensileManifest.txt", "rocBLAS gfx942"),
            ("torch/lib/hipblaslt/library/Kernels.so-000-gfx942.hsaco", "hipBLASLt gfx942"),
            ("usr/lib/x/rocblas/4.4.1/library/TensileLibrary_gfx906.co", "rocBLAS gfx906"),
            ("share/miopen/db/gfx942130.db.txt", "MIOpen gfx942"),
            ("share/miopen/db/gfx90a6e.kdb", "MIOpen gfx90a"),
            ("share/miopen/db/gfx1030_36.HIP.fdb.txt", "MIOpen gfx1030"),
            ("torch/lib/aotriton.images/amd-gfx11xx/flash/x.aks2", "AOTriton gfx11xx"),
        ] {
            assert_eq!(said(path).as_deref(), Some(expected), "{path}");
        }
        for path in [
            "lib/rocblas/library/TensileLibrary_Type_HH_fallback.dat",
            "share/miopen/db/readme.txt",
            "lib/librocblas.so.5",
            "torch/gfx942.py",
        ] {
            assert_eq!(said(path), None, "{path}");
        }
    }

    #[test]
    fn names_of_native_files_are_known() {
        for path in ["a.so", "a/libx.so.7.2", "x.cpython-312-x86_64-linux-gnu.so", "X.DLL"] {
            assert!(is_native(path, false), "{path}");
        }
        assert!(is_native("bin/rocminfo", true) && !is_native("bin/rocminfo", false));
        for program in [
            "bin/hipcc.bin",
            "bin/ld.bfd",
            "usr/bin/python3.11",
            "usr/bin/perl5.36-x86_64-linux-gnu",
        ] {
            assert!(is_native(program, true) && !is_native(program, false), "{program}");
        }
        assert!(is_native("demo-1.0.data/scripts/rocminfo", false));
        assert!(!is_native("a.py", true) && !is_native("a.so.txt/x.h", false));
    }
}
