//! Who signed it: OpenPGP signatures of repositories, checked against named keys only.
//!
//! Keys come from the place that a sources entry names, or from a fingerprint that the user
//! confirmed; never from the server that is being checked.

mod keyring;
mod message;

pub use keyring::{KeyName, Keys, KeysError};
pub use message::{SignError, Signed, verify};

#[cfg(test)]
mod tests;
