//! The network side of the store against servers that behave as real ones do, also badly.

#![expect(
    clippy::print_stderr,
    clippy::format_push_string,
    clippy::disallowed_methods,
    reason = "a test says what it saw, need not be fast, and reads the real machine where asked"
)]

mod apt;
mod catalog;
mod connections;
mod discover;
mod download;
mod metadata;
mod online;
mod pages;
mod support;
