//! `add --from-env`: what somebody put into the environment becomes lines of rocm.toml.
//!
//! Only what was asked for by name is written, in the version that is there; what came along is
//! the solve's to choose.

use rocmenv_manifests::name::GroupName;

use super::document::ManifestText;
use super::place::{Place, StackNames, table};
use super::request::Request;
use super::{EditError, EditOutcome, write};
use crate::context::Context;
use crate::ops::place;
use crate::ops::project::Opened;
use crate::ops::taken::{self, Foreign};

pub(super) fn take_over(
    context: &Context,
    opened: &Opened,
    names: &StackNames,
    group: Option<&GroupName>,
) -> Result<EditOutcome, EditError> {
    let here = place::Place::find(context)?;
    let (generation, layout) = here.current()?;
    let mut text = ManifestText::new(&opened.text).map_err(|_| EditError::NotEditable)?;
    let (mut changes, mut left_out) = (Vec::new(), Vec::new());
    for package in taken::foreign(&generation, &layout) {
        if let Some(why) = why_not(&package, names) {
            left_out.push((package.name, why));
            continue;
        }
        // A build's own mark (`+cpu`) is of its index, not a wish.
        let version = package.version.split('+').next().unwrap_or_default();
        let request: Request = format!("{}=={version}", package.name).parse()?;
        let unknown = || EditError::NoName { name: package.name.clone() };
        let path = Place::Package(package.name.parse().map_err(|_| unknown())?);
        changes.push(text.require(&table(&path, &here.env, group), &package.name, &request, None));
    }
    let written = write(context, opened, &text.text())?;
    Ok(EditOutcome { changes, slips: Vec::new(), left_out, written })
}

fn why_not(package: &Foreign, names: &StackNames) -> Option<String> {
    if !package.is_asked {
        return Some("it came along with another package; the lock chooses it".to_owned());
    }
    if let Some(from) = &package.direct {
        return Some(format!("it came from `{from}`, which no index serves"));
    }
    match names.place(&package.name) {
        Some(Place::Stack(key)) => Some(format!(
            "it stands in for the framework `{key}`; `rocmenv sync --discard` brings the locked one back"
        )),
        _ => None,
    }
}
