//! Generations: complete, immutable environments of a project, numbered from 1, of which one is
//! current.
//!
//! A generation is built at its final path under a `building` marker. It becomes visible when the
//! small file `current` is replaced by one rename, after everything was made durable. A crash at
//! any instant leaves the old state or the new one; what a dead process left half built is
//! removed by the next one that changes the environment.

mod error;
mod live;
mod new;
mod read;
mod retention;
mod root;
mod venv_link;
mod writer;

pub use error::GenerationError;
pub use live::generations_in_use;
pub use new::{NewGeneration, Request};
pub use read::{Listed, current, damaged, is_pinned, is_settled, list, moved_from, previous, read};
pub use retention::{Keep, removable};
pub use root::Root;
pub use venv_link::{VenvLink, point_venv_at};
pub use writer::EnvWriter;
