//! Prefixes as lines of text: what lies where, what it needs, where it looks.

use std::collections::BTreeMap;

use rocmenv_manifests::device_code::NativeFile;

use super::*;
use crate::unpack::Node;

/// Each line is `FILE [<- NEED,NEED] [@ PATH]` or `LINK -> TARGET`; gives `FILE: PATH` for the
/// files that get one.
fn decided(prefix: &str) -> Vec<String> {
    let (mut nodes, mut facts) = (BTreeMap::new(), ObjectFacts::default());
    for line in prefix.lines().map(str::trim) {
        if let Some((link, target)) = line.split_once(" -> ") {
            nodes.insert(link, Node::Link { target: target.to_owned() });
            continue;
        }
        let (line, search) = line.split_once(" @ ").unwrap_or((line, ""));
        let (path, needs) = line.split_once(" <- ").unwrap_or((line, ""));
        let parts = |text: &str, by| {
            text.split(by).filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        let mut file = NativeFile::new(path, FileKind::Elf);
        let (needs, search) = (parts(needs, ','), parts(search, ':'));
        file.linking = Some(Linking { needs, search, ..Linking::default() });
        facts.files.push(file);
        let sha256 = rocmenv_manifests::digest::Sha256::of(path.as_bytes());
        nodes.insert(path, Node::File { sha256, size: 1, executable: false });
    }
    let nodes = nodes.iter().map(|(path, node)| (*path, node)).collect();
    let facts = [facts];
    let tree = Tree::new(nodes, &facts);
    let is_folder = |folder: &&str| !["bin", "plugins"].iter().any(|end| folder.ends_with(end));
    let mut libraries: Vec<String> = facts[0]
        .files
        .iter()
        .map(|file| folder_of(&file.path))
        .filter(is_folder)
        .map(str::to_owned)
        .collect();
    libraries.sort();
    libraries.dedup();
    let decision = Decision { tree: &tree, libraries };
    let found = decision.of_object(&facts[0]);
    found.into_iter().map(|(path, runpath)| format!("{path}: {runpath}")).collect()
}

#[test]
fn a_distributions_files_are_led_to_each_other() {
    let found = decided(
        "usr/bin/rocminfo <- libhsa-runtime64.so.1,libstdc++.so.6,libc.so.6
         usr/lib/x86_64-linux-gnu/libhsa-runtime64.so.1 -> libhsa-runtime64.so.1.5.0
         usr/lib/x86_64-linux-gnu/libhsa-runtime64.so.1.5.0 <- libhsakmt.so.1,libelf.so.1
         usr/lib/x86_64-linux-gnu/libhsakmt.so.1 <- libdrm.so.2",
    );
    assert_eq!(
        found,
        [
            "usr/bin/rocminfo: $ORIGIN/../lib/x86_64-linux-gnu",
            "usr/lib/x86_64-linux-gnu/libhsa-runtime64.so.1.5.0: $ORIGIN",
        ]
    );
}

#[test]
fn files_that_find_what_they_need_are_left_alone() {
    let therock = "bin/rocminfo <- libhsa-runtime64.so.1 @ $ORIGIN/../lib
         lib/libhsa-runtime64.so.1 <- librocm_sysdeps_elf.so.1 @ $ORIGIN:$ORIGIN/rocm_sysdeps/lib
         lib/rocm_sysdeps/lib/librocm_sysdeps_elf.so.1
         lib64 -> lib
         lib/librocblas.so.4 <- libhsa-runtime64.so.1 @ ${ORIGIN}/../../nowhere:$ORIGIN/../lib64";
    assert_eq!(decided(therock), [""; 0]);
    // Through the host's folders, and from nowhere.
    assert_eq!(decided("bin/x <- libz.so.1,libnot.so.1\nlib/a.so @ /opt/rocm/lib"), [""; 0]);
}

#[test]
fn a_path_that_leads_to_the_host_no_longer_wins() {
    let found = decided(
        "opt/rocm -> rocm-7.2.4
         opt/rocm-7.2.4/bin/rocminfo <- libhsa.so.1 @ /opt/rocm-7.2.4/lib
         opt/rocm-7.2.4/lib/libhsa.so.1
         opt/rocm-7.2.4/lib/libhip.so.7 <- libhsa.so.1 @ $ORIGIN/../other:/opt/rocm/lib:$ORIGIN
         opt/rocm-7.2.4/lib/librccl.so.1 <- libhsa.so.1 @ $ORIGIN:/opt/rocm/lib
         opt/rocm-7.2.4/lib/libown.so.1 <- libplugin.so.1 @ /opt/rocm/lib/plugins
         opt/rocm-7.2.4/lib/plugins/libplugin.so.1",
    );
    assert_eq!(
        found,
        [
            "opt/rocm-7.2.4/bin/rocminfo: $ORIGIN/../lib:/opt/rocm-7.2.4/lib",
            "opt/rocm-7.2.4/lib/libhip.so.7: $ORIGIN/../other:$ORIGIN:/opt/rocm/lib",
            "opt/rocm-7.2.4/lib/libown.so.1: $ORIGIN/plugins:/opt/rocm/lib/plugins",
        ]
    );
}

#[test]
fn every_folder_that_a_library_is_loaded_from_counts() {
    // A loader takes the folder of the link for `$ORIGIN`.
    let found = decided(
        "usr/lib/llvm-15/lib/libLLVM-15.so.1 -> ../../x86_64-linux-gnu/libLLVM-15.so.1
         usr/lib/x86_64-linux-gnu/libLLVM-15.so.1 <- libz3.so.4
         usr/lib/x86_64-linux-gnu/libz3.so.4",
    );
    assert_eq!(
        found,
        ["usr/lib/x86_64-linux-gnu/libLLVM-15.so.1: $ORIGIN:$ORIGIN/../../x86_64-linux-gnu"]
    );
}

#[test]
fn no_path_leads_to_another_c_library() {
    let found = decided(
        "bin/x <- liba.so.1,libc.so.6
         lib/liba.so.1 <- libm.so.6
         lib/libm.so.6 <- libc.so.6,liba.so.1
         lib/libc.so.6 <- ld-linux-x86-64.so.2
         lib/ld-linux-x86-64.so.2",
    );
    assert_eq!(found, [""; 0]);
    let found = decided("bin/x <- liba.so.1,libc.so.6\nlib/liba.so.1\nlib32/libc.so.6");
    assert_eq!(found, ["bin/x: $ORIGIN/../lib"]);
}

#[test]
fn what_was_decided_once_stays_decided() {
    let once =
        decided("bin/x <- liba.so.1 @ /opt/rocm/lib\nlib/liba.so.1 <- libb.so.1\nlib/libb.so.1");
    assert_eq!(once, ["bin/x: $ORIGIN/../lib:/opt/rocm/lib", "lib/liba.so.1: $ORIGIN"]);
    let again = "bin/x <- liba.so.1 @ $ORIGIN/../lib:/opt/rocm/lib
         lib/liba.so.1 <- libb.so.1 @ $ORIGIN\nlib/libb.so.1";
    assert_eq!(decided(again), [""; 0]);
}
