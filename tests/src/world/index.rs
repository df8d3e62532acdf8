//! Simple indexes in the layouts that are met outside.
//!
//! Which index behaves how was read off the real ones: the general index offers
//! JSON and HTML, hashes and ranges but hardly any `.metadata`; PyTorch's pages are
//! HTML with hash fragments and encoded names; AMD's newest are HTML without hashes
//! or upload times, whose root redirects each project to the group that owns it;
//! repo.radeon.com is plain folders of links.

mod render;

use super::page;
use super::served::Served;
use super::site::site_path;

/// The form of an index's pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A page a project, JSON (PEP 691) or HTML (PEP 503) as the client accepts.
    JsonAndHtml,
    /// A page a project, HTML whatever the client accepts.
    Html,
    /// One page that links every file (`find-links`).
    Folder,
}

/// Which `.metadata` files (PEP 658) exist and whether the pages say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sidecars {
    /// None exist.
    Absent,
    /// All exist, all are advertised with their hash.
    Advertised,
    /// All exist, no page says so.
    Unadvertised,
    /// Every second wheel has one and says so.
    Some,
}

/// Describes an index.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent habit of real indexes")]
pub struct Index {
    pub(super) name: String,
    pub(super) root: String,
    files_root: Option<String>,
    layout: Layout,
    sidecars: Sidecars,
    hashes: bool,
    upload_times: bool,
    sizes: bool,
    ranges: bool,
    missing_status: u16,
    credentials: Option<(String, String)>,
    owners: Vec<(String, String)>,
    files: Vec<Served>,
    empty: Vec<String>,
}

impl Index {
    /// An index that behaves as the general one does, at `/NAME/simple/`.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            root: format!("/{name}/simple/"),
            files_root: Some(format!("/{name}/files/")),
            layout: Layout::JsonAndHtml,
            sidecars: Sidecars::Absent,
            hashes: true,
            upload_times: true,
            sizes: true,
            ranges: true,
            missing_status: 404,
            credentials: None,
            owners: Vec::new(),
            files: Vec::new(),
            empty: Vec::new(),
        }
    }

    /// An index that behaves as PyTorch's do: HTML, hashes, advertised `.metadata`.
    pub fn pytorch(name: &str) -> Self {
        Self::new(name).layout(Layout::Html).sidecars(Sidecars::Advertised).missing_status(403)
    }

    /// An index that behaves as AMD's newest: HTML, neither hashes nor upload times.
    pub fn amd(name: &str) -> Self {
        Self::new(name)
            .layout(Layout::Html)
            .without_hashes()
            .without_upload_times()
            .missing_status(403)
    }

    /// A folder of links at `/NAME/`, as on repo.radeon.com: no hashes, nothing but names.
    pub fn folder(name: &str) -> Self {
        let mut index = Self::amd(name).layout(Layout::Folder);
        index.root = format!("/{name}/");
        index.files_root = None;
        index
    }

    /// Puts the index at a full address, such as `https://stable.repo.amd.com/rocm/whl-next/`.
    ///
    /// A client reaches it there through [`crate::Proxy`], or on the server itself
    /// under `/HOST/PATH`. Files lie beside the pages unless [`Index::files_at`] says otherwise.
    #[must_use]
    pub fn at(mut self, address: &str) -> Self {
        self.root = page::folder(&site_path(address));
        self.files_root = None;
        self
    }

    /// Puts the files at another address than the pages.
    #[must_use]
    pub fn files_at(mut self, address: &str) -> Self {
        self.files_root = Some(page::folder(&site_path(address)));
        self
    }

    /// The form of the pages.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// Which `.metadata` files exist.
    #[must_use]
    pub fn sidecars(mut self, sidecars: Sidecars) -> Self {
        self.sidecars = sidecars;
        self
    }

    /// The pages give no hashes.
    #[must_use]
    pub fn without_hashes(mut self) -> Self {
        self.hashes = false;
        self
    }

    /// The pages give no upload times (HTML never does).
    #[must_use]
    pub fn without_upload_times(mut self) -> Self {
        self.upload_times = false;
        self
    }

    /// The pages give no sizes (HTML never does).
    #[must_use]
    pub fn without_sizes(mut self) -> Self {
        self.sizes = false;
        self
    }

    /// Range requests are answered 200 with the whole file.
    #[must_use]
    pub fn without_ranges(mut self) -> Self {
        self.ranges = false;
        self
    }

    /// The status for what is not there: 404, or 403 as storage buckets say.
    #[must_use]
    pub fn missing_status(mut self, status: u16) -> Self {
        self.missing_status = status;
        self
    }

    /// Pages and files need basic authentication; without it the answer is 401.
    #[must_use]
    pub fn credentials(mut self, user: &str, password: &str) -> Self {
        self.credentials = Some((user.to_owned(), password.to_owned()));
        self
    }

    /// `project`'s page is redirected (301) to the folder `owner`, where its files lie too.
    #[must_use]
    pub fn owned_by(mut self, project: &str, owner: &str) -> Self {
        self.owners.push((crate::wheel::normal_name(project), page::folder(&site_path(owner))));
        self
    }

    /// A project with a page but without files.
    #[must_use]
    pub fn empty_project(mut self, project: &str) -> Self {
        self.empty.push(crate::wheel::normal_name(project));
        self
    }

    /// Adds a file. The methods after this one in the list change the file added last.
    #[must_use]
    pub fn wheel(mut self, file: impl Into<Served>) -> Self {
        self.files.push(file.into());
        self
    }

    /// Adds a source distribution (`NAME-VERSION.tar.gz`) with placeholder content.
    #[must_use]
    pub fn sdist(self, project: &str, version: &str) -> Self {
        let filename = format!("{project}-{version}.tar.gz");
        self.wheel(Served::raw(
            project,
            version,
            &filename,
            format!("sdist of {project} {version}\n"),
        ))
    }

    /// The file is yanked (PEP 592), with a reason that may be empty.
    #[must_use]
    pub fn yanked(mut self, reason: &str) -> Self {
        self.last().yanked = Some(reason.to_owned());
        self
    }

    /// The file's upload time, RFC 3339 in UTC.
    #[must_use]
    pub fn uploaded(mut self, time: &str) -> Self {
        self.last().upload_time = Some(time.to_owned());
        self
    }

    /// The file lies in another folder than the index's others.
    #[must_use]
    pub fn lies_at(mut self, address: &str) -> Self {
        self.last().folder = Some(page::folder(&site_path(address)));
        self
    }

    /// The page gives no hash for this file.
    #[must_use]
    pub fn unhashed(mut self) -> Self {
        self.last().hash = None;
        self
    }

    /// The page gives a wrong hash for this file.
    #[must_use]
    pub fn lying_hash(mut self) -> Self {
        self.last().hash = Some(crate::digest::sha256(b"another file"));
        self
    }

    /// The page gives a size that is one byte more than the file's (JSON only).
    #[must_use]
    pub fn lying_size(mut self) -> Self {
        self.last().size += 1;
        self
    }

    /// The page gives a `Requires-Python` for this file, whatever its metadata says.
    #[must_use]
    pub fn page_requires_python(mut self, specifier: &str) -> Self {
        self.last().requires_python = Some(specifier.to_owned());
        self
    }

    /// The page lists the file, the server does not have it.
    #[must_use]
    pub fn vanished(mut self) -> Self {
        self.last().missing = true;
        self
    }

    fn last(&mut self) -> &mut Served {
        self.files.last_mut().expect("a file is added before it is changed")
    }
}
