//! Host files that somebody else wrote.

use std::error::Error;
use std::fmt::Write;

use rocmenv_resolver::host::{HostFacts, read_host_file, write_host_file};

use crate::support::Machine;

#[test]
fn fields_of_later_versions_are_passed_over() {
    let facts = Machine::named("strix-halo").facts();
    let mut tree = serde_json::to_value(&facts).unwrap();
    tree["npu"] = "aie2p".into();
    tree["gpus"][0]["memory-type"] = "lpddr5".into();
    assert_eq!(read_host_file(&tree.to_string()).unwrap(), facts);
}

#[test]
fn a_file_of_a_few_lines_is_enough() {
    let facts = read_host_file(r#"{"schema": 1, "gpus": [{"gfx": "gfx90a"}]}"#).unwrap();
    assert_eq!(facts.gfx_targets().into_iter().collect::<Vec<_>>(), ["gfx90a".parse().unwrap()]);
    assert_eq!((facts.has_gpu(), facts.libc), (Some(true), None));
    assert_eq!(HostFacts::unknown().has_gpu(), None);
}

#[test]
fn what_is_no_host_file_says_why() {
    let texts = [
        "",
        "{",
        "[]",
        "{}",
        r#"{"schema": 2, "gpus": "all"}"#,
        "{\"schema\": 1,\n \"gpus\": [{\"gfx\": \"gfx9\"}]}",
        r#"{"schema": 1, "libc": {"kind": "bionic", "version": "1"}}"#,
    ];
    let mut said = String::new();
    for text in texts {
        let error = read_host_file(text).unwrap_err();
        let cause = error.source().map_or(String::new(), |cause| format!(": {cause}"));
        writeln!(said, "{error}{cause}").unwrap();
    }
    insta::assert_snapshot!(said, @r#"
        not a host file: EOF while parsing a value at line 1 column 0
        not a host file: EOF while parsing an object at line 1 column 1
        not a host file: invalid length 0, expected struct Head with 1 element at line 1 column 2
        not a host file: the field `schema` is missing
        the host file has schema 2, this version reads up to 1
        not a host file: `gfx9` is not a gfx target (such as `gfx90a` or `gfx1100`) at line 2 column 25
        not a host file: unknown variant `bionic`, expected `glibc` or `musl` at line 1 column 39
    "#);
}

#[test]
fn the_same_machine_gives_the_same_bytes() {
    let text = |machine: &Machine| write_host_file(&machine.facts()).unwrap();
    let machine = Machine::named("rx7900xtx-with-igpu");
    assert_eq!(text(&machine), text(&machine));
}
