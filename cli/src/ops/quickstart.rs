//! `quickstart`: which small stack a newcomer's machine gets, best first.
//!
//! A machine with an AMD GPU is offered PyTorch for itself. Where AMD's own hosts cannot be
//! reached, or there is no GPU, a described target takes ONNX Runtime, whose wheels come from the
//! general index: small, real, and importable without a GPU. A machine that has no Python at all,
//! and so no pip that says where that index is, gets ROCm's runtime from its own archive.

use rocmenv_manifests::name::TargetName;
use rocmenv_manifests::project::{ChannelChoice, Project};
use rocmenv_resolver::host::HostFacts;

use super::init::{InitOptions, TargetDraft};

/// A stack to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What is asked for.
    pub init: InitOptions,
    /// The described target; `None` is this host.
    pub target: Option<TargetName>,
    /// What this choice leaves out, in sentences.
    pub left_out: Vec<String>,
}

/// The stacks for a host, the best first.
pub fn choices(facts: &HostFacts) -> Vec<Choice> {
    let without_gpu = [described(facts)].into_iter().chain(distribution(facts));
    if facts.known_gpus().is_empty() {
        return without_gpu.collect();
    }
    let own = Choice {
        init: InitOptions { frameworks: vec!["pytorch".to_owned()], ..InitOptions::default() },
        target: None,
        left_out: Vec::new(),
    };
    [own].into_iter().chain(without_gpu).collect()
}

/// What an earlier call chose, as its rocm.toml shows; a project that somebody wrote since is taken
/// as it is.
pub fn chosen_before(choices: Vec<Choice>, project: &Project) -> Choice {
    let target = project.targets.first().map(|target| target.name.clone());
    let is_distro = project.rocm.channel.value == ChannelChoice::Distro;
    let is_it = |one: &Choice| {
        one.target == target && (one.init.channel.as_deref() == Some(DISTRO)) == is_distro
    };
    choices.into_iter().find(is_it).unwrap_or(Choice {
        init: InitOptions::default(),
        target,
        left_out: Vec::new(),
    })
}

/// The runtime of Debian's own archive, on Debian: it needs neither Python nor its index.
fn distribution(facts: &HostFacts) -> Option<Choice> {
    let release = facts.os.release.as_ref()?;
    (release.distribution == "debian").then(|| Choice {
        init: InitOptions {
            rocm: "*".parse().ok(),
            components: ["runtime", "smi"]
                .into_iter()
                .filter_map(|name| name.parse().ok())
                .collect(),
            channel: Some(DISTRO.to_owned()),
            ..InitOptions::default()
        },
        target: None,
        left_out: vec![
            "a framework: the stack before this one could not be had, as the warning above says"
                .to_owned(),
            "anything on a GPU: only files can be verified here".to_owned(),
        ],
    })
}

fn described(facts: &HostFacts) -> Choice {
    let python = python(facts);
    Choice {
        init: InitOptions {
            frameworks: vec!["onnxruntime".to_owned()],
            rocm: "7.2".parse().ok(),
            python: python.parse().ok(),
            channel: Some("host".to_owned()),
            target: Some(TargetDraft {
                os: Some("ubuntu-24.04".to_owned()),
                gpus: vec!["MI300X".to_owned()],
                driver: Some("30.30.0".to_owned()),
                rocm: Some("7.2.4".to_owned()),
            }),
            ..InitOptions::default()
        },
        target: TARGET.parse().ok(),
        left_out: vec![
            "ROCm itself: the target is described as having ROCm 7.2.4 (`channel = \"host\"`), \
             and nothing was fetched from AMD's hosts"
                .to_owned(),
            "anything on a GPU: only files and imports can be verified here".to_owned(),
        ],
    }
}

/// A series that the wheels are built for and that is at hand; else the distribution's, which can
/// be had without any other host.
fn python(facts: &HostFacts) -> &'static str {
    let has = |series: &&&str| {
        let begins = |version: &str| {
            version.strip_prefix(**series).is_some_and(|rest| rest.starts_with('.'))
        };
        facts.python.iter().any(|python| begins(&python.version.to_string()))
    };
    SERIES.iter().find(has).unwrap_or(&"3.11")
}

/// The series that ONNX Runtime's wheels were seen for, the usual one first.
const SERIES: [&str; 2] = ["3.12", "3.11"];
const TARGET: &str = "example";
const DISTRO: &str = "distro";

#[cfg(test)]
mod tests {
    use rocmenv_resolver::host::facts::Gpu;

    use super::*;

    #[test]
    fn without_a_gpu_a_described_target_is_taken_and_said() {
        let mut facts = HostFacts::unknown();
        facts.gpus = Some(Vec::new());
        let all = choices(&facts);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].target.as_ref().map(TargetName::as_str), Some("example"));
        assert!(all[0].left_out[0].starts_with("ROCm itself"));
    }

    #[test]
    fn with_a_gpu_the_host_comes_first_and_the_described_target_is_the_fallback() {
        let mut facts = HostFacts::unknown();
        facts.gpus = Some(vec![Gpu::default()]);
        let all = choices(&facts);
        assert_eq!(all[0].init.frameworks, ["pytorch"]);
        assert_eq!(all[0].target, None);
        assert_eq!(all[1].init.frameworks, ["onnxruntime"]);
    }

    #[test]
    fn a_second_call_goes_on_with_what_the_first_one_fell_back_to() {
        let mut facts = HostFacts::unknown();
        facts.gpus = Some(vec![Gpu::default()]);
        facts.os.release = "debian-12".parse().ok();
        let chosen = |text: &str| {
            let project = Project::parse("rocm.toml", text).unwrap();
            chosen_before(choices(&facts), &project)
        };
        let described = "[requires]\nrocm = \"7.2\"\n[rocm]\nchannel = \"host\"\n\
                         [targets.example]\nos = \"ubuntu-24.04\"\ngpus = [\"MI300X\"]\n";
        assert_eq!(chosen(described).init.frameworks, ["onnxruntime"]);
        let distro = "[requires]\nrocm = \"*\"\n[rocm]\nchannel = \"distro\"\n";
        assert_eq!(chosen(distro).init.channel.as_deref(), Some("distro"));
        assert_eq!(chosen("[requires]\nrocm = \"10\"\n").init.frameworks, ["pytorch"]);
        let own = described.replace("example", "node");
        assert_eq!(chosen(&own).target.as_ref().map(TargetName::as_str), Some("node"));
    }

    #[test]
    fn on_debian_the_distributions_own_runtime_comes_last() {
        let mut facts = HostFacts::unknown();
        facts.gpus = Some(Vec::new());
        facts.os.release = "debian-12".parse().ok();
        let all = choices(&facts);
        assert_eq!(all.len(), 2);
        assert_eq!(all[1].init.channel.as_deref(), Some("distro"));
        assert_eq!(all[1].target, None);
    }
}
