//! Embeds docs/codes/*.md, sorted by name, as the table of `rocmenv explain`.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its own folder and the variables that cargo sets"
)]

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../docs/codes");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
    files.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()));
    let mut table =
        String::from("/// All pages, sorted by code.\npub static PAGES: &[Page] = &[\n");
    for file in &files {
        let code = file.file_stem().ok_or("a page without a name")?;
        let file = file.to_str().ok_or("a path that is not text")?;
        let code = code.to_str().ok_or("a name that is not text")?;
        writeln!(table, "    Page {{ code: {code:?}, text: include_str!({file:?}) }},")?;
    }
    table.push_str("];\n");
    std::fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("codes.rs"), table)?;
    Ok(())
}
