//! rocm.toml as users write it, right and wrong.

use insta::assert_snapshot;
use rocmenv_manifests::name::EnvName;
use rocmenv_manifests::project::{ChannelChoice, DriverSpec, Project, json_schema};
use rocmenv_manifests::sourced::Origin;

const WHOLE: &str = r#"exclude-newer = "2026-11-01"

[project]
name = "resnet50"

[requires]
rocm = "10.0"
python = "3.12"
pytorch = ">=2.12"

[rocm]
components = ["runtime", "smi"]
channel = "auto"

[python-packages]
transformers = ">=4.50"
Accel_erate = { version = ">=1.0", extras = ["x"], markers = "sys_platform == 'linux'", index = "own" }

[groups.dev]
pytest = "*"

[env.serve.requires]
python = "3.14"
pytorch = "2.13"

[targets.cluster]
os = "ubuntu-24.04"
gpus = [{ product = "MI300X", count = 8 }]
driver = "31.40.0"

[targets.desk]
os = "windows-11-25H2"
gpus = ["RX 7900 XTX", "gfx1036"]
driver = "26.8.1"

[indexes.own]
url = "wheels"
kind = "find-links"

[verify]
commands = ["python smoke.py"]
"#;

#[test]
fn everything_that_can_be_written_is_read_with_its_line() {
    let project = Project::parse("rocm.toml", WHOLE).unwrap();
    let default = &project.environments[&EnvName::default_env()];
    let rocm = default.rocm.as_ref().unwrap();
    assert_eq!(rocm.value.to_string(), "10.0");
    assert_eq!(rocm.origin, Origin::File { file: "rocm.toml".to_owned(), line: 7 });
    assert_eq!(default.frameworks[0].name, "pytorch");
    let accelerate = &default.packages[1];
    assert_eq!(accelerate.name.to_string(), "accel-erate");
    assert_eq!(accelerate.index.as_ref().unwrap().as_str(), "own");
    assert_eq!(project.exclude_newer.unwrap().value, 1_793_577_600);
    assert_eq!(project.rocm.channel.value, ChannelChoice::Auto);
    assert_eq!(project.environments.len(), 2);
    let names: Vec<_> = project.targets.iter().map(|target| target.name.as_str()).collect();
    assert_eq!(names, ["cluster", "desk"]);
    let desk = &project.targets[1];
    assert!(matches!(desk.driver.as_ref().unwrap().value, DriverSpec::Adrenalin(_)));
    let gpus = desk.gpus.as_ref().unwrap();
    assert_eq!(gpus[0].value.product.as_deref(), Some("RX 7900 XTX"));
    assert_eq!(gpus[1].value.gfx.unwrap().to_string(), "gfx1036");
}

#[test]
fn an_empty_file_is_a_project_that_asks_for_nothing() {
    let project = Project::parse("rocm.toml", "").unwrap();
    assert!(project.targets.is_empty());
    assert_eq!(project.policy.keep_generations, 5);
    assert!(project.policy.patch_first);
    assert_eq!((project.policy.behind_months, project.policy.check_days), (6, 90));
}

#[test]
fn an_apt_repository_has_suites_and_a_key_and_nothing_else_does() {
    let text = "[indexes.amd]\nurl = \"https://repo.example/apt\"\nkind = \"apt\"\n\
                suites = [\"noble\"]\ncomponents = [\"main\"]\nsigned-by = \"amd.asc\"\n";
    let project = Project::parse("rocm.toml", text).unwrap();
    let index = &project.indexes[0];
    assert_eq!(
        (&index.suites[..], &index.components[..]),
        (&["noble".into()][..], &["main".into()][..])
    );
    assert_eq!(index.signed_by.as_deref(), Some("amd.asc"));
    let folder = text.replace("\"apt\"\n", "\"files\"\n");
    assert_snapshot!(error(&folder), @"rocm.toml:1:10: `suites`, `components`, `signed-by` and `fingerprint` are for an index of the kind `apt`");
}

#[test]
fn a_key_is_trusted_by_its_whole_fingerprint() {
    let key = "CA8BB4727A47B4D09B4EE8969386B48A1A693C5C";
    let alone = format!("[indexes.amd-apt-core]\nfingerprint = \"{key}\"\n");
    let project = Project::parse("rocm.toml", &alone).unwrap();
    assert!(project.indexes.is_empty());
    let (name, trusted) = project.trusted_keys.first_key_value().unwrap();
    assert_eq!((name.as_str(), trusted.value.to_string().as_str()), ("amd-apt-core", key));
    let own = format!("{alone}url = \"debs\"\nkind = \"apt\"\n");
    let project = Project::parse("rocm.toml", &own).unwrap();
    assert!(project.trusted_keys.is_empty());
    assert_eq!(project.indexes[0].fingerprint.as_ref().unwrap().to_string(), key);
    let both = format!("{own}signed-by = \"amd.asc\"\n");
    assert_snapshot!(error(&both), @"rocm.toml:1:10: `signed-by` and `fingerprint` say the same; one of them is enough");
    assert_snapshot!(error("[indexes.own]\n"), @"rocm.toml:1:10: an index needs its `url`");
}

fn error(text: &str) -> String {
    Project::parse("rocm.toml", text).unwrap_err().to_string()
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_the_nearest_name() {
    let wrong = [
        "[requires\nrocm = 1",
        "[requires]\nrocm = 10.0",
        "[requires]\nrocm = \"newest\"",
        "[reqires]\nrocm = \"10.0\"",
        "[targets.a]\noss = \"ubuntu-24.04\"",
        "[targets.a]\ngpus = [{ prodct = \"MI300X\" }]",
        "[targets.a]\ngpus = [{ count = 2 }]",
        "[targets.a]\ndriver = \"31.x\"",
        "[python-packages]\nnumpy = { versoin = \">=2\" }",
        "[python-packages]\nnumpy = { version = \">=2\", markers = \"python_vers < '3'\" }",
        "[python]\nsource = \"manged\"",
        "[policy]\naccept = \"everything\"",
        "[targets.Ümlaut]\nos = \"debian-12\"",
        "exclude-newer = \"yesterday\"",
        "zzzzzzzz = 1",
    ];
    let said: Vec<_> = wrong.iter().map(|text| error(text)).collect();
    assert_snapshot!(said.join("\n"));
}

#[test]
fn the_schema_knows_each_table() {
    let schema = json_schema();
    let keys: Vec<_> = schema["properties"].as_object().unwrap().keys().cloned().collect();
    assert_snapshot!(keys.join(" "));
}
