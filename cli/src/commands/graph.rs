//! `graph`: the locked packages as a picture.

use std::collections::{BTreeMap, BTreeSet};

use crate::context::Context;
use crate::error::{Error, Exit};
use crate::ops::locked::{self, Locked};
use crate::render::{Format, Graph, Node, Output, graph, packages};

/// Prints the graph, or with a name only what that package needs.
pub fn run(
    context: &Context,
    out: &mut Output,
    name: Option<&str>,
    format: Format,
) -> Result<Exit, Error> {
    let locked = locked::open(context, &[])?;
    let kept = match name {
        Some(name) => below(&locked, &locked.package(name)?.name),
        None => locked.packages.iter().map(|package| package.name.clone()).collect(),
    };
    let drawn = of(&locked, &kept);
    if context.settings.json {
        out.json(&drawn)?;
        return Ok(Exit::Done);
    }
    let title = format!("{} for {}", packages(drawn.nodes.len()), locked.target.name);
    out.data(&graph(&drawn, &title, format))?;
    Ok(Exit::Done)
}

fn of(locked: &Locked, kept: &BTreeSet<String>) -> Graph {
    let asked: BTreeSet<&str> =
        locked.roots().into_iter().map(|package| package.name.as_str()).collect();
    let packages: Vec<_> =
        locked.packages.iter().filter(|package| kept.contains(&package.name)).collect();
    let places: BTreeMap<&str, usize> =
        packages.iter().enumerate().map(|(at, package)| (package.name.as_str(), at)).collect();
    let node = |package: &&rocmenv_manifests::lock::LockedPackage| Node {
        name: package.name.clone(),
        version: package.version.clone(),
        reason: package.reason.clone(),
        asked: asked.contains(package.name.as_str()),
    };
    let edges = packages.iter().enumerate().flat_map(|(from, package)| {
        let needed = package.requires.iter().filter_map(|name| places.get(name.as_str()));
        needed.map(move |&to| (from, to)).collect::<Vec<_>>()
    });
    Graph { nodes: packages.iter().map(node).collect(), edges: edges.collect() }
}

/// A package and everything that it needs.
fn below(locked: &Locked, name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::from([name.to_owned()]);
    let mut open = vec![name.to_owned()];
    while let Some(at) = open.pop() {
        let package = locked.packages.iter().find(|package| package.name == at);
        for next in package.into_iter().flat_map(|package| &package.requires) {
            if found.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    found
}
