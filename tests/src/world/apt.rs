//! Apt repositories.
//!
//! Layout: the Debian wiki's "DebianRepository/Format": `dists/SUITE/InRelease`,
//! `COMPONENT/binary-ARCH/Packages*` with copies under `by-hash/SHA256/`, and `pool/`.

use std::fmt::Write as _;

use super::page::folder;
use super::signing::SigningKey;
use super::site::{Guard, Resource, Site, site_path};
use crate::archive::Compression;
use crate::deb::{Deb, DebBuilder};
use crate::digest::sha256;

/// Describes a repository: a base address with suites under it.
#[derive(Debug, Clone)]
pub struct AptRepository {
    pub(super) name: String,
    pub(super) root: String,
    pub(super) suites: Vec<Suite>,
}

impl AptRepository {
    /// A repository at `/NAME/`.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), root: format!("/{name}/"), suites: Vec::new() }
    }

    /// AMD's classic layout: a repository a release at `https://repo.radeon.com/rocm/apt/RELEASE`.
    pub fn amd_classic(release: &str) -> Self {
        Self::new("amd-classic").at(&format!("https://repo.radeon.com/rocm/apt/{release}"))
    }

    /// AMD's layout since ROCm 10.0: a repository a system, such as `ubuntu2404`, with the suite `stable`.
    pub fn amd_core(system: &str) -> Self {
        Self::new("amd-core")
            .at(&format!("https://stable.repo.amd.com/rocm/core/packages/{system}"))
    }

    /// Puts the repository at a full address; see [`crate::Index::at`].
    #[must_use]
    pub fn at(mut self, address: &str) -> Self {
        self.root = folder(&site_path(address));
        self
    }

    /// Adds a suite.
    #[must_use]
    pub fn suite(mut self, suite: Suite) -> Self {
        self.suites.push(suite);
        self
    }

    pub(super) fn render(&self, site: &mut Site) {
        site.guards.push(Guard {
            prefix: self.root.clone(),
            missing_status: 404,
            credentials: None,
        });
        for suite in &self.suites {
            suite.render(site, &self.root);
        }
    }
}

/// Describes a suite with one component and the architecture amd64.
#[derive(Debug, Clone)]
pub struct Suite {
    pub(super) name: String,
    pub(super) component: String,
    codename: String,
    key: Option<SigningKey>,
    compressions: Vec<Compression>,
    by_hash: bool,
    valid_until: Option<String>,
    fault: Option<SuiteFault>,
    packages: Vec<Package>,
}

/// How a suite's index files can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuiteFault {
    /// InRelease was changed after it was signed.
    ChangedAfterSigning,
    /// The Packages files, under name and hash, are not the ones that InRelease lists.
    OtherPackages,
    /// The Packages files under their names are newer than InRelease; those under their hashes fit.
    MovedOn,
}

#[derive(Debug, Clone)]
struct Package {
    deb: Deb,
    sha256: String,
    size: usize,
    missing: bool,
}

impl Suite {
    /// A suite with the component `main`, Packages as xz and gz, and by-hash; unsigned until [`Suite::signed_by`].
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            component: "main".to_owned(),
            codename: name.to_owned(),
            key: None,
            compressions: vec![Compression::Xz, Compression::Gz],
            by_hash: true,
            valid_until: None,
            fault: None,
            packages: Vec::new(),
        }
    }

    /// Signs InRelease. Without a key there is a plain `Release` and no `InRelease`.
    #[must_use]
    pub fn signed_by(mut self, key: &SigningKey) -> Self {
        self.key = Some(key.clone());
        self
    }

    /// The codename, where it differs from the suite's name.
    #[must_use]
    pub fn codename(mut self, codename: &str) -> Self {
        codename.clone_into(&mut self.codename);
        self
    }

    /// Another component than `main`.
    #[must_use]
    pub fn component(mut self, component: &str) -> Self {
        component.clone_into(&mut self.component);
        self
    }

    /// The compressions that Packages is served in.
    #[must_use]
    pub fn compressions(mut self, compressions: &[Compression]) -> Self {
        self.compressions = compressions.to_vec();
        self
    }

    /// No by-hash copies.
    #[must_use]
    pub fn without_by_hash(mut self) -> Self {
        self.by_hash = false;
        self
    }

    /// The `Valid-Until` field, such as `Mon, 01 Jan 2001 00:00:00 UTC`.
    #[must_use]
    pub fn valid_until(mut self, time: &str) -> Self {
        self.valid_until = Some(time.to_owned());
        self
    }

    /// Makes the index files wrong.
    #[must_use]
    pub fn fault(mut self, fault: SuiteFault) -> Self {
        self.fault = Some(fault);
        self
    }

    /// Adds a package. The methods after this one in the list change the package added last.
    #[must_use]
    pub fn package(mut self, package: &DebBuilder) -> Self {
        let deb = package.build();
        self.packages.push(Package {
            sha256: sha256(&deb.bytes),
            size: deb.bytes.len(),
            missing: false,
            deb,
        });
        self
    }

    /// Packages states a wrong hash.
    #[must_use]
    pub fn lying_hash(mut self) -> Self {
        self.last().sha256 = sha256(b"another file");
        self
    }

    /// Packages states one byte too much.
    #[must_use]
    pub fn lying_size(mut self) -> Self {
        self.last().size += 1;
        self
    }

    /// Packages lists the file, the pool does not have it: superseded.
    #[must_use]
    pub fn vanished(mut self) -> Self {
        self.last().missing = true;
        self
    }

    fn last(&mut self) -> &mut Package {
        self.packages.last_mut().expect("a package is added before it is changed")
    }

    fn render(&self, site: &mut Site, root: &str) {
        let dists = format!("{root}dists/{}/", self.name);
        let binary = format!("{}/binary-amd64", self.component);
        let (listed, named) = self.packages_texts();
        let mut hashes = String::new();
        for compression in [vec![Compression::None], self.compressions.clone()].concat() {
            let file = format!("{binary}/Packages{}", compression.extension());
            let content = compression.compress(listed.as_bytes());
            let hash = sha256(&content);
            let _ = writeln!(hashes, " {hash} {} {file}", content.len());
            if compression != Compression::None {
                let served = compression.compress(named.as_bytes());
                site.resources.insert(format!("{dists}{file}"), Resource::file(served.clone()));
                if self.by_hash {
                    let path = format!("{dists}{binary}/by-hash/SHA256/{hash}");
                    let other = self.fault == Some(SuiteFault::OtherPackages);
                    let content = if other { served } else { content };
                    site.resources.insert(path, Resource::file(content));
                }
            }
        }
        self.render_release(site, &dists, &hashes);
        for package in self.packages.iter().filter(|package| !package.missing) {
            let path = format!("{root}{}", self.pool_path(&package.deb));
            site.resources.insert(path, Resource::file(package.deb.bytes.clone()));
        }
    }

    fn render_release(&self, site: &mut Site, dists: &str, hashes: &str) {
        let release = self.release(hashes);
        if let Some(key) = &self.key {
            let mut signed = key.clear_sign(&release);
            if self.fault == Some(SuiteFault::ChangedAfterSigning) {
                signed = signed.replace("Origin: rocmenv tests", "Origin: somebody else");
            }
            site.resources.insert(format!("{dists}InRelease"), Resource::file(signed));
        }
        site.resources.insert(format!("{dists}Release"), Resource::file(release));
    }

    /// The text that InRelease stands for, and the text served under the plain names.
    fn packages_texts(&self) -> (String, String) {
        let text: String = self.packages.iter().map(|package| self.stanza(package)).collect();
        let other = format!("{text}Package: newcomer\nVersion: 1\nArchitecture: all\n\n");
        match self.fault {
            Some(SuiteFault::OtherPackages) => (other, text),
            Some(SuiteFault::MovedOn) => (text, other),
            _ => (text.clone(), text),
        }
    }

    fn stanza(&self, package: &Package) -> String {
        format!(
            "{}Filename: {}\nSize: {}\nSHA256: {}\n\n",
            package.deb.control,
            self.pool_path(&package.deb),
            package.size,
            package.sha256
        )
    }

    fn pool_path(&self, deb: &Deb) -> String {
        let initial = &deb.name[..1];
        format!("pool/{}/{initial}/{}/{}", self.component, deb.name, deb.filename)
    }

    fn release(&self, hashes: &str) -> String {
        let mut text = format!(
            "Origin: rocmenv tests\nLabel: rocmenv tests\nSuite: {}\nCodename: {}\n\
             Date: Mon, 01 Jan 2024 00:00:00 UTC\n",
            self.name, self.codename
        );
        if let Some(time) = &self.valid_until {
            let _ = writeln!(text, "Valid-Until: {time}");
        }
        if self.by_hash {
            text.push_str("Acquire-By-Hash: yes\n");
        }
        let _ =
            write!(text, "Architectures: amd64\nComponents: {}\nSHA256:\n{hashes}", self.component);
        text
    }
}

#[cfg(test)]
mod tests;
