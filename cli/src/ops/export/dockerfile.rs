//! A Dockerfile of two stages: the first makes the environment, the second has it and no store.
//!
//! No GPU is needed to build: the target is named, so that what the building machine lacks of it
//! is a warning.

use std::fmt::Write as _;

use super::recipe::{DATA, Recipe, interpreters};
use super::subject::Subject;
use super::{ExportError, base_image};

/// The text.
pub(super) fn text(subject: &Subject) -> Result<String, ExportError> {
    let base = base_image::of(subject, "dockerfile")?;
    let recipe = Recipe::of(subject, FOLDER);
    let mut text = format!(
        "# Written by `rocmenv export dockerfile` from rocm.lock ({title}).\n\
         # Build it in the project's folder, without a GPU. `.dockerignore` holds .rocmenv and .venv.\n\
         #   cp \"$(command -v rocmenv)\" \"$(command -v rocmenv-shim)\" .\n\
         #   docker build -t {name} .\n\
         # An index of your own: --secret id=pip.conf,src=$HOME/.config/pip/pip.conf\n\
         # Run it on a machine with the GPU:\n\
         #   docker run --device=/dev/kfd --device=/dev/dri --security-opt seccomp=unconfined \\\n\
         #     --group-add video --ipc=host {name} python -V\n\
         ARG BASE={base}\n\n\
         FROM ${{BASE}} AS build\n",
        title = subject.title(),
        name = image_name(&subject.project.name),
    );
    if let Some(line) = base_image::preparation(&base, &recipe.packages) {
        let _ = writeln!(text, "RUN {line}");
    }
    let _ = writeln!(text, "COPY rocmenv rocmenv-shim /usr/local/bin/");
    let _ = writeln!(text, "WORKDIR {FOLDER}");
    for (files, place) in copies(&recipe.sources) {
        let _ = writeln!(text, "COPY {files} {place}");
    }
    let _ = writeln!(
        text,
        "RUN --mount=type=cache,target=/var/cache/rocmenv \\\n    \
         --mount=type=secret,id=pip.conf,target=/etc/pip.conf \\\n    \
         ROCMENV_DATA={DATA} ROCMENV_CACHE=/var/cache/rocmenv {}",
        recipe.sync
    );
    text.push_str("\nFROM ${BASE}\n");
    if let Some(line) =
        base_image::preparation(&base, &recipe.packages).filter(|_| !recipe.packages.is_empty())
    {
        let _ = writeln!(text, "RUN {line}");
    }
    text.push_str("COPY --from=build /usr/local/bin/rocmenv /usr/local/bin/rocmenv\n");
    let interpreters = interpreters();
    let _ = writeln!(text, "COPY --from=build {interpreters} {interpreters}");
    let _ = writeln!(text, "COPY --from=build {FOLDER} {FOLDER}");
    let _ = writeln!(text, "WORKDIR {FOLDER}");
    let words: Vec<String> = recipe.run.iter().map(|word| format!("\"{word}\"")).collect();
    let _ = writeln!(text, "ENTRYPOINT [{}]", words.join(", "));
    let _ = writeln!(text, "CMD [\"python\"]");
    Ok(text)
}

/// Files go into the folder together, folders each to its own place.
fn copies(sources: &[String]) -> Vec<(String, String)> {
    if sources == ["."] {
        return vec![(".".to_owned(), "./".to_owned())];
    }
    let (files, folders) = sources.split_at(2);
    let mut copies = vec![(files.join(" "), "./".to_owned())];
    copies.extend(folders.iter().map(|folder| (folder.clone(), folder.clone())));
    copies
}

/// A project's name as images may be called.
pub(super) fn image_name(name: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = name.chars().map(allowed).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "project".to_owned() } else { name.to_owned() }
}

const FOLDER: &str = "/app";
