//! The committed schemas as judges: a payload must satisfy its schema and carry no key that the
//! schema does not describe. Makes no payload.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use jsonschema::Validator;
use serde_json::{Value, json};

/// Every schema there is, by the name of its file.
pub struct Judge {
    schemas: BTreeMap<String, (Value, Validator)>,
}

impl Judge {
    /// Reads and checks all schemas.
    pub fn new() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/v1");
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let schemas = files.map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let schema: Value = serde_json::from_str(&text).unwrap();
            jsonschema::draft202012::meta::validate(&schema)
                .unwrap_or_else(|error| panic!("{} is no schema: {error}", path.display()));
            let validator = jsonschema::validator_for(&closed(&schema)).unwrap();
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), (schema, validator))
        });
        Self { schemas: schemas.collect() }
    }

    pub fn names(&self) -> Vec<&str> {
        self.schemas.keys().map(String::as_str).collect()
    }

    /// The topic a schema is about.
    pub fn title(&self, name: &str) -> &str {
        self.schemas[name].0["title"].as_str().unwrap()
    }

    /// What is wrong with a payload.
    pub fn faults(&self, name: &str, payload: &Value) -> Vec<String> {
        let (_, validator) = &self.schemas[name];
        let faults = validator.iter_errors(payload);
        faults.map(|fault| format!("{name}{}: {fault}", fault.instance_path())).collect()
    }

    /// The values a schema allows at a place in it.
    pub fn choices(&self, name: &str, pointer: &str) -> Vec<String> {
        let (schema, _) = &self.schemas[name];
        let choices = schema.pointer(pointer).and_then(Value::as_array);
        let choices = choices.unwrap_or_else(|| panic!("{name} has nothing at {pointer}"));
        choices.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

/// The same schema for a reader who forgives no key it does not know.
fn closed(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let entries = object.iter().map(|(key, value)| match key.as_str() {
                "additionalProperties" => ("unevaluatedProperties".to_owned(), json!(false)),
                _ => (key.clone(), closed(value)),
            });
            Value::Object(entries.collect())
        }
        Value::Array(items) => items.iter().map(closed).collect(),
        other => other.clone(),
    }
}

/// A payload with each of its members once left out and once made senseless, with the name of the
/// member and whether it was left out.
pub fn spoiled(payload: &Value) -> Vec<(String, bool, Value)> {
    let mut places = Vec::new();
    members(payload, "", &mut places);
    places
        .iter()
        .flat_map(|(parent, key)| {
            let mut without = payload.clone();
            let object = |whole: &mut Value| -> Option<Value> {
                whole.pointer_mut(parent)?.as_object_mut()?.remove(key)
            };
            object(&mut without).unwrap();
            let mut senseless = payload.clone();
            senseless.pointer_mut(parent).unwrap()[key] = json!([[]]);
            let place = format!("{parent}/{key}");
            [(place.clone(), true, without), (place, false, senseless)]
        })
        .collect()
}

fn members(value: &Value, place: &str, places: &mut Vec<(String, String)>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                places.push((place.to_owned(), key.clone()));
                members(value, &format!("{place}/{key}"), places);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                members(value, &format!("{place}/{index}"), places);
            }
        }
        _ => {}
    }
}
