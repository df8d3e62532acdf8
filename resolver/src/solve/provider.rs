//! The problem in the solver's own words: a thin coat over [`Universe`].
//!
//! Every answer is ready at once, because what was not fetched has a stand-in. The solver knows
//! ids; names and texts are the universe's.

use std::fmt::Display;

use resolvo::utils::Pool;
use resolvo::{
    Candidates, Condition, ConditionId, ConditionalRequirement, Dependencies, DependencyProvider,
    Interner, KnownDependencies, NameId, Requirement, SolvableId, SolverCache, StringId,
    VersionSetId, VersionSetUnionId,
};

use super::thing::{Name, Need, NeedsAnswer, Set};
use super::universe::Universe;

/// The universe as resolvo asks for it.
pub(super) struct Provider<'u, 'a>(pub(super) &'u Universe<'a>);

impl Provider<'_, '_> {
    /// Needs as the solver's requirements.
    pub(super) fn requirements(&self, needs: &[Need]) -> Vec<ConditionalRequirement> {
        needs.iter().map(|need| self.requirement(need)).collect()
    }

    pub(super) fn version_set(&self, name: &Name, set: &Set) -> VersionSetId {
        let name = self.pool().intern_package_name(name);
        self.pool().intern_version_set(name, set.clone())
    }

    fn requirement(&self, need: &Need) -> ConditionalRequirement {
        let first = self.version_set(&need.name, &need.set);
        let requirement = if need.alternatives.is_empty() {
            Requirement::Single(first)
        } else {
            let others = need.alternatives.iter().map(|(name, set)| self.version_set(name, set));
            Requirement::Union(self.pool().intern_version_set_union(first, others))
        };
        let condition = need.on.as_ref().map(|members| {
            let set = self.version_set(&Name::Python, &Set::Of(members.clone()));
            self.pool().intern_condition(Condition::Requirement(set))
        });
        ConditionalRequirement { condition, requirement }
    }

    fn pool(&self) -> &Pool<Set, Name> {
        &self.0.pool
    }
}

impl Interner for Provider<'_, '_> {
    type NameId = NameId;
    type SolvableId = SolvableId;

    fn display_solvable(&self, solvable: SolvableId) -> impl Display + '_ {
        format!("{} {}", self.0.name(solvable), self.0.candidate(solvable))
    }

    fn display_name(&self, name: NameId) -> impl Display + '_ {
        self.pool().resolve_package_name(name)
    }

    fn display_version_set(&self, version_set: VersionSetId) -> impl Display + '_ {
        self.pool().resolve_version_set(version_set)
    }

    fn display_string(&self, string_id: StringId) -> impl Display + '_ {
        self.pool().resolve_string(string_id)
    }

    fn version_set_name(&self, version_set: VersionSetId) -> NameId {
        self.pool().resolve_version_set_package_name(version_set)
    }

    fn solvable_name(&self, solvable: SolvableId) -> NameId {
        self.pool().resolve_solvable(solvable).name
    }

    fn version_sets_in_union(
        &self,
        version_set_union: VersionSetUnionId,
    ) -> impl Iterator<Item = VersionSetId> {
        self.pool().resolve_version_set_union(version_set_union)
    }

    fn resolve_condition(&self, condition: ConditionId) -> Condition {
        self.pool().resolve_condition(condition).clone()
    }
}

impl DependencyProvider for Provider<'_, '_> {
    async fn filter_candidates(
        &self,
        candidates: &[SolvableId],
        version_set: VersionSetId,
        inverse: bool,
    ) -> Vec<SolvableId> {
        let set = self.pool().resolve_version_set(version_set);
        let is_in = |id: &SolvableId| set.contains(self.0.candidate(*id));
        candidates.iter().copied().filter(|id| is_in(id) != inverse).collect()
    }

    async fn get_candidates(&self, name: NameId) -> Option<Candidates> {
        let table = self.0.table(name);
        Some(Candidates {
            candidates: table.candidates.clone(),
            excluded: table.excluded.clone(),
            ..Candidates::default()
        })
    }

    async fn sort_candidates(&self, _: &SolverCache<Self>, solvables: &mut [SolvableId]) {
        solvables.sort_by_key(|&id| self.0.candidate(id).ordinal);
    }

    async fn get_dependencies(&self, solvable: SolvableId) -> Dependencies {
        match &*self.0.needs(solvable) {
            NeedsAnswer::Excluded(exclusion) => {
                Dependencies::Unknown(self.0.intern_exclusion(exclusion))
            }
            NeedsAnswer::Known(needs) => {
                let constrains = needs.constrains.iter();
                Dependencies::Known(KnownDependencies {
                    requirements: self.requirements(&needs.requires),
                    constrains: constrains.map(|(name, set)| self.version_set(name, set)).collect(),
                })
            }
        }
    }
}
