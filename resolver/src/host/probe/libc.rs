//! The C library, without running a program.
//!
//! glibc carries its banner as text ("GNU C Library ... release version 2.36."), which
//! `libc.so.6` prints when it is run; musl's version is read from Alpine's package database.

use rocmenv_manifests::platform::Libc;
use rocmenv_manifests::version::Dotted;

use super::Reader;

pub(super) fn find(reader: &mut Reader<'_>) -> Option<Libc> {
    let glibc = GLIBC_PATHS.iter().find_map(|path| {
        // it lies behind the code, in the last eighth of the file
        let rest = reader.root().read_after_last(path.as_ref(), BANNER, BANNER_LENGTH).ok()??;
        glibc_version(&rest)
    });
    if let Some(version) = glibc {
        return Some(Libc::Glibc(version));
    }
    if let Some(version) = reader.text("/lib/apk/db/installed").as_deref().and_then(musl_version) {
        return Some(Libc::Musl(version));
    }
    reader.note("C library", "no glibc or musl in the usual folders");
    None
}

/// The version in the rest of the banner.
fn glibc_version(rest: &[u8]) -> Option<Dotted> {
    let banner = String::from_utf8_lossy(rest.split(|&byte| byte == 0).next()?);
    let (_, version) = banner.split_once("release version ")?;
    Dotted::leading(version)
}

fn musl_version(packages: &str) -> Option<Dotted> {
    let stanza =
        packages.split("\n\n").find(|stanza| stanza.lines().any(|line| line == "P:musl"))?;
    let version = stanza.lines().find_map(|line| line.strip_prefix("V:"))?;
    Dotted::leading(version)
}

const BANNER: &[u8] = b"GNU C Library";

/// More than any distribution puts between the banner's beginning and the version.
const BANNER_LENGTH: usize = 512;

const GLIBC_PATHS: &[&str] = &[
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/lib/aarch64-linux-gnu/libc.so.6",
    "/lib64/libc.so.6",
    "/usr/lib64/libc.so.6",
    "/usr/lib/libc.so.6",
    "/lib/libc.so.6",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_out_of_banner_and_database() {
        let rest = b" (Debian GLIBC 2.36-9+deb12u13) stable release version 2.36.\nCopyright\0tail";
        assert_eq!(glibc_version(rest), Some(Dotted::new(2, 36)));
        assert_eq!(glibc_version(b" of another kind\0release version 2.36."), None);
        let packages = "P:busybox\nV:1.36.1-r2\n\nC:Q1\nP:musl\nV:1.2.4-r2\n";
        assert_eq!(musl_version(packages), "1.2.4".parse().ok());
    }
}
