//! What is asked of the rows of each table.

use super::super::tables::Tables;
use super::Kind;
use super::checker::Checker;

impl Checker {
    /// Asks every row of every table.
    pub(super) fn check(&mut self, tables: &Tables) {
        self.names_once(tables);
        self.sources_and_releases(tables);
        self.gpus_and_support(tables);
        self.drivers(tables);
        self.frameworks_and_builds(tables);
        self.channels_and_packages(tables);
    }

    fn names_once(&mut self, tables: &Tables) {
        self.once("sources", Kind::Source, tables.sources.source.iter().map(|row| &row.key));
        let releases = tables.releases.release.iter().map(|row| &row.version);
        self.once("releases", Kind::Release, releases);
        self.once("gfx", Kind::Gfx, tables.gfx.target.iter().map(|row| &row.name));
        let products = tables.products.product.iter().flat_map(|row| &row.names);
        self.once("products", Kind::Product, products);
        let channels = tables.channels.channel.iter().map(|row| &row.name);
        self.once("channels", Kind::Channel, channels);
        let frameworks = tables.frameworks.framework.iter().map(|row| &row.name);
        self.once("frameworks", Kind::Framework, frameworks);
        let components = tables.components.component.iter().map(|row| &row.name);
        self.once("components", Kind::Component, components);
        let combinations = tables.known_bad.combination.iter().map(|row| &row.id);
        self.once("known-bad", Kind::Combination, combinations);
        let files = tables.hashes.file.iter().map(|row| format!("{} {}", row.channel, row.file));
        self.once("hashes", Kind::File, files);
    }

    fn sources_and_releases(&mut self, tables: &Tables) {
        self.table = "sources";
        for row in &tables.sources.source {
            self.date(row.read.as_deref());
        }
        self.table = "releases";
        for row in &tables.releases.line {
            self.sourced(&row.source);
            self.releases(&row.versions);
            self.known(Kind::Line, row.continues_at.as_ref());
        }
        for row in &tables.releases.release {
            self.sourced(&row.source);
            self.date(row.date.as_deref());
            self.known(Kind::Line, [&row.line]);
        }
        self.table = "roadmap";
        for row in &tables.roadmap.entry {
            self.sourced(&row.source);
        }
        self.table = "changes";
        for row in &tables.changes.change {
            self.sourced(&row.source);
            self.known(Kind::Gfx, &row.gfx);
            self.known(Kind::Framework, row.framework.as_ref());
            if let Some(release) = &row.since {
                self.release_text(release);
            }
        }
        self.table = "env-vars";
        for row in &tables.env_vars.variable {
            self.sourced(&row.source);
        }
        self.table = "images";
        for row in &tables.images.image {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Gfx, &row.gfx);
            self.known(Kind::Framework, [&row.framework]);
        }
        self.table = "native-windows";
        for row in &tables.native_windows.only {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Framework, &row.frameworks);
        }
        for row in &tables.native_windows.under_wsl {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Framework, [&row.framework]);
        }
        self.table = "tuning";
        for row in &tables.tuning.rule {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Gfx, &row.gfx);
            self.known(Kind::Framework, &row.frameworks);
        }
        self.table = "peaks";
        for row in &tables.peaks.peak {
            self.sourced(&row.source);
            self.known(Kind::Gfx, &row.gfx);
        }
        self.table = "pythons";
        for row in &tables.pythons.target {
            self.sourced(&row.source);
        }
        for row in &tables.pythons.build {
            self.sourced(&row.source);
        }
        for row in &tables.pythons.named {
            self.sourced(&row.source);
        }
    }

    fn gpus_and_support(&mut self, tables: &Tables) {
        self.table = "gfx";
        for row in &tables.gfx.target {
            self.sourced(&row.source);
        }
        self.table = "products";
        for row in &tables.products.product {
            self.sourced(&row.source);
            self.known(Kind::Gfx, [&row.gfx]);
            self.releases(&row.not_listed);
        }
        self.table = "product-support";
        for row in &tables.product_support.group {
            self.known(Kind::Product, &row.products);
        }
        for row in &tables.product_support.row {
            self.sourced(&row.source);
            self.release_text(&row.release);
            self.known(Kind::Group, &row.groups);
        }
        for row in &tables.product_support.added {
            self.sourced(&row.source);
            self.release_text(&row.release);
            self.known(Kind::Product, &row.products);
        }
        for release in &tables.product_support.closed {
            self.release_text(release);
        }
        self.table = "device-code";
        let device_code = &tables.device_code;
        let sources = device_code.essential.iter().map(|row| &row.source);
        let sources = sources.chain(device_code.library.iter().map(|row| &row.source));
        let sources = sources.chain(device_code.mode.iter().map(|row| &row.source));
        for source in sources.chain(device_code.one_build.iter().map(|row| &row.source)) {
            self.sourced(source);
        }
        self.table = "gpu-support";
        for row in tables.gpu_support.row.iter().chain(&tables.gpu_support.hip_sdk) {
            self.sourced(&row.source);
            self.releases([&row.release]);
            self.known(Kind::Gfx, &row.gfx);
        }
        for row in &tables.gpu_support.therock {
            self.sourced(&row.source);
            self.date(Some(&row.snapshot));
            self.known(Kind::Gfx, &row.gfx);
        }
        self.table = "os-support";
        for row in &tables.os_support.row {
            self.sourced(&row.source);
            self.releases(&row.releases);
            self.scope(&row.gpus);
        }
        for row in &tables.os_support.rdna35 {
            self.sourced(&row.source);
            self.releases(&row.releases);
            self.known(Kind::Gfx, &row.gfx);
        }
    }

    fn drivers(&mut self, tables: &Tables) {
        self.table = "drivers";
        let drivers = &tables.drivers;
        self.releases(&drivers.closed_rocm);
        for row in &drivers.matrix {
            self.sourced(&row.source);
            self.releases(&row.rocm);
        }
        for row in &drivers.listed {
            self.sourced(&row.source);
            self.releases([&row.rocm]);
            self.scope(&row.gpus);
        }
        for row in &drivers.per_gpu {
            self.sourced(&row.source);
            self.releases([&row.rocm]);
            self.known(Kind::Product, &row.products);
        }
        for row in &drivers.firmware {
            self.sourced(&row.source);
            self.releases([&row.rocm]);
            self.known(Kind::Product, &row.products);
        }
        let pairs = drivers.conflict.iter().map(|row| (&row.rocm, &row.source));
        let pairs = pairs.chain(drivers.avoid.iter().map(|row| (&row.rocm, &row.source)));
        let pairs = pairs.chain(drivers.unknown.iter().map(|row| (&row.rocm, &row.source)));
        let pairs = pairs.chain(drivers.pairing.iter().map(|row| (&row.rocm, &row.source)));
        let pairs = pairs.chain(drivers.number.iter().map(|row| (&row.shipped_with, &row.source)));
        let pairs = pairs.chain(drivers.windows.iter().map(|row| (&row.rocm, &row.source)));
        let pairs = pairs.chain(drivers.wsl_bridge.iter().map(|row| (&row.rocm, &row.source)));
        let pairs = pairs.chain(drivers.sriov_host.iter().map(|row| (&row.rocm, &row.source)));
        for (release, source) in pairs {
            self.sourced(source);
            self.releases([release]);
        }
        for row in &drivers.rule {
            self.sourced(&row.source);
        }
        self.table = "kernels";
        for row in &tables.kernels.driver_kind {
            self.sourced(&row.source);
            self.releases(&row.rocm);
        }
        for row in &tables.kernels.floor {
            self.sourced(&row.source);
            self.releases(&row.rocm);
        }
        for row in &tables.kernels.dkms {
            self.sourced(&row.source);
        }
        self.table = "known-bad";
        for row in &tables.known_bad.combination {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Gfx, &row.gfx);
        }
        for row in &tables.known_bad.r#override {
            self.sourced(&row.source);
            self.known(Kind::Gfx, &row.gfx);
        }
    }

    fn frameworks_and_builds(&mut self, tables: &Tables) {
        self.table = "frameworks";
        for row in &tables.frameworks.framework {
            self.sourced(&row.source);
        }
        for row in &tables.frameworks.closed {
            self.known(Kind::Framework, [&row.framework]);
            for release in &row.rocm {
                self.release_text(release);
            }
        }
        for row in &tables.frameworks.listed {
            self.sourced(&row.source);
            self.known(Kind::Framework, [&row.framework]);
            self.releases(&row.rocm);
            self.scope(&row.gpus);
        }
        for row in &tables.frameworks.pair {
            self.sourced(&row.source);
        }
        for (name, builds) in
            [("builds", &tables.builds), ("builds-general", &tables.builds_general)]
        {
            self.table = name;
            for row in &builds.build {
                self.sourced(&row.source);
                self.known(Kind::Channel, [&row.channel]);
                self.date(row.uploaded.as_deref());
            }
            for row in &builds.coverage {
                self.sourced(&row.source);
                self.known(Kind::Channel, [&row.channel]);
                self.known(Kind::Gfx, &row.gfx);
            }
            for row in &builds.vllm {
                self.sourced(&row.source);
            }
        }
        self.table = "hashes";
        for row in &tables.hashes.file {
            self.sourced(&row.source);
            self.known(Kind::Channel, [&row.channel]);
        }
    }

    fn channels_and_packages(&mut self, tables: &Tables) {
        self.table = "channels";
        for row in &tables.channels.channel {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Line, row.line.as_ref());
            self.known(Kind::Channel, row.continues_at.as_ref());
            for release in row.from.iter().chain(&row.until) {
                self.release_text(release);
            }
        }
        self.table = "components";
        for row in &tables.components.provides {
            self.sourced(&row.source);
            self.known(Kind::Component, [&row.component]);
            self.known(Kind::Channel, [&row.channel]);
        }
        for row in &tables.components.suite_libc {
            self.sourced(&row.source);
        }
        self.table = "bindings";
        let bindings = &tables.bindings;
        for row in &bindings.binding {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Channel, row.alternatives.iter().chain([&row.channel]));
        }
        for row in &bindings.together {
            self.sourced(&row.source);
            self.known(Kind::Channel, [&row.channel]);
        }
        for row in &bindings.provider {
            self.sourced(&row.source);
            self.known(Kind::Channel, &row.channels);
        }
        for row in &bindings.device {
            self.sourced(&row.source);
            self.releases(&row.rocm);
            self.known(Kind::Gfx, &row.gfx);
        }
        for row in &bindings.family {
            self.sourced(&row.source);
            self.known(Kind::Framework, [&row.name]);
            self.releases(&row.rocm);
        }
        for row in &bindings.runpath {
            self.sourced(&row.source);
            self.releases(&row.rocm);
        }
        let sources = bindings.placeholder.iter().map(|row| &row.source);
        let sources = sources.chain(bindings.other_accelerator.iter().map(|row| &row.source));
        let sources = sources.chain(bindings.meta.iter().map(|row| &row.source));
        for source in sources {
            self.sourced(source);
        }
    }
}
