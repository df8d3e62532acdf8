//! `init`: asks at a terminal what no flag said, then makes the project.

use dialoguer::{Input, Select};
use rocmenv_manifests::registry::Registry;

use crate::context::Context;
use crate::error::{Error, Exit, OutputError};
use crate::ops;
use crate::ops::init::{InitOptions, TargetDraft};
use crate::render::{Output, table};
use crate::settings::Questions;

/// Makes a project and says what to do next.
pub fn run(context: &Context, out: &mut Output, options: InitOptions) -> Result<Exit, Error> {
    let registry = ops::registry::load(context)?;
    let asks = context.settings.questions == Questions::Asked && says_nothing(&options);
    let options = if asks { ask(&registry, options).map_err(OutputError::from)? } else { options };
    let outcome = ops::init::init(context, &registry, &options)?;
    if context.settings.json {
        out.json(&serde_json::json!({
            "manifest": outcome.root.manifest(),
            "written": outcome.written,
            "chosen": outcome.chosen,
            "text": outcome.text,
            "files": outcome.files,
        }))?;
        return Ok(Exit::Done);
    }
    if outcome.written {
        out.say(&format!("made `{}`", outcome.root.manifest().display()));
    } else {
        out.data(&outcome.text)?;
    }
    for chosen in &outcome.chosen {
        out.say(&format!("chosen for you: {chosen}"));
    }
    if outcome.written {
        for file in &outcome.files {
            out.say(&format!("made `{file}`"));
        }
        let there = outcome.root.folder();
        let change = if there == context.cwd {
            String::new()
        } else {
            let shown = there.strip_prefix(&context.cwd).unwrap_or(there);
            format!("cd \"{}\" && ", shown.display())
        };
        out.say(&format!("next: {change}rocmenv lock && rocmenv sync"));
        if let Some(run) = &outcome.run {
            out.say(&format!("then: {run}"));
        }
    }
    Ok(Exit::Done)
}

/// `init --list-templates`.
pub fn list_templates(context: &Context, out: &mut Output) -> Result<Exit, Error> {
    let all = &ops::init::TEMPLATES;
    if context.settings.json {
        let rows: Vec<_> = all
            .iter()
            .map(|one| serde_json::json!({ "name": one.name, "title": one.title, "frameworks": one.frameworks }))
            .collect();
        out.json(&rows)?;
        return Ok(Exit::Done);
    }
    let rows: Vec<Vec<String>> = all
        .iter()
        .map(|one| vec![one.name.to_owned(), one.frameworks.join(" "), one.title.to_owned()])
        .collect();
    out.data(&table(&["template", "framework", "what it is"], &rows))?;
    Ok(Exit::Done)
}

fn says_nothing(options: &InitOptions) -> bool {
    let bare = InitOptions {
        folder: options.folder.clone(),
        name: options.name.clone(),
        ..InitOptions::default()
    };
    *options == bare
}

/// What for, which framework, for which machine; each with a default that Enter takes.
fn ask(registry: &Registry, mut options: InitOptions) -> std::io::Result<InitOptions> {
    let purposes = ["train or run models", "write HIP code", "Python packages alone"];
    match select("What is it for?", &purposes)? {
        0 => {
            let rows = &registry.frameworks().framework;
            let titles: Vec<&str> = rows.iter().map(|row| row.title.as_str()).collect();
            let chosen = select("Which framework?", &titles)?;
            options.frameworks.extend(rows.get(chosen).map(|row| row.name.clone()));
        }
        1 => {
            let wanted = ["runtime", "smi", "hip-dev"];
            options.components = wanted.iter().filter_map(|name| name.parse().ok()).collect();
        }
        _ => {}
    }
    let packages: String = line("Python packages, with commas between them (none)")?;
    let named = packages.split(',').map(str::trim).filter(|name| !name.is_empty());
    options.packages.extend(named.map(str::to_owned));
    if options.frameworks.is_empty() && options.components.is_empty() && options.packages.is_empty()
    {
        // Something has to be asked for, or the defaults would bring a framework.
        options.python = "3.12".parse().ok();
        options.packages.push("numpy".to_owned());
    }
    let machines = ["this machine", "another one, which I describe"];
    if select("For which machine?", &machines)? == 1 {
        options.target = Some(TargetDraft {
            os: some(&line("Its system (ubuntu-24.04, windows-11-25H2)")?),
            gpus: some(&line("Its GPU (MI300X, RX 7900 XTX, gfx1100)")?).into_iter().collect(),
            driver: some(&line("Its driver (31.50.0, in-tree)")?),
            rocm: some(&line("The ROCm that it has already (none)")?),
        });
    }
    Ok(options)
}

fn select(question: &str, answers: &[&str]) -> std::io::Result<usize> {
    let select = Select::new().with_prompt(question).items(answers).default(0);
    select.interact().map_err(io_error)
}

fn line(question: &str) -> std::io::Result<String> {
    Input::new().with_prompt(question).allow_empty(true).interact_text().map_err(io_error)
}

fn some(text: &str) -> Option<String> {
    (!text.trim().is_empty()).then(|| text.trim().to_owned())
}

fn io_error(error: dialoguer::Error) -> std::io::Error {
    let dialoguer::Error::IO(error) = error;
    error
}
