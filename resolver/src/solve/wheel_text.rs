//! A wheel's file name cut into its parts, and what its tags say.

use memchr::{memchr, memrchr_iter};
use rocmenv_manifests::python::Tags;
use rocmenv_manifests::version::Dotted;

/// A wheel's file name, cut but not read.
#[derive(Clone, Copy)]
pub(super) struct WheelText<'p> {
    pub(super) version: &'p str,
    build: Option<&'p str>,
    pub(super) tags: &'p str,
}

impl<'p> WheelText<'p> {
    pub(super) fn of(file: &'p str) -> Option<Self> {
        let stem = file.strip_suffix(EXTENSION)?;
        let tags_at = memrchr_iter(b'-', stem.as_bytes()).nth(2)?;
        let (_, rest) = split(&stem[..tags_at])?;
        let (version, build) = match split(rest) {
            Some((version, build)) => (version, Some(build)),
            None => (rest, None),
        };
        Some(Self { version, build, tags: &stem[tags_at + 1..] })
    }

    fn parts(self) -> [&'p str; 3] {
        let mut parts = self.tags.splitn(3, '-');
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    }

    pub(super) fn interpreters(self) -> impl Iterator<Item = &'p str> {
        self.parts()[0].split('.')
    }

    pub(super) fn platforms(self) -> impl Iterator<Item = &'p str> {
        self.parts()[2].split('.')
    }

    pub(super) fn rank(self, tags: &Tags) -> Option<u32> {
        let [interpreters, abis, platforms] = self.parts();
        let ranks = interpreters.split('.').flat_map(|interpreter| {
            abis.split('.').flat_map(move |abi| {
                platforms
                    .split('.')
                    .filter_map(move |platform| tags.rank(interpreter, abi, platform))
            })
        });
        ranks.min()
    }

    pub(super) fn build_number(self) -> (u64, &'p str) {
        let build = self.build.unwrap_or_default();
        let end = build.find(|c: char| !c.is_ascii_digit()).unwrap_or(build.len());
        (build[..end].parse().unwrap_or(0), &build[end..])
    }
}

/// What lies before and after the first dash. Pages hold tens of thousands of names: the library's
/// search for one byte is several times as fast as that of `str`.
fn split(text: &str) -> Option<(&str, &str)> {
    let at = memchr(b'-', text.as_bytes())?;
    Some((&text[..at], &text[at + 1..]))
}

/// The C library that a platform tag asks for (PEP 600, and the three older names).
pub(super) fn glibc_of(platform: &str) -> Option<Dotted> {
    if let Some(rest) = platform.strip_prefix("manylinux_") {
        let mut parts = rest.splitn(3, '_');
        let (major, minor) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        return Some(Dotted::new(major, minor));
    }
    let minor = match platform.split_once('_')?.0 {
        "manylinux1" => 5,
        "manylinux2010" => 12,
        "manylinux2014" => 17,
        _ => return None,
    };
    Some(Dotted::new(2, minor))
}

/// Whether a file's name is a wheel's.
pub(super) fn is_wheel(file: &str) -> bool {
    file.strip_suffix(EXTENSION).is_some()
}

const EXTENSION: &str = ".whl";
