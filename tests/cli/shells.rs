//! Completions in the real shells, where they are installed.

use rocmenv_tests::Sandbox;

use crate::rocmenv;

#[test]
fn completions_load_in_the_real_shells() {
    let sandbox = Sandbox::new();
    let checks = [
        ("bash", "source ./script && complete -p rocmenv"),
        ("zsh", "autoload -U compinit && compinit -u -D && source ./script && which _rocmenv"),
        ("fish", "source ./script && complete -C 'rocmenv exp'"),
    ];
    for (shell, check) in checks {
        let script = rocmenv(&sandbox, &format!("completions {shell}")).stdout;
        assert!(script.contains("rocmenv"), "{shell}");
        sandbox.write("script", script);
        if !is_installed(shell) {
            continue;
        }
        let output = sandbox.command(shell).args(["-c", check]).run();
        assert!(output.code == 0 && !output.stdout.is_empty(), "{shell}: {}", output.snapshot());
    }
    let powershell = rocmenv(&sandbox, "completions powershell").stdout;
    assert!(powershell.contains("Register-ArgumentCompleter"));
}

/// Whether the machine has this shell; what it lacks is tested where it is there.
pub(crate) fn is_installed(shell: &str) -> bool {
    ["/bin", "/usr/bin", "/usr/local/bin"]
        .iter()
        .any(|folder| std::path::Path::new(folder).join(shell).exists())
}
