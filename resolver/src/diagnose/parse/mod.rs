//! Reads outputs of tools and logs that somebody hands in, by their content and not by their
//! names: a text may hold several of them, whole or in part.
//!
//! Every parser takes a text and says what it found as [`Facts`] with everything else unknown;
//! `merge` puts them together so that the order of texts does not matter.

mod environment;
mod hip;
mod kernel;
mod lines;
mod merge;
mod packages;
mod pci;
mod pcie;
mod rpm;
mod signals;
mod smi;
mod torch;
mod windows;

use super::facts::{Facts, Message};
use crate::host::lookup::ProductLookup;

pub(super) use merge::merge;

/// What one text says.
pub fn parse(text: &str, products: &dyn ProductLookup) -> Facts {
    let text = text.replace('\r', "");
    let mut found = Facts::default();
    kernel::parse(&text, &mut found, products);
    pci::parse(&text, &mut found, products);
    pcie::parse(&text, &mut found);
    lines::parse(&text, &mut found);
    environment::parse(&text, &mut found);
    packages::parse(&text, &mut found);
    rpm::parse(&text, &mut found);
    torch::parse(&text, &mut found);
    hip::parse(&text, &mut found, products);
    smi::parse(&text, &mut found, products);
    windows::parse(&text, &mut found, products);
    // last: it adds to the GPUs that the others found
    kernel::firmware(&text, &mut found);
    messages(&text, &mut found);
    found
}

/// Recognised lines, and those that look like a failure and are not recognised. A line that is
/// the title or the quote of a rule's own output is none.
fn messages(text: &str, found: &mut Facts) {
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() || line.len() > LONGEST {
            continue;
        }
        if let Some(signal) = signals::recognise(line) {
            found.around.messages.insert(Message { signal, line: line.to_owned() });
        } else if signals::looks_failed(line) {
            found.around.unmatched.insert(line.to_owned());
        }
    }
}

/// A longer line is a dump, no message.
const LONGEST: usize = 2000;

pub(super) use packages::{is_rocm_package, normalized};
