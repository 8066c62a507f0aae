//! Decodes parameters: `a[b][0]=c` becomes `{"a": {"b": ["c"]}}`.

use serde_json::{Map, Value};
use url::form_urlencoded;

/// Decodes a body or a query. All values are texts.
pub(crate) fn decode(text: &str) -> Value {
    let mut root = Value::Object(Map::new());
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        let mut place = &mut root;
        for part in name.split(['[', ']']).enumerate().filter_map(part) {
            place = child(place, part);
        }
        *place = Value::String(value.into_owned());
    }
    lists(root)
}

/// A part of a name; between `][` and after the last `]` there is none.
fn part((index, part): (usize, &str)) -> Option<&str> {
    (index == 0 || !part.is_empty()).then_some(part)
}

fn child<'a>(place: &'a mut Value, name: &str) -> &'a mut Value {
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    place.as_object_mut().expect("it was made one").entry(name).or_insert(Value::Null)
}

/// Turns objects whose names are 0, 1, … into lists.
fn lists(value: Value) -> Value {
    let Value::Object(map) = value else { return value };
    let mut members: Vec<_> = map.into_iter().map(|(name, value)| (name, lists(value))).collect();
    let index = |name: &str| name.parse::<usize>().ok();
    if members.is_empty() || members.iter().any(|(name, _)| index(name).is_none()) {
        return Value::Object(members.into_iter().collect());
    }
    members.sort_by_key(|(name, _)| index(name));
    Value::Array(members.into_iter().map(|(_, value)| value).collect())
}

/// The same with numbers and truth values in place of their texts, for a check by types. Metadata stays
/// text.
pub(crate) fn typed(value: &Value) -> Value {
    match value {
        Value::String(text) => match text.as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            text => text.parse::<i64>().map_or_else(|_| value.clone(), Value::from),
        },
        Value::Array(items) => items.iter().map(typed).collect(),
        Value::Object(map) => {
            let members = map.iter().map(|(name, value)| {
                let is_text = name == "metadata";
                (name.clone(), if is_text { value.clone() } else { typed(value) })
            });
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_with_brackets_are_nested() {
        let text = "mode=payment&line_items[0][quantity]=1&line_items%5B0%5D[price_data][name]=a+b\
            &expand[1]=y&expand[0]=x&metadata[svc]=pay_1&metadata[n]=7&automatic_tax[enabled]=false";
        let decoded = decode(text);
        let line = json!({ "quantity": "1", "price_data": { "name": "a b" } });
        assert_eq!(
            decoded,
            json!({ "mode": "payment", "line_items": [line], "expand": ["x", "y"],
                "metadata": { "svc": "pay_1", "n": "7" }, "automatic_tax": { "enabled": "false" } })
        );
        let typed = typed(&decoded);
        assert_eq!(
            (&typed["line_items"][0]["quantity"], &typed["metadata"]["n"]),
            (&json!(1), &json!("7"))
        );
        assert_eq!(typed["automatic_tax"]["enabled"], json!(false));
    }
}
