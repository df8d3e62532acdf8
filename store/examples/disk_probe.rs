//! A small sync without lock or network, for tests that kill it, fill its disk or time it:
//!
//! `disk_probe STORE PROJECT PYTHON VERSION [--bytecode] ARCHIVE...`
//!
//! makes objects of the archives (kind by file name), builds a generation from them, switches to
//! it, keeps two generations and collects the rest. Prints one line per step with its time.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rocmenv_manifests::digest::Sha256;
use rocmenv_manifests::generation::Interpreter;
use rocmenv_manifests::lock::ArtifactKind;
use rocmenv_manifests::name::{EnvName, IndexName, TargetName};
use rocmenv_manifests::plan::Artifact;
use rocmenv_store::environment::{EnvSpec, compile};
use rocmenv_store::gc::{Collector, GcOptions, execute};
use rocmenv_store::generation::{EnvWriter, Request};
use rocmenv_store::layout::{EnvLayout, StoreLayout};
use rocmenv_store::object::Store;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let bytecode = arguments.iter().any(|argument| argument == "--bytecode");
    arguments.retain(|argument| argument != "--bytecode");
    let [store, project, python, version, archives @ ..] = &arguments[..] else {
        return Err("usage: disk_probe STORE PROJECT PYTHON VERSION [--bytecode] ARCHIVE...".into());
    };
    let layout = StoreLayout::new(Path::new(store));
    let store = Store::open(layout.clone(), vec![])?;
    let env = EnvLayout::new(Path::new(project), &TargetName::host(), &EnvName::default_env());
    let mut clock = Clock(Instant::now());

    let in_use = store.in_use()?;
    let mut objects = Vec::new();
    let mut artifacts = Vec::new();
    for archive in archives {
        let path = PathBuf::from(archive);
        let artifact = artifact_of(&path)?;
        clock.0 = Instant::now();
        objects.push(in_use.ensure(&path, &artifact, &|_| ())?);
        clock.tick(&format!("object {}", artifact.name));
        artifacts.push(artifact);
    }
    let writer = EnvWriter::lock(env)?;
    let new = writer.begin(&layout)?;
    clock.tick("begin");
    let interpreter =
        Interpreter { version: version.clone(), path: python.clone(), source: "host".to_owned() };
    let bytecode = if bytecode { compile(&in_use, &interpreter, &objects)? } else { Vec::new() };
    clock.tick("bytecode");
    let spec = EnvSpec { python: Some(interpreter), objects, bytecode, ..EnvSpec::default() };
    let request = Request {
        target: TargetName::host(),
        env: EnvName::default_env(),
        groups: vec![],
        created: "2026-11-30T00:00:00Z".to_owned(),
        artifacts,
        managed_python: None,
        python_objects: vec![],
        spec,
        project_file: vec![],
        lock_file: vec![],
        gates: vec![],
        warnings: vec![],
    };
    let record = writer.make(&new, &in_use, &request, &|_| ())?;
    clock.tick(&format!("make {:?}", record.links));
    let going = writer.removable(2, &[])?;
    writer.remove(&layout, &going)?;
    drop((writer, in_use));
    let collector = Collector::lock(layout)?;
    let plan = collector.plan(&GcOptions { now: 0, forget: vec![], without: vec![] })?;
    execute(&collector, &plan)?;
    clock.tick("collect");
    Ok(())
}

struct Clock(Instant);

impl Clock {
    #[expect(clippy::print_stdout, reason = "an example speaks for itself")]
    fn tick(&mut self, step: &str) {
        println!("{:9.1} ms  {step}", self.0.elapsed().as_secs_f64() * 1000.0);
        self.0 = Instant::now();
    }
}

fn artifact_of(path: &Path) -> Result<Artifact, Box<dyn Error>> {
    let file = path.file_name().ok_or("no file name")?.to_string_lossy().into_owned();
    let bytes = fs_err::read(path)?;
    let kind = match path.extension().and_then(|extension| extension.to_str()) {
        Some("whl") => ArtifactKind::Wheel,
        Some("deb") => ArtifactKind::Deb,
        _ => ArtifactKind::Tarball,
    };
    let separator = if kind == ArtifactKind::Deb { '_' } else { '-' };
    let mut parts = file.split(separator);
    let name = parts.next().unwrap_or(&file).to_owned();
    let version = parts.next().unwrap_or("0").to_owned();
    let (size, sha256) = (Some(bytes.len() as u64), Some(Sha256::of(&bytes)));
    Ok(Artifact { name, version, index: IndexName::python(), kind, file, sha256, size })
}
