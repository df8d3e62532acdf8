//! Packages of rpm: `rpm -qa`, `rpm -q NAME`, `dnf list installed`, `zypper se -si`; and what dnf
//! and zypper say of repositories stands among the signatures.

use crate::diagnose::facts::Facts;
use crate::host::driver_package;

use super::packages::is_rocm_package;

pub(super) fn parse(text: &str, found: &mut Facts) {
    for line in text.lines() {
        let Some(package) = package(line) else { continue };
        let Package { name, version } = package;
        if is_kernel_source(name) {
            // several of them are installed side by side
            let whole = format!("{name}-{version}");
            found.around.system_packages.insert(whole, version.to_owned());
        } else if is_rocm_package(name) {
            if name == DRIVER {
                found.host.driver.package.get_or_insert_with(|| driver_package(version));
            }
            found.around.system_packages.insert(name.to_owned(), version.to_owned());
        }
    }
}

struct Package<'l> {
    name: &'l str,
    /// Version and release (`6.4.1.60401-83.el9`), of kernel sources with the architecture.
    version: &'l str,
}

fn package(line: &str) -> Option<Package<'_>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        // zypper: `i+ | rocm-core | package | 6.4.1.60401-83 | x86_64 | rocm`
        ["i" | "i+" | "il", "|", name, "|", "package", "|", version, "|", ..] => {
            Some(Package { name, version })
        }
        // dnf: `rocm-core.x86_64  6.4.1.60401-83.el9  @rocm`
        [name, version, place] if place.starts_with('@') => {
            let (name, _) =
                name.rsplit_once('.').filter(|(_, arch)| ARCHITECTURES.contains(arch))?;
            Some(Package { name, version })
        }
        // rpm: `rocm-core-6.4.1.60401-83.el9.x86_64`, with a date behind it by --last
        [whole, ..] => {
            let (rest, _) =
                whole.rsplit_once('.').filter(|(_, arch)| ARCHITECTURES.contains(arch))?;
            let release = rest.rfind('-')?;
            let version = rest[..release].rfind('-')?;
            let digits = rest[version + 1..].starts_with(|c: char| c.is_ascii_digit());
            let name = &rest[..version];
            let end = if is_kernel_source(name) { whole.len() } else { rest.len() };
            digits.then(|| Package { name, version: &whole[version + 1..end] })
        }
        [] => None,
    }
}

/// Headers against which dkms builds.
fn is_kernel_source(name: &str) -> bool {
    matches!(
        name,
        "kernel-devel" | "kernel-default-devel" | "kernel-uek-devel" | "kernel-devel-matched"
    )
}

const ARCHITECTURES: &[&str] = &["x86_64", "noarch", "i686", "aarch64"];
const DRIVER: &str = "amdgpu-dkms";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_three_tools_are_one() {
        let text = "rocm-core-6.4.1.60401-83.el9.x86_64\n\
            rocminfo-1.0.0.60401-83.el9.x86_64   Tue 12 Aug 2025\n\
            hip-runtime-amd.x86_64   6.4.43483.60401-83.el9   @rocm\n\
            i+ | hsa-rocr | package | 1.15.0.60401-sles156.83 | x86_64 | rocm\n\
            amdgpu-dkms-6.12.12.60401-2164967.el9.noarch\n\
            kernel-devel-5.14.0-570.12.1.el9_6.x86_64\n\
            bash-5.1.8-9.el9.x86_64\nsome line of prose.x86_64 and more\n";
        let mut found = Facts::default();
        parse(text, &mut found);
        let packages: Vec<String> = found
            .around
            .system_packages
            .iter()
            .map(|(name, version)| format!("{name} {version}"))
            .collect();
        assert_eq!(
            packages,
            [
                "amdgpu-dkms 6.12.12.60401-2164967.el9",
                "hip-runtime-amd 6.4.43483.60401-83.el9",
                "hsa-rocr 1.15.0.60401-sles156.83",
                "kernel-devel-5.14.0-570.12.1.el9_6.x86_64 5.14.0-570.12.1.el9_6.x86_64",
                "rocm-core 6.4.1.60401-83.el9",
                "rocminfo 1.0.0.60401-83.el9",
            ]
        );
        let driver = found.host.driver.package.unwrap();
        assert_eq!(driver.module_version.as_deref(), Some("6.12.12"));
        assert_eq!(driver.release.unwrap().to_string(), "6.4.1");
        assert_eq!(driver.build.as_deref(), Some("2164967"));
    }
}
