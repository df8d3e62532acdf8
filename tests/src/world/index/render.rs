//! Turns an index into the paths of a site: pages, files, sidecars, redirects.

use super::{Index, Layout, Sidecars};
use crate::digest::chance;
use crate::world::page;
use crate::world::served::Served;
use crate::world::site::{Guard, Resource, Site};

impl Index {
    pub(in crate::world) fn render(&self, site: &mut Site, seed: Option<u64>) {
        let mut projects: Vec<&str> = self.files.iter().map(|file| &*file.project).collect();
        projects.extend(self.empty.iter().map(String::as_str));
        projects.sort_unstable();
        projects.dedup();
        site.guards.push(self.guard(self.root.clone()));
        site.guards.extend(self.files_root.clone().map(|root| self.guard(root)));
        for file in &self.files {
            self.render_file(site, file);
        }
        if self.layout == Layout::Folder {
            let entries = self.entries(seed, |_| true, &self.root);
            site.resources.insert(self.root.clone(), page::folder_page(&entries));
            return;
        }
        site.resources.insert(self.root.clone(), page::root_page(&projects));
        for project in projects {
            let listed = format!("{}{project}/", self.root);
            let owner = self.owner(project);
            let path = owner.map_or_else(|| listed.clone(), |owner| format!("{owner}{project}/"));
            let entries = self.entries(seed, |file| file.project == project, &path);
            site.resources.insert(path.clone(), self.project_page(project, &entries));
            if let Some(owner) = owner {
                site.guards.push(self.guard(owner.to_owned()));
                site.resources.insert(listed, Resource::redirect(301, path));
            }
        }
    }

    fn guard(&self, prefix: String) -> Guard {
        Guard { prefix, missing_status: self.missing_status, credentials: self.credentials.clone() }
    }

    fn owner(&self, project: &str) -> Option<&str> {
        self.owners.iter().find(|(owned, _)| owned == project).map(|(_, owner)| owner.as_str())
    }

    fn file_path(&self, file: &Served) -> String {
        let folder = file
            .folder
            .as_deref()
            .or_else(|| self.owner(&file.project))
            .or(self.files_root.as_deref())
            .unwrap_or(&self.root);
        format!("{folder}{}", file.filename)
    }

    fn render_file(&self, site: &mut Site, file: &Served) {
        let path = self.file_path(file);
        if let Some(metadata) = self.sidecar(file) {
            let resource = Resource::file(metadata.as_bytes()).with_ranges(self.ranges);
            site.resources.insert(format!("{path}.metadata"), resource);
        }
        if !file.missing {
            let resource = Resource::file(file.bytes.clone()).with_ranges(self.ranges);
            site.resources.insert(path, resource);
        }
    }

    fn sidecar<'f>(&self, file: &'f Served) -> Option<&'f str> {
        let metadata = file.metadata.as_deref()?;
        match self.sidecars {
            Sidecars::Absent => None,
            Sidecars::Advertised | Sidecars::Unadvertised => Some(metadata),
            Sidecars::Some => {
                let position =
                    self.files.iter().position(|other| other.filename == file.filename)?;
                position.is_multiple_of(2).then_some(metadata)
            }
        }
    }

    fn entries(
        &self,
        seed: Option<u64>,
        wanted: impl Fn(&Served) -> bool,
        page: &str,
    ) -> Vec<page::Entry> {
        let mut files: Vec<&Served> = self.files.iter().filter(|file| wanted(file)).collect();
        if let Some(seed) = seed {
            files.sort_by_key(|file| chance(seed, &file.filename));
        }
        files
            .into_iter()
            .map(|file| page::Entry {
                href: page::href(page, &self.file_path(file)),
                filename: file.filename.clone(),
                version: file.version.clone(),
                sha256: file.hash.clone().filter(|_| self.hashes),
                requires_python: file.requires_python.clone(),
                yanked: file.yanked.clone(),
                upload_time: file.upload_time.clone().filter(|_| self.upload_times),
                size: self.sizes.then_some(file.size),
                metadata_sha256: self
                    .sidecar(file)
                    .filter(|_| self.sidecars != Sidecars::Unadvertised)
                    .map(|metadata| crate::digest::sha256(metadata.as_bytes())),
            })
            .collect()
    }

    fn project_page(&self, project: &str, entries: &[page::Entry]) -> Resource {
        let html = page::html(project, entries);
        if self.layout == Layout::Html {
            return Resource::page(vec![(page::HTML, html)]);
        }
        Resource::page(vec![
            (page::HTML, html.clone()),
            (page::SIMPLE_JSON, page::json(project, entries)),
            (page::SIMPLE_HTML, html),
        ])
    }
}
