//! `check` answers from the registry alone; whole answers as text.

mod answers;
mod cells;
mod old_guides;
mod said;
