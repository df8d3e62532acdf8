//! History replayed: hosts as they were on the day of a release, with the wish that their owners
//! had later. Every state of every plan is held against the tables, row by row, without the
//! queries that the planner asks.

use jiff::Span;
use jiff::civil::Date;
use rocmenv_manifests::platform::OsRelease;
use rocmenv_manifests::registry::rows::releases::{Release, ReleaseKind};
use rocmenv_manifests::registry::rows::support::{OsSupport, Platform, SupportStatus};
use rocmenv_manifests::registry::{KnownGpu, Registry};
use rocmenv_manifests::upgrade::{Answer, Driver, FrameworkVersion, State, Usability};
use rocmenv_manifests::version::RocmVersion;
use rocmenv_resolver::upgrade::{Goal, UpgradeHost, UpgradePolicy, plan};

/// A host on the day of a release.
struct Past {
    day: Date,
    host: UpgradeHost,
}

#[test]
fn every_state_of_forty_past_wishes_is_one_that_the_tables_allow() {
    let registry = Registry::embedded();
    let mut paths = 0;
    let mut pairs = 0;
    let mut failures = Vec::new();
    for past in pasts(&registry) {
        for days in [200, 400, 800] {
            let Some(wish) = newest_on(&registry, past.day, days) else { continue };
            if Some(&wish) == past.host.state.rocm.as_ref() {
                continue;
            }
            pairs += 1;
            let asked = Goal { rocm: Some(wish.to_string().parse().unwrap()), ..Goal::default() };
            let plan = plan(&registry, &past.host, &asked, &UpgradePolicy::default()).unwrap();
            let name = format!("{:?} -> {wish}", past.host.state);
            match &plan.answer {
                Answer::Path => {
                    paths += 1;
                    let last = plan.stages.last().unwrap();
                    assert_eq!(last.to.rocm.as_ref(), Some(&wish), "{name}");
                    let mut before = &plan.from;
                    for stage in &plan.stages {
                        assert_eq!(&stage.from, before, "{name}: stages follow each other");
                        before = &stage.to;
                        failures.extend(
                            against(&registry, &past.host.gpus, &stage.to)
                                .map(|why| format!("{name}: stage {}: {why}", stage.number)),
                        );
                        let has_frameworks = !stage.to.frameworks.is_empty();
                        assert!(
                            has_frameworks || stage.environment == Usability::DriverOnly,
                            "{name}: stage {} has no frameworks",
                            stage.number
                        );
                    }
                }
                Answer::NoPath { .. } | Answer::Stay { .. } | Answer::NothingToDo => {}
            }
        }
    }
    assert_eq!(failures, Vec::<String>::new());
    assert!(pairs >= 40 && paths >= 40, "{pairs} pairs, {paths} paths");
}

/// One host a series and GPU, as it could be set up on the day of the series' newest patch.
fn pasts(registry: &Registry) -> Vec<Past> {
    let mut found = Vec::new();
    for release in newest_patches(registry) {
        let Some(day) = day(release) else { continue };
        for gpu in ["MI250", "MI300X", "RX 7900 XTX", "RX 9070 XT"] {
            let gpu = registry.gpu_named(gpu).unwrap();
            if !lists_target(registry, &gpu, &release.version) {
                continue;
            }
            let Some(row) = ubuntu_row(registry, &release.version) else { continue };
            let os: OsRelease = row.os.0.parse().unwrap();
            let Some(driver) = driver_of(registry, &release.version) else { continue };
            let state = State {
                os: Some(os),
                kernel: row.kernel.as_deref().and_then(first_number),
                driver: Some(Driver::Amd(driver.parse().unwrap())),
                rocm: Some(release.version.clone()),
                python: Some("3.10".to_owned()),
                frameworks: vec![FrameworkVersion {
                    name: "pytorch".to_owned(),
                    version: "2.0.1".to_owned(),
                    build: None,
                    index: None,
                }],
                ..State::default()
            };
            found.push(Past { day, host: UpgradeHost { gpus: vec![gpu], wsl: false, state } });
        }
    }
    found
}

/// The newest production release of a number of days later.
fn newest_on(registry: &Registry, day: Date, days: i64) -> Option<RocmVersion> {
    let then = day.checked_add(Span::new().days(days)).ok()?;
    let known = registry.releases().release.iter();
    let known = known.filter(|row| row.kind == ReleaseKind::Production);
    let known = known.filter(|row| self::day(row).is_some_and(|day| day <= then));
    known.map(|row| row.version.clone()).max()
}

/// What the rows of the tables have against a state.
fn against(registry: &Registry, gpus: &[KnownGpu], state: &State) -> Option<String> {
    let rocm = state.rocm.as_ref()?;
    let number = rocm.dotted();
    let drivers = registry.drivers();
    if let Some(Driver::Amd(driver)) = &state.driver {
        let of_driver: Vec<_> =
            drivers.matrix.iter().filter(|row| row.driver.contains(driver.parts())).collect();
        let is_closed = drivers.closed_rocm.iter().any(|own| own.contains(number.parts()));
        let is_listed =
            of_driver.iter().any(|row| row.rocm.iter().any(|own| own.contains(number.parts())));
        let elsewhere = drivers.listed.iter().any(|row| {
            row.rocm.contains(number.parts())
                && row.drivers.iter().any(|own| own.contains(driver.parts()))
        }) || drivers.per_gpu.iter().any(|row| {
            row.rocm.contains(number.parts())
                && row.drivers.iter().any(|own| own.contains(driver.parts()))
        });
        if is_closed && !of_driver.is_empty() && !is_listed && !elsewhere {
            return Some(format!("driver {driver} does not serve ROCm {rocm}"));
        }
    }
    let os = state.os.as_ref()?;
    let of_system: Vec<&OsSupport> = registry
        .os_support()
        .row
        .iter()
        .filter(|row| row.releases.iter().any(|own| own.contains(number.parts())))
        .filter(|row| begins_alike(&row.os.0, &os.to_string()))
        .collect();
    let says = |status| of_system.iter().any(|row| row.status == status);
    if says(SupportStatus::Unsupported) && !says(SupportStatus::Supported) {
        return Some(format!("{os} is not supported by ROCm {rocm}"));
    }
    for gpu in gpus {
        let rows = registry.gpu_support().row.iter().filter(|row| {
            row.os == Platform::Linux
                && row.release.contains(number.parts())
                && row.gfx.contains(&gpu.gfx)
        });
        let said: Vec<SupportStatus> = rows.map(|row| row.status).collect();
        if !said.is_empty() && said.iter().all(|said| *said == SupportStatus::Unsupported) {
            return Some(format!("{} is not supported by ROCm {rocm}", gpu.gfx));
        }
    }
    None
}

fn begins_alike(row: &str, own: &str) -> bool {
    let parts = |text: &str| -> Vec<String> { text.split(['.', '-']).map(str::to_owned).collect() };
    parts(row).iter().zip(&parts(own)).all(|(row, own)| row == own)
}

fn newest_patches(registry: &Registry) -> Vec<&Release> {
    let all: Vec<&Release> = registry
        .releases()
        .release
        .iter()
        .filter(|row| row.kind == ReleaseKind::Production)
        .collect();
    let is_newest = |row: &&&Release| {
        let same = |other: &&&Release| other.version.series() == row.version.series();
        all.iter().filter(same).all(|other| other.version <= row.version)
    };
    all.iter().filter(is_newest).copied().collect()
}

fn lists_target(registry: &Registry, gpu: &KnownGpu, rocm: &RocmVersion) -> bool {
    let number = rocm.dotted();
    registry.gpu_support().row.iter().any(|row| {
        row.release.contains(number.parts()) && row.gfx.contains(&gpu.gfx) && row.status.is_listed()
    })
}

/// The oldest Ubuntu that a release supports: where people are stuck.
fn ubuntu_row<'r>(registry: &'r Registry, rocm: &RocmVersion) -> Option<&'r OsSupport> {
    let number = rocm.dotted();
    let rows = registry.os_support().row.iter();
    rows.filter(|row| row.os.distribution() == "ubuntu" && !row.os.is_wsl())
        .filter(|row| row.status == SupportStatus::Supported)
        .filter(|row| row.releases.iter().any(|own| own.contains(number.parts())))
        .min_by_key(|row| row.os.0.clone())
}

/// The driver that came out with a release.
fn driver_of(registry: &Registry, rocm: &RocmVersion) -> Option<String> {
    if rocm.semver().major < 7 {
        return Some(rocm.to_string());
    }
    let number = rocm.dotted();
    let pairs = registry.drivers().pairing.iter();
    let own = pairs.filter(|row| row.rocm.contains(number.parts()));
    own.map(|row| row.driver.clone()).max().map(|driver| driver.to_string())
}

fn first_number(text: &str) -> Option<String> {
    let word = text.split([' ', ';', ',']).find(|word| word.contains('.'))?;
    Some(word.trim_end_matches('+').to_owned())
}

fn day(release: &Release) -> Option<Date> {
    release.date.as_deref()?.parse().ok()
}

#[test]
fn a_plan_over_the_whole_registry_is_quick() {
    let registry = Registry::embedded();
    let host = super::said::host(
        &registry,
        "gpu=MI250; os=ubuntu-20.04.6; kernel=5.15.0-75-generic; driver=5.7.1; rocm=5.7.1; python=3.10; has=pytorch 2.0.1; has=tensorflow 2.13",
    );
    let goal = Goal { rocm: Some("10.0".parse().unwrap()), ..Goal::default() };
    let first = std::time::Instant::now();
    let answer = plan(&registry, &host, &goal, &UpgradePolicy::default()).unwrap();
    let cold = first.elapsed();
    assert_ne!(answer.answer, Answer::NothingToDo);
    // unoptimised code on a busy machine is allowed to be slower; `cargo test --release` is held to it
    let limit = if cfg!(debug_assertions) { 5_000 } else { 200 };
    assert!(cold.as_millis() < limit, "{cold:?}");
}
