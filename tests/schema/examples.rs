//! The examples in `docs/mqtt.md`: every block of JSON, by the heading above it. Judges none.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// By topic.
pub fn of_topics() -> BTreeMap<String, Value> {
    under("### `")
}

/// By verb.
pub fn of_requests() -> BTreeMap<String, Value> {
    under("#### `")
}

fn under(heading: &str) -> BTreeMap<String, Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/mqtt.md");
    let text = fs::read_to_string(path).unwrap();
    let mut examples = BTreeMap::new();
    for section in text.split("\n#").skip(1) {
        let section = format!("#{section}");
        let name = section.strip_prefix(heading).and_then(|rest| rest.split_once('`'));
        let block = section.split_once("```json\n").and_then(|(_, rest)| rest.split_once("```"));
        if let (Some((name, _)), Some((block, _))) = (name, block) {
            let value =
                serde_json::from_str(block).unwrap_or_else(|error| panic!("{name}: {error}"));
            examples.insert(name.to_owned(), value);
        }
    }
    examples
}
