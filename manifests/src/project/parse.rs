//! From `RawProject` to `Project`: every text becomes what it means, or an error with its place.

mod values;

use std::collections::BTreeMap;

use serde::Deserialize as _;
use serde_spanned::Spanned;
use toml_edit::Document;

use super::error::{Problem, ProjectError};
use super::ordered::Ordered;
use super::raw::{RawGpu, RawIndex, RawPackage, RawProject, RawTarget, SpannedText};
use super::text_or::{Form, TextOr};
use super::types::{
    Accelerator, Accept, ChannelChoice, DriverSpec, Environment, Framework, GpuSpec, IndexKind,
    IndexSpec, PackageRequest, Policy, Project, PythonSource, RocmOptions, TargetSpec, VerifySpec,
};
use super::{Fingerprint, instant, schema};
use crate::name::{EnvName, IndexName};
use crate::platform::{Libc, OsFamily, OsRelease};
use crate::python::Marker;
use crate::sourced::{Origin, Sourced};
use crate::version::Requirement;

impl Project {
    /// Reads the text of a rocm.toml. `file` is its name as the user knows it.
    pub fn parse(file: &str, text: &str) -> Result<Self, ProjectError> {
        let reader = Reader { file, text, local: None };
        reader.project(reader.raw(text)?)
    }

    /// Reads rocm.toml with a rocm.local.toml over it: what the second says stands in the place
    /// of what the first says under the same key, table by table.
    pub fn parse_with_local(text: &str, local: &str) -> Result<Self, ProjectError> {
        let reader = Reader { file: MANIFEST, text, local: Some(local) };
        let base = reader.raw(text)?;
        // Blanks in front make its places others than those of rocm.toml.
        let moved = format!("{}{local}", " ".repeat(text.len() + 1));
        let over = reader.raw(&moved)?;
        reader.project(over.over(base))
    }
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    /// rocm.local.toml, whose places begin behind those of `text`.
    local: Option<&'a str>,
}

type Parsed<T> = Result<T, ProjectError>;

impl Reader<'_> {
    fn raw(&self, text: &str) -> Parsed<RawProject> {
        let document = Document::parse(text).map_err(|error| {
            self.error(error.span(), Problem::Malformed(error.message().trim().to_owned()))
        })?;
        let table = document.as_table().clone();
        let raw = RawProject::deserialize(toml_edit::de::Deserializer::from(document));
        raw.map_err(|error| match schema::unknown_key(&table) {
            Some((at, problem)) => self.error(Some(at..at), problem),
            None => self
                .error(error.span(), Problem::Malformed(error.message().trim().replace('\n', " "))),
        })
    }

    fn project(&self, raw: RawProject) -> Parsed<Project> {
        let mut environments = BTreeMap::new();
        // A project that only has environments with names has none without.
        let is_unnamed_one = raw.env.0.is_empty()
            || !(raw.requires.0.is_empty() && raw.python_packages.0.is_empty());
        if is_unnamed_one {
            let default = self.environment(raw.requires, raw.python_packages)?;
            environments.insert(EnvName::default_env(), default);
        }
        for (name, env) in raw.env.0 {
            let env = self.environment(env.requires, env.python_packages)?;
            environments.insert(self.name(&name)?, env);
        }
        let mut groups = BTreeMap::new();
        for (name, packages) in raw.groups.0 {
            groups.insert(self.name(&name)?, self.packages(packages)?);
        }
        let targets = raw.targets.0.iter().map(|(name, target)| self.target(name, target));
        Ok(Project {
            name: raw.project.name.unwrap_or_else(|| "project".to_owned()),
            path: raw.project.path,
            environments,
            groups,
            targets: targets.collect::<Parsed<_>>()?,
            rocm: RocmOptions {
                components: self.parsed_all(&raw.rocm.components)?,
                channel: self.channel(raw.rocm.channel.as_ref())?,
                preview: raw.rocm.preview.unwrap_or_default(),
            },
            indexes: raw
                .indexes
                .0
                .iter()
                .filter_map(|(name, index)| self.index(name, index).transpose())
                .collect::<Parsed<_>>()?,
            trusted_keys: raw
                .indexes
                .0
                .iter()
                .filter_map(|(name, index)| self.trusted_key(name, index).transpose())
                .collect::<Parsed<_>>()?,
            python_source: self
                .choice(raw.python.source.as_ref(), "source of Python", &PYTHON_SOURCES)?
                .unwrap_or_else(|| Sourced::new(PythonSource::Auto, Origin::Default)),
            overrides: self.packages(raw.overrides)?,
            exclude_newer: raw
                .exclude_newer
                .map(|text| self.convert(&text.0, instant::parse))
                .transpose()?,
            policy: Policy {
                accept: self
                    .choice(raw.policy.accept.as_ref(), "verdict", &ACCEPTED)?
                    .map_or(Accept::Unknown, |accept| accept.value),
                unproven: raw.policy.unproven.unwrap_or_default(),
                keep_generations: raw.policy.keep_generations.unwrap_or(KEEP_GENERATIONS),
                patch_first: raw.policy.patch_first.unwrap_or(true),
                behind_months: raw.policy.behind_months.unwrap_or(BEHIND_MONTHS),
                check_days: raw.policy.check_days.unwrap_or(CHECK_DAYS),
            },
            verify: VerifySpec {
                commands: raw.verify.commands,
                bench: self.values(&raw.verify.bench)?,
            },
            tune: raw.tune.0.into_iter().map(|(key, value)| (key.into_inner(), value)).collect(),
        })
    }

    fn environment(
        &self,
        requires: Ordered<SpannedText>,
        packages: Ordered<TextOr<RawPackage>>,
    ) -> Parsed<Environment> {
        let mut env = Environment { packages: self.packages(packages)?, ..Environment::default() };
        for (key, text) in requires.0 {
            let requirement = self.parsed(&text)?;
            match key.get_ref().as_str() {
                "rocm" => env.rocm = Some(requirement),
                "python" => env.python = Some(requirement),
                "driver" => env.driver = Some(requirement),
                name => env.frameworks.push(Framework { name: name.to_owned(), requirement }),
            }
        }
        Ok(env)
    }

    fn packages(&self, packages: Ordered<TextOr<RawPackage>>) -> Parsed<Vec<PackageRequest>> {
        packages.0.into_iter().map(|(name, package)| self.package(&name, package)).collect()
    }

    fn package(&self, name: &Spanned<String>, raw: TextOr<RawPackage>) -> Parsed<PackageRequest> {
        let request = PackageRequest {
            name: self.name(name)?,
            requirement: self.sourced(name, Requirement::any()),
            extras: Vec::new(),
            markers: None,
            index: None,
        };
        let span = raw.0.span();
        match raw.0.into_inner() {
            Form::Text(text) => {
                let requirement = self.convert(&Spanned::new(span, text), str::parse)?;
                Ok(PackageRequest { requirement, ..request })
            }
            Form::Table(table) => {
                let version = table.version.as_ref().map(|text| self.parsed(text)).transpose()?;
                let mut extras = self.values(&table.extras)?;
                extras.sort();
                extras.dedup();
                let markers = table.markers.as_ref().map(|text| self.marker(text)).transpose()?;
                let index = table.index.as_ref().map(|text| self.parsed(text)).transpose()?;
                Ok(PackageRequest {
                    requirement: version.unwrap_or(request.requirement),
                    extras,
                    markers,
                    index: index.map(|index| index.value),
                    ..request
                })
            }
        }
    }

    fn marker(&self, text: &SpannedText) -> Parsed<String> {
        let marker = text.0.get_ref().parse::<Marker>();
        marker.map_err(|error| self.invalid(text.0.span(), error))?;
        Ok(text.0.get_ref().clone())
    }

    fn target(&self, name: &Spanned<String>, raw: &RawTarget) -> Parsed<TargetSpec> {
        let os: Option<Sourced<OsRelease>> = self.optional(raw.os.as_ref())?;
        // under WSL the driver is that of the Windows outside
        let windows =
            raw.wsl || os.as_ref().is_some_and(|os| os.value.family() == OsFamily::Windows);
        let gpus = raw
            .gpus
            .as_ref()
            .map(|gpus| gpus.iter().map(|gpu| self.gpu(gpu)).collect::<Parsed<Vec<_>>>());
        let accelerator = self.choice(raw.accelerator.as_ref(), "accelerator", &ACCELERATORS)?;
        Ok(TargetSpec {
            name: self.name(name)?,
            os,
            kernel: self.optional(raw.kernel.as_ref())?,
            libc: raw.libc.as_ref().map(|text| self.convert(&text.0, libc)).transpose()?,
            arch: self.optional(raw.arch.as_ref())?,
            gpus: gpus.transpose()?,
            driver: raw
                .driver
                .as_ref()
                .map(|text| self.convert(&text.0, |driver| driver_spec(driver, windows)))
                .transpose()?,
            rocm: self.optional(raw.rocm.as_ref())?,
            wsl: raw.wsl,
            accelerator: accelerator.map_or(Accelerator::Rocm, |found| found.value),
        })
    }

    fn gpu(&self, raw: &TextOr<RawGpu>) -> Parsed<Sourced<GpuSpec>> {
        let spec = match raw.0.get_ref() {
            Form::Text(name) => {
                let gfx = name.parse().ok();
                let product = gfx.is_none().then(|| name.clone());
                GpuSpec { product, gfx, count: 1 }
            }
            Form::Table(table) => {
                if table.product.is_none() && table.gfx.is_none() {
                    return Err(self.error(Some(raw.0.span()), Problem::EmptyGpu));
                }
                let gfx = table.gfx.as_ref().map(|text| self.parsed(text)).transpose()?;
                GpuSpec {
                    product: table.product.as_ref().map(|text| text.0.get_ref().clone()),
                    gfx: gfx.map(|gfx| gfx.value),
                    count: table.count.unwrap_or(1),
                }
            }
        };
        Ok(self.sourced(&raw.0, spec))
    }

    fn channel(&self, text: Option<&SpannedText>) -> Parsed<Sourced<ChannelChoice>> {
        let Some(text) = text else {
            return Ok(Sourced::new(ChannelChoice::Auto, Origin::Default));
        };
        let named = CHANNELS.iter().find(|(name, _)| name == text.0.get_ref());
        match named {
            Some((_, choice)) => Ok(self.sourced(&text.0, choice.clone())),
            None => Ok(self.parsed(text)?.map(ChannelChoice::Named)),
        }
    }

    /// The fingerprint of an index of which nothing else is said.
    fn trusted_key(
        &self,
        name: &Spanned<String>,
        raw: &RawIndex,
    ) -> Parsed<Option<(IndexName, Sourced<Fingerprint>)>> {
        match (&raw.url, &raw.fingerprint) {
            (None, Some(text)) => Ok(Some((self.name(name)?, self.parsed(text)?))),
            _ => Ok(None),
        }
    }

    /// `None` for one of the registry's, of which only the key is said.
    fn index(&self, name: &Spanned<String>, raw: &RawIndex) -> Parsed<Option<IndexSpec>> {
        let Some(url) = &raw.url else {
            let is_alone = raw.kind.is_none()
                && raw.suites.is_empty()
                && raw.components.is_empty()
                && raw.signed_by.is_none();
            return match (&raw.fingerprint, is_alone) {
                (Some(_), true) => Ok(None),
                _ => Err(self.invalid(name.span(), "an index needs its `url`")),
            };
        };
        let kind = self.choice(raw.kind.as_ref(), "kind of index", &INDEX_KINDS)?;
        let kind = kind.map_or(IndexKind::Simple, |kind| kind.value);
        let is_plain =
            raw.suites.is_empty() && raw.components.is_empty() && raw.signed_by.is_none();
        let is_plain = is_plain && raw.fingerprint.is_none();
        if kind != IndexKind::Apt && !is_plain {
            let why = "`suites`, `components`, `signed-by` and `fingerprint` are for an index of the kind `apt`";
            return Err(self.invalid(name.span(), why));
        }
        if raw.signed_by.is_some() && raw.fingerprint.is_some() {
            let why = "`signed-by` and `fingerprint` say the same; one of them is enough";
            return Err(self.invalid(name.span(), why));
        }
        let fingerprint = raw.fingerprint.as_ref().map(|text| self.parsed(text)).transpose()?;
        Ok(Some(IndexSpec {
            name: self.name(name)?,
            url: self.sourced(&url.0, url.0.get_ref().clone()),
            kind,
            suites: raw.suites.clone(),
            components: raw.components.clone(),
            signed_by: raw.signed_by.clone(),
            fingerprint: fingerprint.map(|sourced| sourced.value),
        }))
    }
}

/// The names of the two files.
const MANIFEST: &str = "rocm.toml";
const LOCAL_MANIFEST: &str = "rocm.local.toml";

fn libc(text: &str) -> Result<Libc, String> {
    let (kind, version) = text.rsplit_once('-').unwrap_or(("glibc", text));
    let version = version.parse().map_err(|error| format!("{error}"))?;
    match kind {
        "glibc" => Ok(Libc::Glibc(version)),
        "musl" => Ok(Libc::Musl(version)),
        _ => Err(format!("`{text}` is not a C library (such as `2.36` or `musl-1.2`)")),
    }
}

fn driver_spec(text: &str, windows: bool) -> Result<DriverSpec, String> {
    let version = || text.parse().map_err(|error| format!("{error}"));
    match text {
        "in-tree" => Ok(DriverSpec::InTree),
        _ if windows => version().map(DriverSpec::Adrenalin),
        _ => version().map(DriverSpec::Amd),
    }
}

const KEEP_GENERATIONS: u32 = 5;
const BEHIND_MONTHS: u32 = 6;
const CHECK_DAYS: u32 = 90;
const CHANNELS: [(&str, ChannelChoice); 5] = [
    ("auto", ChannelChoice::Auto),
    ("amd", ChannelChoice::Amd),
    ("therock", ChannelChoice::TheRock),
    ("distro", ChannelChoice::Distro),
    ("host", ChannelChoice::Host),
];
const INDEX_KINDS: [(&str, IndexKind); 4] = [
    ("simple", IndexKind::Simple),
    ("find-links", IndexKind::FindLinks),
    ("apt", IndexKind::Apt),
    ("files", IndexKind::Files),
];
const PYTHON_SOURCES: [(&str, PythonSource); 4] = [
    ("auto", PythonSource::Auto),
    ("managed", PythonSource::Managed),
    ("host", PythonSource::Host),
    ("distro", PythonSource::Distro),
];
const ACCEPTED: [(&str, Accept); 3] =
    [("listed", Accept::Listed), ("built", Accept::Built), ("unknown", Accept::Unknown)];
const ACCELERATORS: [(&str, Accelerator); 2] =
    [("rocm", Accelerator::Rocm), ("cpu", Accelerator::Cpu)];
