//! What pip put into an environment is taken over, or kept until somebody says otherwise.

use fs_err as fs;

use crate::Project;

/// As pip leaves a package: `requested` by the user, or along with another one.
fn put(project: &Project, name: &str, version: &str, requested: bool, direct: Option<&str>) {
    let site = project.site_packages(1);
    let info = site.join(format!("{name}-{version}.dist-info"));
    fs::create_dir_all(&info).expect("a folder");
    let metadata = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n");
    fs::write(info.join("METADATA"), metadata).expect("written");
    fs::write(info.join("INSTALLER"), "pip\n").expect("written");
    fs::write(info.join("RECORD"), format!("{name}/__init__.py,,\n")).expect("written");
    if requested {
        fs::write(info.join("REQUESTED"), "").expect("written");
    }
    if let Some(url) = direct {
        let json = format!("{{\"url\": \"{url}\", \"dir_info\": {{}}}}");
        fs::write(info.join("direct_url.json"), json).expect("written");
    }
}

#[test]
fn sync_stops_rather_than_drop_it_and_add_takes_it_over() {
    let project = Project::new();
    project.sync("demo = \"==1.0\"");
    put(&project, "extra", "0.1", true, None);
    put(&project, "along", "2.0", false, None);
    put(&project, "local", "3.0", true, Some("file:///home/u/local"));
    // Nothing is to be made, so nothing would be lost.
    assert_eq!(project.call("sync").code, 0);
    project.ask("demo = \"==2.0\"", "");
    insta::assert_snapshot!(project.snapshot("sync"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[foreign-packages]: the new environment would not have what was put into this one: along 2.0, extra 0.1, local 3.0
        help: rocmenv add --from-env (keeps them), or rocmenv sync --discard
        ");
    assert_eq!(project.demo(), "1.0");
    insta::assert_snapshot!(project.snapshot("add --from-env --dry-run"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        added extra = "==0.1" to [python-packages]
        not taken over: along: it came along with another package; the lock chooses it
        not taken over: local: it came from `file:///home/u/local`, which no index serves
        nothing was written (`--dry-run`)
        "#);
    insta::assert_snapshot!(project.snapshot("add --from-env"), @r#"
        exit: 0
        --- stdout ---
        --- stderr ---
        added extra = "==0.1" to [python-packages]
        not taken over: along: it came along with another package; the lock chooses it
        not taken over: local: it came from `file:///home/u/local`, which no index serves
        next: rocmenv lock && rocmenv sync
        "#);
    insta::assert_snapshot!(project.sandbox.read("rocm.toml").replace(&project.series, "3.X"), @r#"
        [project]
        name = "p"

        [requires]
        python = "3.X"

        [python-packages]
        demo = "==2.0"
        extra = "==0.1"
        "#);
    insta::assert_snapshot!(project.snapshot("sync"), @r"
        exit: 1
        --- stdout ---
        --- stderr ---
        error[foreign-packages]: the new environment would not have what was put into this one: along 2.0, local 3.0
        help: rocmenv add --from-env (keeps them), or rocmenv sync --discard
        ");
    insta::assert_snapshot!(project.snapshot("sync --discard"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
         ~ demo 1.0 -> 2.0
         + extra 0.1
        made generation 2 for `host`: 2 packages on Python [PYTHON] (host)
        ");
    assert!(!project.snapshot("status").contains("extra"));
}

#[test]
fn discard_makes_the_environment_without_it_even_where_the_lock_is_the_same() {
    let project = Project::new();
    project.sync("demo = \"==1.0\"");
    put(&project, "extra", "0.1", true, None);
    assert!(project.snapshot("status").contains("extra"));
    assert_eq!(project.call("sync --discard").code, 0);
    assert!(!project.snapshot("status").contains("extra"));
    assert!(!project.site_packages(2).join("extra-0.1.dist-info").exists());
}
