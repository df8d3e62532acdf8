//! The policy's questions: patches, how far behind, when to look, where channels go on.

use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::upgrade::{UpgradePolicy, standing};

fn said(current: Option<&str>, channels: &[&str], today: &str) -> String {
    let registry = Registry::embedded();
    let policy = UpgradePolicy { today: today.parse().ok(), ..UpgradePolicy::default() };
    let current = current.map(|text| text.parse().unwrap());
    let found = standing(&registry, current.as_ref(), channels, &policy);
    serde_json::to_string_pretty(&found).unwrap()
}

#[test]
fn a_minor_more_than_six_months_behind_is_told_and_a_patch_is_offered() {
    insta::assert_snapshot!(said(Some("6.4.1"), &["amd-multi-arch"], "2026-12-01"), @r#"
        {
          "current": {
            "version": "6.4.1",
            "date": "2025-05-21"
          },
          "patch": {
            "version": "6.4.3",
            "date": "2025-08-07"
          },
          "newest": {
            "version": "10.1.0",
            "date": "2026-10-05"
          },
          "behind": {
            "days": 542,
            "limit-months": 6
          },
          "check": {
            "last": "2026-11-30",
            "every-days": 90,
            "due-on": "2027-02-28",
            "is-due": false
          },
          "registry": {
            "date": "2026-11-30",
            "days": 1,
            "is-old": false
          },
          "continuations": [
            {
              "channel": "amd-multi-arch",
              "until": "7.14.1",
              "is-frozen": false,
              "continues-at": "amd-whl-next",
              "url": "https://stable.repo.amd.com/rocm/whl-next/"
            }
          ]
        }
        "#);
}

#[test]
fn the_newest_release_has_nothing_before_it() {
    insta::assert_snapshot!(said(Some("10.1.0"), &["amd-whl-next"], "2027-03-15"), @r#"
        {
          "current": {
            "version": "10.1.0",
            "date": "2026-10-05"
          },
          "patch": null,
          "newest": null,
          "behind": null,
          "check": {
            "last": "2026-11-30",
            "every-days": 90,
            "due-on": "2027-02-28",
            "is-due": true
          },
          "registry": {
            "date": "2026-11-30",
            "days": 105,
            "is-old": true
          },
          "continuations": []
        }
        "#);
}
