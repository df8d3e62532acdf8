//! A definition file of Apptainer, with the same two stages as the Dockerfile.

use std::fmt::Write as _;

use super::dockerfile::image_name;
use super::recipe::{DATA, Recipe, interpreters};
use super::subject::Subject;
use super::{ExportError, base_image};

/// The text.
pub(super) fn text(subject: &Subject) -> Result<String, ExportError> {
    let base = base_image::of(subject, "apptainer")?;
    let recipe = Recipe::of(subject, FOLDER);
    let name = image_name(&subject.project.name);
    let agent = if base_image::is_local(&base) { "localimage" } else { "docker" };
    let mut text = format!(
        "# Written by `rocmenv export apptainer` from rocm.lock ({title}).\n\
         # Build it in the project's folder, without a GPU:\n\
         #   cp \"$(command -v rocmenv)\" \"$(command -v rocmenv-shim)\" .\n\
         #   apptainer build {name}.sif {name}.def\n\
         # Run it on a machine with the GPU: apptainer run --rocm {name}.sif python -V\n\
         Bootstrap: {agent}\nFrom: {base}\nStage: build\n\n%files\n    \
         rocmenv /usr/local/bin/rocmenv\n    rocmenv-shim /usr/local/bin/rocmenv-shim\n",
        title = subject.title(),
    );
    for source in &recipe.sources {
        let _ = match source.as_str() {
            "." => writeln!(text, "    . {FOLDER}"),
            file => writeln!(text, "    {file} {FOLDER}/{file}"),
        };
    }
    let interpreters = interpreters();
    text.push_str("\n%post\n");
    let preparation = base_image::preparation(&base, &recipe.packages);
    if let Some(line) = &preparation {
        let _ = writeln!(text, "    {line}");
    }
    let _ = writeln!(
        text,
        "    export ROCMENV_DATA={DATA} ROCMENV_CACHE=/tmp/rocmenv-cache\n    \
         cd {FOLDER} && {}\n    rm -rf /tmp/rocmenv-cache\n\n\
         Bootstrap: {agent}\nFrom: {base}\nStage: final\n\n%files from build\n    \
         /usr/local/bin/rocmenv\n    {interpreters}\n    {FOLDER}\n",
        recipe.sync
    );
    if let Some(line) = preparation.filter(|_| !recipe.packages.is_empty()) {
        let _ = writeln!(text, "%post\n    {line}\n");
    }
    let _ = writeln!(text, "%runscript\n    exec {} \"$@\"", recipe.run.join(" "));
    Ok(text)
}

const FOLDER: &str = "/opt/project";
