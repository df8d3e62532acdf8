//! A world: everything that servers would hold, as one pure value.
//!
//! A world says what exists, in which layout it is served and how the server
//! misbehaves. It knows no port and no clock; [`crate::IndexServer`] brings it to life.

mod apt;
mod fault;
mod index;
mod page;
mod served;
mod signing;
mod site;

use std::time::Duration;

pub use apt::{AptRepository, Suite, SuiteFault};
pub use fault::Fault;
use fault::FaultRule;
pub use index::{Index, Layout, Sidecars};
pub use served::Served;
pub use signing::SigningKey;
use site::site_path;
pub(crate) use site::{Resource, Site, decode};

/// Builds a world.
///
/// ```
/// use rocmenv_tests::{Index, WheelBuilder, World};
/// let world = World::new().index(
///     Index::new("main")
///         .wheel(WheelBuilder::new("demo", "1.0"))
///         .wheel(WheelBuilder::new("demo", "1.1"))
///         .yanked("broken"),
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct World {
    indexes: Vec<Index>,
    repositories: Vec<AptRepository>,
    files: Vec<(String, Vec<u8>)>,
    faults: Vec<FaultRule>,
    delays: Option<(u64, Duration)>,
    validators: bool,
}

impl World {
    /// An empty world: every path answers 404.
    pub fn new() -> Self {
        Self::default()
    }

    /// A simple index or a folder of links.
    #[must_use]
    pub fn index(mut self, index: Index) -> Self {
        self.indexes.push(index);
        self
    }

    /// An apt repository.
    #[must_use]
    pub fn apt(mut self, repository: AptRepository) -> Self {
        self.repositories.push(repository);
        self
    }

    /// A plain file at a path (`/tarballs/x.tar.gz`) or at a full address (`https://HOST/PATH`).
    #[must_use]
    pub fn file(mut self, address: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.push((site_path(address), bytes.into()));
        self
    }

    /// Every answer whose path ends with `path` is faulty.
    #[must_use]
    pub fn fault(mut self, path: &str, fault: Fault) -> Self {
        self.faults.push(FaultRule::always(path, fault));
        self
    }

    /// The first `times` answers whose path ends with `path` are faulty, later ones are right.
    #[must_use]
    pub fn fault_first(mut self, times: usize, path: &str, fault: Fault) -> Self {
        self.faults.push(FaultRule::first(times, path, fault));
        self
    }

    /// Delays every answer by a time up to `most` that follows from `seed` and the path,
    /// and lists the files of every index in an order that follows from `seed`.
    #[must_use]
    pub fn shuffled(mut self, seed: u64, most: Duration) -> Self {
        self.delays = Some((seed, most));
        self
    }

    /// Answers carry `ETag` and `Last-Modified`, and conditional requests get 304.
    #[must_use]
    pub fn validators(mut self) -> Self {
        self.validators = true;
        self
    }

    /// Host names that are addressed in this world beside the server's own.
    pub(crate) fn hosts(&self) -> Vec<String> {
        let site = self.site();
        let mut hosts: Vec<String> = site
            .resources
            .keys()
            .filter_map(|path| path.split('/').nth(1))
            .filter(|segment| segment.contains('.'))
            .map(str::to_owned)
            .collect();
        hosts.dedup();
        hosts
    }

    /// The path of the index called `name` on the server itself.
    pub(crate) fn index_path(&self, name: &str) -> Option<String> {
        self.indexes.iter().find(|index| index.name == name).map(|index| index.root.clone())
    }

    /// The apt repository called `name`: its path on the server, and for each suite its name and component.
    pub(crate) fn repository(&self, name: &str) -> Option<(String, Vec<(String, String)>)> {
        let repository = self.repositories.iter().find(|repository| repository.name == name)?;
        let suites = repository
            .suites
            .iter()
            .map(|suite| (suite.name.clone(), suite.component.clone()))
            .collect();
        Some((repository.root.clone(), suites))
    }

    pub(crate) fn site(&self) -> Site {
        let mut site = Site {
            faults: self.faults.clone(),
            delays: self.delays,
            validators: self.validators,
            ..Site::default()
        };
        let seed = self.delays.map(|(seed, _)| seed);
        for index in &self.indexes {
            index.render(&mut site, seed);
        }
        for repository in &self.repositories {
            repository.render(&mut site);
        }
        for (path, bytes) in &self.files {
            site.resources.insert(path.clone(), Resource::file(bytes.clone()));
        }
        site
    }
}
