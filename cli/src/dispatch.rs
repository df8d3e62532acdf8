//! From the words of a call to its exit: reads them, builds the context, calls one command.

use clap::{CommandFactory as _, FromArgMatches as _};

use rocmenv_resolver::host::sysroot::Answers;

use crate::args::{CacheAction, Cli, Command, GenerationsAction, ShimsAction, TargetAction};
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
    let (program, cwd, now) = (process.program, process.cwd, process.now);
    let answers = Answers::default();
    let context = Context { settings, environment, program, cwd, now, reporter, answers };
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
        Command::Init(args) if args.list_templates => commands::init::list_templates(context, out),
        Command::Init(args) => commands::init::run(context, out, (*args).into()),
        Command::Quickstart(args) => commands::quickstart::run(context, out, args.folder),
        Command::Add(args) => commands::edit::add(context, out, &args.into()),
        Command::Remove(args) => commands::edit::remove(context, out, &args.into()),
        Command::Lock(mut args) => match (args.action.take(), args.fix) {
            (Some(action), _) => commands::lock::difference(context, out, &action.into()),
            (None, Some(number)) => commands::lock::fix(context, out, &args.into(), number),
            (None, None) => commands::lock::run(context, out, &args.into()),
        },
        Command::Target(args) => match args.action {
            TargetAction::Add { name } => commands::target::add(context, out, name),
            TargetAction::List => commands::target::list(context, out),
            TargetAction::Remove { name } => commands::target::remove(context, out, &name),
        },
        Command::Outdated(args) => commands::outdated::run(context, out, &args.into()),
        Command::Upgrade(args) => commands::upgrade::run(context, out, &(*args).into()),
        Command::Bisect(args) => commands::bisect::run(context, out, &args.into()),
        Command::Sync(args) => commands::sync::run(context, out, &args.into()),
        Command::Fetch(args) => commands::fetch::run(context, out, &args.into()),
        Command::Check(args) => commands::check::run(context, out, &args.into()),
        Command::Run(args) => {
            commands::run::run(context, out, &args.command, args.sync, &args.groups.group)
        }
        Command::Shell(args) => commands::run::shell(context, out, &args.group),
        Command::Activate(args) => {
            commands::activate::run(context, out, args.shell, &args.groups.group)
        }
        Command::Verify(args) => commands::verify::run(context, out, &args),
        Command::Bench(args) => commands::bench::run(context, out, &args.action),
        Command::Profile(args) => {
            let html = args.html.clone();
            commands::profile::run(context, out, &args.into(), html.as_deref())
        }
        Command::Tune(args) => commands::tune::run(context, out, &args),
        Command::Prove(args) => commands::prove::run(context, out, &args.into()),
        Command::Generations(args) => match args.action.unwrap_or(GenerationsAction::List) {
            GenerationsAction::List => commands::generations::list(context, out),
            GenerationsAction::Diff { from, to } => {
                commands::generations::difference(context, out, from, to)
            }
            GenerationsAction::Pin { number } => {
                commands::generations::pin(context, out, number, true)
            }
            GenerationsAction::Unpin { number } => {
                commands::generations::pin(context, out, number, false)
            }
        },
        Command::Rollback(args) => commands::generations::rollback(context, out, &args.into()),
        Command::Cache(args) => match args.action {
            CacheAction::Dir => commands::storage::dir(context, out),
            CacheAction::Size => commands::storage::size(context, out),
            CacheAction::Clean => commands::storage::clean(context, out),
        },
        Command::Gc(args) => commands::storage::gc(context, out, &args.into()),
        Command::Status(args) => commands::status::run(context, out, &args.group),
        Command::List(args) => commands::locked::list(context, out, &args.group),
        Command::Info(args) => commands::locked::info(context, out, &args.name),
        Command::Tree(args) => {
            let shown = commands::locked::Shown { invert: args.invert, depth: args.depth };
            commands::locked::show_tree(
                context,
                out,
                args.name.as_deref(),
                &shown,
                &args.groups.group,
            )
        }
        Command::Why(args) if args.not => commands::why_not::run(context, out, &args.name),
        Command::Why(args) => commands::locked::why(context, out, &args.name),
        Command::Import(args) => commands::import::run(context, out, &args.into()),
        Command::Export(args) => commands::export::run(context, out, &args.into()),
        Command::Graph(args) => {
            commands::graph::run(context, out, args.name.as_deref(), args.format.into())
        }
        Command::Host(args) => commands::host::run(context, out, &args.into()),
        Command::Doctor(args) => commands::doctor::run(context, out, &(*args).into()),
        Command::Python(args) => commands::python::list(context, out, &args.action.into()),
        Command::Shims(args) => match args.action {
            ShimsAction::Install { names } => commands::shims::install(context, out, &names),
            ShimsAction::UpdateShell { undo } => commands::shims::update_shell(context, out, undo),
            ShimsAction::List => commands::shims::list(context, out),
            ShimsAction::Remove { names } => commands::shims::remove(context, out, &names),
        },
        Command::Trust(args) => commands::trust::run(context, out, args.show, args.revoke),
        Command::Matrix(args) => commands::matrix::run(context, out, &args.into()),
        Command::Registry(args) => match (args.add, args.renovate) {
            (Some(file), _) => commands::registry::add(context, out, &file, args.user),
            (None, Some(name)) => commands::registry::renovate(context, out, &name),
            (None, None) => commands::registry::show(context, out),
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
