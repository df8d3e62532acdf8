//! What indexes said of the files in a bundle: the rows that a solve needs, and no other.
//!
//! A catalog that carries rows answers from them alone: of the files in the bundle it knows all
//! that an index would say, of anything else that there is none. So a lock that is made of a
//! bundle can only choose what the bundle holds.

use std::sync::Arc;

use rocmenv_manifests::catalog::{Answer, PythonFile, PythonPage};
use rocmenv_manifests::debian::DebIndex;
use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::name::{IndexName, PackageName};
use rocmenv_manifests::plan::Artifact;
use rocmenv_manifests::python::CoreMetadata;
use serde::{Deserialize, Serialize};
use url::Url;

use super::catalog::DiskCatalog;
use super::error::{CatalogError, Cause};
use super::locate::Asking;
use super::metadata;
use crate::index::{WheelPlace, fetch_metadata};
use crate::report::Reporter;

/// What an index says of one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CarriedRow {
    /// The index, by the name that the lock has for it.
    pub index: IndexName,
    /// The package.
    pub package: String,
    /// The file, as its index names it.
    pub file: String,
    /// What it is.
    pub kind: ArtifactKind,
    /// Its digest.
    pub sha256: Sha256,
    /// Bytes, where the index or the lock says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// `Requires-Python` as the index repeats it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_python: Option<String>,
    /// Why it was yanked, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yanked: Option<String>,
    /// Upload time in seconds since 1970 UTC, where the index says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uploaded: Option<i64>,
    /// Of a wheel, the headers that a solve reads; of a Debian package, its paragraph.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub says: String,
}

/// The rows that a catalog carries.
#[derive(Debug)]
pub(super) struct Carried(Vec<CarriedRow>);

impl Carried {
    pub(super) fn page(&self, index: &IndexName, package: &PackageName) -> Answer<Arc<PythonPage>> {
        let is_of = |row: &&CarriedRow| {
            row.index == *index
                && row.package == package.as_ref()
                && matches!(row.kind, ArtifactKind::Wheel | ArtifactKind::RocmMeta)
        };
        let files: Vec<_> = self.0.iter().filter(is_of).map(CarriedRow::file).collect();
        if files.is_empty() {
            Answer::Absent
        } else {
            Answer::Ready(Arc::new(PythonPage { files }))
        }
    }

    pub(super) fn metadata(
        &self,
        index: &IndexName,
        file: &PythonFile,
    ) -> Answer<Arc<CoreMetadata>> {
        let mut rows = self.0.iter();
        let Some(row) = rows.find(|row| row.index == *index && row.file == file.name) else {
            return Answer::Absent;
        };
        match metadata::parse(index, file, &row.says) {
            Ok(metadata) => Answer::Ready(Arc::new(metadata)),
            Err(why) => Answer::Failed(why),
        }
    }

    pub(super) fn debs(&self, repository: &IndexName) -> Answer<Arc<DebIndex>> {
        let is_of = |row: &&CarriedRow| row.index == *repository && row.kind == ArtifactKind::Deb;
        let rows: Vec<&str> = self.0.iter().filter(is_of).map(|row| row.says.as_str()).collect();
        let list = rows.join("\n\n") + "\n\n";
        Answer::Ready(Arc::new(DebIndex::new([list])))
    }
}

impl CarriedRow {
    fn file(&self) -> PythonFile {
        PythonFile {
            name: self.file.clone(),
            sha256: Some(self.sha256),
            size: self.size,
            requires_python: self.requires_python.clone(),
            yanked: self.yanked.clone(),
            uploaded: self.uploaded,
            has_metadata: false,
        }
    }

    fn new(artifact: &Artifact, sha256: Sha256) -> Self {
        Self {
            index: artifact.index.clone(),
            package: artifact.name.clone(),
            file: artifact.file.clone(),
            kind: artifact.kind,
            sha256,
            size: artifact.size,
            requires_python: None,
            yanked: None,
            uploaded: None,
            says: String::new(),
        }
    }
}

impl DiskCatalog {
    /// The same catalog, which answers from these rows alone.
    #[must_use]
    pub fn carrying(mut self, rows: Vec<CarriedRow>) -> Self {
        self.carried = Some(Carried(rows));
        self
    }

    /// What the index says of a locked file; `None` where it says nothing of such files. `at_hand`
    /// is the file itself, where it was fetched. Pages of the cache are used however old.
    ///
    /// # Errors
    /// The network, or an index that does not list the file any more.
    pub async fn row(
        &self,
        artifact: &Artifact,
        sha256: Sha256,
        at_hand: Option<&std::path::Path>,
        reporter: &dyn Reporter,
    ) -> Result<Option<CarriedRow>, CatalogError> {
        let row = CarriedRow::new(artifact, sha256);
        match artifact.kind {
            ArtifactKind::Wheel | ArtifactKind::RocmMeta => {
                let row = self.wheel_row(row, at_hand, reporter).await;
                row.map_err(|cause| self.of_artifact(artifact, cause))
            }
            ArtifactKind::Deb => Ok(self.deb_row(row)),
            ArtifactKind::Tarball | ArtifactKind::Python => Ok(None),
        }
    }

    async fn wheel_row(
        &self,
        mut row: CarriedRow,
        at_hand: Option<&std::path::Path>,
        reporter: &dyn Reporter,
    ) -> Result<Option<CarriedRow>, Cause> {
        let Ok(package) = row.package.parse::<PackageName>() else { return Ok(None) };
        let mut listed = self.listed(&row.index, &package, &row.file);
        if listed.is_none() {
            self.fetch_pages(&row.index, &package, Asking::Always, reporter).await?;
            listed = self.listed(&row.index, &package, &row.file);
        }
        let Some(file) = listed else {
            return Err(Cause::NotListed { file: row.file, index: row.index });
        };
        if row.kind == ArtifactKind::Wheel {
            let text = self.headers(&row.index, &package, &file, at_hand, reporter).await?;
            row.says = needed(&text);
        }
        row.size = file.size.or(row.size);
        row.requires_python = file.requires_python;
        (row.yanked, row.uploaded) = (file.yanked, file.uploaded);
        Ok(Some(row))
    }

    async fn headers(
        &self,
        index: &IndexName,
        package: &PackageName,
        file: &PythonFile,
        at_hand: Option<&std::path::Path>,
        reporter: &dyn Reporter,
    ) -> Result<String, Cause> {
        let place = self.metadata_path(index, file);
        if let Some(text) = metadata::read(&place) {
            return Ok(text);
        }
        let at_hand = at_hand.and_then(|path| Url::from_file_path(path).ok());
        let address = at_hand.or_else(|| self.python_address(index, package, &file.name));
        let gone = || Cause::NotListed { file: file.name.clone(), index: index.clone() };
        let address = address.ok_or_else(gone)?;
        let wheel = WheelPlace { address: &address, file, downloads: &self.options.downloads };
        Ok(fetch_metadata(&self.fetcher, wheel, reporter).await?.text)
    }

    /// The paragraph of a Debian package, as its list has it.
    fn deb_row(&self, mut row: CarriedRow) -> Option<CarriedRow> {
        row.says = self.deb_paragraph(&row.index, &row.file)?;
        Some(row)
    }
}

/// The headers that a solve reads, with their further lines.
fn needed(headers: &str) -> String {
    let (mut text, mut takes) = (String::new(), false);
    for line in headers.lines() {
        if line.is_empty() {
            break;
        }
        if !line.starts_with([' ', '\t']) {
            let name = line.split(':').next().unwrap_or_default();
            takes = NEEDED.iter().any(|needed| needed.eq_ignore_ascii_case(name));
        }
        if takes {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// Of the core metadata: what is required, and what says which ROCm a wheel was built for.
const NEEDED: [&str; 7] = [
    "Metadata-Version",
    "Name",
    "Version",
    "Summary",
    "Requires-Python",
    "Requires-Dist",
    "Provides-Extra",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_solve_reads_is_carried() {
        let text = "Metadata-Version: 2.1\nName: a\nVersion: 1\nLicense: many\n        lines\n\
                    Requires-Dist: b>=2\nClassifier: x\nrequires-python: >=3.9\n\nlong text\nName: b\n";
        assert_eq!(
            needed(text),
            "Metadata-Version: 2.1\nName: a\nVersion: 1\nRequires-Dist: b>=2\nrequires-python: >=3.9\n"
        );
    }
}
