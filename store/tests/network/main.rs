//! The network side of the store against servers that behave as real ones do, also badly.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on ends")]

mod apt;
mod catalog;
mod connections;
mod discover;
mod download;
mod metadata;
mod online;
mod pages;
mod support;
