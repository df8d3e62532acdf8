//! Every table parses into the crate's own types, and holds what the build checked as text.

use rocmenv_manifests::registry::Registry;

macro_rules! sizes {
    ($registry:ident, $($table:ident.$rows:ident),* $(,)?) => {
        [$((concat!(stringify!($table), ".", stringify!($rows)), $registry.$table().$rows.len())),*]
    };
}

#[test]
fn every_table_parses_and_none_is_empty() {
    let registry = Registry::embedded();
    let sizes = sizes![
        registry,
        bindings.binding,
        builds.build,
        builds_general.build,
        channels.channel,
        components.provides,
        drivers.matrix,
        env_vars.variable,
        frameworks.listed,
        gfx.target,
        gpu_support.row,
        hashes.file,
        kernels.floor,
        known_bad.combination,
        os_support.row,
        peaks.peak,
        product_support.row,
        products.product,
        pythons.build,
        releases.release,
        roadmap.entry,
        sources.source,
    ];
    for (rows, count) in sizes {
        assert!(count > 0, "{rows} is empty");
    }
    assert_eq!(registry.date(), "2026-11-30");
}

#[test]
fn releases_are_newest_first_and_named_by_one_line_each() {
    let registry = Registry::embedded();
    let releases = &registry.releases().release;
    assert!(releases.is_sorted_by(|a, b| a.version > b.version));
    for release in releases {
        let parts = release.version.dotted();
        let lines = registry.releases().line.iter();
        let of: Vec<_> = lines
            .filter(|line| line.versions.iter().any(|held| held.contains(parts.parts())))
            .map(|line| &line.name)
            .collect();
        assert_eq!(of, [&release.line], "{}", release.version);
    }
}

#[test]
fn gfx_numbers_are_what_kfd_reports() {
    let registry = Registry::embedded();
    for row in &registry.gfx().target {
        let [major, minor, stepping] = row.version;
        assert_eq!(row.name.to_kfd(), major * 10_000 + minor * 100 + stepping, "{}", row.name);
    }
}

#[test]
fn no_general_registry_has_an_address() {
    let registry = Registry::embedded();
    for channel in &registry.channels().channel {
        let is_users = matches!(channel.name.as_str(), "host" | "python" | "distribution");
        assert_eq!(channel.url.is_none(), is_users, "{}", channel.name);
    }
}
