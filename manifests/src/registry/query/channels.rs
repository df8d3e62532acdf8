//! Channels: their names in a lock, their addresses, and where they go on.

use crate::version::RocmVersion;

use super::super::indexes::ChannelIndex;
use super::super::loader::Registry;
use super::super::rows::builds::Build;
use super::super::rows::channels::{Behaviour, Channel, ChannelKind, Stability};

impl Registry {
    /// The channel of that name.
    pub fn channel(&self, name: &str) -> Option<&Channel> {
        self.channels().channel.iter().find(|channel| channel.name == name)
    }

    /// The address of something on a channel whose template asks for more than a series or a
    /// family (`build`, `version`, `target` ...). `None` where the channel is unknown, is the
    /// user's own, or a value is missing.
    pub fn address(&self, channel: &str, values: &[(&str, &str)]) -> Option<String> {
        let template = self.channel(channel)?.url.as_deref()?;
        let text = values.iter().fold(template.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), value)
        });
        (!text.contains('{')).then_some(text)
    }

    /// The index that serves a known build.
    pub fn index_of_build(&self, build: &Build) -> Option<ChannelIndex<'_>> {
        let indexes = self.indexes_of_channel(&build.channel);
        indexes.into_iter().find(|index| {
            index.series.is_none_or(|series| Some(series) == build.series.as_deref())
                && index.family.is_none_or(|family| Some(family) == build.family.as_deref())
        })
    }

    /// The stable channels of a kind that serve a release.
    pub fn channels_for(&self, kind: ChannelKind, rocm: &RocmVersion) -> Vec<&Channel> {
        let release = rocm.dotted();
        let channels = self.channels().channel.iter();
        channels
            .filter(|channel| channel.kind == kind && channel.stability == Stability::Stable)
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
