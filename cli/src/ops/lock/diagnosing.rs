//! From a refusal to all that can be proved of it: changed questions are solved, and what they
//! lack is fetched as for any solve.

use std::collections::BTreeSet;

use rocmenv_manifests::catalog::Query;
use rocmenv_resolver::solve::{Diagnosis, Question, Refusal, Surroundings};
use rocmenv_store::report::Reporter;

use super::solving::Solving;

/// The refusal with its smallest core and its fixes. Where nothing more can be fetched, what was
/// proved until then is the answer: what is not proved is not said.
pub(super) async fn diagnosed(
    solving: &Solving<'_>,
    question: &Question,
    refusal: Refusal,
    reporter: &dyn Reporter,
) -> Refusal {
    let catalog = &solving.world.catalog;
    let surroundings = Surroundings {
        registry: &solving.inputs.registry,
        channel: &solving.inputs.opened.project.rocm.channel.value,
    };
    let mut diagnosis = Diagnosis::new(refusal, question, catalog, Some(surroundings));
    let mut asked: BTreeSet<Query> = BTreeSet::new();
    let mut rounds = 0;
    loop {
        let told = diagnosis.tell();
        rounds += 1;
        let missing: BTreeSet<Query> = told.missing.difference(&asked).cloned().collect();
        if rounds > MOST_ROUNDS || missing.is_empty() {
            return told.refusal;
        }
        // What one change lacks and no index gives says nothing of the others.
        let _ = catalog.fetch_missing(&missing, reporter).await;
        asked.extend(missing);
    }
}

/// A deep closure is fetched level by level; no closure that was seen has more levels.
const MOST_ROUNDS: usize = 25;
