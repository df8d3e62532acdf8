//! A bill of materials in CycloneDX 1.6 (ECMA-424), JSON. The same lock gives the same bytes:
//! there is no time in it, and the serial number follows from the content.

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::plan::Artifact;
use serde_json::{Value, json};

use super::ExportError;
use super::licences::{Licence, Licences};
use super::subject::Subject;

/// The text.
pub(super) fn text(subject: &Subject, licences: &Licences) -> Result<String, ExportError> {
    let components: Vec<Value> =
        subject.artifacts.iter().map(|artifact| component(subject, artifact, licences)).collect();
    let mut dependencies: Vec<Value> = vec![json!({
        "ref": PROJECT,
        "dependsOn": subject.artifacts.iter().map(reference).collect::<Vec<_>>(),
    })];
    dependencies.extend(subject.artifacts.iter().map(|artifact| {
        let needs = subject.requires.get(&artifact.name).into_iter().flatten();
        let needs: Vec<String> = needs.filter_map(|name| named(subject, artifact, name)).collect();
        json!({ "ref": reference(artifact), "dependsOn": needs })
    }));
    let mut document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": "",
        "version": 1,
        "metadata": {
            "tools": { "components": [{
                "type": "application",
                "name": "rocmenv",
                "version": env!("CARGO_PKG_VERSION"),
            }] },
            "component": {
                "type": "application",
                "bom-ref": PROJECT,
                "name": subject.project.name,
                "properties": properties(subject),
            },
        },
        "components": components,
        "dependencies": dependencies,
    });
    let digest = Sha256::of(serde_json::to_string(&document)?.as_bytes()).to_string();
    document["serialNumber"] = json!(format!("urn:uuid:{}", uuid(&digest)));
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn component(subject: &Subject, artifact: &Artifact, licences: &Licences) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(artifact),
        "name": artifact.name,
        "version": artifact.version,
        "purl": package_url(subject, artifact),
        "properties": [
            { "name": "rocmenv:index", "value": artifact.index },
            { "name": "rocmenv:file", "value": artifact.file },
        ],
    });
    if let Some(sha256) = artifact.sha256 {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sha256 }]);
    }
    let kind = match artifact.kind {
        // its module is installed as a wheel is
        ArtifactKind::RocmMeta => ArtifactKind::Wheel,
        kind => kind,
    };
    let found = licences.get(&(kind, artifact.name.clone()));
    match found.map(Vec::as_slice) {
        None | Some([]) => {}
        Some([Licence::Expression(expression)]) => {
            component["licenses"] = json!([{ "expression": expression }]);
        }
        Some(several) => {
            let several = several.iter().map(|licence| match licence {
                Licence::Id(id) => json!({ "license": { "id": id } }),
                Licence::Expression(name) | Licence::Named(name) => {
                    json!({ "license": { "name": name } })
                }
            });
            component["licenses"] = Value::Array(several.collect());
        }
    }
    component
}

/// What the lock says of the whole.
fn properties(subject: &Subject) -> Value {
    let target = &subject.target;
    let mut list =
        vec![("target", target.name.to_string()), ("environment", target.env.to_string())];
    list.extend(target.rocm.as_ref().map(|rocm| ("rocm", rocm.to_string())));
    list.extend(target.channel.clone().map(|channel| ("channel", channel)));
    list.extend(target.python.as_ref().map(|python| ("python", python.series.to_string())));
    let items = target.contract.items.iter();
    list.extend(items.map(|item| ("contract", item.predicate.to_string())));
    let list = list.into_iter();
    list.map(|(name, value)| json!({ "name": format!("rocmenv:{name}"), "value": value })).collect()
}

fn reference(artifact: &Artifact) -> String {
    format!("{}:{}@{}", artifact.kind.as_str(), artifact.name, artifact.version)
}

/// The artifact of that name: of the same kind first, as a wheel needs a wheel.
fn named(subject: &Subject, from: &Artifact, name: &str) -> Option<String> {
    let all = || subject.artifacts.iter().filter(|one| one.name == name);
    let same = all().find(|one| one.kind == from.kind);
    same.or_else(|| all().next()).map(reference)
}

/// The package URL ("purl") of an artifact.
fn package_url(subject: &Subject, artifact: &Artifact) -> String {
    let version = artifact.version.replace('%', "%25").replace('+', "%2B").replace(':', "%3A");
    let name = &artifact.name;
    match artifact.kind {
        ArtifactKind::Wheel | ArtifactKind::RocmMeta => format!("pkg:pypi/{name}@{version}"),
        ArtifactKind::Deb => {
            let vendor = subject.os().map_or_else(|| "debian".to_owned(), |os| os.distribution);
            format!("pkg:deb/{vendor}/{name}@{version}?arch={}", subject.arch().debian())
        }
        ArtifactKind::Tarball | ArtifactKind::Python => format!("pkg:generic/{name}@{version}"),
    }
}

/// A UUID of version 8 (RFC 9562: own content) of the first bytes of a digest in hexadecimal.
fn uuid(digest: &str) -> String {
    let part = |from: usize, to: usize| digest.get(from..to).unwrap_or_default();
    format!("{}-{}-8{}-a{}-{}", part(0, 8), part(8, 12), part(12, 15), part(15, 18), part(18, 30))
}

const PROJECT: &str = "project";
