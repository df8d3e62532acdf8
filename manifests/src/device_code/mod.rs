//! What a native file holds for GPUs and what it needs to load: words, without a byte read.
//!
//! The store reads files into these types, the resolver decides with them what covers a GPU.

mod facts;
mod generic;
mod isa;

pub use facts::{
    Archive, ArchiveReference, BundleSet, Fault, FileKind, Library, Linking, NamedData, NativeFile,
    ObjectFacts, VersionNeed,
};
pub use generic::Generic;
pub use isa::{Features, Isa, IsaError, NamedTarget, Processor};
