//! Properties of versions and specifiers against an oracle that knows only PEP 440's text.

use proptest::prelude::*;
use rocmenv_manifests::debian::{DebIndex, DebPackage, DebVersion, Relation, Release};
use rocmenv_manifests::python::wheel_name::parse_sdist;
use rocmenv_manifests::python::{
    CoreMetadata, Marker, Prereleases, PyRequirement, Version, VersionSpecifiers, WheelName,
};

/// The parts of a version as PEP 440 orders them: epoch, release, pre, post, dev.
#[derive(Debug, Clone)]
struct Parts {
    epoch: u64,
    release: Vec<u64>,
    pre: Option<(usize, u64)>,
    post: Option<u64>,
    dev: Option<u64>,
}

impl Parts {
    fn text(&self) -> String {
        let release: Vec<String> = self.release.iter().map(u64::to_string).collect();
        let mut text = format!("{}!{}", self.epoch, release.join("."));
        if let Some((kind, number)) = self.pre {
            text += ["a", "b", "rc"][kind];
            text += &number.to_string();
        }
        text += &self.post.map(|number| format!(".post{number}")).unwrap_or_default();
        text += &self.dev.map(|number| format!(".dev{number}")).unwrap_or_default();
        text
    }

    /// "Summary of permitted suffixes and relative ordering", as one key: within a release a
    /// development release of the release itself comes first, then a, b, rc, the release, its
    /// post-releases; and a development release comes just before what it leads to.
    fn key(&self) -> (u64, Vec<u64>, usize, u64, Option<u64>, u64) {
        let mut release = self.release.clone();
        while release.last() == Some(&0) {
            release.pop();
        }
        let leads_to_release = self.dev.is_some() && self.pre.is_none() && self.post.is_none();
        let (stage, number) = match self.pre {
            _ if leads_to_release => (0, 0),
            Some((kind, number)) => (kind + 1, number),
            None => (4, 0),
        };
        (self.epoch, release, stage, number, self.post, self.dev.unwrap_or(u64::MAX))
    }
}

fn parts() -> impl Strategy<Value = Parts> {
    let small = 0..3_u64;
    (
        0..2_u64,
        prop::collection::vec(small.clone(), 1..4),
        prop::option::of((0..3_usize, small.clone())),
        prop::option::of(small.clone()),
        prop::option::of(small),
    )
        .prop_map(|(epoch, release, pre, post, dev)| Parts { epoch, release, pre, post, dev })
}

fn specifiers() -> impl Strategy<Value = String> {
    let clause = (0..7_usize, parts()).prop_map(|(operator, parts)| match operator {
        0 => format!("=={}.*", Parts { pre: None, post: None, dev: None, ..parts }.text()),
        1 => format!("!={}.*", Parts { pre: None, post: None, dev: None, ..parts }.text()),
        at => format!("{}{}", ["<", "<=", ">", ">=", "!="][at - 2], parts.text()),
    });
    prop::collection::vec(clause, 1..4).prop_map(|clauses| clauses.join(","))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn versions_are_ordered_as_their_parts(left in parts(), right in parts()) {
        let version = |parts: &Parts| parts.text().parse::<Version>().unwrap();
        prop_assert_eq!(version(&left).cmp(&version(&right)), left.key().cmp(&right.key()));
    }

    #[test]
    fn a_set_that_takes_a_version_is_satisfiable(set in specifiers(), some in prop::collection::vec(parts(), 20)) {
        let set: VersionSpecifiers = set.parse().unwrap();
        for parts in some {
            let version: Version = parts.text().parse().unwrap();
            if set.contains(&version) {
                prop_assert!(set.is_satisfiable(Prereleases::Allow), "{version} fits");
            }
            if !set.filter([&version], Prereleases::Deny).is_empty() {
                prop_assert!(set.is_satisfiable(Prereleases::Deny), "{version} fits");
            }
        }
    }

    #[test]
    fn specifiers_survive_writing_and_reading(set in specifiers()) {
        let set: VersionSpecifiers = set.parse().unwrap();
        prop_assert_eq!(set.to_string().parse::<VersionSpecifiers>().unwrap(), set);
    }

    #[test]
    fn debian_order_is_total(texts in prop::collection::vec("[0-3]?[.a+~0-1]{0,4}(-[0-1~a]{1,2})?", 3)) {
        let versions: Vec<DebVersion> = texts.iter().filter_map(|text| text.parse().ok()).collect();
        for a in &versions {
            for b in &versions {
                prop_assert_eq!(a.cmp(b), b.cmp(a).reverse());
                for c in &versions {
                    prop_assert!(!(a <= b && b <= c) || a <= c);
                }
            }
        }
    }

    #[test]
    fn nothing_that_an_index_serves_makes_a_reader_panic(text in "[a-z0-9 ;()<>=!~'\"@,.*+é:|\\[\\]\n_-]{0,60}") {
        let _ = text.parse::<PyRequirement>();
        let _ = PyRequirement::parse_lenient(&text, &mut Vec::new());
        let _ = format!("a ; {text}").parse::<PyRequirement>();
        let _ = PyRequirement::parse_lenient(&format!("a{text}"), &mut Vec::new());
        let _ = format!("os_name {text}").parse::<Marker>();
        let _ = format!("{text}.whl").parse::<WheelName>();
        let _ = parse_sdist(&text);
        let _ = CoreMetadata::parse(&text);
        let _ = CoreMetadata::parse(&format!("Name: a\nVersion: 1\nRequires-Python: {text}"));
        let _ = text.parse::<Relation>();
        let _ = text.parse::<DebPackage>();
        let _ = format!("SHA256:{text}").parse::<Release>();
        let index = DebIndex::new([format!("Package: a\nProvides: {text}"), text]);
        for name in index.names() {
            prop_assert!(index.named(name).count() > 0);
        }
    }
}
