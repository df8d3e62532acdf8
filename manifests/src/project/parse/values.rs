//! Single values of rocm.toml: each text becomes its type, or an error with its place.

use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

use serde_spanned::Spanned;

use super::{LOCAL_MANIFEST, Parsed, Reader};
use crate::project::error::{Place, Problem, ProjectError, nearest};
use crate::project::raw::SpannedText;
use crate::sourced::{Origin, Sourced};

impl Reader<'_> {
    pub(super) fn choice<T: Copy>(
        &self,
        text: Option<&SpannedText>,
        what: &'static str,
        choices: &[(&'static str, T)],
    ) -> Parsed<Option<Sourced<T>>> {
        let Some(SpannedText(text)) = text else { return Ok(None) };
        let found = choices.iter().find(|(name, _)| name == text.get_ref());
        let Some(&(_, value)) = found else {
            let names = choices.iter().map(|(name, _)| *name);
            let problem = Problem::UnknownValue {
                what,
                value: text.get_ref().clone(),
                nearest: nearest(text.get_ref(), names).map(str::to_owned),
            };
            return Err(self.error(Some(text.span()), problem));
        };
        Ok(Some(self.sourced(text, value)))
    }

    pub(super) fn optional<T: FromStr<Err: Display>>(
        &self,
        text: Option<&SpannedText>,
    ) -> Parsed<Option<Sourced<T>>> {
        text.map(|text| self.parsed(text)).transpose()
    }

    pub(super) fn parsed<T: FromStr<Err: Display>>(
        &self,
        text: &SpannedText,
    ) -> Parsed<Sourced<T>> {
        self.convert(&text.0, str::parse)
    }

    pub(super) fn parsed_all<T: FromStr<Err: Display>>(
        &self,
        texts: &[SpannedText],
    ) -> Parsed<Vec<Sourced<T>>> {
        texts.iter().map(|text| self.parsed(text)).collect()
    }

    pub(super) fn values<T: FromStr<Err: Display>>(&self, texts: &[SpannedText]) -> Parsed<Vec<T>> {
        texts.iter().map(|text| Ok(self.parsed(text)?.value)).collect()
    }

    pub(super) fn name<T: FromStr<Err: Display>>(&self, name: &Spanned<String>) -> Parsed<T> {
        Ok(self.convert(name, str::parse)?.value)
    }

    pub(super) fn convert<T, E: Display>(
        &self,
        text: &Spanned<String>,
        convert: impl FnOnce(&str) -> Result<T, E>,
    ) -> Parsed<Sourced<T>> {
        match convert(text.get_ref()) {
            Ok(value) => Ok(self.sourced(text, value)),
            Err(error) => Err(self.invalid(text.span(), error)),
        }
    }

    pub(super) fn sourced<T, S>(&self, at: &Spanned<S>, value: T) -> Sourced<T> {
        let (file, Place { line, .. }) = self.place(at.span().start);
        Sourced::new(value, Origin::File { file: file.to_owned(), line })
    }

    pub(super) fn invalid(&self, at: Range<usize>, error: impl Display) -> ProjectError {
        let first = error.to_string().lines().next().unwrap_or_default().to_owned();
        self.error(Some(at), Problem::Invalid(first))
    }

    pub(super) fn error(&self, at: Option<Range<usize>>, problem: Problem) -> ProjectError {
        let found = at.map(|span| self.place(span.start));
        let file = found.map_or(self.file, |(file, _)| file).to_owned();
        ProjectError { file, place: found.map(|(_, place)| place), problem }
    }

    /// Which of the two files an offset is in, and where.
    pub(super) fn place(&self, offset: usize) -> (&str, Place) {
        match (offset.checked_sub(self.text.len() + 1), self.local) {
            (Some(inside), Some(local)) => (LOCAL_MANIFEST, Place::of(local, inside)),
            _ => (self.file, Place::of(self.text, offset)),
        }
    }
}
