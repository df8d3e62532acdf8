//! `tune --apply` and `--undo`: variables of a rule in `[tune]` of rocm.toml, and back.
//!
//! What was applied is kept with the text before and after it. As long as rocm.toml is the text
//! after, going back restores the text before byte for byte; where somebody edited it since, only
//! the lines that still say what was applied are taken out.

use rocmenv_manifests::registry::rows::tuning::{TuningKind, TuningRule};
use serde::{Deserialize, Serialize};
use toml_edit::{DocumentMut, Item, Table, value};

use super::TuneError;
use crate::context::Context;
use crate::error::Error;
use crate::ops::project::{self, Opened};
use crate::ops::{files, registry};

/// What was done to rocm.toml.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Applied {
    /// The rule.
    pub rule: String,
    /// The variables with their values; none where a variable was taken out.
    pub variables: Variables,
    /// Whether rocm.toml was written.
    pub written: bool,
}

/// Variables with their values; none where one was taken out.
type Variables = Vec<(String, Option<String>)>;

/// One application, as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    rule: String,
    before: String,
    after: String,
}

/// Writes a rule's variables into rocm.toml.
///
/// # Errors
/// There is no such rule, it sets nothing, or rocm.toml sets one of its variables otherwise.
pub fn apply(context: &Context, name: &str) -> Result<Applied, Error> {
    let registry = registry::load(context)?;
    let rules = &registry.tuning().rule;
    let rule = rules.iter().find(|rule| rule.name == name);
    let rule = rule.ok_or_else(|| TuneError::unknown(name, rules))?;
    if rule.kind != TuningKind::Set {
        return Err(TuneError::SetsNothing(name.to_owned()).into());
    }
    let opened = project::open(context)?;
    let after = with_variables(&opened, rule)?;
    let written = !context.settings.dry_run && after != opened.text;
    if written {
        let mut kept = read_kept(&opened)?;
        kept.push(Kept {
            rule: name.to_owned(),
            before: opened.text.clone(),
            after: after.clone(),
        });
        write_kept(&opened, &kept)?;
        files::replace(&opened.root.manifest(), &after)?;
    }
    let variables = rule.set.iter().map(|(name, value)| (name.clone(), Some(value.clone())));
    Ok(Applied { rule: name.to_owned(), variables: variables.collect(), written })
}

/// Takes the last application back, or that of `name`.
///
/// # Errors
/// Nothing was applied, or not this rule.
pub fn undo(context: &Context, name: Option<&str>) -> Result<Applied, Error> {
    let opened = project::open(context)?;
    let mut kept = read_kept(&opened)?;
    let is_it = |one: &Kept| name.is_none_or(|name| one.rule == name);
    let place = kept.iter().rposition(is_it).ok_or(TuneError::NothingApplied)?;
    let last = kept.remove(place);
    let registry = registry::load(context)?;
    let rule = registry.tuning().rule.iter().find(|rule| rule.name == last.rule);
    let (text, variables) = if opened.text == last.after {
        let names = rule.into_iter().flat_map(|rule| rule.set.keys().cloned());
        (last.before.clone(), names.map(|name| (name, None)).collect())
    } else {
        without_variables(&opened, &last)?
    };
    let written = !context.settings.dry_run;
    if written {
        files::replace(&opened.root.manifest(), &text)?;
        write_kept(&opened, &kept)?;
    }
    Ok(Applied { rule: last.rule, variables, written })
}

fn with_variables(opened: &Opened, rule: &TuningRule) -> Result<String, TuneError> {
    let mut document = parse(&opened.text)?;
    let table = document.entry(TUNE).or_insert_with(|| Item::Table(Table::new()));
    let Some(table) = table.as_table_like_mut() else { return Err(TuneError::NoTable) };
    for (name, wanted) in &rule.set {
        match table.get(name).and_then(Item::as_str) {
            Some(own) if own == wanted => {}
            Some(own) => {
                let (variable, own) = (name.clone(), own.to_owned());
                return Err(TuneError::Taken { variable, own, wanted: wanted.clone() });
            }
            None => {
                table.insert(name, value(wanted));
            }
        }
    }
    Ok(document.to_string())
}

/// The lines that the application added, where they still say the same.
fn without_variables(opened: &Opened, kept: &Kept) -> Result<(String, Variables), TuneError> {
    let (before, after) = (tuned(&kept.before)?, tuned(&kept.after)?);
    let mut document = parse(&opened.text)?;
    let mut gone = Vec::new();
    if let Some(table) = document.get_mut(TUNE).and_then(Item::as_table_like_mut) {
        for (name, added) in after.iter().filter(|line| !before.contains(line)) {
            if table.get(name).and_then(Item::as_str) == Some(added) {
                table.remove(name);
                gone.push((name.clone(), None));
            }
        }
        if table.is_empty() && before.is_empty() {
            document.remove(TUNE);
        }
    }
    Ok((document.to_string(), gone))
}

fn tuned(text: &str) -> Result<Vec<(String, String)>, TuneError> {
    let document = parse(text)?;
    let table = document.get(TUNE).and_then(Item::as_table_like);
    let lines = table.into_iter().flat_map(|table| table.iter());
    Ok(lines
        .filter_map(|(name, item)| Some((name.to_owned(), item.as_str()?.to_owned())))
        .collect())
}

fn parse(text: &str) -> Result<DocumentMut, TuneError> {
    text.parse().map_err(TuneError::Manifest)
}

fn kept_file(opened: &Opened) -> std::path::PathBuf {
    opened.root.state().join("tune.json")
}

fn read_kept(opened: &Opened) -> Result<Vec<Kept>, Error> {
    let Some(text) = files::read_optional(&kept_file(opened))? else { return Ok(Vec::new()) };
    Ok(serde_json::from_str(&text).map_err(TuneError::Kept)?)
}

fn write_kept(opened: &Opened, kept: &[Kept]) -> Result<(), Error> {
    files::make_folder(&opened.root.state())?;
    let text = serde_json::to_string(kept).map_err(TuneError::Kept)?;
    Ok(files::replace(&kept_file(opened), &text)?)
}

const TUNE: &str = "tune";
