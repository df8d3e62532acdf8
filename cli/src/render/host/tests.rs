//! Whole texts of hosts.

use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::host::{driver_release, read_host_file};

use super::*;

fn text(file: &str) -> String {
    let facts = read_host_file(file).unwrap();
    host(&facts, driver_release(&facts, &Registry::embedded()).as_ref())
}

#[test]
fn a_host_without_gpu_says_so() {
    let text = text(
        r#"{ "schema": 1, "base": "probed",
          "os": { "family": "linux", "release": "debian-12",
                  "pretty-name": "Debian GNU/Linux 12 (bookworm)" },
          "kernel": { "release": "6.1.0-28-amd64" }, "arch": "x86_64",
          "libc": { "kind": "glibc", "version": "2.36" },
          "cpu": { "threads": 2 }, "memory": { "total-bytes": 25276510208 },
          "disks": [ { "path": "/home/me", "total-bytes": 1000204886016,
                       "free-bytes": 204886016000 } ],
          "driver": { "loaded": false }, "gpus": [],
          "devices": [ { "path": "/dev/kfd", "open": "absent" } ],
          "container": { "kind": "docker", "evidence": "/.dockerenv" },
          "python": [ { "path": "/usr/bin/python3", "real-path": "/usr/bin/python3.11",
                        "version": "3.11.2", "implementation": "cpython",
                        "origin": "distribution" } ] }"#,
    );
    insta::assert_snapshot!(text, @r#"
        Host
          system     Debian GNU/Linux 12 (bookworm) (debian-12)
          kernel     6.1.0-28-amd64, x86_64
          C library  glibc 2.36
          processor  2 threads
          memory     23.5 GiB
          disk       190.8 GiB free of 931.5 GiB under /home/me
          container  Docker (by /.dockerenv)

        Driver
          driver  amdgpu is not loaded

        GPUs
          no AMD GPU found

        Devices
          /dev/kfd  absent

        Python
          3.11.2  /usr/bin/python3 (of the distribution)
    "#);
}

#[test]
fn a_node_with_partitions_a_hidden_card_and_faults() {
    let text = text(
        r#"{ "schema": 1, "base": "probed",
          "os": { "family": "linux", "release": "ubuntu-22.04" },
          "kernel": { "release": "6.8.0-45-generic" }, "arch": "x86_64",
          "cpu": { "model": "AMD EPYC 9684X 96-Core Processor", "sockets": 2, "cores": 192,
                   "threads": 192, "numa-nodes": 2 },
          "driver": { "loaded": true, "flavour": "dkms", "module-version": "6.12.12",
            "package": { "name": "amdgpu-dkms", "version": "1:6.16.6.30200100-2255209.22.04",
                         "module-version": "6.16.6", "release": "30.20.1", "build": "2255209" },
            "dkms": [ { "version": "6.16.6-2255209.22.04", "has-source": true,
                        "kernels": [ "6.8.0-40-generic" ] },
                      { "version": "6.7.0-1787201.22.04", "has-source": false } ] },
          "gpus": [
            { "gfx": "gfx942", "gfx-source": "kfd", "kfd-node": 2, "kind": "discrete",
              "product": "AMD Instinct MI300X", "pci": "74a1:00", "address": "0000:05:00.0",
              "vram-bytes": 103045660672, "compute-units": 152, "render-minor": 128,
              "partition": { "index": 0, "count": 2, "compute-mode": "DPX" } },
            { "gfx": "gfx942", "gfx-source": "kfd", "kfd-node": 3, "kind": "discrete",
              "product": "AMD Instinct MI300X", "pci": "74a1:00", "address": "0000:05:00.0",
              "vram-bytes": 103045660672, "compute-units": 152, "render-minor": 129,
              "partition": { "index": 1, "count": 2, "compute-mode": "DPX" } },
            { "gfx": "gfx90a", "gfx-source": "kfd", "kfd-node": 4, "pci": "740c:01",
              "product-candidates": [ "AMD Instinct MI250X", "AMD Instinct MI250" ] },
            { "pci": "67df:e7", "address": "0000:01:00.0", "kernel-driver": "vfio-pci" } ],
          "devices": [
            { "path": "/dev/kfd", "uid": 0, "gid": 109, "group": "render", "mode": "0660",
              "open": "permission-denied" },
            { "path": "/dev/dri/renderD128", "uid": 0, "gid": 992, "mode": "0660",
              "open": "ok" } ],
          "container": { "kind": "none" },
          "rocm": [ { "path": "/opt/rocm", "real-path": "/opt/rocm-6.4.0",
                      "version": "6.4.0" } ],
          "environment": [ { "name": "HIP_VISIBLE_DEVICES", "value": "", "role": "isolation" } ],
          "unread": [ { "what": "C library", "why": "no glibc or musl in the usual folders" } ] }"#,
    );
    insta::assert_snapshot!(text, @r#"
        Host
          system     ubuntu-22.04
          kernel     6.8.0-45-generic, x86_64
          processor  AMD EPYC 9684X 96-Core Processor, 2 sockets, 192 cores, 192 threads, 2 NUMA nodes

        Driver
          driver     AMD's own (dkms)
          release    6.4.x (by module version 6.12.12)
          module     6.12.12
          package    amdgpu-dkms 1:6.16.6.30200100-2255209.22.04, not the module that runs
          dkms tree  6.16.6-2255209.22.04, built for 6.8.0-40-generic, not for the running one
          dkms tree  6.7.0-1787201.22.04, has no source, built for no kernel

        GPUs
          AMD Instinct MI300X                        gfx942, discrete, 96.0 GiB, 152 CU, each of 2 partitions (DPX), 74a1:00 at 0000:05:00.0
          AMD Instinct MI250X or AMD Instinct MI250  gfx90a, 740c:01
          AMD GPU 67df:e7                            gfx target not known, 67df:e7 at 0000:01:00.0, held by vfio-pci, out of ROCm's reach

        Devices
          /dev/kfd             does not open: permission denied (EACCES); group render (109), 0660
          /dev/dri/renderD128  opens; group 992 (no name here), 0660

        ROCm on the host
          6.4.0  /opt/rocm -> /opt/rocm-6.4.0

        Environment variables
          HIP_VISIBLE_DEVICES  (empty)

        Could not be read
          C library  no glibc or musl in the usual folders
    "#);
}

#[test]
fn a_described_host_shows_what_was_given() {
    let text = text(
        r#"{ "schema": 1, "base": "described",
          "overrides": { "driver": { "value": "in-tree", "origin": { "flag": "--driver" } } },
          "driver": { "loaded": true, "flavour": "in-tree" } }"#,
    );
    insta::assert_snapshot!(text, @r#"
        Driver
          driver  the kernel's own (in-tree)

        GPUs
          not known

        Given, not read
          driver  in-tree (--driver)
    "#);
}

#[test]
fn sizes_are_rounded_to_a_tenth() {
    assert_eq!(gib(25_753_026_560), "24.0 GiB");
    assert_eq!(gib(536_870_912), "0.5 GiB");
    assert_eq!(gib(0), "0.0 GiB");
}
