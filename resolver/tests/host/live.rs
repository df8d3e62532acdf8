//! The machine that runs the tests, whatever it is.

use std::collections::BTreeMap;
use std::fs;

use rocmenv_manifests::platform::OsFamily;
use rocmenv_resolver::host::facts::{Base, DeviceOpen};
use rocmenv_resolver::host::{LiveSysroot, NoTables, ProbeOptions, probe};

#[test]
fn this_machine_can_be_probed_and_says_what_it_has() {
    let root =
        LiveSysroot::new(BTreeMap::from([("ROCR_VISIBLE_DEVICES".to_owned(), String::new())]));
    let disks = vec!["/".into(), "/no/such/folder".into()];
    let options = ProbeOptions { products: &NoTables, disks, interpreters: true };
    let facts = probe(&root, &options);
    assert_eq!((facts.base, facts.os.family), (Base::Probed, Some(OsFamily::Linux)));
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    assert_eq!(facts.kernel.release.as_deref(), Some(release.trim()));
    assert!(facts.kernel.version().is_some());
    assert!(facts.libc.is_some() && facts.cpu.threads.is_some());
    assert!(facts.memory.total_bytes.unwrap() > 1 << 28);
    assert_eq!(facts.disks.len(), 1);
    assert_eq!(facts.variable("ROCR_VISIBLE_DEVICES"), Some(""));
    // where there is no GPU that is said, not left unknown
    let has_nodes = fs::exists("/sys/class/kfd/kfd/topology/nodes/1").unwrap();
    if !has_nodes && facts.wsl.is_none() && fs::exists("/sys/bus").unwrap() {
        assert!(facts.known_gpus().iter().all(|gpu| gpu.kfd_node.is_none()));
        assert!(facts.has_gpu().is_some());
    }
    if !fs::exists("/dev/kfd").unwrap() {
        assert_eq!(facts.devices[0].open, DeviceOpen::Absent);
    }
}
