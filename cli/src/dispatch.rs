//! From the words of a call to its exit: reads them, builds the context, calls one command.

use clap::{CommandFactory as _, FromArgMatches as _};

use crate::args::{Cli, Command};
use crate::commands;
use crate::context::Context;
use crate::error::{Error, Exit};
use crate::process::Process;
use crate::render::{Output, Style};
use crate::settings::Settings;
use crate::variables::Environment;

/// Runs one call from its words to its exit code. Never exits the process itself.
pub fn run(mut process: Process) -> Exit {
    let cli = match parse(&process) {
        Ok(cli) => cli,
        Err(error) => return usage(&mut process, &error),
    };
    let environment = Environment::new(std::mem::take(&mut process.env));
    let settings = match Settings::new(cli.global, &environment, &process) {
        Ok(settings) => settings,
        Err(error) => {
            let mut out = Output::new(process.stdout, process.stderr, Style::plain());
            return out.failure(&Error::from(error));
        }
    };
    let style = Style::of(&settings);
    let mut out = Output::new(process.stdout, process.stderr, style);
    let reporter = crate::render::reporter(&settings);
    let context = Context { settings, environment, cwd: process.cwd, now: process.now, reporter };
    match execute(&context, &mut out, cli.command) {
        Ok(exit) => exit,
        Err(error) => out.failure(&error),
    }
}

fn parse(process: &Process) -> Result<Cli, clap::Error> {
    let matches = Cli::command().try_get_matches_from(&process.args)?;
    Cli::from_arg_matches(&matches)
}

fn execute(context: &Context, out: &mut Output, command: Command) -> Result<Exit, Error> {
    match command {
        Command::Init(args) => commands::init::run(context, out, (*args).into()),
        Command::Add(args) => commands::edit::add(context, out, &args.into()),
        Command::Remove(args) => commands::edit::remove(context, out, &args.into()),
        Command::Matrix(args) => commands::matrix::run(context, out, &args.into()),
        Command::Registry(args) => match args.add {
            Some(file) => commands::registry::add(context, out, &file, args.user),
            None => commands::registry::show(context, out),
        },
        Command::Schema => commands::schema::run(out),
        Command::Completions(args) => commands::completions::run(out, args.shell),
        Command::Man(args) => commands::man::run(context, out, args.directory.as_deref()),
        Command::Explain(args) => commands::explain::run(context, out, args.code.as_deref()),
    }
}

/// Help and version are data and success; everything else that clap says is a usage error.
fn usage(process: &mut Process, error: &clap::Error) -> Exit {
    let text = error.render().to_string();
    let wants_json = process.args.iter().any(|arg| arg == "--json");
    if !error.use_stderr() {
        let _ = process.stdout.write_all(text.as_bytes());
        return Exit::Done;
    }
    let _ = process.stderr.write_all(text.as_bytes());
    if wants_json {
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let json = serde_json::json!({
            "error": { "code": "usage", "message": message, "causes": [], "exit": 2 }
        });
        let _ = writeln!(process.stdout, "{json:#}");
    }
    Exit::Usage
}
