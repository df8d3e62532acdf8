//! GPUs by name and id, and the nearest names.

use rocmenv_manifests::registry::{NameKind, Registry};
use rocmenv_manifests::version::Requirement;

#[test]
fn a_product_is_found_by_what_users_call_it() {
    let registry = Registry::embedded();
    let product = |text: &str| registry.gpu_named(text).and_then(|gpu| gpu.product);
    assert_eq!(product("RX 7900 XTX").as_deref(), Some("AMD Radeon RX 7900 XTX"));
    assert_eq!(product("mi300x").as_deref(), Some("AMD Instinct MI300X"));
    assert_eq!(product("rx 6700 xt").as_deref(), Some("AMD Radeon RX 6700 XT"));
    assert_eq!(product("W7900").as_deref(), Some("AMD Radeon PRO W7900"));
    assert_eq!(product("Radeon VII").as_deref(), Some("AMD Radeon VII"));
    assert_eq!(product("Radeon PRO VII").as_deref(), Some("AMD Radeon PRO VII"));
    assert_eq!(product("Ryzen 7 250").as_deref(), Some("AMD Ryzen 7 250"));
    assert_eq!(product("Ryzen 7 PRO 250").as_deref(), Some("AMD Ryzen 7 PRO 250"));
    assert_eq!(product("RTX 4090"), None);
    assert_eq!(registry.gpu_named("gfx1100").unwrap().product, None);
    assert_eq!(registry.gpu_named("gfx1999"), None);
}

#[test]
fn a_device_id_needs_its_revision() {
    let registry = Registry::embedded();
    let names = |device, revision| -> Vec<String> {
        let rows = registry.products_by_pci(device, revision);
        rows.iter().flat_map(|row| row.names.clone()).collect()
    };
    assert_eq!(names(0x744c, Some(0xc8)), ["AMD Radeon RX 7900 XTX"]);
    assert_eq!(names(0x744c, Some(0xcc)), ["AMD Radeon RX 7900 XT"]);
    assert_eq!(names(0x744c, None).len(), 3);
    // two products share id and revision
    assert_eq!(names(0x740c, Some(0x01)), ["AMD Instinct MI250X", "AMD Instinct MI250"]);
    assert!(names(0x1234, None).is_empty());
}

#[test]
fn the_nearest_known_name_is_offered() {
    let registry = Registry::embedded();
    let nearest = |kind, text: &str| registry.nearest(kind, text);
    assert_eq!(nearest(NameKind::Gfx, "gfx1108").as_deref(), Some("gfx1100"));
    assert_eq!(nearest(NameKind::Product, "RX 7900XTX").as_deref(), Some("AMD Radeon RX 7900 XTX"));
    assert_eq!(nearest(NameKind::Product, "MI300").as_deref(), Some("AMD Instinct MI300A"));
    assert_eq!(nearest(NameKind::Framework, "pytroch").as_deref(), Some("pytorch"));
    assert_eq!(nearest(NameKind::Component, "runtme").as_deref(), Some("runtime"));
    assert_eq!(nearest(NameKind::Channel, "amd-whlnext").as_deref(), Some("amd-whl-next"));
    assert_eq!(nearest(NameKind::Release, "7.2.5").as_deref(), Some("7.2.4"));
    assert_eq!(nearest(NameKind::Framework, "zzz"), None);
}

#[test]
fn releases_are_chosen_by_requirement_and_previews_only_when_wanted() {
    let registry = Registry::embedded();
    let found = |text: &str, preview| -> Vec<String> {
        let wanted: Requirement = text.parse().unwrap();
        let releases = registry.releases_matching(&wanted, preview);
        releases.iter().map(|release| release.version.to_string()).collect()
    };
    assert_eq!(found("7.2", false), ["7.2.4", "7.2.3", "7.2.2", "7.2.1", "7.2.0"]);
    assert_eq!(found("10", false)[0], "10.1.0");
    assert!(found("7.13", false).is_empty());
    assert_eq!(found("7.13", true), ["7.13.0"]);
    let line = |text: &str| registry.line_of(&text.parse().unwrap()).unwrap().name.clone();
    assert_eq!(line("7.2.4"), "classic");
    assert_eq!(line("7.13.0"), "preview");
    assert_eq!(line("7.14.1"), "therock");
    assert_eq!(line("10.7.0"), "therock");
}
