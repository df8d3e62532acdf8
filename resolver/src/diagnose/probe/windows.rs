//! Windows: HIP runtimes in System32, and what the registry says, by Windows' own `reg query`,
//! whose answers are read as if somebody had handed them in.

use std::path::Path;
use std::time::Duration;

use super::super::facts::Surroundings;
use crate::host::sysroot::Sysroot;

pub(super) fn read(root: &dyn Sysroot, around: &mut Surroundings, texts: &mut Vec<String>) {
    let system = root.variables().get("SystemRoot").map_or("C:\\Windows", String::as_str);
    let folder = format!("{system}\\System32");
    for name in ["amdhip64_6.dll", "amdhip64_7.dll", "amdhip64.dll"] {
        if root.exists(Path::new(&format!("{folder}\\{name}"))) {
            around.windows.system32.insert(name.to_owned());
        }
    }
    let runtime = ["vcruntime140_1.dll", "msvcp140.dll"];
    around.windows.vc_runtime =
        Some(runtime.iter().all(|name| root.exists(Path::new(&format!("{folder}\\{name}")))));
    let program = format!("{folder}\\reg.exe");
    for query in QUERIES {
        if let Ok(answer) = root.run(Path::new(&program), query, LIMIT) {
            texts.push(answer);
        }
    }
}

const LIMIT: Duration = Duration::from_secs(2);

/// The display class names adapters, drivers and Adrenalin's version; it needs no administrator.
const QUERIES: &[&[&str]] = &[
    &["query", "HKLM\\SYSTEM\\CurrentControlSet\\Control\\FileSystem", "/v", "LongPathsEnabled"],
    &[
        "query",
        "HKLM\\SYSTEM\\CurrentControlSet\\Control\\CI\\Policy",
        "/v",
        "VerifiedAndReputablePolicyState",
    ],
    &[
        "query",
        "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}",
        "/s",
    ],
];
