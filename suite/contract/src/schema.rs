//! JSON Schemas of the case file, the outcome and the messages. The types whose serde code is written by hand have theirs written
//! by hand as well, here.

use crate::{
    Audience, CaseFile, Field, Outcome, Place, PointId, Readings, Revision, RuleId, Slot, Text, ids,
    message::{Errored, Hello, Outcomes, Reply, Request},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The schema of a case file.
#[must_use]
pub fn case_file() -> Schema {
    titled(schemars::schema_for!(CaseFile), "A case file of hookproof")
}

/// The schema of the outcome of one step.
#[must_use]
pub fn outcome() -> Schema {
    titled(schemars::schema_for!(Outcome), "What a runtime did in one step because of hooks")
}

/// The schema of a message of the protocol, in either direction.
#[must_use]
pub fn message() -> Schema {
    titled(schemars::schema_for!(Message), "A message of hookproof's protocol")
}

fn titled(mut schema: Schema, title: &str) -> Schema {
    schema.insert("title".to_owned(), json!(title));
    if let Some(object) = schema.as_object_mut() {
        object.values_mut().for_each(name_slots);
        name_slots_of(object);
    }
    schema
}

/// A map's schema does not tell which keys there are: the slots of an outcome are named here.
fn name_slots(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            name_slots_of(object);
            object.values_mut().for_each(name_slots);
        }
        Value::Array(items) => items.iter_mut().for_each(name_slots),
        _ => {}
    }
}

fn name_slots_of(schema: &mut Map<String, Value>) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    if let Some(Value::Object(set)) =
        properties.filter(|p| p.contains_key("ran") && p.contains_key("fate")).and_then(|p| p.get_mut("set"))
    {
        let slots: Vec<&str> = Slot::ALL.iter().map(|slot| slot.name()).collect();
        set.insert("propertyNames".to_owned(), json!({"enum": slots}));
    }
}

/// Either direction.
struct Message;

impl JsonSchema for Message {
    fn schema_name() -> Cow<'static, str> {
        "Message".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let request = generator.subschema_for::<Request<'static>>();
        let reply = generator.subschema_for::<Reply>();
        json_schema!({"description": "Sent by the harness (Request) or by the adapter (Reply).", "anyOf": [request, reply]})
    }
}

impl JsonSchema for Reply {
    fn schema_name() -> Cow<'static, str> {
        "Reply".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let hello = tagged("hello", Hello::json_schema(generator));
        let outcome = tagged("outcome", Outcomes::json_schema(generator));
        let errored = tagged("errored", Errored::json_schema(generator));
        json_schema!({"description": "What an adapter answers.", "oneOf": [hello, outcome, errored]})
    }
}

/// The schema of an object with a `type` beside its own fields.
fn tagged(kind: &str, mut schema: Schema) -> Schema {
    let object = schema.ensure_object();
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.insert("type".to_owned(), json!({"const": kind}));
    }
    if let Some(Value::Array(required)) = object.get_mut("required") {
        required.push(json!("type"));
    }
    schema
}

impl JsonSchema for Text {
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let text = generator.subschema_for::<Text>();
        let fill = json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer", "minimum": 0}], "minItems": 2, "maxItems": 2});
        json_schema!({
            "description": "A text: a string, bytes in base64, a string so many times, or several texts one after the other.",
            "oneOf": [
                {"type": "string"},
                only("base64", json!({"type": "string", "contentEncoding": "base64"})),
                only("fill", fill),
                only("join", json!({"type": "array", "items": text})),
            ]
        })
    }
}

/// An object with one key.
fn only(key: &str, value: Value) -> Value {
    json!({"type": "object", "properties": {key: value}, "required": [key], "additionalProperties": false})
}

impl JsonSchema for Place {
    fn schema_name() -> Cow<'static, str> {
        "Place".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let families: [(&str, Vec<&str>); 3] = [
            ("said", Audience::ALL.iter().map(|a| a.name()).collect()),
            ("set", Slot::ALL.iter().map(|s| s.name()).collect()),
            ("given", Field::ALL.iter().map(|f| f.name()).collect()),
        ];
        let mut names: Vec<String> = ["ran", "fate", "agent"].map(str::to_owned).to_vec();
        let mut forms = Vec::new();
        for (family, members) in &families {
            names.extend(members.iter().map(|member| format!("{family}/{member}")));
            forms.push(only(family, json!({"enum": members})));
        }
        forms.insert(0, json!({"enum": names}));
        json_schema!({"description": "A place of an outcome, as one word or as an object.", "oneOf": forms})
    }
}

impl JsonSchema for RuleId {
    fn schema_name() -> Cow<'static, str> {
        "RuleId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"description": "The id of a rule.", "type": "string", "enum": ids::RULES})
    }
}

impl JsonSchema for Revision {
    fn schema_name() -> Cow<'static, str> {
        "Revision".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"description": "A revision of the contract.", "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$"})
    }
}

impl JsonSchema for PointId {
    fn schema_name() -> Cow<'static, str> {
        "PointId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let all: Vec<&str> = PointId::all().map(PointId::as_str).collect();
        json_schema!({"description": "The id of an open point.", "type": "string", "enum": all})
    }
}

impl JsonSchema for Readings {
    fn schema_name() -> Cow<'static, str> {
        "Readings".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let points: Map<String, Value> =
            PointId::all().map(|point| (point.as_str().to_owned(), json!({"enum": point.readings()}))).collect();
        json_schema!({
            "description": "Open points, each with the reading that is taken.",
            "type": "object", "properties": points, "additionalProperties": false
        })
    }
}
