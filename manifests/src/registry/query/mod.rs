//! Questions to the registry. Each file knows one table: where it is closed, so that absence
//! means no, and where it is open, so that absence means that nobody has read anything.

mod apt;
mod archives;
mod builds;
mod changes;
mod channels;
mod device_code;
mod distributions;
mod drivers;
mod evidence;
mod frameworks;
mod gpus;
mod kernel;
mod kernels_listed;
mod known_bad;
mod nearest;
mod packages;
mod products;
mod releases;
mod system;
mod tree;
mod ways;
mod windows;

pub use apt::AptRepository;
pub use archives::RocmArchive;
pub use changes::GpuChange;
pub use channels::ChannelIndex;
pub use drivers::ModuleRelease;
pub use frameworks::FrameworkQuestion;
pub use gpus::KnownGpu;
pub use kernel::Kernel;
pub use kernels_listed::NamedKernel;
pub use known_bad::Situation;
pub use nearest::NameKind;
pub use packages::{DeviceWheels, MetaRequirement};
pub use system::System;
pub use windows::is_windows_driver_number;
