//! A value that is written as a text, or as a table where there is more to say.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_spanned::Spanned;

/// The text or the table, with the place of the whole value. (serde's untagged enums read through
/// a buffer that loses every place inside.)
#[derive(Debug, Clone)]
pub(super) struct TextOr<T>(pub(super) Spanned<Form<T>>);

/// What was written.
#[derive(Debug, Clone)]
pub(super) enum Form<T> {
    /// A text.
    Text(String),
    /// A table.
    Table(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TextOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Spanned::deserialize(deserializer).map(Self)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Form<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FormVisitor(PhantomData))
    }
}

struct FormVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for FormVisitor<T> {
    type Value = Form<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a table")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Form<T>, E> {
        Ok(Form::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Form<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Form::Table)
    }
}

impl<T: JsonSchema> JsonSchema for TextOr<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Text_or_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [{ "type": "string" }, table] })
    }
}
