//! Debian's words: versions, relations, package lists.

/// The packages of an apt repository, by name.
#[derive(Debug, Clone, Default)]
pub struct DebIndex;
