//! The conformance tables of peers, row by row: every row passes or stands under a rule that
//! says why it does not apply to us.

mod debian;
mod pep440;
mod pep508;
mod properties;
mod semver;
mod table;
mod wheels;
