//! requirements.txt with hashes, as pip reads it (with or without `--require-hashes`: one hash in
//! the file makes pip ask for all).
//!
//! The general index is not named: pip finds it as it always does. Where a package is bound to an
//! index of AMD or PyTorch, that one is named beside it; the hash keeps a file of the same name
//! on another index out.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::ExportError;
use super::subject::{IndexAddress, Subject};

/// The text.
pub(super) fn text(subject: &Subject) -> Result<String, ExportError> {
    let packages = subject.python()?;
    let mut text = format!(
        "# Written by `rocmenv export requirements` from rocm.lock ({}).\n\
         # pip install --no-deps -r requirements.txt\n",
        subject.title()
    );
    if let Some(folder) = &subject.options.wheels {
        let _ = writeln!(text, "--no-index\n--find-links {folder}");
    } else {
        let addresses: BTreeSet<IndexAddress> =
            packages.iter().map(|(artifact, _)| subject.address(&artifact.index)).collect();
        for address in addresses {
            let _ = match address {
                IndexAddress::Simple(url) => writeln!(text, "--extra-index-url {url}"),
                IndexAddress::Links(url) => writeln!(text, "--find-links {url}"),
                IndexAddress::Configured => Ok(()),
            };
        }
    }
    for (artifact, sha256) in packages {
        let (name, version) = (&artifact.name, &artifact.version);
        let _ = writeln!(text, "{name}=={version} \\\n    --hash=sha256:{sha256}");
    }
    Ok(text)
}
