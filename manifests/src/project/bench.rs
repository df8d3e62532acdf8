//! A measurement that an upgrade asks for before it keeps a stage: `memory`, or
//! `matmul --sizes 4096 --samples 5`.

use std::fmt;
use std::str::FromStr;

/// A measurement by the name that `rocmenv bench` has for it, with what that takes besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchRequest {
    /// `memory`, `collectives` or `matmul`.
    pub name: String,
    /// Options of the measuring program, as words.
    pub arguments: Vec<String>,
}

impl fmt::Display for BenchRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.arguments.iter().try_for_each(|word| write!(f, " {word}"))
    }
}

/// The text asks for no measurement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BenchRequestError {
    /// None of that name.
    #[error("`{0}` is not measured (`memory`, `collectives` and `matmul` are)")]
    Name(String),
    /// An option that no measurement has, or one without its value.
    #[error("`{0}` is no option of a measurement (`--sizes LIST` and `--samples COUNT` are)")]
    Option(String),
    /// Its value is none.
    #[error("`{value}` is no value of `{option}`")]
    Value {
        /// The option.
        option: String,
        /// As written.
        value: String,
    },
}

impl FromStr for BenchRequest {
    type Err = BenchRequestError;

    fn from_str(text: &str) -> Result<Self, BenchRequestError> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        if !NAMES.contains(&name) {
            return Err(BenchRequestError::Name(name.to_owned()));
        }
        let mut arguments = Vec::new();
        while let Some(option) = words.next() {
            let unknown = || BenchRequestError::Option(option.to_owned());
            let value = words.next().filter(|_| OPTIONS.contains(&option)).ok_or_else(unknown)?;
            let is_count = |text: &str| text.parse::<u64>().is_ok_and(|count| count > 0);
            let fits = match option {
                "--sizes" => value.split(',').all(is_count),
                _ => is_count(value),
            };
            if !fits {
                let (option, value) = (option.to_owned(), value.to_owned());
                return Err(BenchRequestError::Value { option, value });
            }
            arguments.extend([option.to_owned(), value.to_owned()]);
        }
        Ok(Self { name: name.to_owned(), arguments })
    }
}

const NAMES: [&str; 3] = ["memory", "collectives", "matmul"];
const OPTIONS: [&str; 2] = ["--sizes", "--samples"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_a_name_with_options() {
        for text in ["memory", "matmul --sizes 1024,4096 --samples 5"] {
            assert_eq!(text.parse::<BenchRequest>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "serving",
            "memory --runs 5",
            "memory --sizes",
            "memory --sizes 1,x",
            "matmul --samples 0",
            "memory 5",
        ] {
            assert!(text.parse::<BenchRequest>().is_err(), "{text}");
        }
    }
}
