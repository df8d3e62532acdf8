//! The way between GPU and processor: atomics, ACS, and what may not be read.

use rocmenv_tests::Sandbox;

use super::codes;
use crate::rocmenv;

/// A card behind a switch behind a root port, as root's `lspci -vvv` prints them.
fn lspci(root: &str, switch: &str, acs: &str) -> String {
    let card = |bus: &str| {
        format!(
            "{bus}:00.0 VGA compatible controller [0300]: Advanced Micro Devices, Inc. [AMD/ATI] Navi 31 [1002:744c] (rev c8)\n\
             \tCapabilities: [64] Express (v2) Legacy Endpoint, MSI 00\n\
             \t\tDevCap2: Completion Timeout: Not Supported\n\
             \t\t\t AtomicOpsCap: 32bit+ 64bit+ 128bitCAS-\n\
             \t\t\t AtomicOpsCtl: ReqEn+\n\
             \tCapabilities: [150 v2] Advanced Error Reporting\n"
        )
    };
    let port = |address: &str, kind: &str, below: &str, cap: &str| {
        format!(
            "{address} PCI bridge [0604]: Advanced Micro Devices, Inc. [AMD] Bridge [1022:14db]\n\
             \tBus: primary=00, secondary={below}, subordinate=0f, sec-latency=0\n\
             \tCapabilities: [58] Express (v2) {kind}, MSI 00\n\
             \t\t\t AtomicOpsCap: {cap}\n\
             \t\t\t AtomicOpsCtl: ReqEn- EgressBlck-\n\
             \tCapabilities: [2a0 v1] Access Control Services\n\
             \t\tACSCap:\tSrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans+\n\
             \t\tACSCtl:\tSrcValid+ TransBlk- {acs} UpstreamFwd+ EgressCtrl- DirectTrans-\n"
        )
    };
    [
        port("00:01.1", "Root Port (Slot+)", "01", root),
        port("01:00.0", "Upstream Port", "02", switch),
        port("02:00.0", "Downstream Port (Slot+)", "03", switch),
        card("03"),
        port("00:01.2", "Root Port (Slot+)", "04", root),
        card("04"),
    ]
    .concat()
}

const COMPLETES: &str = "Routing- 32bit+ 64bit+ 128bitCAS-";
const NOTHING: &str = "Routing- 32bit- 64bit- 128bitCAS-";
const ROUTES: &str = "Routing+ 32bit- 64bit- 128bitCAS-";

fn found(text: &str) -> Vec<String> {
    let own = |code: &String| code.contains("atomics") || code.contains("acs");
    codes(text).0.into_iter().filter(own).collect()
}

#[test]
fn atomics_are_judged_over_the_whole_way() {
    let quiet = "ReqRedir- CmpltRedir-";
    assert_eq!(found(&lspci(COMPLETES, ROUTES, quiet)), [""; 0]);
    assert_eq!(found(&lspci(COMPLETES, NOTHING, quiet)), ["D-pcie-no-atomics"]);
    assert_eq!(found(&lspci(NOTHING, ROUTES, quiet)), ["D-pcie-no-atomics"]);
    assert_eq!(found(&lspci(COMPLETES, ROUTES, "ReqRedir+ CmpltRedir+")), ["D-acs-redirect"]);
}

#[test]
fn the_ports_that_redirect_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write("case.txt", lspci(COMPLETES, ROUTES, "ReqRedir+ CmpltRedir+"));
    let output = rocmenv(&sandbox, "doctor --from case.txt");
    let ports = "0000:00:01.1;0000:00:01.2;0000:01:00.0;0000:02:00.0";
    assert!(output.stdout.contains(&format!("pci=disable_acs_redir={ports}")), "{}", output.stdout);
}

#[test]
fn what_needs_root_is_not_known_and_no_fault() {
    let text = "03:00.0 VGA compatible controller [0300]: Advanced Micro Devices, Inc. [AMD/ATI] Navi 31 [1002:744c] (rev c8)\n\
        \tCapabilities: <access denied>\n\tKernel driver in use: amdgpu\n";
    assert_eq!(found(text), [""; 0]);
    let sandbox = Sandbox::new();
    sandbox.write("case.txt", text);
    let walk = rocmenv(&sandbox, "doctor --from case.txt --symptom no-gpu").stdout;
    assert!(walk.contains("PCIe atomics: not readable without root"), "{walk}");
}

/// KFD's own mark on its link needs no root: flags 13 are enabled and without atomics of both sizes.
#[test]
fn the_mark_of_kfd_says_it_without_root() {
    let walked = |flags: u32| {
        let sandbox = Sandbox::new();
        let add = |path: &str, text: &str| sandbox.write(&format!("box/{path}"), text);
        add(".rocmenv-capture.toml", "");
        let node = "sys/class/kfd/kfd/topology/nodes";
        add(&format!("{node}/0/properties"), "cpu_cores_count 16\nsimd_count 0\n");
        add(
            &format!("{node}/1/properties"),
            "cpu_cores_count 0\nsimd_count 192\ngfx_target_version 110000\nvendor_id 4098\n\
             device_id 29772\nlocation_id 768\ndomain 0\n",
        );
        add(
            &format!("{node}/1/io_links/0/properties"),
            &format!("type 2\nnode_from 1\nnode_to 0\nflags {flags}\n"),
        );
        let device = "sys/bus/pci/devices/0000:03:00.0";
        add(&format!("{device}/vendor"), "0x1002\n");
        add(&format!("{device}/device"), "0x744c\n");
        add(&format!("{device}/class"), "0x030000\n");
        let json = rocmenv(&sandbox, "doctor --from box --json").stdout;
        (
            json.contains("D-pcie-no-atomics"),
            rocmenv(&sandbox, "doctor --from box --symptom no-gpu").stdout,
        )
    };
    let (faulty, walk) = walked(13);
    assert!(faulty && walk.contains("without PCIe atomics"), "{walk}");
    let (faulty, walk) = walked(1);
    assert!(!faulty && walk.contains("by KFD's links with PCIe atomics"), "{walk}");
}
