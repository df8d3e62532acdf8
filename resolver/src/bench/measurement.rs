//! One run of one measurement.

use serde::{Deserialize, Serialize};

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bench {
    /// Copies between host and device and within a device.
    Memory,
    /// Collective operations over several devices.
    Collectives,
    /// Matrix products by number type.
    Matmul,
    /// A server of language models under load.
    Serving,
}

impl Bench {
    /// Its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Collectives => "collectives",
            Self::Matmul => "matmul",
            Self::Serving => "serving",
        }
    }

    /// The measurement of that name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Memory, Self::Collectives, Self::Matmul, Self::Serving];
        all.into_iter().find(|bench| bench.name() == name)
    }
}

/// What the work of a row is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rate {
    /// Bytes moved.
    Bytes,
    /// Floating-point operations.
    Operations,
    /// Tokens generated.
    Tokens,
    /// Nothing: the time itself is the figure.
    Time,
}

/// One operation at one size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row {
    /// `host-to-device`, `all_reduce`, `bfloat16` ...
    pub operation: String,
    /// Bytes, or the edge of a matrix; 0 where the operation has no size.
    pub size: u64,
    /// What is counted.
    pub rate: Rate,
    /// How much of it one execution does.
    pub work: f64,
    /// What algorithm bandwidth is multiplied with to give bus bandwidth, for collectives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus_factor: Option<f64>,
    /// Seconds of one execution, a value a sample; never empty.
    pub seconds: Vec<f64>,
}

impl Row {
    /// The work a second of the median sample: bytes, operations or tokens a second.
    pub fn per_second(&self) -> f64 {
        self.work / super::median(&self.seconds)
    }
}

/// What it was measured with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Software {
    /// The program: `rocmenv`, or the tool whose log was read.
    pub tool: String,
    /// The device's name, as the framework or the log gives it.
    pub device: Option<String>,
    /// How many devices took part.
    pub devices: Option<u32>,
    /// PyTorch's version.
    pub torch: Option<String>,
    /// The HIP version that PyTorch was built for; none: not a ROCm build.
    pub hip: Option<String>,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Measurement {
    /// What was measured.
    pub bench: Bench,
    /// With what.
    pub software: Software,
    /// The figures.
    pub rows: Vec<Row>,
    /// What could not be measured, and the reason in the program's own words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}
