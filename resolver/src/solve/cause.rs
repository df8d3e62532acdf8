//! One cause of a refusal: data, each with who says it. The text of it is in `telling`.

use rocmenv_manifests::catalog::Query;
use rocmenv_manifests::name::IndexName;
use rocmenv_manifests::sourced::Origin;
use serde::{Serialize, Serializer};

use super::exclusion::Exclusion;
use super::known_builds::KnownBuild;
use super::stack::{Fact, Grade};

/// One cause. The order of the variants is the order of telling: what was asked, what it needs,
/// what there is of that, what the host has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "cause", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Cause {
    /// What the user asked for.
    Asked {
        /// Where.
        origin: Origin,
        /// The thing with its requirement.
        what: String,
    },
    /// What documents say of a wish on native Windows.
    NativeWindows {
        /// The sentence.
        text: String,
        /// The document; none where nothing is known.
        source: Option<String>,
    },
    /// What something needs.
    Needs {
        /// The one that needs.
        who: String,
        /// Its versions, best first.
        versions: Vec<String>,
        /// What it needs.
        what: String,
        /// The index whose files say so; none where the registry does.
        index: Option<IndexName>,
    },
    /// Candidates that exist and cannot be used.
    Unusable {
        /// The package.
        what: String,
        /// Its versions, best first.
        versions: Vec<String>,
        /// Why not; several only of one kind.
        whys: Vec<Exclusion>,
        /// The index that has them.
        index: Option<IndexName>,
    },
    /// Nothing fits a requirement.
    NotFound {
        /// The package.
        what: String,
        /// What was required of it.
        requirement: String,
        /// The best version that there is, if there is any.
        best: Option<String>,
        /// The index that was looked at.
        index: Option<IndexName>,
    },
    /// The builds for ROCm that are known of something of which nothing could be used.
    KnownBuilds {
        /// The package or framework.
        what: String,
        /// Its builds, by series of ROCm, the newest first.
        builds: Vec<KnownBuild>,
        /// What was asked for that none of them is for (`Python 3.11`).
        not_for: Vec<String>,
        /// The document that shows the newest.
        source: Option<String>,
    },
    /// A combination that a table speaks against, or that is worse than the policy accepts.
    Graded {
        /// A framework or ROCm.
        what: String,
        /// Its versions, best first.
        versions: Vec<String>,
        /// How good it is.
        grade: Grade,
        /// What the table says of the best version.
        text: String,
        /// The document.
        source: Option<String>,
    },
    /// What the host has does not do.
    Host {
        /// The fact.
        fact: Fact,
        /// What it is.
        has: String,
        /// Where that was said.
        origin: Option<Origin>,
        /// Who asks more of it; empty for the user.
        who: String,
        /// The versions of who asks, best first.
        versions: Vec<String>,
        /// What would do.
        needs: String,
        /// More of it, where `needs` does not say all.
        text: String,
        /// The document that says it.
        source: Option<String>,
    },
    /// An index or archive could not be read.
    Unreadable {
        /// What was asked of it.
        #[serde(serialize_with = "as_text")]
        query: Query,
        /// Why it could not.
        why: String,
    },
}

fn as_text<S: Serializer>(query: &Query, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(query)
}
