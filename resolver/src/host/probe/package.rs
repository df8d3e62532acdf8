//! The installed `amdgpu-dkms` package and the numbers in its version.
//!
//! Debian's database only: rpm's is no text. A diagnosis asks rpm itself.

use rocmenv_manifests::version::Dotted;

use super::Reader;
use crate::host::facts::DriverPackage;

pub(super) fn amdgpu_dkms(reader: &mut Reader<'_>) -> Option<DriverPackage> {
    let rest = stanza(reader)?;
    Some(package(installed_version(&rest)?))
}

/// The package's stanza of dpkg's database, without its first line. The database has hundreds of
/// kilobytes and mostly no such stanza, so it is searched and not read whole.
fn stanza(reader: &mut Reader<'_>) -> Option<String> {
    // dpkg keeps a list of the files of whatever it has unpacked: where there is none, the search
    // is spared
    if reader.exists(LISTS) && !reader.exists(format!("{LISTS}/{NAME}.list")) {
        return None;
    }
    let line = format!("\nPackage: {NAME}\n");
    if let Some(rest) = reader.text_after(STATUS, line.as_bytes(), STANZA_LENGTH) {
        return Some(rest);
    }
    // the very first one has no line before it
    let start = reader.root().read_start(STATUS.as_ref(), STANZA_LENGTH).ok()?;
    let start = String::from_utf8_lossy(&start);
    start.strip_prefix(line.trim_start()).map(str::to_owned)
}

/// The version of a package that dpkg has configured or at least unpacked.
fn installed_version(rest: &str) -> Option<&str> {
    let stanza = rest.split("\n\n").next()?;
    let field = |key: &str| stanza.lines().find_map(|line| line.strip_prefix(key));
    let state = field("Status: ")?.rsplit(' ').next()?;
    let present = !matches!(state, "not-installed" | "config-files");
    present.then(|| field("Version: ")).flatten()
}

/// `1:6.16.6.30200100-2255209.24.04`: module version, encoded release, build id. The numbers
/// are cut out of the text by their places; there is no published grammar for it.
pub(crate) fn package(version: &str) -> DriverPackage {
    let without_epoch = version.split_once(':').map_or(version, |(_, rest)| rest);
    let (upstream, revision) = match without_epoch.rsplit_once('-') {
        Some((upstream, revision)) => (upstream, Some(revision)),
        None => (without_epoch, None),
    };
    let parts: Vec<_> = upstream.split('.').collect();
    let module = parts.get(..3).map(|parts| parts.join("."));
    DriverPackage {
        name: NAME.to_owned(),
        version: version.to_owned(),
        module_version: module.filter(|module| Dotted::leading(module).is_some()),
        release: parts.get(3..).and_then(<[_]>::last).and_then(|encoded| decode_release(encoded)),
        build: revision
            .and_then(|revision| revision.split('.').next())
            .map(str::to_owned)
            .filter(|build| build.bytes().all(|letter| letter.is_ascii_digit())),
    }
}

/// `60401` is 6.4.1 (up to 7.0 the number of the ROCm release), `30200100` is 30.20.1.
fn decode_release(encoded: &str) -> Option<Dotted> {
    let number: u32 = encoded.parse().ok()?;
    let packed = match encoded.len() {
        5 => number,
        8 => number / 100,
        _ => return None,
    };
    let [major, minor, patch] = [packed / 10_000, packed / 100 % 100, packed % 100];
    format!("{major}.{minor}.{patch}").parse().ok()
}

const NAME: &str = "amdgpu-dkms";
const STATUS: &str = "/var/lib/dpkg/status";
const LISTS: &str = "/var/lib/dpkg/info";

/// State and version stand near the beginning.
const STANZA_LENGTH: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_package_version_are_told_apart() {
        let numbers = |version: &str| {
            let package = package(version);
            let release = package.release.map(|release| release.to_string());
            (package.module_version, release, package.build)
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            numbers("1:6.16.6.30200100-2255209.24.04"),
            (text("6.16.6"), text("30.20.1"), text("2255209"))
        );
        assert_eq!(
            numbers("1:6.12.12.60402-2125197.22.04"),
            (text("6.12.12"), text("6.4.2"), text("2125197"))
        );
        assert_eq!(numbers("1:6.3.6-1718217"), (text("6.3.6"), None, text("1718217")));
        assert_eq!(numbers("1.9-307"), (None, None, text("307")));
    }

    #[test]
    fn a_removed_package_is_not_installed() {
        let status = |state: &str| {
            format!(
                "Status: {state}\nVersion: 1:6.8.5.60200-2041575\n\n\
                 Package: bash\nStatus: install ok installed\nVersion: 5\n"
            )
        };
        let installed = |state: &str| installed_version(&status(state)).map(str::to_owned);
        assert!(installed("install ok installed").is_some());
        assert!(installed("install ok half-configured").is_some());
        assert_eq!(installed("deinstall ok config-files"), None);
        let bare = "Status: install ok installed\n\nPackage: bash\nVersion: 5\n";
        assert_eq!(installed_version(bare), None);
    }
}
