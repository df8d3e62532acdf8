//! What each verb does: options in, outcome out, and nothing printed.

pub mod edit;
pub mod files;
pub mod init;
pub mod matrix;
pub mod project;
pub mod registry;
pub mod world;
