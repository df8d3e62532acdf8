//! `outdated --online`: asks AMD's channels for releases that the registry does not know.
//!
//! A simple index is asked for the package `rocm`, whose versions are releases; where a channel
//! has a folder for each release, the folder above them is read. A channel that cannot be asked
//! is named with what it answered; 403 and 404 of AMD's hosts mean that the thing is not served
//! there.

use std::collections::BTreeSet;

use rocmenv_manifests::registry::Registry;
use rocmenv_manifests::registry::rows::channels::{Channel, ChannelKind, Layout, Stability};
use rocmenv_manifests::version::RocmVersion;
use rocmenv_store::cache::Refresh;
use rocmenv_store::fetch::{FetchError, Fetcher, Get};
use rocmenv_store::report::Reporter;
use serde::Serialize;
use url::Url;

use crate::context::Context;
use crate::error::Error;
use crate::ops::lock::Inputs;
use crate::ops::standing;
use crate::ops::world::{WorldOptions, world};
use crate::settings::Network;

/// What the channels said.
#[derive(Debug, Clone, Default, Serialize)]
pub struct News {
    /// Releases that the registry does not know, newest first, with the channel that has them.
    pub unknown: Vec<Unknown>,
    /// Each channel that was asked.
    pub channels: Vec<Asked>,
}

/// A release that the registry does not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unknown {
    /// Its number.
    pub rocm: RocmVersion,
    /// The channel that has it.
    pub channel: String,
}

/// One channel and its answer.
#[derive(Debug, Clone, Serialize)]
pub struct Asked {
    /// The channel.
    pub channel: String,
    /// What was asked for.
    pub address: String,
    /// The releases that it has, oldest first.
    pub releases: Vec<RocmVersion>,
    /// Why it gave none.
    pub failed: Option<String>,
    /// Where it serves nothing there: the channels that serve wheels of the newest release.
    pub served_by: Vec<String>,
}

/// Asks, one channel after the other, and keeps that it was done if any answered.
///
/// # Errors
/// The day cannot be kept, or `--offline` forbids it.
pub(super) async fn ask(
    context: &Context,
    inputs: &Inputs,
    reporter: &dyn Reporter,
) -> Result<News, Error> {
    let registry = &inputs.registry;
    let world = world(
        context,
        &WorldOptions {
            root: &inputs.opened.root,
            project: &inputs.opened.project,
            registry,
            arch: inputs.host.arch.unwrap_or_default(),
            codename: inputs.host.os.codename.as_deref(),
            refresh: Refresh::WhenOld,
        },
    )?;
    if context.settings.network == Network::Offline {
        return Err(FetchError::Offline { what: "the list of releases".to_owned() }.into());
    }
    let mut news = News::default();
    for (channel, address) in questions(registry) {
        let asked = one(&world.fetcher, registry, channel, &address, reporter).await;
        for rocm in asked.releases.iter().filter(|rocm| registry.release(rocm).is_none()) {
            news.unknown.push(Unknown { rocm: rocm.clone(), channel: channel.name.clone() });
        }
        news.channels.push(asked);
    }
    news.unknown.sort_by(|a, b| (&b.rocm, &a.channel).cmp(&(&a.rocm, &b.channel)));
    if news.channels.iter().any(|asked| asked.failed.is_none()) && !context.settings.dry_run {
        standing::looked(context)?;
    }
    Ok(news)
}

/// The stable channels of AMD that can say which releases there are, and where.
fn questions(registry: &Registry) -> Vec<(&Channel, String)> {
    let channels = registry.channels().channel.iter();
    let stable = channels.filter(|channel| {
        channel.stability == Stability::Stable && !channel.frozen && channel.line.is_some()
    });
    let question = |channel: &Channel| {
        let url = channel.url.as_deref()?;
        if !url.split('/').nth(2)?.ends_with(AMD) && !url.split('/').nth(2)?.ends_with(RADEON) {
            return None;
        }
        let simple = channel.kind == ChannelKind::Wheel && channel.layout == Some(Layout::Simple);
        match url.find('{') {
            None if simple => Some(format!("{url}rocm/")),
            Some(at) if channel.kind != ChannelKind::Tarball => {
                let above = &url[..=url[..at].rfind('/')?];
                (url[at..].starts_with("{series}") || url[at..].starts_with("{version}"))
                    .then(|| above.to_owned())
            }
            _ => None,
        }
    };
    stable.filter_map(|channel| Some((channel, question(channel)?))).collect()
}

async fn one(
    fetcher: &Fetcher,
    registry: &Registry,
    channel: &Channel,
    address: &str,
    reporter: &dyn Reporter,
) -> Asked {
    let mut asked = Asked {
        channel: channel.name.clone(),
        address: address.to_owned(),
        releases: Vec::new(),
        failed: None,
        served_by: Vec::new(),
    };
    let Ok(url) = Url::parse(address) else { return asked };
    let question = Get { expected: &[403, 404], ..Get::new(&url) };
    match fetcher.get(&question, reporter).await {
        Ok(reply) if reply.status == 200 => {
            asked.releases = releases(&String::from_utf8_lossy(&reply.body));
        }
        Ok(reply) => {
            asked.failed = Some(format!("not served here ({})", reply.status));
            asked.served_by = serving(registry, channel);
        }
        Err(error) => asked.failed = Some(error.to_string()),
    }
    asked
}

/// The channels of the same kind that serve the newest release.
fn serving(registry: &Registry, channel: &Channel) -> Vec<String> {
    let Some(newest) = registry.releases().release.iter().map(|one| &one.version).max() else {
        return Vec::new();
    };
    let channels = registry.channels_for(channel.kind, newest).into_iter();
    channels.map(|one| one.name.clone()).filter(|name| *name != channel.name).collect()
}

/// The releases that a page links to: folders (`7.2.4/`, `rocm-rel-7.2.4/`) and files of the
/// package `rocm` (`rocm-10.1.0.tar.gz`), with neither candidates nor builds of a day.
fn releases(page: &str) -> Vec<RocmVersion> {
    let links = page.split("href=").skip(1).filter_map(|rest| {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        rest[1..].split(quote).next()
    });
    let version = |link: &str| -> Option<RocmVersion> {
        let link = link.split(['#', '?']).next()?.trim_end_matches('/');
        let name = link.rsplit('/').next()?;
        let name = name.strip_prefix("rocm-rel-").or(name.strip_prefix("rocm-")).unwrap_or(name);
        let name = name.strip_suffix(".tar.gz").unwrap_or(name);
        let plain = name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let parts = name.split('.').count();
        match (plain, parts) {
            (true, 2) => format!("{name}.0").parse().ok(),
            (true, 3) => name.parse().ok(),
            _ => None,
        }
    };
    links.filter_map(version).collect::<BTreeSet<_>>().into_iter().collect()
}

/// AMD's hosts by the ends of their names.
const AMD: &str = ".amd.com";
const RADEON: &str = "repo.radeon.com";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_read_from_folders_and_files_and_nothing_else_is() {
        let page = "<a href=\"../\">up</a><a href=\"7.2.4/\">7.2.4/</a>\
                    <a href='/rocm/manylinux/rocm-rel-7.2/'>x</a>\
                    <a href=\"rocm-10.1.0.tar.gz#sha256=ab\">x</a>\
                    <a href=\"rocm-10.2.0rc1.tar.gz\">x</a><a href=\"latest/\">x</a>\
                    <a href=\"rocm-10.2.0a20261101.tar.gz\">x</a>";
        let found: Vec<String> = releases(page).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["7.2.0", "7.2.4", "10.1.0"]);
    }

    #[test]
    fn only_channels_that_can_tell_are_asked() {
        let registry = Registry::embedded();
        let asked: Vec<_> =
            questions(&registry).into_iter().map(|(one, at)| (one.name.clone(), at)).collect();
        let at = |name: &str| asked.iter().find(|(one, _)| one == name).map(|(_, at)| at.as_str());
        assert_eq!(at("amd-whl-next"), Some("https://stable.repo.amd.com/rocm/whl-next/rocm/"));
        assert_eq!(at("amd-manylinux"), Some("https://repo.radeon.com/rocm/manylinux/"));
        assert_eq!(at("amd-apt-classic"), Some("https://repo.radeon.com/rocm/apt/"));
        assert_eq!(at("pytorch-root"), None);
        assert_eq!(at("amd-nightly"), None);
    }
}
