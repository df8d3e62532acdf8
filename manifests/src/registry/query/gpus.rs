//! GPUs: from a product's name, a PCI id or a gfx target to what the registry knows of it.

use crate::gfx::GfxTarget;

use super::super::loader::Registry;
use super::super::rows::gpus::{GfxRow, GpuClass, GpuScope, ProductRow};

/// A GPU that a question is about: a product, or a gfx target alone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KnownGpu {
    /// Its instruction set.
    pub gfx: GfxTarget,
    /// The product, as the registry writes it; support is per product.
    pub product: Option<String>,
    /// Its class, where the product or all products of the target say it.
    pub class: Option<GpuClass>,
}

/// Whether a row's scope holds for a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Covers {
    Yes,
    No,
    /// It depends on the product, and only the target is known.
    Depends,
}

impl Registry {
    /// The target's row.
    pub fn gfx_row(&self, gfx: GfxTarget) -> Option<&GfxRow> {
        self.gfx().target.iter().find(|row| row.name == gfx)
    }

    /// A GPU by its target alone.
    pub fn gpu_of_target(&self, gfx: GfxTarget) -> KnownGpu {
        let mut classes = self.products_of(gfx).map(|row| row.class);
        let class = classes.next().filter(|first| classes.all(|class| class == *first));
        KnownGpu { gfx, product: None, class }
    }

    /// A GPU by what a user calls it: a product (`RX 7900 XTX`, `MI300X`) or a gfx target.
    pub fn gpu_named(&self, text: &str) -> Option<KnownGpu> {
        if let Ok(gfx) = text.parse::<GfxTarget>() {
            return self.gfx_row(gfx).map(|_| self.gpu_of_target(gfx));
        }
        let (row, name) = self.product_named(text)?;
        Some(KnownGpu { gfx: row.gfx, product: Some(name.to_owned()), class: Some(row.class) })
    }

    /// The product that a user means; the maker's and the series' names may be left out.
    pub fn product_named(&self, text: &str) -> Option<(&ProductRow, &str)> {
        let all = || {
            let rows = self.products().product.iter();
            rows.flat_map(|row| row.names.iter().map(move |name| (row, name.as_str())))
        };
        let wanted = words(text, false);
        let exact = all().find(|(_, name)| words(name, false) == wanted);
        exact.or_else(|| {
            // without `PRO`, or without the series in front, where that leaves one product only
            let short = words(text, true);
            let only = |is_it: &dyn Fn(&[String]) -> bool| {
                let mut found = all().filter(|(_, name)| is_it(&words(name, true)));
                let first = found.next()?;
                found.next().is_none().then_some(first)
            };
            only(&|name| name == short)
                .or_else(|| only(&|name| !short.is_empty() && name.ends_with(&short)))
        })
    }

    /// All products that carry a PCI device id, narrowed by revision where that is listed.
    pub fn products_by_pci(&self, device: u16, revision: Option<u8>) -> Vec<&ProductRow> {
        let of_device = format!("{device:04X}:");
        let rows = self.products().product.iter();
        let all: Vec<_> = rows
            .filter(|row| row.pci.iter().any(|id| id.to_uppercase().starts_with(&of_device)))
            .collect();
        let Some(revision) = revision else { return all };
        let id = format!("{of_device}{revision:02X}");
        let carries = |row: &&ProductRow| row.pci.iter().any(|own| own.eq_ignore_ascii_case(&id));
        let exact: Vec<_> = all.iter().copied().filter(carries).collect();
        if exact.is_empty() { all } else { exact }
    }

    /// The rows of products with this target.
    pub fn products_of(&self, gfx: GfxTarget) -> impl Iterator<Item = &ProductRow> {
        self.products().product.iter().filter(move |row| row.gfx == gfx)
    }

    /// Whether `scope` holds for `gpu`.
    pub(super) fn covers(&self, scope: &GpuScope, gpu: &KnownGpu) -> Covers {
        let outside_class =
            !scope.class.is_empty() && gpu.class.is_some_and(|class| !scope.class.contains(&class));
        let outside_gfx = !scope.gfx.is_empty() && !scope.gfx.contains(&gpu.gfx);
        if outside_class || outside_gfx || scope.not_gfx.contains(&gpu.gfx) {
            return Covers::No;
        }
        let Some(product) = &gpu.product else { return self.covers_target(scope, gpu.gfx) };
        let named = scope.products.is_empty() || scope.products.contains(product);
        if named && !scope.except.contains(product) { Covers::Yes } else { Covers::No }
    }

    fn covers_target(&self, scope: &GpuScope, gfx: GfxTarget) -> Covers {
        let names: Vec<_> = self.products_of(gfx).flat_map(|row| &row.names).collect();
        let inside = |name: &&&String| {
            (scope.products.is_empty() || scope.products.contains(name))
                && !scope.except.contains(name)
        };
        let count = names.iter().filter(inside).count();
        match count {
            _ if scope.products.is_empty() && scope.except.is_empty() => Covers::Yes,
            0 => Covers::No,
            count if count == names.len() => Covers::Yes,
            _ => Covers::Depends,
        }
    }
}

/// The words that tell products apart.
fn words(name: &str, without_pro: bool) -> Vec<String> {
    let lower = name.to_lowercase();
    let words = lower.split_whitespace();
    let tells = |word: &&str| {
        let noise = matches!(*word, "amd" | "radeon" | "instinct" | "graphics" | "(tm)" | "ryzen");
        !noise && (!without_pro || *word != "pro")
    };
    words.filter(tells).map(str::to_owned).collect()
}
