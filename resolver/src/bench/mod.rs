//! What measurements mean: one shape for the programs that rocmenv brings and for the logs of
//! other tools, medians and spread, published peaks, and the gate that says whether something
//! became slower.
//!
//! Nothing here measures. A figure is what a program or a log said; a peak is what a document
//! says, and is never put in place of a figure.

mod compare;
mod document;
pub mod logs;
mod measurement;
mod peaks;
mod statistics;

pub use compare::{Comparison, Judgement, OperationComparison, Tolerance, compare};
pub use document::{DocumentError, read};
pub use measurement::{Bench, Measurement, Rate, Row, Software};
pub use peaks::{Published, published};
pub use statistics::{Interval, Spread, median, shift, spread};
