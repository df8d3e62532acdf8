//! rocm.lock as text. Every list is sorted here, so that the same lock has the same bytes
//! whatever order it was put together in.

use std::fmt::Write as _;

use toml_edit::Value;

use super::types::{Lock, LockedFile, LockedPackage, LockedTarget, Membership};

impl Lock {
    /// The bytes of rocm.lock.
    pub fn to_text(&self) -> String {
        let mut sorted = self.clone();
        sorted.sort();
        let mut out = Writer(format!("{HEADER}version = {}\n", super::VERSION));
        for target in &sorted.targets {
            out.target(target, sorted.count(target));
        }
        for package in &sorted.packages {
            out.package(package);
        }
        out.0
    }

    /// How many packages a target's environment has, with all its groups. Written down so that
    /// a lock that was cut off between two packages is recognised.
    pub(super) fn count(&self, target: &LockedTarget) -> usize {
        let here = |member: &Membership| member.target == target.name && member.env == target.env;
        self.packages.iter().filter(|package| package.members.iter().any(here)).count()
    }

    /// Puts everything in its place.
    pub(crate) fn sort(&mut self) {
        self.targets.sort_by(|a, b| (&a.name, &a.env).cmp(&(&b.name, &b.env)));
        for target in &mut self.targets {
            target.notes.sort();
            target.notes.dedup();
        }
        for package in &mut self.packages {
            package.members.sort();
            package.members.dedup();
            package.requires.sort();
            package.requires.dedup();
            for file in &mut package.files {
                file.targets.sort();
                file.targets.dedup();
            }
            package.files.sort_by(|a, b| a.name.cmp(&b.name));
        }
        self.packages.sort_by(|a, b| {
            let order = (&a.name, &a.version, &a.index, a.kind);
            let order = order.cmp(&(&b.name, &b.version, &b.index, b.kind));
            order.then_with(|| a.members.cmp(&b.members))
        });
    }
}

/// A `String` takes every write, so the results of `writeln!` say nothing.
struct Writer(String);

impl Writer {
    fn target(&mut self, target: &LockedTarget, packages: usize) {
        self.0.push_str("\n[[target]]\n");
        self.text("name", target.name.as_str());
        self.text("env", target.env.as_str());
        self.text("inputs", &target.inputs.to_string());
        if let Some(rocm) = &target.rocm {
            self.text("rocm", &rocm.to_string());
        }
        if let Some(channel) = &target.channel {
            self.text("channel", channel);
        }
        if let Some(python) = &target.python {
            self.text("python", &python.series.to_string());
            self.text("python-floor", &python.floor.to_string());
        }
        let _ = writeln!(self.0, "packages = {packages}");
        let predicates = |hard| {
            let items = target.contract.items.iter().filter(move |item| item.hard == hard);
            items.map(|item| item.predicate.to_string()).collect::<Vec<_>>()
        };
        self.list("hard", &predicates(true));
        self.list("soft", &predicates(false));
        for note in &target.notes {
            self.0.push_str("\n[[target.note]]\n");
            self.text("code", &note.code);
            self.text("text", &note.text);
            if let Some(source) = &note.source {
                self.text("source", source);
            }
        }
    }

    fn package(&mut self, package: &LockedPackage) {
        self.0.push_str("\n[[package]]\n");
        self.text("name", &package.name);
        self.text("version", &package.version);
        self.text("index", package.index.as_str());
        self.text("kind", package.kind.as_str());
        self.text("reason", &package.reason);
        let members: Vec<_> = package.members.iter().map(Membership::to_string).collect();
        self.list("for", &members);
        self.list("requires", &package.requires);
        for file in &package.files {
            self.file(file);
        }
    }

    fn file(&mut self, file: &LockedFile) {
        self.0.push_str("\n[[package.file]]\n");
        self.text("name", &file.name);
        if let Some(sha256) = &file.sha256 {
            self.text("sha256", &sha256.to_string());
        }
        if let Some(size) = file.size {
            let _ = writeln!(self.0, "size = {size}");
        }
        let targets: Vec<_> = file.targets.iter().map(ToString::to_string).collect();
        self.list("targets", &targets);
    }

    fn text(&mut self, key: &str, text: &str) {
        let _ = writeln!(self.0, "{key} = {}", quoted(text));
    }

    fn list(&mut self, key: &str, items: &[String]) {
        match items {
            [] => {}
            [item] => {
                let _ = writeln!(self.0, "{key} = [{}]", quoted(item));
            }
            items => {
                let _ = writeln!(self.0, "{key} = [");
                for item in items {
                    let _ = writeln!(self.0, "    {},", quoted(item));
                }
                self.0.push_str("]\n");
            }
        }
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

const HEADER: &str =
    "# Written by rocmenv. Do not edit: change rocm.toml and run `rocmenv lock`.\n";
