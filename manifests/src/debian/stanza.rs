//! One paragraph of a Packages file: what a binary package is and where its archive lies.
//!
//! Read with `deb822-fast`, and only when somebody asks for the package (see [`super::index`]).

use std::str::FromStr;

use deb822_fast::borrowed::{BorrowedParagraph, BorrowedParagraphIter};

use super::relation::{
    Dependency, Provided, Relation, RelationError, parse_dependencies, parse_provides,
    parse_relations,
};
use super::version::DebVersion;
use crate::digest::Sha256;

/// A binary package of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebPackage {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: DebVersion,
    /// Its architecture: `amd64`, `all`.
    pub arch: String,
    /// The source package that it was built from, where it has another name.
    pub source: Option<String>,
    /// What must be there to run it.
    pub depends: Vec<Dependency>,
    /// What must be there before it is unpacked.
    pub pre_depends: Vec<Dependency>,
    /// Names that it stands in for.
    pub provides: Vec<Provided>,
    /// What must not be there.
    pub conflicts: Vec<Relation>,
    /// What it makes unusable.
    pub breaks: Vec<Relation>,
    /// Where the archive lies, relative to the repository's root.
    pub filename: String,
    /// Bytes of the archive.
    pub size: u64,
    /// KiB unpacked, as the package says.
    pub installed_size: Option<u64>,
    /// The digest of the archive.
    pub sha256: Sha256,
    /// How it goes with packages of other architectures.
    pub multi_arch: MultiArch,
}

/// The Multi-Arch field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MultiArch {
    /// One architecture at a time, for its own kind.
    #[default]
    No,
    /// Several architectures side by side.
    Same,
    /// It serves packages of any architecture.
    Foreign,
    /// It serves those that ask with `:any`.
    Allowed,
}

/// A paragraph that is no usable package.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StanzaError {
    /// It is no paragraph of fields.
    #[error("a paragraph of the package list is damaged: {0}")]
    Syntax(String),
    /// A field is not there.
    #[error("package `{package}` of the package list has no `{field}`")]
    Missing {
        /// The package.
        package: String,
        /// The field.
        field: &'static str,
    },
    /// A field has a value that it cannot have.
    #[error("package `{package}` of the package list has a `{field}` that is none: `{value}`")]
    Field {
        /// The package.
        package: String,
        /// The field.
        field: &'static str,
        /// Its value.
        value: String,
    },
    /// A field of relations cannot be read.
    #[error("package `{package}` of the package list has a `{field}` that cannot be read")]
    Relation {
        /// The package.
        package: String,
        /// The field.
        field: &'static str,
        /// What is wrong.
        #[source]
        error: RelationError,
    },
}

impl FromStr for DebPackage {
    type Err = StanzaError;

    fn from_str(text: &str) -> Result<Self, StanzaError> {
        let paragraph = BorrowedParagraphIter::new(text)
            .next()
            .ok_or_else(|| StanzaError::Syntax("it is empty".to_owned()))?
            .map_err(|error| StanzaError::Syntax(error.to_string()))?;
        let package = paragraph.get_single("Package").unwrap_or_default();
        let fields = Fields { paragraph: &paragraph, package };
        Ok(Self {
            name: fields.required("Package")?,
            version: fields.parsed("Version")?,
            arch: fields.required("Architecture")?,
            // `rocm-hipamd (5.2.3-7)` where the versions differ too.
            source: fields
                .text("Source")
                .and_then(|source| source.split_whitespace().next().map(str::to_owned)),
            depends: fields.relations("Depends", parse_dependencies)?,
            pre_depends: fields.relations("Pre-Depends", parse_dependencies)?,
            provides: fields.relations("Provides", parse_provides)?,
            conflicts: fields.relations("Conflicts", parse_relations)?,
            breaks: fields.relations("Breaks", parse_relations)?,
            filename: fields.required("Filename")?,
            size: fields.parsed("Size")?,
            installed_size: match fields.text("Installed-Size") {
                Some(_) => Some(fields.parsed("Installed-Size")?),
                None => None,
            },
            sha256: fields.parsed("SHA256")?,
            multi_arch: match fields.text("Multi-Arch").as_deref() {
                Some("same") => MultiArch::Same,
                Some("foreign") => MultiArch::Foreign,
                Some("allowed") => MultiArch::Allowed,
                _ => MultiArch::No,
            },
        })
    }
}

struct Fields<'p, 't> {
    paragraph: &'p BorrowedParagraph<'t>,
    package: &'t str,
}

impl Fields<'_, '_> {
    fn text(&self, field: &str) -> Option<String> {
        Some(self.paragraph.get_field(field)?.join().trim().to_owned())
    }

    fn required(&self, field: &'static str) -> Result<String, StanzaError> {
        let text = self.text(field).filter(|text| !text.is_empty());
        text.ok_or_else(|| StanzaError::Missing { package: self.package.to_owned(), field })
    }

    fn parsed<T: FromStr>(&self, field: &'static str) -> Result<T, StanzaError> {
        let value = self.required(field)?;
        value.parse().map_err(|_| {
            let package = self.package.to_owned();
            StanzaError::Field { package, field, value }
        })
    }

    fn relations<T>(
        &self,
        field: &'static str,
        parse: fn(&str) -> Result<Vec<T>, RelationError>,
    ) -> Result<Vec<T>, StanzaError> {
        parse(&self.text(field).unwrap_or_default()).map_err(|error| {
            let package = self.package.to_owned();
            StanzaError::Relation { package, field, error }
        })
    }
}
