//! One release tried for the whole question, and the best of all that satisfy it.

use rocmenv_manifests::project::Accept;
use rocmenv_manifests::registry::pattern::numbers;
use rocmenv_manifests::registry::{NameKind, Registry, Verdict};
use rocmenv_manifests::version::{Dotted, Op, Requirement, RocmVersion};

use super::answer::{FrameworkAnswer, Item, Pair};
use super::framework::{Found, choose, worst};
use super::pairs::{host_pairs, known_bad};
use super::question::{CheckError, CheckHost, CheckQuestion};
use super::refusal::Refusal;

/// The question with its names resolved.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(super) rocm: Requirement,
    /// Framework names of the registry, in the order asked.
    pub(crate) frameworks: Vec<(String, Requirement)>,
    pub(super) python: Requirement,
    pub(crate) host: CheckHost,
    pub(super) preview: bool,
    pub(super) unproven: bool,
    pub(super) accept: Accept,
}

/// What one release came to.
pub(super) struct Evaluation {
    pub(super) release: RocmVersion,
    pub(super) line: String,
    pub(super) verdict: Verdict,
    pub(super) frameworks: Vec<FrameworkAnswer>,
    pub(super) pythons: Vec<String>,
    pub(super) pairs: Vec<Pair>,
    pub(super) refusals: Vec<Refusal>,
}

impl Asked {
    pub(crate) fn of(registry: &Registry, question: &CheckQuestion) -> Result<Self, CheckError> {
        let mut asked = Self {
            preview: question.preview,
            unproven: question.unproven,
            accept: question.accept,
            ..Self::any_of(question.host.clone())
        };
        for wish in &question.wishes {
            match wish.name.as_str() {
                "rocm" => asked.rocm = wish.requirement.clone(),
                "python" => asked.python = wish.requirement.clone(),
                name => {
                    let row = registry.framework_named(name).ok_or_else(|| {
                        let nearest = registry.nearest(NameKind::Framework, name);
                        CheckError::UnknownName { name: name.to_owned(), nearest }
                    })?;
                    asked.frameworks.push((row.name.clone(), wish.requirement.clone()));
                }
            }
        }
        if asked.host.python.is_none() {
            asked.host.python = series(&asked.python);
        }
        Ok(asked)
    }

    /// Nothing in particular of a host.
    pub(super) fn any_of(host: CheckHost) -> Self {
        Self {
            rocm: Requirement::any(),
            frameworks: Vec::new(),
            python: Requirement::any(),
            host,
            preview: false,
            unproven: false,
            accept: Accept::Unknown,
        }
    }

    /// The release that was asked for, as text to find the nearest known one.
    pub(super) fn rocm_text(&self) -> String {
        let clause = self.rocm.clauses().first();
        clause.map(|clause| clause.version.clone()).unwrap_or_default()
    }
}

/// The best release for the question: the fewest refusals, the better verdict, the newest. `None`
/// where no release satisfies the requirement.
pub(super) fn best(registry: &Registry, asked: &Asked) -> Option<Evaluation> {
    let releases = registry.releases_matching(&asked.rocm, asked.preview);
    let evaluated = releases.into_iter().map(|row| evaluate(registry, asked, &row.version));
    // the first of equals is the newest
    evaluated.min_by_key(|found| (found.refusals.len(), found.verdict))
}

fn evaluate(registry: &Registry, asked: &Asked, rocm: &RocmVersion) -> Evaluation {
    let mut pairs = host_pairs(registry, &asked.host, rocm);
    let found = all_frameworks(registry, asked, rocm);
    let mut refusals: Vec<Refusal> = Vec::new();
    for one in &found {
        pairs.extend(one.pairs.iter().cloned());
        refusals.extend(one.refusal.iter().cloned());
    }
    let packages: Vec<_> = found.iter().filter_map(|one| one.package.as_ref()).collect();
    let packages: Vec<_> =
        packages.iter().map(|(name, version)| (name.as_str(), version)).collect();
    let bad = known_bad(registry, &asked.host, rocm, &packages);
    pairs.extend(bad.into_iter().filter(|pair| !pairs.contains(pair)).collect::<Vec<_>>());

    let by_pair = pairs.iter().filter(|pair| pair.judgement.verdict.refuses());
    refusals.extend(by_pair.cloned().map(Refusal::Pair));
    let unaccepted = pairs.iter().filter(|pair| {
        let is_warning = matches!(pair.left, Item::Combination(_));
        let verdict = pair.judgement.verdict;
        !is_warning && !verdict.refuses() && verdict > limit(asked.accept)
    });
    refusals.extend(unaccepted.cloned().map(Refusal::Policy));
    let pythons = match pythons(asked, &found) {
        Ok(pythons) => pythons,
        Err(refusal) => {
            refusals.push(*refusal);
            Vec::new()
        }
    };
    Evaluation {
        release: rocm.clone(),
        line: registry.line_of(rocm).map(|line| line.name.clone()).unwrap_or_default(),
        verdict: worst(&pairs),
        frameworks: found.into_iter().map(|one| one.answer).collect(),
        pythons,
        pairs,
        refusals,
    }
}

/// What would be installed of the frameworks alone, whatever the host is but for its platform,
/// GPUs and Python.
pub(crate) struct FrameworkSet {
    pub(crate) frameworks: Vec<FrameworkAnswer>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) verdict: Verdict,
}

/// The frameworks that are asked for, with one release.
pub(crate) fn framework_set(
    registry: &Registry,
    asked: &Asked,
    rocm: &RocmVersion,
) -> FrameworkSet {
    let found = all_frameworks(registry, asked, rocm);
    let pairs: Vec<Pair> = found.iter().flat_map(|one| one.pairs.iter().cloned()).collect();
    let mut refusals: Vec<Refusal> = found.iter().filter_map(|one| one.refusal.clone()).collect();
    let refused = pairs.iter().filter(|pair| pair.judgement.verdict.refuses());
    refusals.extend(refused.cloned().map(Refusal::Pair));
    refusals.extend(pythons(asked, &found).err().map(|refusal| *refusal));
    let verdict = worst(&pairs);
    let frameworks = found.into_iter().map(|one| one.answer).collect();
    FrameworkSet { frameworks, pairs, refusals, verdict }
}

/// Frameworks in the order asked; one that another needs in a certain version is chosen after it.
fn all_frameworks(registry: &Registry, asked: &Asked, rocm: &RocmVersion) -> Vec<Found> {
    let pick = |name: &str, wanted: &Requirement| {
        let row = registry.framework_named(name);
        row.map(|row| choose(registry, asked, row, wanted, rocm))
    };
    let mut found: Vec<Found> =
        asked.frameworks.iter().filter_map(|(name, wanted)| pick(name, wanted)).collect();
    let needs: Vec<(String, String)> = found
        .iter()
        .filter_map(|one| Some((one.answer.name.clone(), one.needs.clone()?)))
        .collect();
    for (framework, need) in needs {
        let Some((name, versions)) = need.split_once("==") else { continue };
        let Some(at) = found.iter().position(|one| one.answer.name == name) else { continue };
        let own = &found[at].answer.wanted;
        let both = if own == "*" { format!("=={versions}") } else { format!("{own},=={versions}") };
        let again = both.parse().ok().and_then(|wanted| pick(name, &wanted));
        let Some(mut again) = again else { continue };
        if again.answer.build.is_none() && found[at].answer.build.is_some() {
            again.refusal = Some(Refusal::Needs { framework, needs: need.clone() });
        }
        found[at] = again;
    }
    found
}

/// The Python series that nothing speaks against.
fn pythons(asked: &Asked, found: &[Found]) -> Result<Vec<String>, Box<Refusal>> {
    let allowed: Vec<(String, Vec<String>)> = found
        .iter()
        .filter_map(|one| Some((one.answer.name.clone(), pythons_of(&one.answer)?)))
        .collect();
    if let Some(python) = &asked.host.python {
        return Ok(vec![python.clone()]);
    }
    if allowed.is_empty() {
        return Ok(Vec::new());
    }
    let wanted = |python: &&str| {
        let number: Option<Dotted> = python.parse().ok();
        number.is_some_and(|number| asked.python.matches(&number))
    };
    let in_all =
        |python: &&str| allowed.iter().all(|(_, list)| list.iter().any(|own| own == python));
    let common: Vec<String> =
        SERIES.into_iter().filter(wanted).filter(in_all).map(str::to_owned).collect();
    if common.is_empty() { Err(Box::new(Refusal::NoPython { allowed })) } else { Ok(common) }
}

/// What a framework's list, its files or its metadata allow, in this order; `None` where nothing
/// is said.
fn pythons_of(answer: &FrameworkAnswer) -> Option<Vec<String>> {
    let build = answer.build.as_ref().map(|chosen| &chosen.build);
    let serves = |python: &str| {
        let specifiers = build?.requires_python.as_deref()?;
        let specifiers: pep440_rs::VersionSpecifiers = specifiers.parse().ok()?;
        Some(specifiers.contains(&python.parse().ok()?))
    };
    let fits = |python: &&str| serves(python) != Some(false);
    if !answer.listed_pythons.is_empty() {
        let listed = |python: &&str| answer.listed_pythons.iter().any(|own| own == python);
        return Some(SERIES.into_iter().filter(listed).filter(fits).map(str::to_owned).collect());
    }
    let build = build?;
    let tagged = |python: &&str| {
        let tag = format!("cp{}", python.replace('.', ""));
        build.python_tags.iter().any(|own| *own == tag || own == "py3")
    };
    if build.python_tags.is_empty() {
        build.requires_python.as_ref()?;
        return Some(SERIES.into_iter().filter(fits).map(str::to_owned).collect());
    }
    Some(SERIES.into_iter().filter(tagged).filter(fits).map(str::to_owned).collect())
}

/// The worst verdict that a policy accepts.
fn limit(accept: Accept) -> Verdict {
    match accept {
        Accept::Listed => Verdict::Listed,
        Accept::Built => Verdict::BuiltNotListed,
        Accept::Unknown => Verdict::NotKnown,
    }
}

/// The series that a requirement for Python names, if it names one.
fn series(wanted: &Requirement) -> Option<String> {
    let [clause] = wanted.clauses() else { return None };
    let is_one = matches!(clause.op, Op::Bare | Op::Equal);
    let parts = numbers(&clause.version).filter(|parts| is_one && parts.len() >= 2)?;
    Some(format!("{}.{}", parts[0], parts[1]))
}

/// Python series that builds are known for, newest first.
pub(crate) const SERIES: [&str; 8] = ["3.15", "3.14", "3.13", "3.12", "3.11", "3.10", "3.9", "3.8"];
