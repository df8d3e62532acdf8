//! What a scenario becomes on a target: whether its stack can be had, and the few values in its
//! scripts that depend on the GPUs.

use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::project::Project;
use rocmenv_manifests::registry::Registry;
use rocmenv_resolver::check::KnownBuild;
use rocmenv_resolver::target::{Target, from_host};
use rocmenv_resolver::tune;

use super::{InitOptions, Precision, Template, TemplateError, TemplateOptions};
use crate::context::Context;
use crate::ops::check::{self, CheckOptions, Checked};
use crate::ops::host::{self, HostOptions};
use crate::ops::init::{draft, newest_rocm};
use crate::ops::lock::described_target;
use crate::render::bytes;

/// Asks the registry whether the frameworks go together on the target; pins the ROCm series that
/// was asked about, so that rocm.toml says the same.
pub(super) fn check_stack(
    context: &Context,
    registry: &Registry,
    options: &mut InitOptions,
) -> Result<(), TemplateError> {
    let rocm = options.rocm.clone().or_else(|| newest_rocm(registry, options.channel.as_deref()));
    let mut wishes = options.frameworks.clone();
    if let Some(rocm) = &rocm {
        wishes.push(format!("rocm {rocm}"));
    }
    let target = options.target.clone().unwrap_or_default();
    let asked = CheckOptions {
        wishes,
        gpus: target.gpus,
        os: target.os,
        driver: target.driver,
        python: options.python.as_ref().map(ToString::to_string),
        ..CheckOptions::default()
    };
    let gfx = Memory::of(context, registry, options)?.gfx;
    options.rocm = rocm;
    for checked in check::run(context, registry, &asked)? {
        settle(registry, &checked, &asked, &gfx)?;
        let chosen = checked.answer.frameworks.iter().filter_map(|one| one.build.as_ref());
        for build in chosen.map(|chosen| &chosen.build) {
            add_beside(registry, options, build);
        }
    }
    Ok(())
}

/// What the build's document installs beside it; a framework's package by the framework's name,
/// which brings what its GPUs need.
fn add_beside(registry: &Registry, options: &mut InitOptions, build: &KnownBuild) {
    let known = registry.builds_of(&build.package);
    let Some(row) = known.into_iter().find(|row| row.version == build.version) else { return };
    for requirement in &row.beside {
        let Some((package, version)) = requirement.split_once("==") else { continue };
        let mut frameworks = registry.frameworks().framework.iter();
        let framework = frameworks.find(|framework| framework.package == package);
        let name = framework.map_or(package, |framework| framework.name.as_str());
        let mut asked = options.frameworks.iter().chain(&options.packages);
        if asked.any(|wish| word(wish) == name) {
            continue;
        }
        if framework.is_some() {
            options.frameworks.push(format!("{name} {version}"));
        } else {
            options.packages.push(requirement.clone());
        }
    }
}

/// The name in a wish (`pytorch` of `pytorch>=2.8`).
fn word(wish: &str) -> &str {
    let is_of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    wish.split(|letter| !is_of_name(letter)).next().unwrap_or(wish)
}

fn settle(
    registry: &Registry,
    checked: &Checked,
    asked: &CheckOptions,
    gfx: &[GfxTarget],
) -> Result<(), TemplateError> {
    let answer = &checked.answer;
    let unserved = answer.frameworks.iter().find(|framework| framework.build.is_none());
    if let Some(framework) = unserved {
        let rows = registry.images_of(&framework.name, &answer.release, gfx);
        let images: Vec<(String, String)> =
            rows.into_iter().map(|row| (row.name.clone(), row.source.to_string())).collect();
        if !images.is_empty() {
            return Err(TemplateError::ImageOnly {
                framework: framework.name.clone(),
                rocm: answer.release.to_string(),
                images,
                built: built_for(registry, &framework.name),
            });
        }
    }
    match answer.refusals.first() {
        Some(refusal) => Err(TemplateError::Refused {
            host: checked.host.clone(),
            why: refusal.to_string(),
            question: question(asked),
        }),
        None => Ok(()),
    }
}

/// The ROCm of every known build of a framework, newest build first.
fn built_for(registry: &Registry, framework: &str) -> Vec<String> {
    let mut rows = registry.frameworks().framework.iter();
    let Some(row) = rows.find(|row| row.name == framework) else { return Vec::new() };
    let built = registry.builds_of(&row.package);
    let mut built: Vec<String> = built.iter().map(|build| build.rocm.to_string()).collect();
    built.dedup();
    built
}

fn question(asked: &CheckOptions) -> String {
    let mut words = vec!["rocmenv check".to_owned()];
    words.extend(asked.wishes.iter().map(|wish| format!("\"{wish}\"")));
    words.extend(asked.gpus.iter().map(|gpu| format!("--gpu \"{gpu}\"")));
    words.extend(asked.os.iter().map(|os| format!("--os {os}")));
    words.extend(asked.driver.iter().map(|driver| format!("--driver {driver}")));
    words.join(" ")
}

/// The target's GPUs.
pub(super) struct Memory {
    /// The memory of the smallest in bytes, where the registry has it.
    pub(super) vram: Option<u64>,
    /// How many.
    pub(super) gpus: u32,
    /// Their targets.
    pub(super) gfx: Vec<GfxTarget>,
}

impl Memory {
    /// Of the described target, else of this host.
    pub(super) fn of(
        context: &Context,
        registry: &Registry,
        options: &InitOptions,
    ) -> Result<Self, TemplateError> {
        let target = target(context, registry, options)?;
        Ok(Self {
            vram: crate::ops::tune::smallest_vram(registry, &target),
            gpus: target.gpus.iter().flatten().map(|gpu| gpu.value.count).sum(),
            gfx: target.gpus.iter().flatten().filter_map(|gpu| gpu.value.gfx).collect(),
        })
    }
}

fn target(
    context: &Context,
    registry: &Registry,
    options: &InitOptions,
) -> Result<Target, TemplateError> {
    let Some(draft) = &options.target else {
        let facts = host::facts(context, registry, &HostOptions::default())?;
        return Ok(from_host(TargetName::host(), &facts, registry));
    };
    let text = draft::target_alone(draft);
    let project = Project::parse("rocm.toml", &text).map_err(TemplateError::Described)?;
    let spec = project.targets.first();
    if let Some(spec) = spec {
        Ok(described_target(spec, registry)?)
    } else {
        let facts = host::facts(context, registry, &HostOptions::default())?;
        Ok(from_host(TargetName::host(), &facts, registry))
    }
}

/// A default of a script.
pub(super) struct Value {
    /// Its key in the script's DEFAULTS.
    pub(super) name: &'static str,
    /// As Python writes it.
    pub(super) python: String,
    /// Its value and where it comes from, in words.
    pub(super) because: String,
}

impl Value {
    fn new(name: &'static str, python: &impl ToString, because: &str) -> Self {
        let python = python.to_string();
        Self { name, because: format!("{} ({because})", python.trim_matches('"')), python }
    }
}

/// The values of a scenario. Without known memory the scripts keep their own.
pub(super) fn values(
    registry: &Registry,
    template: &Template,
    asked: &TemplateOptions,
    memory: &Memory,
) -> Result<Vec<Value>, TemplateError> {
    match (template.name, memory.vram) {
        ("resnet50", Some(vram)) => {
            let batch = tune::batch_size(vram);
            Ok(vec![Value::new("batch_size", &batch.start, &of_memory(vram))])
        }
        ("llm-train", Some(vram)) => {
            let (model, batch) = tune::llm_batch(vram, 1024);
            let because = of_memory(vram);
            Ok(vec![
                Value::new("model", &format!("\"{}\"", model.name), &because),
                Value::new("batch_size", &batch, &because),
            ])
        }
        ("llm-serve", vram) => serving(registry, asked, memory, vram),
        _ => Ok(Vec::new()),
    }
}

fn serving(
    registry: &Registry,
    asked: &TemplateOptions,
    memory: &Memory,
    vram: Option<u64>,
) -> Result<Vec<Value>, TemplateError> {
    let parameters = asked.parameters.as_deref().unwrap_or("7b");
    let count = parameters_of(parameters)?;
    let is_fp8 = asked.precision == Precision::Fp8;
    if is_fp8 {
        let has_fp8 = |gfx: &GfxTarget| {
            let mut peaks = registry.peaks().peak.iter();
            peaks.any(|peak| peak.metric == "fp8-matrix" && peak.gfx.contains(gfx))
        };
        if let Some(gfx) = memory.gfx.iter().find(|gfx| !has_fp8(gfx)) {
            return Err(TemplateError::NoFp8 { gfx: gfx.to_string() });
        }
    }
    let weights = count * if is_fp8 { 1 } else { 2 };
    let mut values = Vec::new();
    if let Some(vram) = vram {
        let gpus = memory.gpus.max(1);
        let serving = tune::serving(weights, vram, gpus).ok_or_else(|| {
            TemplateError::TooLarge { weights: bytes(weights), gpus, vram: bytes(vram) }
        })?;
        let because = format!(
            "{parameters} parameters, {} of weights on each GPU, {} for the cache",
            bytes(serving.weights_each),
            bytes(serving.cache_each)
        );
        values.push(Value::new("tensor_parallel", &serving.tensor_parallel, &because));
    }
    if is_fp8 {
        values.push(Value::new("quantization", &"\"fp8\"", "asked for"));
    }
    Ok(values)
}

/// `7b`, `1.5b`, `500m`.
fn parameters_of(text: &str) -> Result<u64, TemplateError> {
    let wrong = || TemplateError::Parameters(text.to_owned());
    let low = text.to_ascii_lowercase();
    let (number, scale) = match low.strip_suffix('b') {
        Some(number) => (number, 1_000_000_000_u64),
        None => (low.strip_suffix('m').ok_or_else(wrong)?, 1_000_000),
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let digits = u32::try_from(part.len()).map_err(|_| wrong())?;
    let fraction: u64 = part.parse().map_err(|_| wrong())?;
    let tenths = 10_u64.checked_pow(digits).ok_or_else(wrong)?;
    whole.checked_mul(scale).map(|whole| whole + fraction * (scale / tenths)).ok_or_else(wrong)
}

fn of_memory(vram: u64) -> String {
    format!("from {} on the smallest GPU", bytes(vram))
}

/// A script with other defaults: the line of each key in DEFAULTS is replaced.
pub(super) fn with_values(text: &str, values: &[Value]) -> String {
    let line = |line: &str| {
        let named =
            values.iter().find(|value| line.starts_with(&format!("    \"{}\": ", value.name)));
        named.map_or_else(
            || line.to_owned(),
            |value| format!("    \"{}\": {},", value.name, value.python),
        )
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_as_people_write_them() {
        let read = |text: &str| parameters_of(text).ok();
        assert_eq!(read("7b"), Some(7_000_000_000));
        assert_eq!(read("1.5B"), Some(1_500_000_000));
        assert_eq!(read("500m"), Some(500_000_000));
        assert_eq!(read("many"), None);
        assert_eq!(read("7"), None);
    }

    #[test]
    fn only_the_named_default_changes() {
        let script = "DEFAULTS = {\n    \"batch_size\": 32,\n    \"workers\": 4,\n}\n";
        let changed = with_values(script, &[Value::new("batch_size", &256, "a test")]);
        assert_eq!(changed, "DEFAULTS = {\n    \"batch_size\": 256,\n    \"workers\": 4,\n}\n");
    }
}
