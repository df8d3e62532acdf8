//! A real browser without a window, for pages that work by their own script.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Debian's Chromium.
#[derive(Debug)]
pub struct Browser {
    program: PathBuf,
}

impl Browser {
    /// The browser of this machine; without one the test says aloud that this part was not run,
    /// and in the gate, which installs it, fails.
    ///
    /// # Panics
    /// `ROCMENV_ONLINE` is set, as the gate does, and there is no browser.
    pub fn find(test: &str) -> Option<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders = std::env::split_paths(&path);
        let found = folders.find_map(|folder| {
            let program = folder.join("chromium");
            program.is_file().then_some(program)
        });
        let is_gate = std::env::var_os("ROCMENV_ONLINE").is_some_and(|value| value == "1");
        assert!(found.is_some() || !is_gate, "{test}: there is no `chromium` on PATH");
        if found.is_none() {
            // Past the harness's capture: a part that was not run is said aloud.
            let _ = writeln!(
                std::io::stderr(),
                "browser test skipped: {test}: there is no `chromium` on PATH"
            );
        }
        found.map(|program| Self { program })
    }

    /// The document of a page after its script has run; `fragment` stands behind its address.
    ///
    /// # Panics
    /// The browser does not end well.
    pub fn document(&self, page: &Path, fragment: &str) -> String {
        let profile = page.with_extension("profile");
        let output = Command::new(&self.program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--virtual-time-budget=20000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(format!("file://{}#{fragment}", page.display()))
            .stdin(Stdio::null())
            .output()
            .expect("the browser starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
