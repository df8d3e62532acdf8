//! Words of `prove`.

use clap::Args;
use rocmenv_manifests::gfx::GfxTarget;
use rocmenv_manifests::name::IndexName;

use crate::ops::prove::ProveOptions;

/// `prove`.
#[derive(Debug, Clone, Args)]
pub struct ProveArgs {
    /// A wheel in place of the project's environment: NAME==VERSION (for `--target`, else this
    /// host), an address, a file, or the name of a file of the index, for whatever system it is;
    /// may be repeated. Only the parts that are needed are fetched
    #[arg(short, long, value_name = "WHEEL")]
    pub wheel: Vec<String>,

    /// The index of wheels that are named by version
    #[arg(long, value_name = "NAME", requires = "wheel")]
    pub index: Option<IndexName>,

    /// What rocm.lock says for the target, in place of the environment that was made
    #[arg(long, conflicts_with = "wheel")]
    pub lock: bool,

    /// Ask about this GPU (`gfx1100`) in place of the target's; may be repeated
    #[arg(long, value_name = "GFX")]
    pub gpu: Vec<GfxTarget>,

    /// Read files of wheels to their end, so that the libraries that they need are known, too
    #[arg(long)]
    pub whole: bool,
}

impl From<ProveArgs> for ProveOptions {
    fn from(args: ProveArgs) -> Self {
        Self {
            wheels: args.wheel,
            index: args.index,
            lock: args.lock,
            gpus: args.gpu,
            whole: args.whole,
        }
    }
}
