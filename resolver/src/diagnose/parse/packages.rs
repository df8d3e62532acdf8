//! Python packages (`pip list`, `pip freeze`, collect_env's `[pip3] name==version`) and those of
//! apt (`dpkg -l`, `apt policy`).

use rocmenv_manifests::version::Dotted;

use crate::diagnose::facts::{Facts, Message, Signal, Wanted};

pub(super) fn parse(text: &str, found: &mut Facts) {
    let mut in_table = false;
    let mut policy: Option<String> = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["Package", "Version", ..] = words[..] {
            in_table = true;
            continue;
        }
        if in_table && words.is_empty() {
            in_table = false;
        }
        if let Some((name, version)) = requirement(line).or_else(|| row(&words, in_table)) {
            found.around.packages.get_or_insert_default().entry(name).or_insert(version);
        }
        if let ["ii" | "iF" | "iU", name, version, ..] = words[..] {
            let name = name.split(':').next().unwrap_or(name);
            if is_rocm_package(name) {
                found.around.system_packages.insert(name.to_owned(), version.to_owned());
            }
            if words[0] != "ii" && name == "amdgpu-dkms" {
                let message = Message { signal: Signal::DpkgDriver, line: line.to_owned() };
                found.around.messages.insert(message);
            }
        }
        found.around.wanted.extend(wanted(line));
        policy = apt_policy(line, policy, found);
    }
}

/// `name==version` with nothing but a mark before it.
fn requirement(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    let line = ["[pip3]", "[conda]", "[uv]", "+", "-"]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line)
        .trim();
    let (name, version) = line.split_once("==")?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let version = version.split([' ', ';', '\t']).next()?;
    let valid = !name.is_empty()
        && name.chars().all(is_name)
        && version.starts_with(|c: char| c.is_ascii_digit())
        && !version.ends_with('*');
    valid.then(|| (normalized(name), version.to_owned()))
}

/// `pip install "torch<2.9" --index-url https://download.pytorch.org/whl/rocm7.2`
fn wanted(line: &str) -> Option<Wanted> {
    let rocm: Dotted = Dotted::leading(line.split("pytorch.org/whl/rocm").nth(1)?)?;
    let words = line.split_whitespace().map(|word| word.trim_matches(['"', '\'', '`']));
    let torch = words
        .filter_map(|word| word.strip_prefix("torch"))
        .find(|rest| rest.starts_with(['=', '<', '>', '~', '!']))?;
    Some(Wanted { torch: torch.to_owned(), rocm })
}

/// A row of `pip list`'s table.
fn row(words: &[&str], in_table: bool) -> Option<(String, String)> {
    let [name, version, ..] = words else { return None };
    let valid = in_table && version.starts_with(|c: char| c.is_ascii_digit());
    valid.then(|| (normalized(name), (*version).to_owned()))
}

/// PEP 503.
pub(crate) fn normalized(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for letter in name.chars() {
        let letter = if matches!(letter, '_' | '.') { '-' } else { letter.to_ascii_lowercase() };
        if !(letter == '-' && out.ends_with('-')) {
            out.push(letter);
        }
    }
    out
}

/// `rocminfo:` and then `  Candidate: 5.7.1-3build1`: the distribution's number for a package
/// whose AMD versions begin with 0 or 1.
fn apt_policy(line: &str, policy: Option<String>, found: &mut Facts) -> Option<String> {
    let trimmed = line.trim_end();
    if !line.starts_with(' ') {
        return trimmed.strip_suffix(':').filter(|name| !name.contains(' ')).map(str::to_owned);
    }
    let name = policy?;
    if let Some(version) = trimmed.trim_start().strip_prefix("Candidate: ") {
        let contested = ["rocminfo", "hipcc", "rocm-cmake", "rocm-device-libs"];
        let is_distribution = version.starts_with(['5', '6']) && !version.contains(".60");
        if contested.contains(&name.as_str()) && is_distribution {
            let line = format!("{name}: candidate {version}");
            let message = Message { signal: Signal::DistroCandidate, line };
            found.around.messages.insert(message);
        }
    }
    Some(name)
}

/// Packages that tell AMD's ROCm from the distribution's.
pub(crate) fn is_rocm_package(name: &str) -> bool {
    let starts = [
        "libamdhip64",
        "libhsa-runtime64",
        "hip-runtime-amd",
        "hsa-rocr",
        "rocm-",
        "rocminfo",
        "hipcc",
        "rocblas",
        "miopen",
        "amdgpu-dkms",
        "amdgpu-install",
        "linux-firmware",
        // of rpm: Fedora's own, SLES's firmware
        "amd-gpu-firmware",
        "kernel-firmware-amdgpu",
        "hipblas",
        "hip-",
        "comgr",
    ];
    starts.iter().any(|start| name.starts_with(start))
}
