//! The indexes that channels stand for: a channel is a template, an index is one address.
//!
//! `pytorch-rocm` with the series 7.1 and 7.2 is the indexes `pytorch-rocm7.1` and
//! `pytorch-rocm7.2`. A lock names indexes; nothing else of an address is ever written into it.

use super::Registry;
use super::query::ChannelIndex;
use super::rows::channels::{Channel, ChannelKind};

impl Registry {
    /// All indexes of wheels, in the order of the channels.
    pub fn wheel_indexes(&self) -> Vec<ChannelIndex<'_>> {
        let channels = self.channels().channel.iter();
        channels
            .filter(|channel| channel.kind == ChannelKind::Wheel)
            .flat_map(|channel| self.indexes_of_channel(channel))
            .collect()
    }

    /// The folders of archives of a whole ROCm, in the order of the channels; a file's address is
    /// the folder's and its name.
    pub fn archive_indexes<'r>(&'r self) -> Vec<ChannelIndex<'r>> {
        let channels = self.channels().channel.iter();
        let archives = channels.filter(|channel| channel.kind == ChannelKind::Tarball);
        let index = |channel: &'r Channel| {
            let (folder, _) = channel.url.as_deref()?.rsplit_once('/')?;
            let name = channel.index.parse().ok()?;
            Some(ChannelIndex { channel, name, url: Some(format!("{folder}/")) })
        };
        archives.filter_map(index).collect()
    }

    /// The indexes of one channel; nothing where its template asks for something that the
    /// channel does not list.
    pub fn indexes_of_channel<'r>(&'r self, channel: &'r Channel) -> Vec<ChannelIndex<'r>> {
        let mut indexes = Vec::new();
        for series in values_of(&channel.index, "series", &channel.series) {
            for family in values_of(&channel.index, "family", &channel.families) {
                let values: Vec<_> = series.into_iter().chain(family).collect();
                indexes.extend(self.index(&channel.name, &values));
            }
        }
        indexes
    }
}

/// Each listed value of a part of a template, or one nothing where the template lacks the part.
fn values_of<'r>(
    template: &str,
    part: &'static str,
    listed: &'r [String],
) -> Vec<Option<(&'static str, &'r str)>> {
    if template.contains(&format!("{{{part}}}")) {
        listed.iter().map(|value| Some((part, value.as_str()))).collect()
    } else {
        vec![None]
    }
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
