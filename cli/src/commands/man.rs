//! `man`: the manual page, or one page per command in a folder.

use std::path::{Path, PathBuf};

use crate::context::Context;
use crate::error::{Error, Exit, Failure, OutputError};
use crate::render::Output;

/// Prints the page of rocmenv, or writes all pages.
pub fn run(context: &Context, out: &mut Output, folder: Option<&Path>) -> Result<Exit, Error> {
    let command = crate::args::command();
    let Some(folder) = folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).map_err(OutputError::from)?;
        out.data(&String::from_utf8_lossy(&page))?;
        return Ok(Exit::Done);
    };
    let folder = context.cwd.join(folder);
    write_all(command, &folder).map_err(|source| CannotWrite { folder: folder.clone(), source })?;
    out.say(&format!("wrote the manual to `{}`", folder.display()));
    Ok(Exit::Done)
}

fn write_all(command: clap::Command, folder: &Path) -> std::io::Result<()> {
    fs_err::create_dir_all(folder)?;
    clap_mangen::generate_to(command, folder)
}

#[derive(Debug, thiserror::Error)]
#[error("cannot write the manual to `{}`", folder.display())]
struct CannotWrite {
    folder: PathBuf,
    source: std::io::Error,
}

impl Failure for CannotWrite {
    fn exit(&self) -> Exit {
        Exit::Unmet
    }

    fn help(&self) -> Option<String> {
        Some("rocmenv man --directory ./man".to_owned())
    }
}
