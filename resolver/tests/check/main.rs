//! `check` answers from the registry alone; whole answers as text.

mod answers;
mod old_guides;
mod said;
