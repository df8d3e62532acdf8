//! The frameworks of the registry as rules: packages, their names by release, judged versions.

use std::collections::{BTreeMap, BTreeSet};

use rocmenv_manifests::name::{ExtraName, PackageName};
use rocmenv_manifests::python::Version;
use rocmenv_manifests::registry::query::{FrameworkQuestion, KnownGpu};
use rocmenv_manifests::registry::rows::frameworks::FrameworkRow;
use rocmenv_manifests::registry::rows::support::Platform;
use rocmenv_manifests::version::RocmVersion;

use super::{StackRequest, judgement, worst};
use crate::solve::stack::{
    Coupling, FrameworkRule, JudgedVersions, ListedVersions, PackageRule, Release,
};

/// Every framework that has a package.
pub(super) fn of(
    request: &StackRequest<'_>,
    releases: &[Release],
) -> BTreeMap<String, FrameworkRule> {
    let rows = request.registry.frameworks().framework.iter();
    rows.filter_map(|row| Some((row.name.clone(), rule(request, row, releases)?))).collect()
}

fn rule(
    request: &StackRequest<'_>,
    row: &FrameworkRow,
    releases: &[Release],
) -> Option<FrameworkRule> {
    let main: PackageName = row.package.parse().ok()?;
    let mut judged = Vec::new();
    let mut listed = BTreeMap::new();
    for release in releases {
        judged.extend(judged_for(request, row, &release.version));
        listed.insert(release.version.clone(), listed_for(request, row, &release.version));
    }
    let packages = packages(request, row, &main, releases);
    Some(FrameworkRule { title: row.title.clone(), main, packages, judged, listed })
}

/// The versions that rows or known builds speak of.
fn judged_for(
    request: &StackRequest<'_>,
    row: &FrameworkRow,
    rocm: &RocmVersion,
) -> Vec<JudgedVersions> {
    let registry = request.registry;
    let gpus = request.gpus();
    let each: Vec<Option<&KnownGpu>> =
        if gpus.is_empty() { vec![None] } else { gpus.iter().map(Some).collect() };
    let listed = registry.listed_versions(&row.name, rocm, Some(request.platform()));
    let built = registry
        .builds_for(row, rocm)
        .into_iter()
        .filter_map(|build| build.public_version().map(|version| version.to_string()));
    let texts: BTreeSet<String> = listed.into_iter().chain(built).collect();
    let judge = |text: String| {
        let version: Version = text.parse().ok()?;
        let ask = |gpu| FrameworkQuestion {
            framework: &row.name,
            version: &version,
            rocm,
            platform: Some(request.platform()),
            python: request.python,
            gpu,
        };
        let about = format!("{} {version} with ROCm {rocm}", row.title);
        let said = each.iter().map(|gpu| registry.framework_with_rocm(&ask(*gpu)));
        let judgement = worst(said.map(|said| judgement(&said, &about)))?;
        // Two parts stand for all patches, as the tables print them.
        let release = version.release().len();
        let specifiers = if release < 3 { format!("=={text}.*") } else { format!("=={text}") };
        Some(JudgedVersions {
            release: rocm.clone(),
            versions: specifiers.parse().ok()?,
            judgement,
        })
    };
    let mut judged: Vec<_> =
        texts.into_iter().filter_map(judge).filter(|judged| !is_built(judged)).collect();
    judged.extend(not_on_windows(request, row, rocm));
    judged
}

/// Every version, where AMD's whole list of what native Windows has lacks the framework, or AMD
/// says that it does not go under WSL2.
fn not_on_windows(
    request: &StackRequest<'_>,
    row: &FrameworkRow,
    rocm: &RocmVersion,
) -> Option<JudgedVersions> {
    let (said, place) = match request.platform() {
        Platform::Windows => {
            (request.registry.not_on_native_windows(&row.name, rocm)?, "on native Windows")
        }
        Platform::Wsl => (request.registry.not_under_wsl(&row.name, rocm)?, "under WSL2"),
        Platform::Linux => return None,
    };
    Some(JudgedVersions {
        release: rocm.clone(),
        versions: ">=0.dev0".parse().ok()?,
        judgement: judgement(&said, &format!("{} with ROCm {rocm} {place}", row.title)),
    })
}

/// Built ones are judged by their own wheels, with the text that says where the table ends.
fn is_built(judged: &JudgedVersions) -> bool {
    judged.judgement.grade == crate::solve::stack::Grade::Built
}

fn listed_for(
    request: &StackRequest<'_>,
    row: &FrameworkRow,
    rocm: &RocmVersion,
) -> ListedVersions {
    let registry = request.registry;
    let rows = registry.listed_for(&row.name, rocm, Some(request.platform()));
    let evidence = rows.first().map(|row| registry.evidence(&row.source, "", &None));
    ListedVersions {
        versions: registry.listed_versions(&row.name, rocm, Some(request.platform())),
        source: evidence.and_then(|all| all.first().map(ToString::to_string)),
    }
}

/// The packages that a framework brings, each with the releases that it is there for.
fn packages(
    request: &StackRequest<'_>,
    row: &FrameworkRow,
    main: &PackageName,
    releases: &[Release],
) -> Vec<PackageRule> {
    let mut found: BTreeMap<(PackageName, Vec<ExtraName>), BTreeSet<RocmVersion>> = BTreeMap::new();
    for release in releases {
        for name in names(request, row, &release.version) {
            let extras = device_extras(request, &name, &release.version);
            if name == *main && extras.is_empty() {
                continue;
            }
            found.entry((name, extras)).or_default().insert(release.version.clone());
        }
    }
    let rule = |((name, extras), releases): (_, BTreeSet<RocmVersion>)| {
        let coupling = coupling(request, row, main, &name);
        PackageRule { name, extras, coupling, releases }
    };
    found.into_iter().map(rule).collect()
}

fn names(request: &StackRequest<'_>, row: &FrameworkRow, rocm: &RocmVersion) -> Vec<PackageName> {
    let family = request.registry.family_packages(&row.name, rocm);
    let major = rocm.series().major.to_string();
    let is_template = |name: &&String| name.contains("{major}");
    let templates = row.packages.iter().filter(is_template).filter(|_| family.is_empty());
    let templates = templates.map(|name| name.replace("{major}", &major));
    let plain = row.packages.iter().filter(|name| !is_template(name)).cloned();
    let all = plain.chain(family.iter().cloned()).chain(templates);
    all.filter_map(|name| name.parse().ok()).collect()
}

fn device_extras(
    request: &StackRequest<'_>,
    package: &PackageName,
    rocm: &RocmVersion,
) -> Vec<ExtraName> {
    let wheels = request.target.gfx_targets().into_iter().filter_map(|gfx| {
        request.registry.device_wheels(package.as_ref(), gfx, rocm)?.extra?.parse().ok()
    });
    wheels.collect()
}

fn coupling(
    request: &StackRequest<'_>,
    row: &FrameworkRow,
    main: &PackageName,
    name: &PackageName,
) -> Coupling {
    let families = &request.registry.bindings().family;
    let is_of_family = families.iter().any(|family| {
        family.name == row.name
            && family.same_version
            && family.packages.contains(&name.to_string())
    });
    if is_of_family || name == main {
        return Coupling::Same;
    }
    let pairs = request.registry.frameworks().pair.iter().filter_map(|pair| {
        let series = match name.as_ref() {
            "torchvision" => &pair.torchvision,
            "torchaudio" => &pair.torchaudio,
            "apex" => pair.apex.as_ref()?,
            _ => return None,
        };
        Some((pair.torch.clone(), series.clone()))
    });
    let pairs: BTreeMap<String, String> = pairs.collect();
    if pairs.is_empty() { Coupling::Free } else { Coupling::Paired(pairs) }
}
