//! Tidy SQL: a clause per line, keywords in one case.

use serde_json::{Map, Value, json};

use super::input::text;
use super::{Fault, Made};

/// Keywords that begin a line.
const CLAUSES: [&str; 16] = [
    "delete",
    "from",
    "group",
    "having",
    "inner",
    "insert",
    "join",
    "left",
    "limit",
    "on",
    "order",
    "returning",
    "select",
    "set",
    "update",
    "where",
];

/// Keywords that begin an indented line.
const PARTS: [&str; 2] = ["and", "or"];

/// Other keywords.
const KEYWORDS: [&str; 22] = [
    "as", "asc", "between", "by", "case", "desc", "distinct", "else", "end", "exists", "in",
    "into", "is", "like", "not", "null", "outer", "then", "union", "values", "when", "with",
];

pub(super) fn make(input: &Map<String, Value>) -> Made {
    let is_upper = text(input, "keywords") == "UPPER CASE";
    let (mut code, mut before) = (String::new(), String::new());
    for word in split(text(input, "sql")) {
        let lower = word.to_lowercase();
        let is = |list: &[&str]| list.contains(&lower.as_str());
        let gap = match (is(&CLAUSES) && !joins(&before), is(&PARTS)) {
            _ if code.is_empty() => "",
            (true, _) => "\n",
            (_, true) => "\n    ",
            _ => " ",
        };
        code.push_str(gap);
        let is_keyword = is(&CLAUSES) || is(&PARTS) || is(&KEYWORDS);
        code.push_str(&match (is_keyword, is_upper) {
            (true, true) => word.to_uppercase(),
            (true, false) => lower.clone(),
            (false, _) => word,
        });
        before = lower;
    }
    if code.is_empty() {
        return Err(Fault::Fails("the statement has no words".to_owned()));
    }
    let lines = code.lines().count();
    Ok(json!({ "code": code, "lines": lines }))
}

/// Whether the next keyword belongs to this one, as in `left join`.
fn joins(word: &str) -> bool {
    ["left", "inner", "outer", "delete"].contains(&word)
}

/// The words of a statement; a text in quotes is one, whatever it holds.
fn split(sql: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in sql.chars() {
        if quote.is_none() && c.is_whitespace() {
            words.push(std::mem::take(&mut word));
            continue;
        }
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            _ => {}
        }
        word.push(c);
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::super::{fault, made_well as made};
    use super::*;

    #[test]
    fn each_clause_begins_a_line() {
        let sql = "SELECT name, count(*) FROM town LEFT JOIN rain ON rain.town = town.id \
                   where name = 'From  AND to' and wet ORDER BY name";
        let made_lower = made(make, &json!({ "sql": sql }));
        let code = "select name, count(*)\nfrom town\nleft join rain\non rain.town = town.id\n\
                    where name = 'From  AND to'\n    and wet\norder by name";
        assert_eq!((made_lower["code"].as_str().unwrap(), &made_lower["lines"]), (code, &json!(7)));
        let upper = made(make, &json!({ "sql": "select 1 from x", "keywords": "UPPER CASE" }));
        assert!(fault(make, &json!({ "sql": " " })).contains("words"));
        assert_eq!(upper["code"], "SELECT 1\nFROM x");
    }
}
