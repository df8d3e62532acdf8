//! Windows: the former driver is removed cleanly, then the installer of the user runs.

use rocmenv_manifests::upgrade::Driver;

use super::{DriverFiles, HostCommands};
use crate::ops::upgrade::driver_files::KeptDriver;

/// Another driver.
pub(super) fn driver(from: &Driver, to: &Driver, files: DriverFiles<'_>) -> HostCommands {
    let mut commands = HostCommands {
        install: vec![CLEAN.to_owned()],
        back: vec![CLEAN.to_owned()],
        hold: vec![
            "Settings > Windows Update > Advanced options > Optional updates: take no display driver"
                .to_owned(),
        ],
        ..HostCommands::default()
    };
    if let Ok(kept) = files.new {
        commands.install.extend(install(kept));
    } else {
        commands.install.push(format!("run the installer of {to}, then restart"));
        commands.notes.push(format!(
            "get the installer of {to} from AMD and hand it over, so that it is kept: \
             `rocmenv upgrade --apply --installer FILE`"
        ));
    }
    if let Some(kept) = files.old {
        commands.back.extend(install(kept));
    } else {
        commands.back.push(format!("run the installer of {from}, then restart"));
        commands.notes.push(format!("keep the installer of {from} for the way back"));
    }
    commands
}

fn install(kept: &KeptDriver) -> Vec<String> {
    let run = |path: &std::path::Path| {
        format!("Start-Process -Wait '{}'", path.to_string_lossy().replace('\'', "''"))
    };
    let mut commands: Vec<String> = kept.files.iter().map(|file| run(&file.path)).collect();
    commands.push("Restart-Computer".to_owned());
    commands
}

const CLEAN: &str =
    "Settings > Apps > AMD Software > Uninstall (or AMD's Cleanup Utility), then restart";
