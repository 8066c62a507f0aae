//! Words of the same meaning: a table that is built in, and what the operator adds.

use std::collections::HashMap;

use super::stem;
use crate::services::search::words;

/// A group of words a line: `word = word, word`.
const BUILT_IN: &str = include_str!("synonyms.txt");

/// Synonyms of a word that are looked up.
const LOOKED_UP_MAX: usize = 24;

/// Groups of words that mean the same.
#[derive(Clone, Debug, Default)]
pub struct Synonyms {
    /// The folded words of each group.
    groups: Vec<Vec<String>>,
    /// The groups that have a word with this stem.
    of: HashMap<String, Vec<usize>>,
}

impl Synonyms {
    /// The built-in groups and these: `word = word, word`. An item without `=` goes on with the one
    /// before it, because variables of the environment are split at commas.
    pub fn new(items: &[String]) -> Result<Self, String> {
        let built_in = BUILT_IN.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut groups = read(built_in)?;
        groups.extend(read(items.iter().map(String::as_str))?);
        let mut of: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, group) in groups.iter().enumerate() {
            for word in group {
                let known = of.entry(stem(word)).or_default();
                if known.last() != Some(&number) {
                    known.push(number);
                }
            }
        }
        Ok(Self { groups, of })
    }

    /// Words that mean the same as one with this stem, but have another.
    pub(super) fn of(&self, own: &str) -> Vec<(String, &str)> {
        let groups = self.of.get(own).map(Vec::as_slice).unwrap_or_default();
        let words = groups.iter().filter_map(|number| self.groups.get(*number)).flatten();
        let mut found: Vec<(String, &str)> = Vec::new();
        for word in words {
            let other = stem(word);
            if other != own && !found.iter().any(|(known, _)| *known == other) {
                found.push((other, word));
            }
        }
        found.truncate(LOOKED_UP_MAX);
        found
    }
}

/// The words of each group.
fn read<'a>(items: impl Iterator<Item = &'a str>) -> Result<Vec<Vec<String>>, String> {
    let mut groups = Vec::new();
    for item in items {
        add(&mut groups, item)?;
    }
    Ok(groups)
}

/// Adds the words of an item to the groups.
fn add(groups: &mut Vec<Vec<String>>, item: &str) -> Result<(), String> {
    let rule = || format!("search.synonyms must be a list of \"word = word, word\", not {item:?}");
    let (first, rest) = match item.split_once('=') {
        Some((first, rest)) => (Some(first), rest),
        None => (None, item),
    };
    if first.is_some() {
        groups.push(Vec::new());
    }
    let group = groups.last_mut().ok_or_else(rule)?;
    for text in first.into_iter().chain(rest.split(',')) {
        let mut units = words::units(text).into_iter();
        match (units.next(), units.next()) {
            (Some(unit), None) => group.push(unit.text),
            _ => return Err(rule()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<'a>(synonyms: &'a Synonyms, word: &str) -> Vec<&'a str> {
        synonyms.of(&stem(word)).into_iter().map(|(_, word)| word).collect()
    }

    #[test]
    fn the_table_is_readable_and_its_groups_are_short_enough() {
        let synonyms = Synonyms::new(&[]).unwrap();
        assert!(synonyms.groups.len() >= 50);
        for group in &synonyms.groups {
            assert!((2..=LOOKED_UP_MAX).contains(&group.len()), "{group:?}");
        }
        assert!(of(&synonyms, "ubersetzung").contains(&"translate"));
        assert!(of(&synonyms, "translations").contains(&"ubersetzung"));
    }

    #[test]
    fn an_operator_adds_groups_and_words_to_them() {
        let given = ["Übertragung = transfer", " relay", "zap=shock"].map(str::to_owned);
        let synonyms = Synonyms::new(&given).unwrap();
        assert_eq!(of(&synonyms, "ubertragung"), ["transfer", "relay"]);
        assert_eq!(of(&synonyms, "shocks"), ["zap"]);
        for wrong in ["two words = one", "=x", "a = ", "a = b,, c", "!", "alone"] {
            assert!(Synonyms::new(&[wrong.to_owned()]).is_err(), "{wrong}");
        }
    }
}
