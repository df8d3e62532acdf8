//! The image that a container of a target begins with, and how its base packages are installed.

use std::path::Path;

use rocmenv_manifests::platform::OsFamily;

use super::ExportError;
use super::subject::Subject;

/// The name of an image, without the address of any registry of images: the tool that builds
/// knows which one its user means.
pub(super) fn of(subject: &Subject, format: &'static str) -> Result<String, ExportError> {
    if subject.os_family() != OsFamily::Linux {
        return Err(ExportError::NotLinux { os: "Windows".to_owned() });
    }
    if let Some(base) = &subject.options.base {
        return Ok(base.clone());
    }
    let os = subject.os();
    let image = os.as_ref().and_then(|os| {
        let name = IMAGES.iter().find(|(distribution, _)| *distribution == os.distribution)?.1;
        Some(format!("{name}:{}", os.version.as_deref()?))
    });
    image.ok_or_else(|| ExportError::NoBase { os: os.map(|os| os.to_string()), format })
}

/// Whether a base is an image of Apptainer or an unpacked one on this machine, and no name that
/// a registry of images knows.
pub(super) fn is_local(base: &str) -> bool {
    let is_path = ["/", "./", "../"].iter().any(|start| base.starts_with(start));
    is_path || Path::new(base).extension().is_some_and(|ending| ending == "sif")
}

/// The shell lines that bring what `rocmenv sync` needs of a system: certificates, and a copy of
/// pip, whose default index counts where the user configured none. `extra` are further packages.
pub(super) fn preparation(image: &str, extra: &[&str]) -> Option<String> {
    let name = image.rsplit('/').next().unwrap_or(image);
    let ends: &[char] = if is_local(image) { &['.', '_', '-'] } else { &[':', '@'] };
    let name = name.split(ends).next().unwrap_or(name);
    let packages = |own: &str| {
        let mut words = vec![own.to_owned()];
        words.extend(extra.iter().map(|&word| word.to_owned()));
        words.join(" ")
    };
    match name {
        "debian" | "ubuntu" => Some(format!(
            "apt-get update && \
             DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends {} && \
             rm -rf /var/lib/apt/lists/*",
            packages("ca-certificates python3-pip-whl")
        )),
        "almalinux" | "rockylinux" | "oraclelinux" | "fedora" => Some(format!(
            "dnf install -y --setopt=install_weak_deps=False {} && dnf clean all",
            packages("ca-certificates python3-pip-wheel")
        )),
        _ => None,
    }
}

const IMAGES: [(&str, &str); 6] = [
    ("ubuntu", "ubuntu"),
    ("debian", "debian"),
    ("rocky", "rockylinux"),
    ("almalinux", "almalinux"),
    ("ol", "oraclelinux"),
    ("fedora", "fedora"),
];
