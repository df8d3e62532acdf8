//! Writing a page that was asked for with `--html`.

use std::path::Path;

use crate::context::Context;
use crate::error::Error;
use crate::ops::files;
use crate::render::{Output, bytes};

/// Writes it, from where the call was made; with `--dry-run` says what would be written.
pub(super) fn write(
    context: &Context,
    out: &mut Output,
    file: &Path,
    text: &str,
) -> Result<(), Error> {
    let size = bytes(text.len() as u64);
    if context.settings.dry_run {
        out.say(&format!("would write `{}` ({size})", file.display()));
        return Ok(());
    }
    files::replace(&context.cwd.join(file), text)?;
    out.say(&format!("wrote `{}` ({size})", file.display()));
    Ok(())
}
