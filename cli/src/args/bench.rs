//! Words of `bench`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `bench`.
#[derive(Debug, Clone, Args)]
pub struct BenchArgs {
    /// What to do
    #[command(subcommand)]
    pub action: BenchAction,
}

/// Actions of `bench`.
#[derive(Debug, Clone, Subcommand)]
pub enum BenchAction {
    /// Time copies between host and device and within a device
    Memory(MeasureArgs),
    /// Time all_reduce, all_gather, reduce_scatter and broadcast over all GPUs
    Collectives(MeasureArgs),
    /// Time matrix products by number type
    Matmul(MeasureArgs),
    /// Keep what a log of rccl-tests, TransferBench, rocm_bandwidth_test or vLLM says
    Import {
        /// The log
        file: PathBuf,

        /// The collective, where the log does not name it (`all_reduce`)
        #[arg(long, value_name = "NAME")]
        operation: Option<String>,

        /// A name to compare by later
        #[arg(long, value_name = "NAME")]
        label: Option<String>,
    },
    /// Say whether a second set of runs is slower than a first; exit 1 if so
    Compare {
        /// A generation's number, a label, or a file of kept runs
        first: String,

        /// The same
        second: String,

        /// Times within this many percent are called the same
        #[arg(long, value_name = "PERCENT", default_value_t = 2.0)]
        tolerance: f64,
    },
    /// List the kept runs
    List,
}

/// A measurement.
#[derive(Debug, Clone, Args)]
pub struct MeasureArgs {
    /// How often the measuring program is started; `compare` needs five
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    pub runs: usize,

    /// A name to compare by later
    #[arg(long, value_name = "NAME")]
    pub label: Option<String>,

    /// Sizes, with commas between them: bytes, or edges of a matrix
    #[arg(long, value_name = "SIZES")]
    pub sizes: Option<String>,

    /// Samples of each size in a run
    #[arg(long, value_name = "COUNT")]
    pub samples: Option<u32>,

    /// Draw a picture of rate over size into this file (SVG)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Write a page with table and picture that needs no network (HTML)
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

impl MeasureArgs {
    /// What the measuring program is told.
    pub fn arguments(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(sizes) = &self.sizes {
            words.extend(["--sizes".to_owned(), sizes.clone()]);
        }
        if let Some(samples) = self.samples {
            words.extend(["--samples".to_owned(), samples.to_string()]);
        }
        words
    }
}
