//! A PowerShell that never answers, asked from inside of a WSL: a real program, and its real time.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::host::sysroot::LayeredSysroot;
use rocmenv_resolver::host::{
    CapturedSysroot, LiveSysroot, ProbeOptions, RecordedSysroot, Sysroot, probe,
};

use crate::support::Machine;

#[test]
fn a_wsl_reads_the_shared_driver_where_powershell_hangs() {
    let machine = Machine::named("wsl-ubuntu");
    machine.add("/mnt/c/Windows/System32/WindowsPowerShell/v1.0/powershell.exe", "hangs\n");
    let inf = "[Version]\nDriverVer = 01/14/2026, 32.0.23017.1001\nPCI\\VEN_1002&DEV_744C\n";
    let folder = "/usr/lib/wsl/drivers/u0419999.inf_amd64_0123456789abcdef";
    machine.add(&format!("{folder}/u0419999.inf"), inf);
    let root = Hanging::of(&machine);
    let registry = Registry::embedded();
    let options = ProbeOptions { products: &registry, disks: Vec::new(), interpreters: false };
    let begun = Instant::now();
    let facts = probe(&root, &options);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let note = facts.unread.iter().find(|note| note.what == "Windows, by PowerShell");
    assert_eq!(note.map(|note| note.why.as_str()), Some("no answer within 1 s"));
    assert_eq!(facts.driver.windows_number.as_deref(), Some("32.0.23017.1001"));
    assert_eq!(facts.gpus, None, "nobody said");
    // What did not answer once is not waited for again.
    let begun = Instant::now();
    probe(&root, &options);
    assert!(begun.elapsed() < Duration::from_millis(900), "{:?}", begun.elapsed());
}

#[test]
fn a_recorded_machine_does_not_wait_again_either() {
    let machine = Machine::named("wsl-ubuntu");
    machine.add("/mnt/c/Windows/System32/WindowsPowerShell/v1.0/powershell.exe", "hangs\n");
    let root = Hanging::of(&machine);
    let registry = Registry::embedded();
    let options = ProbeOptions { products: &registry, disks: Vec::new(), interpreters: false };
    probe(&root, &options);
    let begun = Instant::now();
    probe(&RecordedSysroot::new(&root), &options);
    assert!(begun.elapsed() < Duration::from_millis(900), "{:?}", begun.elapsed());
}

/// A captured machine whose programs are this machine's `sleep`.
struct Hanging {
    files: CapturedSysroot,
    programs: LiveSysroot,
    variables: BTreeMap<String, String>,
}

impl Hanging {
    fn of(machine: &Machine) -> Self {
        let variables = [("ROCMENV_PROBE_SECONDS".to_owned(), "1".to_owned())];
        Self {
            files: machine.root(),
            programs: LiveSysroot::default(),
            variables: variables.into(),
        }
    }
}

impl LayeredSysroot for Hanging {
    fn under(&self) -> &dyn Sysroot {
        &self.files
    }

    fn answer(&self, _: &Path, _: &[&str], limit: Duration) -> io::Result<String> {
        self.programs.run(Path::new("/bin/sleep"), &["60"], limit)
    }

    fn answer_once(&self, _: &Path, _: &[&str], limit: Duration) -> io::Result<String> {
        self.programs.run_once(Path::new("/bin/sleep"), &["60"], limit)
    }

    fn environment(&self) -> &BTreeMap<String, String> {
        &self.variables
    }
}
