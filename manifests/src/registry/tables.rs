//! The list of tables: which file of `manifests/registry` has which shape and which rows.
//!
//! The build script, the loader and overlays are all made from this one list.

use serde::{Deserialize, Serialize};

use super::rows::bindings::BindingsTable;
use super::rows::builds::{BuildsTable, HashesTable};
use super::rows::changes::ChangesTable;
use super::rows::channels::ChannelsTable;
use super::rows::components::ComponentsTable;
use super::rows::device_code::DeviceCodeTable;
use super::rows::drivers::DriversTable;
use super::rows::faults::FaultsTable;
use super::rows::frameworks::FrameworksTable;
use super::rows::gpus::{GfxTable, ProductsTable};
use super::rows::images::ImagesTable;
use super::rows::kernels::KernelsTable;
use super::rows::known_bad::KnownBadTable;
use super::rows::native_windows::NativeWindowsTable;
use super::rows::pythons::PythonsTable;
use super::rows::reference::{EnvVarsTable, PeaksTable};
use super::rows::releases::{ReleasesTable, RoadmapTable};
use super::rows::requirements::RequirementsTable;
use super::rows::sources::SourcesTable;
use super::rows::support::{GpuSupportTable, OsSupportTable, ProductSupportTable};
use super::rows::tuning::TuningTable;

/// Hands the list of tables to another macro: name, shape, the lists of rows in it.
macro_rules! with_tables {
    ($then:ident) => {
        $then! {
            bindings: BindingsTable {
                binding, together, placeholder, other_accelerator, provider, device, meta, family,
                runpath
            };
            builds: BuildsTable { build, coverage, vllm };
            builds_general: BuildsTable { build, coverage, vllm };
            changes: ChangesTable { change };
            channels: ChannelsTable { channel };
            components: ComponentsTable { component, provides, host_only, suite_libc };
            device_code: DeviceCodeTable { essential, library, mode, one_build };
            drivers: DriversTable {
                closed_rocm, matrix, listed, per_gpu, conflict, avoid, unknown, pairing, rule,
                number, windows, wsl_bridge, sriov_host, firmware
            };
            env_vars: EnvVarsTable { variable };
            faults: FaultsTable { fault };
            frameworks: FrameworksTable { framework, closed, listed, pair };
            gfx: GfxTable { target };
            gpu_support: GpuSupportTable { row, hip_sdk, therock };
            hashes: HashesTable { file };
            images: ImagesTable { image };
            kernels: KernelsTable { driver_kind, floor, dkms };
            known_bad: KnownBadTable { combination, r#override };
            native_windows: NativeWindowsTable { only, under_wsl };
            os_support: OsSupportTable { row, rdna35 };
            peaks: PeaksTable { peak };
            product_support: ProductSupportTable { closed, group, row, added };
            products: ProductsTable { product };
            pythons: PythonsTable { target, build, named };
            releases: ReleasesTable { line, release };
            requirements: RequirementsTable { row };
            roadmap: RoadmapTable { entry };
            sources: SourcesTable { source };
            tuning: TuningTable { rule };
        }
    };
}
pub(crate) use with_tables;

macro_rules! define {
    ($($name:ident: $shape:ident { $($rows:ident),* };)*) => {
        /// All tables side by side: what the build checks, and the shape of an overlay.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
        pub struct Tables {
            $(
                #[doc = concat!("The table `", stringify!($name), "`.")]
                pub $name: $shape,
            )*
        }
    };
}
with_tables!(define);
