//! Reads the tables of what the channels hold.

/// One project in one version on one index.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) index: String,
    pub(super) project: String,
    pub(super) version: String,
    /// Wheel tags, or `sdist` alone.
    pub(super) tags: Vec<String>,
    pub(super) requires: Vec<String>,
}

pub(super) fn rows() -> Vec<Row> {
    lines(WHEELS)
        .map(|fields| Row {
            index: fields[0].to_owned(),
            project: fields[1].to_owned(),
            version: fields[2].to_owned(),
            tags: fields[3].split(' ').map(str::to_owned).collect(),
            requires: fields[4]
                .split(" | ")
                .filter(|requirement| !requirement.is_empty())
                .map(str::to_owned)
                .collect(),
        })
        .collect()
}

/// Project and owning folder (`core/whl-next`) of every project of the whl-next index.
pub(super) fn owners() -> Vec<(String, String)> {
    lines(OWNERS).map(|fields| (fields[0].to_owned(), fields[1].to_owned())).collect()
}

fn lines(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

const WHEELS: &str = include_str!("../../data/channels/wheels.tsv");
const OWNERS: &str = include_str!("../../data/channels/whl-next-owners.tsv");
