//! What stages and whole plans cost, in words.

use rocmenv_manifests::upgrade::{Amount, AtLeast, Counted, Stage, Step, UpgradePlan};

use super::bytes;

/// Reboots, download and disk of a stage.
pub(super) fn of_stage(stage: &Stage) -> Vec<String> {
    let cost = &stage.cost;
    let mut items = Vec::new();
    if cost.reboots > 0 {
        items.push(reboots(cost.reboots));
    } else if stage.shares_reboot() {
        items.push("the reboot of the stage before does for it, too".to_owned());
    }
    match (unknown(cost.download), unknown(cost.disk)) {
        (Some(why), Some(other)) if why == other => {
            items.push(format!("download and disk not known{why}"));
        }
        _ => {
            let makes = matches!(&stage.step, Step::Environment(step) if step.rocm.is_some());
            let here = |amount: Amount, words| match amount {
                Amount::NOTHING if makes => words,
                _ => "",
            };
            let fetched = here(cost.download, " (all is here)");
            items.push(format!("{}{fetched}", amount("download", cost.download)));
            let stored = here(cost.disk, " (in the store)");
            items.push(format!("{}{stored}", amount("disk", cost.disk)));
        }
    }
    items
}

/// What a plan costs as a whole.
pub(super) fn in_all(plan: &UpgradePlan) -> String {
    let cost = &plan.cost;
    let size = |what: &str, known: u64, unsized_stages: u32| match (known, unsized_stages) {
        (known, 0) => format!("{what} {}", bytes(known)),
        (0, _) => format!("{what} not known"),
        (known, _) => format!("{what} at least {}", bytes(known)),
    };
    let items = [
        reboots(cost.reboots),
        size("download", cost.download, cost.unsized_stages),
        size("disk", cost.disk, cost.unsized_disk_stages),
    ];
    format!("in all: {}", items.join("; "))
}

fn amount(what: &str, amount: Amount) -> String {
    match (amount, unknown(amount)) {
        (_, Some(why)) => format!("{what} not known{why}"),
        (Amount::AtLeast(AtLeast { bytes: size, of }), None) => {
            format!("{what} at least {} ({of})", bytes(size))
        }
        (amount, None) => format!("{what} {}", bytes(amount.known())),
    }
}

/// Why there is no number to show; `None` where there is one.
fn unknown(amount: Amount) -> Option<String> {
    match amount {
        Amount::Unknown(gap) => Some(why(gap.clause())),
        Amount::AtLeast(AtLeast { bytes: 0, of }) => Some(why(Some(&here(of)))),
        Amount::All(_) | Amount::AtLeast(_) => None,
    }
}

/// What is not known where all that is known is on this machine.
fn here(of: Counted) -> String {
    match of {
        Counted::Environment => {
            "the environment brings nothing new; the host's own ROCm was not counted".into()
        }
        Counted::Files { known, all } => {
            format!("no size is known of {} of {all} files", all.saturating_sub(known))
        }
        Counted::Frameworks | Counted::DriverPackages => format!("{of} are here"),
    }
}

fn why(clause: Option<&str>) -> String {
    clause.map_or_else(String::new, |clause| format!(" ({clause})"))
}

fn reboots(count: u32) -> String {
    format!("{count} reboot{}", if count == 1 { "" } else { "s" })
}
