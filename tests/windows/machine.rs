//! What the machine is: one query of PowerShell, the registry where that does not answer,
//! interpreters of the launcher, the user's search path, faults told from captures.

use std::path::PathBuf;

use insta::assert_snapshot;
use rocmenv_tests::Output;

use super::Desk;

#[test]
fn facts_come_by_one_query_however_often_they_are_needed() {
    let Some(mut desk) = Desk::new("facts_come_by_one_query_however_often_they_are_needed") else {
        return;
    };
    let powershell = PowerShell::answering(&desk, &answer());
    desk.wine.sandbox().filter(r"\\?\\?Z:[^\n]*", "[PATH]");
    assert_snapshot!(powershell.call(&desk, "host").snapshot(), @r"
        exit: 0
        --- stdout ---
        Host
          system     Windows 11 Pro (windows-11-25H2)
          kernel     x86_64
          processor  AMD Ryzen 9 7950X, 1 socket, 16 cores, 32 threads
          memory     63.6 GiB
          disk       1122.1 GiB free of 1863.0 GiB under [TEMP]\project
          disk       1122.1 GiB free of 1863.0 GiB under [TEMP]\data
          disk       1122.1 GiB free of 1863.0 GiB under [TEMP]\cache

        Driver
          driver   AMD Software (Adrenalin)
          release  26.8.1 (by what the driver recorded)
          number   32.0.31041.1004, of 2026-07-30 (Windows' own number)

        Windows
          build              26200.7462, Professional
          long paths         off: 260 characters at most
          Smart App Control  off
          VC++ runtime       14.44.35211.00
          WSL                not installed
          HIP runtime        C:\Windows\System32\amdhip64_7.dll (7.1.52802.0)

        GPUs
          AMD Radeon RX 7900 XTX  gfx1100 (by its PCI id), discrete, 24.0 GiB, 744c:c8, driven by Windows

        Python
          3.12.7  [TEMP]\python\python.exe (on the search path)
        --- stderr ---
        ");
    assert_eq!(powershell.starts(), 1);
    let facts = powershell.call(&desk, "host --json").stdout;
    let facts: serde_json::Value = serde_json::from_str(&facts).expect("JSON");
    let at = |path: &str| facts.pointer(path).cloned().unwrap_or_default();
    assert_eq!(at("/os/release"), "windows-11-25H2");
    assert_eq!(at("/driver/release"), "26.8.1");
    assert_eq!(at("/driver/windows-number"), "32.0.31041.1004");
    assert_eq!(at("/driver/windows-date"), "2026-07-30");
    assert_eq!(at("/gpus/0/product"), "AMD Radeon RX 7900 XTX");
    assert_eq!(at("/windows/smart-app-control"), "off");
    assert_eq!(at("/windows/long-paths"), false);
    assert_eq!(at("/windows/vc-runtime/version"), "14.44.35211.00");
    assert_eq!(at("/windows/wsl/installed"), false);
    assert_eq!(at("/windows/hip-runtimes/0/version"), "7.1.52802.0");
    assert_eq!(at("/cpu/cores"), 16);
    assert_eq!(at("/memory/total-bytes"), 68_337_434_624_u64);
    let before = powershell.starts();
    let synced = powershell.call(&desk, "sync");
    assert_eq!(synced.code, 0, "{}", synced.snapshot());
    assert_eq!(powershell.starts(), before + 1, "locking and syncing need the facts several times");
}

#[test]
fn a_powershell_that_hangs_is_left_and_the_registry_is_read() {
    let test = "a_powershell_that_hangs_is_left_and_the_registry_is_read";
    let Some(mut desk) = Desk::new(test) else { return };
    let powershell = PowerShell::hanging(&desk);
    desk.wine.sandbox().env("ROCMENV_PROBE_SECONDS", "2");
    let begun = std::time::Instant::now();
    let output = powershell.call(&desk, "host --json");
    assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{:?}", begun.elapsed());
    assert_eq!((output.code, powershell.starts()), (0, 1), "{}", output.snapshot());
    let facts: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(facts["unread"][0]["what"], "Windows, by PowerShell", "{facts:#}");
    assert_eq!(facts["unread"][0]["why"], "no answer within 2 s");
    // What Wine's registry says of its Windows; processors and memory nobody said.
    assert!(facts["windows"]["build"].as_u64().is_some_and(|build| build > 7_000), "{facts:#}");
    assert_eq!(facts["memory"], serde_json::json!({}));
    assert_eq!(facts["gpus"], serde_json::Value::Null, "what the registry has may be gone");
    // Everything else goes on.
    let synced = powershell.call(&desk, "sync");
    assert_eq!(synced.code, 0, "{}", synced.snapshot());
    assert_eq!(powershell.starts(), 2, "what did not answer once is not waited for again");
}

#[test]
fn interpreters_of_the_launcher_are_found_where_path_has_none() {
    let test = "interpreters_of_the_launcher_are_found_where_path_has_none";
    let Some(mut desk) = Desk::new(test) else { return };
    desk.wine.own_registry();
    let programs = desk.wine.shown("programs");
    desk.wine.sandbox().env("WINEPATH", &programs);
    let output = desk.wine.rocmenv("sync").run();
    assert_eq!(output.code, 1, "{}", output.snapshot());
    let keys = ["3.11", "3.12"].map(|tag| format!(r"HKCU\Software\Python\PythonCore\{tag}"));
    let python = desk.wine.shown(r"python\python.exe");
    for key in &keys {
        let place = format!(r"{key}\InstallPath");
        desk.wine.must_tool(&["reg", "add", &place, "/v", "ExecutablePath", "/d", &python, "/f"]);
    }
    let output = desk.wine.rocmenv("sync").run();
    let listed = desk.wine.rocmenv("python list").run();
    for key in &keys {
        desk.wine.must_tool(&["reg", "delete", key, "/f"]);
    }
    assert_eq!(output.code, 0, "{}", output.snapshot());
    assert!(output.stderr.contains("on Python 3.12.7 (host)"), "{}", output.snapshot());
    assert!(listed.stdout.contains("3.12.7"), "{}", listed.snapshot());
    assert!(desk.wine.rocmenv("run greet").run().stdout.starts_with("hello"));
}

#[test]
fn the_shims_come_onto_the_path_of_the_user_and_go_again() {
    let test = "the_shims_come_onto_the_path_of_the_user_and_go_again";
    let Some(mut desk) = Desk::new(test) else { return };
    let shims = desk.wine.shown("shims");
    desk.wine.sandbox().env("ROCMENV_SHIMS", &shims);
    desk.wine.own_registry();
    let key = r"HKCU\Environment";
    let value = |desk: &Desk| {
        let output = desk.wine.tool(&["reg", "query", key, "/v", "Path"]).run();
        let line = output.stdout.lines().find(|line| line.trim_start().starts_with("Path"));
        line.map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "))
    };
    let set = ["reg", "add", key, "/v", "Path", "/t", "REG_EXPAND_SZ", "/d", r"%HOME%\bin", "/f"];
    desk.wine.must_tool(&set);
    assert_snapshot!(desk.snapshot("shims update-shell --dry-run"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        would have put `[TEMP]\shims` first on PATH
        ");
    assert_eq!(value(&desk).as_deref(), Some(r"REG_EXPAND_SZ %HOME%\bin"));
    let put = desk.snapshot("shims update-shell");
    assert_eq!(value(&desk), Some(format!(r"REG_EXPAND_SZ {shims};%HOME%\bin")));
    let again = desk.snapshot("shims update-shell");
    let taken = desk.snapshot("shims update-shell --undo");
    assert_eq!(value(&desk).as_deref(), Some(r"REG_EXPAND_SZ %HOME%\bin"));
    // Where there was none, none is left.
    desk.wine.must_tool(&["reg", "delete", key, "/v", "Path", "/f"]);
    desk.wine.must("shims update-shell");
    assert_eq!(value(&desk), Some(format!("REG_EXPAND_SZ {shims}")));
    desk.wine.must("shims update-shell --undo");
    assert_eq!(value(&desk), None);
    // What is no text is left as it is.
    desk.wine.must_tool(&["reg", "add", key, "/v", "Path", "/t", "REG_DWORD", "/d", "1", "/f"]);
    let refused = desk.snapshot("shims update-shell");
    desk.wine.must_tool(&["reg", "delete", key, "/v", "Path", "/f"]);
    assert_snapshot!([put, again, taken, refused].join("\n"), @r"
        exit: 0
        --- stdout ---
        --- stderr ---
        put `[TEMP]\shims` first on PATH; a new terminal has it

        exit: 0
        --- stdout ---
        --- stderr ---
        `[TEMP]\shims` is first on PATH

        exit: 0
        --- stdout ---
        --- stderr ---
        took `[TEMP]\shims` off PATH; a new terminal has it

        exit: 1
        --- stdout ---
        --- stderr ---
        error[file-not-writable]: `Path` under `HKEY_CURRENT_USER\Environment` is no text, and was left as it is
        help: rocmenv shims install
        ");
}

#[test]
fn faults_of_a_windows_are_told_from_its_capture() {
    let Some(desk) = Desk::new("faults_of_a_windows_are_told_from_its_capture") else { return };
    fs_err::write(desk.wine.project("case.txt"), CASE).unwrap();
    let told = desk.snapshot("doctor --from case.txt");
    assert_snapshot!(told, @r#"
        exit: 1
        --- stdout ---
        error D-known-bad: This combination is known to fail (likely)
          seen    the HIP runtime of 7.1.1 on Windows finds no RDNA2 card and no integrated RDNA2 GPU (windows-rdna2-7.1.1; maintainer)
          do      take instead: ROCm 7.13, whose runtime has the fix
          verify  rocmenv check

        error D-windows-rdna2-hidden: RDNA2 is hidden by this HIP runtime on Windows (likely)
          seen    HIP of ROCm 7.1.1 (the host's ROCm)
                  driver 26.1.1
                  error: 'no ROCm-capable device is detected'(100) at hipInfo.cpp:217
                  gfx1030 on Windows
          do      $ rocmenv add "rocm>=7.13" && rocmenv sync
                  or the HIP SDK 6.4 runtime; remove HIP_VISIBLE_DEVICES afterwards
          verify  hipInfo.exe

        2 errors
        --- stderr ---
        "#);
    // A machine that is asked live, and its capture, which says the same.
    let powershell = PowerShell::answering(&desk, &answer());
    let log = "error: 'no ROCm-capable device is detected'(100) at hipInfo.cpp:217\n";
    fs_err::write(desk.wine.project("hipinfo.txt"), log).unwrap();
    let live = powershell.call(&desk, "doctor --log hipinfo.txt");
    assert_snapshot!(live.snapshot(), @r"
        exit: 6
        --- stdout ---
        error D-windows-no-device: HIP on Windows finds no device (a symptom; its cause was not seen)
          seen    error: 'no ROCm-capable device is detected'(100) at hipInfo.cpp:217
          do      $ where amdhip64_6.dll amdhip64_7.dll
                  clean driver reinstallation: AMD Cleanup Utility in safe mode, then the Adrenalin release that AMD lists for this ROCm  (needs root, a reboot)
          verify  hipInfo.exe

        1 error
        --- stderr ---
        ");
    let taken = powershell.call(&desk, "doctor --log hipinfo.txt --capture again.txt");
    assert!(desk.wine.project("again.txt").exists(), "{}", taken.snapshot());
    let replayed = desk.wine.rocmenv("doctor --from again.txt").run();
    assert_eq!((replayed.code, &replayed.stdout), (live.code, &live.stdout));
}

/// A folder with another PowerShell in it.
struct PowerShell {
    folder: PathBuf,
}

impl PowerShell {
    fn answering(desk: &Desk, answer: &str) -> Self {
        let made = Self::hanging(desk);
        fs_err::write(made.folder.join("answer.json"), answer).unwrap();
        made
    }

    fn hanging(desk: &Desk) -> Self {
        let folder = desk.wine.project("../windows");
        fs_err::create_dir_all(&folder).unwrap();
        desk.wine.copy_program("examples/stub_powershell.exe", &folder.join("powershell.exe"));
        Self { folder }
    }

    fn call(&self, desk: &Desk, words: &str) -> Output {
        assert!(self.folder.join("powershell.exe").exists(), "its program is there");
        let program = desk.wine.shown(r"windows\powershell.exe");
        desk.wine.rocmenv(words).env("ROCMENV_POWERSHELL", &program).run()
    }

    fn starts(&self) -> usize {
        let starts = fs_err::read_to_string(self.folder.join("starts")).unwrap_or_default();
        starts.lines().count()
    }
}

/// What PowerShell says of a desk with a card.
fn answer() -> String {
    let key = |key: &str, name: &str, value: &str| serde_json::json!({ "Key": format!("HKEY_LOCAL_MACHINE\\{key}"), "Name": name, "Value": value });
    let version = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";
    let runtime = r"SOFTWARE\Microsoft\VisualStudio\14.0\VC\Runtimes\X64";
    let card =
        r"SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}\0000";
    let policy = r"SYSTEM\CurrentControlSet\Control\CI\Policy";
    serde_json::json!({
        "Registry": [
            key(version, "EditionID", "Professional"),
            key(version, "CurrentBuild", "26200"),
            key(version, "UBR", "7462"),
            key(policy, "VerifiedAndReputablePolicyState", "0"),
            key(runtime, "Installed", "1"),
            key(runtime, "Version", "v14.44.35211.00"),
            key(card, "DriverDesc", "AMD Radeon RX 7900 XTX"),
            key(card, "MatchingDeviceId", r"PCI\VEN_1002&DEV_744C&REV_C8"),
            key(card, "DriverVersion", "32.0.31041.1004"),
            key(card, "RadeonSoftwareVersion", "26.8.1"),
            key(card, "HardwareInformation.qwMemorySize", "25753026560"),
        ],
        "VideoControllers": [{
            "Name": "AMD Radeon RX 7900 XTX",
            "PNPDeviceID": r"PCI\VEN_1002&DEV_744C&SUBSYS_0E3B1002&REV_C8\6&0&0&0019",
            "DriverVersion": "32.0.31041.1004",
            "DriverDate": "2026-07-30",
            "ConfigManagerErrorCode": 0,
        }],
        "Processors": [{ "Name": "AMD Ryzen 9 7950X", "NumberOfCores": 16, "NumberOfLogicalProcessors": 32 }],
        "Memory": 68_337_434_624_u64,
        "Caption": "Microsoft Windows 11 Pro",
        "Architecture": "AMD64",
        "Disks": [{ "DeviceID": "Z:", "Size": 2_000_396_742_656_u64, "FreeSpace": 1_204_886_016_000_u64 }],
        "Libraries": [{ "Path": r"C:\Windows\System32\amdhip64_7.dll", "Version": "7.1.52802.0" }],
        "Sdks": [],
    })
    .to_string()
}

/// ROCm/ROCm#5871: RDNA2 vanishes from HIP with the runtime of 7.1.1.
const CASE: &str = "rocmenv-capture 1\n=== facts\nos = windows-11-25H2\ngpus = RX 6800 XT\n\
    driver = 26.1.1\nrocm = 7.1.1\n=== outputs/hipInfo.txt\n\
    error: 'no ROCm-capable device is detected'(100) at hipInfo.cpp:217\n";
