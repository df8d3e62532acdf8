//! All facts of captured machines, each a snapshot of the whole host file.

use std::fmt::Write;

use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::host::{
    ProbeOptions, driver_release, probe, read_host_file, write_host_file,
};

use crate::products::TestProducts;
use crate::support::Machine;

macro_rules! machine {
    ($test:ident, $name:literal) => {
        #[test]
        fn $test() {
            let facts = Machine::named($name).facts();
            let text = write_host_file(&facts).unwrap();
            assert_eq!(read_host_file(&text).unwrap(), facts);
            insta::with_settings!({ prepend_module_to_snapshot => false }, {
                insta::assert_snapshot!($name, text);
            });
        }
    };
}

machine!(a_card_beside_an_integrated_gpu, "rx7900xtx-with-igpu");
machine!(an_instinct_split_into_partitions, "mi300x-cpx");
machine!(an_integrated_gpu_alone, "strix-halo");
machine!(a_kernel_too_old_to_say_the_instruction_set, "mi25-old-kernel");
machine!(a_topology_of_processors_alone, "kfd-without-gpu");
machine!(a_container_with_one_device_withheld, "docker-mi250");
machine!(windows_subsystem_for_linux, "wsl-ubuntu");
machine!(no_gpu_at_all, "alpine-no-gpu");
machine!(a_driver_that_was_never_built, "mi350x-driver-not-loaded");

#[test]
fn a_driver_has_a_release_by_its_package_or_by_the_map_or_not() {
    let release = |machine: &Machine| {
        let found = driver_release(&machine.facts(), &TestProducts)?;
        Some(format!("{} by {}", found.release, found.origin))
    };
    let machine = Machine::named("rx7900xtx-with-igpu");
    let by_package = "30.20.1 by this host (the installed driver package)";
    assert_eq!(release(&machine).as_deref(), Some(by_package));
    // the package was upgraded, the machine not rebooted: the map knows the old module
    machine.add("/sys/module/amdgpu/version", "6.12.12\n");
    let by_map = "6.4.x by this host (module version 6.12.12)";
    assert_eq!(release(&machine).as_deref(), Some(by_map));
    machine.add("/sys/module/amdgpu/version", "6.99.1\n");
    assert_eq!(release(&machine), None);
    // the kernel's own driver has no release
    assert_eq!(release(&Machine::named("mi300x-cpx")), None);
}

/// With the registry that is built in, in place of the tests' few products.
#[test]
fn the_registry_names_the_products_of_captured_machines() {
    let mut table = String::new();
    let registry = Registry::embedded();
    for name in ["rx7900xtx-with-igpu", "mi300x-cpx", "strix-halo", "mi25-old-kernel"] {
        let options = ProbeOptions { products: &registry, disks: Vec::new(), interpreters: false };
        let machine = Machine::named(name);
        let mut gpus = probe(&machine.root(), &options).gpus.unwrap();
        gpus.dedup_by_key(|gpu| gpu.name());
        for gpu in gpus {
            let (gfx, kind) = (gpu.gfx.unwrap(), gpu.kind);
            writeln!(table, "{name}: {:?} {gfx} {kind:?}", gpu.product).unwrap();
        }
    }
    insta::assert_snapshot!(table, @r#"
        rx7900xtx-with-igpu: Some("AMD Radeon RX 7900 XTX") gfx1100 Some(Discrete)
        rx7900xtx-with-igpu: Some("AMD Radeon 610M") gfx1036 Some(Integrated)
        mi300x-cpx: Some("AMD Instinct MI300X") gfx942 Some(Discrete)
        strix-halo: Some("AMD Radeon 8060S") gfx1151 Some(Integrated)
        mi25-old-kernel: Some("AMD Instinct MI25") gfx900 Some(Discrete)
    "#);
}
