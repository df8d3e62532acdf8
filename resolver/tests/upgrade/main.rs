//! Staged upgrades: named cases as text, history replayed against the tables, and every planned
//! path against an independent exhaustive search.

mod history;
mod named;
mod oracle;
mod said;
mod standing;
mod tables;
mod world;
