//! The loader: tables are parsed when they are asked for, once.
//!
//! A program that asks nothing parses nothing; a question reads only the tables that it needs.

use std::sync::OnceLock;

use serde::de::DeserializeOwned;

use super::overlay::{Overlay, OverlayError, merged};
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
use super::tables::{Tables, with_tables};
use crate::digest::Sha256;

macro_rules! define {
    ($($name:ident: $shape:ident { $($rows:ident),* };)*) => {
        /// What is known of ROCm, with its sources. Cheap to make; see the module.
        #[derive(Debug, Default)]
        pub struct Registry {
            overlay: Option<Box<Tables>>,
            overlay_texts: String,
            $($name: OnceLock<$shape>,)*
        }

        impl Registry {
            $(
                #[doc = concat!("The table `", stringify!($name), "`, with what overlays add.")]
                pub fn $name(&self) -> &$shape {
                    self.$name.get_or_init(|| {
                        let mut table: $shape = embedded(include_bytes!(concat!(
                            env!("OUT_DIR"), "/registry/", stringify!($name), ".json"
                        )));
                        if let Some(overlay) = &self.overlay {
                            $(table.$rows.extend(overlay.$name.$rows.iter().cloned());)*
                        }
                        table
                    })
                }
            )*

            /// A registry of these tables alone: nothing of the embedded one is in it.
            pub fn of_tables(tables: Tables) -> Self {
                let overlay_texts = String::from("other tables");
                Self { overlay: None, overlay_texts, $($name: OnceLock::from(tables.$name),)* }
            }

            /// All embedded tables, parsed.
            pub(super) fn all_embedded() -> Tables {
                let registry = Self::embedded();
                Tables { $($name: registry.$name().clone(),)* }
            }
        }
    };
}
with_tables!(define);

impl Registry {
    /// The registry as it was built into the program.
    pub fn embedded() -> Self {
        Self::default()
    }

    /// The embedded registry, extended by overlays in their order.
    ///
    /// Refused: an overlay that does not parse, a row without a source of the overlay's own, a
    /// name that neither it nor the registry knows. A release that only the overlay speaks of is
    /// fine: everything that no row says of it is not known.
    pub fn with_overlays(overlays: &[Overlay]) -> Result<Self, OverlayError> {
        if overlays.is_empty() {
            return Ok(Self::embedded());
        }
        let overlay = Some(Box::new(merged(overlays, &Self::all_embedded())?));
        let texts: Vec<&str> = overlays.iter().map(|overlay| overlay.text.as_str()).collect();
        let overlay_texts = Sha256::of(texts.join("\0").as_bytes()).to_string();
        Ok(Self { overlay, overlay_texts, ..Self::default() })
    }

    /// What tells these facts from any others, without parsing them: it changes with every row of
    /// the embedded registry and with every byte of an overlay.
    pub fn fingerprint(&self) -> String {
        format!(
            "{} {}",
            include_str!(concat!(env!("OUT_DIR"), "/registry/fingerprint")),
            self.overlay_texts
        )
    }

    /// The day on which the facts were collected (YYYY-MM-DD).
    pub fn date(&self) -> &str {
        &self.sources().collected
    }
}

fn embedded<T: DeserializeOwned>(json: &[u8]) -> T {
    #[expect(
        clippy::expect_used,
        reason = "the build made it from this very type; tests parse all"
    )]
    serde_json::from_slice(json).expect("a table that the build script checked")
}
