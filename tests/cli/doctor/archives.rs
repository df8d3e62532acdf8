//! Captures as archives: nothing personal in any of their files, the same findings elsewhere.

use std::collections::BTreeMap;

use rocmenv_store::members;
use rocmenv_tests::Sandbox;
use serde_json::Value;

use crate::{repository, rocmenv};

/// What must not be in a capture, and where it stands before.
const PLANTED: &[&str] = &[
    "mallory",
    "secretbox",
    "4f3c2b1a-9d8e-4a7b-8c6d-5e4f3a2b1c0d",
    "a1b2c3d4e5f60718",
    "SN1234567890",
    "0x1A2B3C4D5E6F7081",
    "00-e0-4c-ff-fe-68-00-01",
    "00:1b:44:11:3a:b7",
    "192.168.17.42",
    "fe80::21b:44ff:fe11:3ab7",
    "hf_QwErTyUiOpAsDfGhJkLz",
    "ghp_0123456789abcdefABCDEF0123456789abcd",
    "AKIAIOSFODNN7EXAMPLE",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "hunter2hunter2",
    "p4ssw0rd",
    "example.com",
    "9876543210987",
    "b3BlbnNzaC1rZXktdjE",
];

/// What a diagnosis needs, beside words that only look like secrets.
const KEPT: &[&str] = &[
    "6.8.0-45-generic",
    "1002:744c",
    "494<509",
    "tokenizers==0.19.1",
    "pyserial",
    "8250/16550",
    "/opt/rocm/lib",
    "python-socketio",
    "hf_transfer",
];

const LOG: &str = "Linux secretbox 6.8.0-45-generic #45-Ubuntu SMP x86_64 GNU/Linux\n\
    uid=1000(mallory) gid=1000(mallory) groups=1000(mallory),44(video),992(render)\n\
    mallory@secretbox:~/llm$ rocminfo\n\
    mallory is member of render group\n\
    Uuid:                    GPU-a1b2c3d4e5f60718\n\
    \"Serial Number\": \"SN1234567890\", ASIC_SERIAL: 0x1A2B3C4D5E6F7081\n\
    eth0 00:1b:44:11:3a:b7 192.168.17.42 fe80::21b:44ff:fe11:3ab7\n\
    HF_TOKEN=hf_QwErTyUiOpAsDfGhJkLz GITHUB=ghp_0123456789abcdefABCDEF0123456789abcd\n\
    AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\n\
    aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n\
    password: hunter2hunter2, mail m@example.com\n\
    index-url = https://mallory:p4ssw0rd@pip.example.com/simple\n\
    File \"/home/mallory/train.py\", line 3; C:\\Users\\Mallory\\train.py\n\
    -----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n-----END OPENSSH PRIVATE KEY-----\n\
    03:00.0 VGA compatible controller [0300]: AMD [AMD/ATI] Navi 31 [1002:744c] (rev c8)\n\
    \tCapabilities: [150 v2] Device Serial Number 00-e0-4c-ff-fe-68-00-01\n\
    Package            Version\n------------------ -------\n\
    tokenizers==0.19.1\npyserial 3.5\npython-socketio 5.11.2\nhf_transfer 0.1.9\n\
    Serial: 8250/16550 driver, 32 ports\n\
    LD_LIBRARY_PATH=/home/mallory/rocm/lib:/opt/rocm/lib\n\
    kfd kfd: amdgpu: skipped device 1002:744c, PCI rejects atomics 494<509\n";

/// A machine as files, with the same values in them.
fn personal_machine(sandbox: &Sandbox) {
    let add = |path: &str, text: &str| {
        sandbox.write(&format!("box/{path}"), text);
    };
    add(
        ".rocmenv-capture.toml",
        "[uname]\nrelease = \"6.8.0-45-generic\"\nmachine = \"x86_64\"\n\
         [process]\nuid = 1000\ngid = 1000\ngroups = [44, 1000]\n\
         [environment]\nLD_LIBRARY_PATH = \"/home/mallory/lib\"\n",
    );
    add("proc/cmdline", "root=UUID=4f3c2b1a-9d8e-4a7b-8c6d-5e4f3a2b1c0d vg=secretbox--vg-root\n");
    add("etc/os-release", "ID=ubuntu\nVERSION_ID=\"24.04\"\n");
    add("etc/passwd", "mallory:x:1000:1000:Mallory M,,,:/home/mallory:/bin/bash\n");
    add("etc/group", "video:x:44:mallory\nmallory:x:1000:\n");
    add("etc/modprobe.d/local.conf", "# by mallory on secretbox\nblacklist amdgpu\n");
    add(
        "var/log/dmesg",
        "Aug 22 21:34:01 secretbox kernel: usb 1-1: SerialNumber: SN1234567890 amdgpu\n\
         [ 1.0] amdgpu 0000:03:00.0: eth0: 00:1b:44:11:3a:b7\n",
    );
    let node = "sys/class/kfd/kfd/topology/nodes/1";
    add(&format!("{node}/properties"), "simd_count 192\nunique_id 9876543210987\n");
    add(&format!("{node}/name"), "navi31\n");
}

fn members_of(sandbox: &Sandbox, file: &str) -> BTreeMap<String, String> {
    let bytes = fs_err::read(sandbox.project().join(file)).expect("the archive is there");
    let files = members::unpack(&bytes, 1 << 24).expect("it is an archive");
    let text = |content: Vec<u8>| String::from_utf8(content).expect("it holds texts");
    files.into_iter().map(|file| (file.name, text(file.content))).collect()
}

#[test]
fn no_file_of_an_archive_says_whose_it_is() {
    let sandbox = Sandbox::new();
    sandbox.write("run.log", LOG);
    personal_machine(&sandbox);
    let output = rocmenv(&sandbox, "doctor --from box --log run.log --capture out.tar.gz");
    assert_eq!(output.code, 0, "{}", output.snapshot());
    let files = members_of(&sandbox, "out.tar.gz");
    for (name, text) in &files {
        let whole = format!("{name}\n{text}").to_lowercase();
        for planted in PLANTED {
            let planted = planted.to_lowercase();
            assert!(!whole.contains(&planted), "{planted} is in {name}:\n{text}");
        }
    }
    let all: String = files.values().map(String::as_str).collect();
    for kept in KEPT {
        assert!(all.contains(kept), "{kept} is gone from\n{all}");
    }
    assert!(files["rocmenv-capture"].starts_with("rocmenv-capture 1\n"));
    assert!(files.contains_key("host.json") && files.contains_key("seen/proc/cmdline"));
    assert!(!files.keys().any(|name| name.contains("passwd") || name.contains("etc/group")));
    let found = rocmenv(&sandbox, "doctor --from out.tar.gz --json").stdout;
    assert!(found.contains("D-mec-firmware-old"), "{found}");
}

#[test]
fn the_values_were_there_before() {
    // a planted value that the fixtures lost would make the test above pass for nothing
    let sandbox = Sandbox::new();
    personal_machine(&sandbox);
    let paths = [
        "proc/cmdline",
        "etc/passwd",
        "var/log/dmesg",
        "sys/class/kfd/kfd/topology/nodes/1/properties",
    ];
    let tree: String = paths.iter().map(|path| sandbox.read(&format!("box/{path}"))).collect();
    let whole = format!("{LOG}{tree}").to_lowercase();
    for planted in PLANTED {
        assert!(whole.contains(&planted.to_lowercase()), "{planted} is nowhere");
    }
}

/// The captured machines of the host tests, laid out as files.
#[cfg(unix)]
fn machine(sandbox: &Sandbox, name: &str) {
    let file = repository(&format!("tests/data/hosts/{name}.txt"));
    let text = fs_err::read_to_string(file).expect("the machine is there");
    for entry in text.split("=== ").skip(1) {
        let (heading, content) = entry.split_once('\n').unwrap_or((entry, ""));
        let (path, target) = match heading.split_once(" -> ") {
            Some((path, target)) => (path, Some(target)),
            None => (heading, None),
        };
        let place = format!("{name}/{}", path.trim_start_matches('/'));
        match target {
            Some(target) => {
                let place = sandbox.project().join(&place);
                fs_err::create_dir_all(place.parent().expect("a folder")).expect("it can be made");
                fs_err::os::unix::fs::symlink(target, place).expect("a link can be made");
            }
            None if path.ends_with('/') => {
                fs_err::create_dir_all(sandbox.project().join(&place)).expect("it can be made");
            }
            None => {
                sandbox.write(&place, content);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn an_archive_gives_the_findings_of_the_machine() {
    let names = [
        "docker-mi250",
        "mi300x-cpx",
        "mi350x-driver-not-loaded",
        "rx7900xtx-with-igpu",
        "strix-halo",
        "wsl-ubuntu",
    ];
    let mut some = 0;
    for name in names {
        let sandbox = Sandbox::new();
        machine(&sandbox, name);
        let live = rocmenv(&sandbox, &format!("doctor --from {name} --json"));
        let made = rocmenv(&sandbox, &format!("doctor --from {name} --capture out.tar.gz"));
        assert_eq!(made.code, 0, "{}", made.snapshot());
        let elsewhere = Sandbox::new();
        let bytes =
            fs_err::read(sandbox.project().join("out.tar.gz")).expect("the archive is there");
        elsewhere.write("sent.tar.gz", &bytes);
        let again = rocmenv(&elsewhere, "doctor --from sent.tar.gz --json");
        assert_eq!((again.code, &again.stdout), (live.code, &live.stdout), "{name}");
        let walk = "--symptom no-gpu";
        assert_eq!(
            rocmenv(&elsewhere, &format!("doctor --from sent.tar.gz {walk}")).stdout,
            rocmenv(&sandbox, &format!("doctor --from {name} {walk}")).stdout,
            "{name}"
        );
        let json: Value = serde_json::from_str(&live.stdout).expect("JSON");
        some += json["findings"].as_array().map_or(0, Vec::len);
    }
    assert!(some > 3, "the machines have {some} findings: nothing was compared");
}

#[test]
fn this_machine_and_its_archive_agree() {
    let sandbox = Sandbox::new();
    let codes = |arguments: &str| {
        let output = rocmenv(&sandbox, arguments);
        let json: Value = serde_json::from_str(&output.stdout).expect("JSON");
        let code = |one: &Value| one["code"].as_str().map(str::to_owned);
        let found: Vec<String> =
            json["findings"].as_array().into_iter().flatten().filter_map(code).collect();
        (output.code, found)
    };
    let live = codes("doctor --json");
    assert_eq!(rocmenv(&sandbox, "doctor --capture here.tar.gz").code, 0);
    assert_eq!(codes("doctor --from here.tar.gz --json"), live);
}

#[test]
fn an_archive_may_be_unpacked_and_packed_again() {
    let sandbox = Sandbox::new();
    let capture = "rocmenv-capture 1\n=== facts\nos = ubuntu-24.04\ngpus = gfx1100, gfx1036\n\
        === outputs/a.txt\nRuntimeError: HIP error: invalid device function\n";
    sandbox.write("case.txt", capture);
    let wanted = rocmenv(&sandbox, "doctor --from case.txt --json").stdout;
    assert!(wanted.contains("D-igpu-beside-dgpu"), "{wanted}");
    rocmenv(&sandbox, "doctor --from case.txt --capture out.tar.gz");
    let files = members_of(&sandbox, "out.tar.gz");
    for (name, text) in &files {
        sandbox.write(&format!("unpacked/{name}"), text);
    }
    assert_eq!(rocmenv(&sandbox, "doctor --from unpacked --json").stdout, wanted);
    let around = |file: (&String, &String)| members::Member {
        name: format!("report/{}", file.0),
        content: file.1.clone().into_bytes(),
    };
    let packed: Vec<_> = files.iter().map(around).collect();
    sandbox.write("again.tgz", members::pack(&packed).expect("it can be packed"));
    assert_eq!(rocmenv(&sandbox, "doctor --from again.tgz --json").stdout, wanted);
    // without the mark every file is somebody's output
    let plain = [("box/dmesg.txt", "kfd kfd: amdgpu: PITCAIRN  not supported in kfd\n")];
    let plain = plain.map(|(name, text)| members::Member {
        name: name.to_owned(),
        content: text.as_bytes().to_vec(),
    });
    sandbox.write("plain.tgz", members::pack(&plain).expect("it can be packed"));
    let found = rocmenv(&sandbox, "doctor --from plain.tgz --json").stdout;
    assert!(found.contains("D-gpu-not-in-kfd"), "{found}");
    // half of one is no capture, and no panic
    let bytes = fs_err::read(sandbox.project().join("out.tar.gz")).expect("the archive is there");
    sandbox.write("half.tar.gz", &bytes[..bytes.len() / 2]);
    let output = rocmenv(&sandbox, "doctor --from half.tar.gz");
    assert_eq!(output.code, 2, "{}", output.snapshot());
}
