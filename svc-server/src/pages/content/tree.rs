//! JSON as a tree of disclosures.

use std::fmt::{self, Display, Write};

use serde_json::Value;

use crate::language::{Language, Message};
use crate::pages::text::escape;

/// Most values of a tree on a page.
const VALUES_MAX: usize = 2_000;

/// Levels that are open at first.
const OPEN_LEVELS: usize = 2;

/// A value as nested `details`, ready for a template.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pages) struct Tree {
    pub(super) language: Language,
    pub(super) value: Value,
}

impl askama::filters::HtmlSafe for Tree {}

/// The values that remain of an open object or array.
type Rest<'a> = Box<dyn Iterator<Item = (String, &'a Value)> + 'a>;

impl Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<ul class=\"tree\">")?;
        // The depth of JSON is limited by its parser; a stack keeps it off the thread's.
        let mut open: Vec<Rest<'_>> = vec![children(&self.value)];
        let mut count = 0;
        while let Some(level) = open.last_mut() {
            let Some((name, value)) = level.next() else {
                open.pop();
                f.write_str(if open.is_empty() { "</ul>" } else { "</ul></details></li>" })?;
                continue;
            };
            count += 1;
            if count > VALUES_MAX {
                f.write_str("<li>…</li>")?;
                *level = Box::new(std::iter::empty());
                continue;
            }
            f.write_str("<li>")?;
            if value.is_object() || value.is_array() {
                let is_open = if open.len() < OPEN_LEVELS { " open" } else { "" };
                write!(f, "<details{is_open}><summary>")?;
                escape(f, &name)?;
                let size = size(self.language, value);
                write!(f, " <span class=\"quiet\">{size}</span></summary><ul>")?;
                open.push(children(value));
            } else {
                leaf(f, &name, value)?;
            }
        }
        Ok(())
    }
}

fn leaf(f: &mut impl Write, name: &str, value: &Value) -> fmt::Result {
    f.write_str("<span class=\"quiet\">")?;
    escape(f, name)?;
    f.write_str("</span> <bdi>")?;
    match value {
        Value::String(text) => escape(f, text)?,
        value => escape(f, &value.to_string())?,
    }
    f.write_str("</bdi></li>")
}

fn children(value: &Value) -> Rest<'_> {
    match value {
        Value::Object(members) => {
            Box::new(members.iter().map(|(name, value)| (name.clone(), value)))
        }
        Value::Array(values) => {
            Box::new(values.iter().enumerate().map(|(at, value)| ((at + 1).to_string(), value)))
        }
        value => Box::new(std::iter::once((String::new(), value))),
    }
}

/// How many parts an object or an array has.
fn size(language: Language, value: &Value) -> Message<'static> {
    match value {
        Value::Object(members) => language.message("content-fields").count(members.len()),
        value => language.message("content-items").count(value.as_array().map_or(0, Vec::len)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(value: Value) -> String {
        Tree { language: Language::English, value }.to_string()
    }

    #[test]
    fn a_tree_escapes_texts_and_closes_what_it_opens() {
        let html = shown(json!({ "<a>": { "b": [1, "<script>"] }, "c": null }));
        assert!(html.contains("&lt;a&gt;") && html.contains("&lt;script&gt;"), "{html}");
        assert!(html.contains(">1 field<") && html.contains(">2 items<"), "{html}");
        for tag in ["ul", "li", "details"] {
            let count = |text: &str| html.matches(text).count();
            assert_eq!(count(&format!("<{tag}")), count(&format!("</{tag}>")), "{tag}: {html}");
        }
    }

    #[test]
    fn deep_and_wide_values_are_bounded() {
        let mut deep = json!(1);
        for _ in 0..120 {
            deep = json!([deep]);
        }
        let wide = json!({ "deep": deep, "wide": vec![vec![0; 100]; 100] });
        let html = shown(wide);
        assert!(html.len() < 200_000 && html.contains('…'));
        assert_eq!(html.matches("<ul").count(), html.matches("</ul>").count());
    }
}
