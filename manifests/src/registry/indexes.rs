//! The indexes that channels stand for: a channel is a template, an index is one address.
//!
//! `pytorch-rocm` with the series 7.1 and 7.2 is the indexes `pytorch-rocm7.1` and
//! `pytorch-rocm7.2`. A lock names indexes; nothing else of an address is ever written into it.

use crate::name::IndexName;

use super::Registry;
use super::rows::channels::{Channel, ChannelKind};

/// One index of a channel of wheels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelIndex<'r> {
    /// Its name in a lock.
    pub name: IndexName,
    /// The channel.
    pub channel: &'r Channel,
    /// Its address; `None` for an index that the user's configuration names.
    pub url: Option<String>,
    /// The series of ROCm that it serves alone (`7.2`), where the channel is split by them.
    pub series: Option<&'r str>,
    /// The GPU family that it serves alone, where the channel is split by them.
    pub family: Option<&'r str>,
}

impl Registry {
    /// All indexes of wheels, in the order of the channels.
    pub fn wheel_indexes(&self) -> Vec<ChannelIndex<'_>> {
        let channels = self.channels().channel.iter();
        channels.filter(|channel| channel.kind == ChannelKind::Wheel).flat_map(indexes_of).collect()
    }

    /// The indexes of one channel.
    pub fn indexes_of_channel(&self, channel: &str) -> Vec<ChannelIndex<'_>> {
        let mut named = self.channels().channel.iter();
        named.find(|row| row.name == channel).map(indexes_of).unwrap_or_default()
    }
}

/// Nothing where the template asks for something that the channel does not list.
fn indexes_of(channel: &Channel) -> Vec<ChannelIndex<'_>> {
    let split_by = |part: &str, values: &'_ [String]| -> Vec<Option<usize>> {
        if channel.index.contains(part) {
            (0..values.len()).map(Some).collect()
        } else {
            vec![None]
        }
    };
    let mut indexes = Vec::new();
    for series in split_by("{series}", &channel.series) {
        for family in split_by("{family}", &channel.families) {
            let series = series.map(|at| channel.series[at].as_str());
            let family = family.map(|at| channel.families[at].as_str());
            indexes.extend(index(channel, series, family));
        }
    }
    indexes
}

fn index<'r>(
    channel: &'r Channel,
    series: Option<&'r str>,
    family: Option<&'r str>,
) -> Option<ChannelIndex<'r>> {
    let fill = |template: &str| {
        template
            .replace("{series}", series.unwrap_or("{series}"))
            .replace("{family}", family.unwrap_or("{family}"))
    };
    // Family names are written with capitals (`gfx110X-all`); names in a lock are not.
    let name = fill(&channel.index).to_lowercase().parse().ok()?;
    let url = channel.url.as_deref().map(fill);
    Some(ChannelIndex { name, channel, url, series, family })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_is_split_by_series_or_family() {
        let registry = Registry::embedded();
        let url = |name: &str| {
            let indexes = registry.wheel_indexes();
            let found = indexes.into_iter().find(|index| index.name.as_str() == name);
            found.and_then(|index| index.url)
        };
        assert_eq!(
            url("pytorch-rocm7.2").as_deref(),
            Some("https://download.pytorch.org/whl/rocm7.2/")
        );
        assert_eq!(
            url("amd-per-family-gfx110x-all").as_deref(),
            Some("https://repo.amd.com/rocm/whl/gfx110X-all/")
        );
        assert_eq!(url("python"), None);
        assert!(url("amd-whl-next").is_some());
    }

    #[test]
    fn every_wheel_channel_has_an_index_and_no_name_twice() {
        let registry = Registry::embedded();
        let indexes = registry.wheel_indexes();
        let names: std::collections::BTreeSet<_> =
            indexes.iter().map(|index| index.name.clone()).collect();
        assert_eq!(names.len(), indexes.len());
        let wheel = |channel: &&Channel| channel.kind == ChannelKind::Wheel;
        let silent = registry
            .channels()
            .channel
            .iter()
            .filter(wheel)
            .filter(|channel| !indexes.iter().any(|index| index.channel.name == channel.name));
        let silent: Vec<_> = silent.map(|channel| channel.name.as_str()).collect();
        // its path is a commit or a version, which no list holds
        assert_eq!(silent, ["vllm"]);
    }
}
