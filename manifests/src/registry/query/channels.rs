//! Channels: their names in a lock, their addresses, and where they go on.

use crate::name::IndexName;
use crate::version::RocmVersion;

use super::super::loader::Registry;
use super::super::rows::builds::Build;
use super::super::rows::channels::{Behaviour, Channel, ChannelKind, Stability};

/// One index of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelIndex<'r> {
    /// The channel.
    pub channel: &'r Channel,
    /// Its name in a lock.
    pub name: IndexName,
    /// Its address; `None` for what the user configures.
    pub url: Option<String>,
}

impl Registry {
    /// The channel of that name.
    pub fn channel(&self, name: &str) -> Option<&Channel> {
        self.channels().channel.iter().find(|channel| channel.name == name)
    }

    /// An index of a channel, with what its templates ask for filled in (`series`, `family`,
    /// `version` ...). `None` where the channel is unknown or a value is missing.
    pub fn index(&self, channel: &str, values: &[(&str, &str)]) -> Option<ChannelIndex<'_>> {
        let name = self.index_name(channel, values)?;
        let channel = self.channel(channel)?;
        let url = match &channel.url {
            Some(url) => Some(filled(url, values)?),
            None => None,
        };
        Some(ChannelIndex { channel, name, url })
    }

    /// The name alone of an index of a channel, whatever else its address asks for.
    pub(super) fn index_name(&self, channel: &str, values: &[(&str, &str)]) -> Option<IndexName> {
        filled(&self.channel(channel)?.index, values)?.to_lowercase().parse().ok()
    }

    /// The address of something on a channel whose template asks for more than a series or a
    /// family (`build`, `version`, `target` ...). `None` where the channel is unknown, is the
    /// user's own, or a value is missing.
    pub fn address(&self, channel: &str, values: &[(&str, &str)]) -> Option<String> {
        filled(self.channel(channel)?.url.as_deref()?, values)
    }

    /// The index that serves a known build.
    pub fn index_of_build(&self, build: &Build) -> Option<ChannelIndex<'_>> {
        let series = build.series.as_deref().map(|series| ("series", series));
        let family = build.family.as_deref().map(|family| ("family", family));
        let values: Vec<_> = series.into_iter().chain(family).collect();
        self.index(&build.channel, &values)
    }

    /// The stable channels of a kind that serve a release; not those of no line, which have
    /// frameworks for ROCm and not ROCm.
    pub fn channels_for(&self, kind: ChannelKind, rocm: &RocmVersion) -> Vec<&Channel> {
        let release = rocm.dotted();
        let channels = self.channels().channel.iter();
        channels
            .filter(|channel| channel.kind == kind && channel.stability == Stability::Stable)
            .filter(|channel| channel.line.is_some())
            .filter(|channel| channel.rocm.iter().any(|own| own.contains(release.parts())))
            .collect()
    }

    /// Where a channel that has ended goes on, to the last one.
    pub fn continues_at(&self, channel: &Channel) -> Option<&Channel> {
        let mut next = self.channel(channel.continues_at.as_deref()?)?;
        // as many steps as there are channels: data that runs in a circle ends here
        for _ in &self.channels().channel {
            match next.continues_at.as_deref().and_then(|name| self.channel(name)) {
                Some(after) => next = after,
                None => break,
            }
        }
        Some(next)
    }
}

impl Channel {
    /// Whether the channel behaves so.
    pub fn behaves(&self, behaviour: Behaviour) -> bool {
        self.behaviours.contains(&behaviour)
    }
}

pub(super) fn filled(template: &str, values: &[(&str, &str)]) -> Option<String> {
    let text = values.iter().fold(template.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    });
    (!text.contains('{')).then_some(text)
}
