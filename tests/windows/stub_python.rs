//! Stands for `python.exe` where no Windows and no CPython for it are at hand.
//!
//! It is no interpreter. It answers the question that rocmenv puts to interpreters, writes files
//! where the bytecode compiler would, starts its base from a virtual environment as CPython's
//! launchers do (PEP 405), and does the few statements that the tests are written in:
//!
//! ```text
//! import NAME                  fails where the environment has no such module
//! print(NAME.__version__)      what the module's source says
//! print('TEXT')                the text
//! print(argv)                  the arguments, one a line
//! exit(N)                      ends with the code N
//! hold('PATH')                 has the file open as a loaded library is, until the input ends
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program with an output")]
#![expect(clippy::exit, reason = "codes of more than eight bits are what is tested")]
#![expect(clippy::disallowed_methods, reason = "std only: it reads files and variables itself")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let program = env::current_exe()?;
    let folder = program.parent().unwrap_or(Path::new("")).to_owned();
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let Some(home) = base(&folder) {
        // What CPython's launchers tell their base.
        let mut command = Command::new(home.join("python.exe"));
        let status = command.args(&arguments).env(LAUNCHER, &program).status()?;
        std::process::exit(status.code().unwrap_or(1));
    }
    let environment = env::var_os(LAUNCHER).map(PathBuf::from);
    let modules = environment.as_deref().and_then(Path::parent).and_then(Path::parent);
    let modules = modules.unwrap_or(&folder).join("Lib").join("site-packages");
    let mut words = arguments.iter().map(String::as_str);
    loop {
        match words.next() {
            Some("-c") => {
                let code = words.next().unwrap_or_default().to_owned();
                return run_text(&folder, &modules, &code);
            }
            Some("-W") => drop(words.next()),
            Some(flag) if flag.starts_with('-') => {}
            Some(script) => {
                let rest: Vec<&str> = words.collect();
                return run_script(&modules, Path::new(script), &rest);
            }
            None => return Ok(()),
        }
    }
}

/// The folder of the base, for a program in a virtual environment.
fn base(folder: &Path) -> Option<PathBuf> {
    let settings = fs::read_to_string(folder.parent()?.join("pyvenv.cfg")).ok()?;
    let home = settings.lines().find_map(|line| line.strip_prefix("home = "))?;
    Some(PathBuf::from(home.trim()))
}

fn run_text(folder: &Path, modules: &Path, code: &str) -> io::Result<()> {
    if code.contains("rocmenv-interpreter 1") {
        let version = fs::read_to_string(folder.join("version.txt"));
        let version = version.unwrap_or_else(|_| "3.12.7".to_owned());
        println!("rocmenv-interpreter 1\n{}\ncpython\nFalse\n{}", version.trim(), folder.display());
        return Ok(());
    }
    if code.contains("_code_to_hash_pyc") {
        return write_bytecode();
    }
    run(modules, code.split([';', '\n']), &[])
}

/// The names come in pairs of source and result, each ended by a NUL.
fn write_bytecode() -> io::Result<()> {
    let names = io::read_to_string(io::stdin())?;
    let names: Vec<&str> = names.split('\0').filter(|name| !name.is_empty()).collect();
    for pair in names.chunks_exact(2) {
        let result = Path::new(pair[1]);
        fs::create_dir_all(result.parent().unwrap_or(Path::new("")))?;
        fs::write(result, format!("compiled {} bytes", fs::read(pair[0])?.len()))?;
    }
    Ok(())
}

/// A launcher's script imports one module; that module's statements are run.
fn run_script(modules: &Path, script: &Path, arguments: &[&str]) -> io::Result<()> {
    let text = fs::read_to_string(script)?;
    let imported = text.lines().find_map(|line| line.strip_prefix("from "));
    let Some(name) = imported.and_then(|rest| rest.split_whitespace().next()) else {
        return run(modules, text.lines(), arguments);
    };
    let source = source(modules, name);
    run(modules, source.lines(), arguments)
}

fn run<'t>(
    modules: &Path,
    statements: impl Iterator<Item = &'t str>,
    arguments: &[&str],
) -> io::Result<()> {
    for statement in statements.map(str::trim) {
        let inside =
            |name: &str| statement.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')');
        if let Some(name) = statement.strip_prefix("import ") {
            source(modules, name);
        } else if let Some(code) = inside("exit") {
            std::process::exit(code.parse().unwrap_or(1));
        } else if let Some(what) = inside("print") {
            print(modules, what, arguments);
        } else if let Some(path) = inside("hold") {
            hold(Path::new(path.trim_matches('\'')))?;
        }
    }
    Ok(())
}

fn print(modules: &Path, what: &str, arguments: &[&str]) {
    match what.split_once('.') {
        _ if what == "argv" => println!("{}", arguments.join("\n")),
        Some((name, "__version__")) => {
            let source = source(modules, name);
            let version = source.lines().find_map(|line| line.strip_prefix("__version__ = "));
            println!("{}", version.unwrap_or_default().trim_matches(['\'', '"']));
        }
        _ => println!("{}", what.trim_matches('\'')),
    }
}

/// The source of a module; without one this process ends as Python would.
fn source(modules: &Path, name: &str) -> String {
    let folder = modules.join(name.replace('.', "/"));
    let text = fs::read_to_string(folder.join("__init__.py"))
        .or_else(|_| fs::read_to_string(folder.with_extension("py")));
    text.unwrap_or_else(|_| {
        eprintln!("ModuleNotFoundError: No module named '{name}'");
        std::process::exit(1)
    })
}

/// Nobody may write, rename or remove the file meanwhile.
fn hold(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(windows)]
    {
        const SHARED_FOR_READING: u32 = 1;
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, SHARED_FOR_READING);
    }
    let file = options.open(path)?;
    println!("holding");
    io::read_to_string(io::stdin())?;
    drop(file);
    Ok(())
}

const LAUNCHER: &str = "__PYVENV_LAUNCHER__";
