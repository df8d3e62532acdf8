//! Overlays: what a user or a project adds to the registry.
//!
//! An overlay is one TOML file. Its `[[sources.source]]` are mandatory: every row cites one of
//! them, so that what it adds is always shown as local and never as AMD's word. The other
//! sections are named after the tables (`[drivers]`, `[frameworks]`, ...) and hold rows of their
//! shapes. It adds and never replaces.

use super::tables::{Tables, with_tables};
use super::validate::{Fault, Kind, validate};

/// The text of an overlay and the file that it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlay {
    /// The file, as shown to the user.
    pub file: String,
    /// Its content.
    pub text: String,
}

/// An overlay cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OverlayError {
    /// It is no overlay: the cause says where. A row without `source` is one of these.
    #[error("cannot read the registry overlay `{file}`")]
    Parse {
        /// The file.
        file: String,
        /// What is wrong, with line and column.
        #[source]
        cause: toml_edit::de::Error,
    },
    /// Rows name what does not exist.
    #[error("the registry overlay `{file}` is not consistent: {}", list(faults))]
    Inconsistent {
        /// The file.
        file: String,
        /// The names.
        faults: Vec<Fault>,
    },
    /// It gives a source the key of another one.
    #[error("the registry overlay `{file}` cannot redefine the source `{key}`")]
    SourceTaken {
        /// The file.
        file: String,
        /// The key.
        key: String,
    },
    /// A row cites a source that the overlay does not declare itself.
    #[error("the registry overlay `{file}` cites `{key}`, which is not one of its own sources")]
    ForeignSource {
        /// The file.
        file: String,
        /// The key.
        key: String,
    },
}

/// All overlays as one, checked against the registry that they extend.
pub(super) fn merged(overlays: &[Overlay], base: &Tables) -> Result<Tables, OverlayError> {
    let mut all = Tables::default();
    for overlay in overlays {
        let tables = parse(overlay, base)?;
        append(&mut all, tables);
    }
    Ok(all)
}

fn parse(overlay: &Overlay, base: &Tables) -> Result<Tables, OverlayError> {
    let file = || overlay.file.clone();
    let mut tables: Tables = toml_edit::de::from_str(&overlay.text)
        .map_err(|cause| OverlayError::Parse { file: file(), cause })?;
    for source in &mut tables.sources.source {
        if base.sources.source.iter().any(|known| known.key == source.key) {
            return Err(OverlayError::SourceTaken { file: file(), key: source.key.clone() });
        }
        source.local = Some(overlay.file.clone());
    }
    let mut without_sources = base.clone();
    without_sources.sources.source.clear();
    let is_error = |fault: &Fault| {
        // A release that the registry has never heard of is not known, which is no error.
        !matches!(fault, Fault::Unknown { kind: Kind::Release, .. })
    };
    let mut faults = validate(&tables, Some(&without_sources));
    faults.retain(is_error);
    if let Some(Fault::Unknown { kind: Kind::Source, name, .. }) =
        faults.iter().find(|fault| matches!(fault, Fault::Unknown { kind: Kind::Source, .. }))
    {
        return Err(OverlayError::ForeignSource { file: file(), key: name.clone() });
    }
    if faults.is_empty() {
        Ok(tables)
    } else {
        Err(OverlayError::Inconsistent { file: file(), faults })
    }
}

macro_rules! define_append {
    ($($name:ident: $shape:ident { $($rows:ident),* };)*) => {
        fn append(all: &mut Tables, more: Tables) {
            $($(all.$name.$rows.extend(more.$name.$rows);)*)*
        }
    };
}
with_tables!(define_append);

fn list(faults: &[Fault]) -> String {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    lines.join("; ")
}
