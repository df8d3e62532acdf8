//! The network side of the store against servers that behave as real ones do, also badly.

#![expect(
    clippy::print_stderr,
    clippy::format_push_string,
    reason = "a test says what it saw, and need not be fast"
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
