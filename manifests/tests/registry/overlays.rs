//! Overlays add, cite their own sources, and stay recognisable.

use rocmenv_manifests::registry::{Overlay, OverlayError, Registry, System, Verdict};

fn with(text: &str) -> Result<Registry, OverlayError> {
    Registry::with_overlays(&[Overlay { file: "lab.toml".to_owned(), text: text.to_owned() }])
}

#[test]
fn an_overlay_adds_rows_under_its_own_source() {
    let registry = with(
        r#"
        [[sources.source]]
        key = "lab"
        site = "our cluster"

        [[releases.release]]
        version = "11.0.0"
        line = "therock"
        kind = "production"
        source = "lab"
        "#,
    )
    .unwrap();
    let added = registry.releases().release.last().unwrap();
    assert_eq!(added.version.to_string(), "11.0.0");
    // nothing is said of it: not known, and no error
    let driver = "31.50.0".parse().unwrap();
    let judged = registry.driver_with_rocm(&driver, &added.version, None);
    assert_eq!(judged.verdict, Verdict::NotKnown);
    let gpu = registry.gpu_named("MI300X").unwrap();
    let system = System { os: "ubuntu-24.04".parse().unwrap(), wsl: false };
    let judged = registry.system_with_rocm(&system, &added.version, Some(&gpu));
    assert_eq!(judged.verdict, Verdict::NotKnown);
    let source = registry.sources().source.last().unwrap();
    assert_eq!(source.local.as_deref(), Some("lab.toml"));
}

#[test]
fn what_an_overlay_lists_is_shown_as_local() {
    let registry = with(
        r#"
        [[sources.source]]
        key = "lab"
        site = "our cluster"

        [[drivers.matrix]]
        driver = "32.10.x"
        rocm = ["11.0.x", "10.1.x"]
        source = "lab"
        "#,
    )
    .unwrap();
    let judged =
        registry.driver_with_rocm(&"32.10.1".parse().unwrap(), &"11.0.0".parse().unwrap(), None);
    assert_eq!(judged.verdict, Verdict::Listed);
    assert_eq!(judged.evidence[0].to_string(), "our cluster (local: lab.toml)");
    // what it does not say stays as it was
    let judged =
        registry.driver_with_rocm(&"30.20.1".parse().unwrap(), &"10.0.0".parse().unwrap(), None);
    assert_eq!(judged.evidence[0].local, None);
}

#[test]
fn the_example_of_the_readme_is_an_overlay() {
    let readme = include_str!("../../registry/README.md");
    let example = readme.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let registry = with(example).unwrap();
    let judged =
        registry.driver_with_rocm(&"31.50.0".parse().unwrap(), &"10.1.0".parse().unwrap(), None);
    assert_eq!(judged.verdict, Verdict::Listed);
}

#[test]
fn a_row_without_a_source_is_refused() {
    let error = with(
        r#"
        [[releases.release]]
        version = "11.0.0"
        line = "therock"
        kind = "production"
        "#,
    )
    .unwrap_err();
    assert_eq!(error.to_string(), "cannot read the registry overlay `lab.toml`");
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(cause.contains("missing field `source`"), "{cause}");
}

#[test]
fn amds_documents_cannot_be_cited_for_it() {
    let error = with(
        r#"
        [[releases.release]]
        version = "11.0.0"
        line = "therock"
        kind = "production"
        source = "rd-versions"
        "#,
    )
    .unwrap_err();
    insta::assert_snapshot!(
        error,
        @"the registry overlay `lab.toml` cites `rd-versions`, which is not one of its own sources"
    );
    let error = with("[[sources.source]]\nkey = \"rd-versions\"\nsite = \"x\"\n").unwrap_err();
    insta::assert_snapshot!(
        error,
        @"the registry overlay `lab.toml` cannot redefine the source `rd-versions`"
    );
}

#[test]
fn unknown_names_are_refused_by_name() {
    let error = with(
        r#"
        [[sources.source]]
        key = "lab"
        site = "our cluster"

        [[products.product]]
        names = ["Lab GPU"]
        gfx = "gfx1999"
        class = "radeon"
        source = "lab"

        [[builds.build]]
        package = "torch"
        version = "2.15.0+lab"
        rocm = "10.1"
        channel = "lab-index"
        platforms = ["linux_x86_64"]
        source = "lab"
        "#,
    )
    .unwrap_err();
    insta::assert_snapshot!(
        error,
        @"the registry overlay `lab.toml` is not consistent: builds: `lab-index` is not a known channel; products: `gfx1999` is not a known gfx target"
    );
}
