//! The text that `rocminfo` prints, where somebody has one.
//!
//! The probe never runs it: it needs a ROCm, and its own faults are wrong as often as not.
//! Its text is a second opinion for a diagnosis. Only agents of device type GPU are GPUs: a
//! Ryzen AI's NPU is an agent of type DSP.

use rocmenv_manifests::gfx::GfxTarget;

/// What `rocminfo` said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RocmInfo {
    /// Its first line, about the kernel module.
    pub module: Option<RocmInfoModule>,
    /// Its agents in order.
    pub agents: Vec<Agent>,
}

/// What `rocminfo` says of the kernel module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RocmInfoModule {
    /// Not loaded.
    NotLoaded,
    /// Loaded; AMD's dkms build has a version, the kernel's own module has none.
    Loaded {
        /// Module version.
        version: Option<String>,
    },
    /// It runs under WSL, where there is no module.
    Wsl,
}

/// One agent of the runtime.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Agent {
    /// `CPU`, `GPU` or `DSP`.
    pub device_type: String,
    /// Its name: the instruction set of a GPU.
    pub name: String,
    /// Its marketing name.
    pub marketing_name: Option<String>,
    /// PCI device id.
    pub chip_id: Option<u32>,
    /// KFD node.
    pub node: Option<u32>,
    /// Compute units.
    pub compute_units: Option<u32>,
    /// Whether the runtime calls it an APU; old runtimes do not say.
    pub is_apu: Option<bool>,
}

impl RocmInfo {
    /// Reads the text; lines of other kinds are passed over.
    pub fn parse(text: &str) -> Self {
        let mut info = Self::default();
        for line in text.lines() {
            if info.module.is_none() {
                info.module = module(line);
            }
            if is_agent_heading(line) {
                info.agents.push(Agent::default());
            } else if let Some(agent) = info.agents.last_mut() {
                agent.read_line(line);
            }
        }
        info
    }

    /// The agents that are GPUs, with their instruction sets.
    pub fn gpus(&self) -> impl Iterator<Item = (&Agent, GfxTarget)> {
        self.agents
            .iter()
            .filter(|agent| agent.device_type == "GPU")
            .filter_map(|agent| Some((agent, agent.name.parse().ok()?)))
    }
}

impl Agent {
    /// Takes a line of the agent's own; what belongs to its ISAs and pools is indented more.
    fn read_line(&mut self, line: &str) {
        let Some((key, value)) = line.split_once(':') else {
            return;
        };
        let Some(key) = key.strip_prefix("  ").filter(|key| !key.starts_with(' ')) else {
            return;
        };
        let value = value.trim();
        // `29772(0x744c)`
        let number = || value.split('(').next().and_then(|number| number.parse().ok());
        match key {
            "Name" => value.clone_into(&mut self.name),
            "Marketing Name" if !value.is_empty() => self.marketing_name = Some(value.to_owned()),
            "Device Type" => value.clone_into(&mut self.device_type),
            "Chip ID" => self.chip_id = number(),
            "Node" => self.node = number(),
            "Compute Unit" => self.compute_units = number(),
            "Memory Properties" => self.is_apu = Some(value.contains("APU")),
            _ => {}
        }
    }
}

fn module(line: &str) -> Option<RocmInfoModule> {
    let line = line.trim();
    if line.starts_with("WSL environment detected") {
        return Some(RocmInfoModule::Wsl);
    }
    let rest = line.strip_prefix("ROCk module ")?;
    if rest.starts_with("is NOT loaded") {
        return Some(RocmInfoModule::NotLoaded);
    }
    let version = rest.strip_prefix("version ").and_then(|rest| rest.split(' ').next());
    Some(RocmInfoModule::Loaded { version: version.map(str::to_owned) })
}

/// `Agent 2`, between lines of stars.
fn is_agent_heading(line: &str) -> bool {
    line.trim_end().strip_prefix("Agent ").is_some_and(|number| number.parse::<u32>().is_ok())
}
