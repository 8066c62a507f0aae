//! A search term, the words of services that match it, and how well each does.

use svc_store::error::Result;
use svc_types::ServiceId;
use svc_types::api::bots::{MatchKind, ServiceMatch};

use super::{Synonyms, meaning, near, stem};
use crate::app::Ctx;
use crate::services::search::{asked, words};
use crate::services::service;

/// Most words of a term that are matched one by one.
pub const WORDS_MAX: usize = 8;

/// Most words of a term that may be misspelt.
const MISSPELT_MAX: usize = 4;

/// Characters of a word in [`Ladder::encoded`], and of an id in [`Ladder::meant`].
const WIDTH: usize = 64;

/// How a word of a service relates to one of the term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    /// It is the word or another form of it.
    Form,
    Synonym,
    Near,
}

impl Relation {
    /// The digit that [`Ladder::encoded`] holds: by how many rungs a match is lowered at least.
    const fn digit(self) -> char {
        match self {
            Self::Form => '0',
            Self::Synonym => '2',
            Self::Near => '3',
        }
    }
}

/// Words to look for instead of one of the term: all with this stem.
#[derive(Clone, Debug)]
struct Variant {
    /// The number of the term's word.
    of: usize,
    relation: Relation,
    stem: String,
    word: String,
}

/// A term with the rungs on which services match it.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// The term in lower case.
    pub term: String,
    words: Vec<String>,
    variants: Vec<Variant>,
    /// The services closest in meaning, on the last rung.
    meant: Vec<ServiceId>,
}

impl Ladder {
    /// A term with the rungs that need no look into the tables: exact words, stems, synonyms.
    pub fn of(term: &str, synonyms: &Synonyms) -> Self {
        let mut words = asked(&words::units(term));
        words.sort();
        words.dedup();
        if words.len() > WORDS_MAX {
            words.clear();
        }
        let variants = words.iter().enumerate().flat_map(|(of, word)| {
            let own = stem(word);
            let others = synonyms.of(&own).into_iter().map(move |(stem, word)| Variant {
                of,
                relation: Relation::Synonym,
                stem,
                word: word.to_owned(),
            });
            let form = Variant { of, relation: Relation::Form, stem: own, word: word.clone() };
            std::iter::once(form).chain(others.collect::<Vec<_>>())
        });
        let variants = variants.collect();
        Self { term: term.to_lowercase(), words, variants, meant: Vec::new() }
    }

    /// Adds the rung of words that are spelt nearly so; false if there is no such word.
    pub fn add_near(&mut self, ctx: &mut Ctx<'_, '_>) -> Result<bool> {
        let before = self.variants.len();
        for (of, word) in self.words.iter().enumerate().take(MISSPELT_MAX) {
            for word in near::words(ctx, word)? {
                let stem = stem(&word);
                let is_known = |known: &Variant| known.of == of && known.stem == stem;
                if !self.variants.iter().any(is_known) {
                    self.variants.push(Variant { of, relation: Relation::Near, stem, word });
                }
            }
        }
        Ok(self.variants.len() > before)
    }

    /// Replaces the words by the services with a similar meaning; false if there are none.
    pub fn add_meaning(&mut self, ctx: &mut Ctx<'_, '_>) -> Result<bool> {
        self.variants.clear();
        self.meant = meaning::services(ctx, &self.term)?;
        Ok(!self.meant.is_empty())
    }

    /// The ids of services that are found by meaning, 64 characters each, the closest first.
    pub fn meant(&self) -> String {
        let one = |service: &ServiceId| format!("{:<WIDTH$}", service.as_str());
        self.meant.iter().map(one).collect()
    }

    /// How many words of the term a service must match.
    pub fn words(&self) -> i64 {
        i64::try_from(self.words.len()).unwrap_or(i64::MAX)
    }

    /// What to look for, as one parameter that both engines cut up alike: of each variant the stem and
    /// the word, 64 characters each, then the number of the term's word and the relation.
    pub fn encoded(&self) -> String {
        let one = |variant: &Variant| {
            let Variant { of, relation, stem, word } = variant;
            format!("{stem:<WIDTH$}{word:<WIDTH$}{of}{}", relation.digit())
        };
        self.variants.iter().map(one).collect()
    }

    /// How a service matches: of the term's words the one that matches worst counts.
    pub fn explain(&self, name: &str, tags: &[String], description: &str) -> Option<ServiceMatch> {
        let texts = [name, &tags.join("\n"), description];
        let has: Vec<String> = texts.iter().flat_map(|text| own_words(text)).collect();
        if service::search_text(name, tags, description).contains(&self.term) {
            return Some(ServiceMatch { kind: MatchKind::Exact, term: self.contained(&has) });
        }
        if !self.meant.is_empty() {
            return Some(ServiceMatch { kind: MatchKind::Meaning, term: name.to_owned() });
        }
        let stems: Vec<String> = has.iter().map(|word| stem(word)).collect();
        let matches = (0..self.words.len()).map(|of| self.best(of, &has, &stems));
        let worst = matches.collect::<Option<Vec<_>>>()?.into_iter().rev().max_by_key(|one| one.0);
        worst.map(|(rung, term)| ServiceMatch { kind: kind(rung), term: term.to_owned() })
    }

    /// The word of a service that contains the beginning of the term.
    fn contained(&self, has: &[String]) -> String {
        let first = words::units(&self.term).into_iter().next().map(|unit| unit.text);
        let first = first.unwrap_or_default();
        let found = has.iter().find(|word| **word == first);
        let found = found.or_else(|| has.iter().find(|word| word.contains(&first)));
        found.filter(|_| !first.is_empty()).unwrap_or(&self.term).clone()
    }

    /// The best match of one of the term's words: its rung, and the service's word.
    fn best<'a>(
        &self,
        of: usize,
        has: &'a [String],
        stems: &[String],
    ) -> Option<(usize, &'a String)> {
        let matches = stems.iter().zip(has).flat_map(|(stem, word)| {
            let same = self.variants.iter().filter(move |one| one.of == of && one.stem == *stem);
            same.map(move |variant| (rung(variant, word), word))
        });
        matches.min_by_key(|(rung, _)| *rung)
    }
}

/// The words of a text in their order, and pairs of characters of scripts without spaces.
fn own_words(text: &str) -> Vec<String> {
    let units = words::units(text);
    let pairs: Vec<String> = words::pairs(&units).collect();
    units.into_iter().map(|unit| unit.text).chain(pairs).collect()
}

fn rung(variant: &Variant, word: &str) -> usize {
    match variant.relation {
        Relation::Form if variant.word == word => 0,
        Relation::Form => 1,
        Relation::Synonym => 2,
        Relation::Near => 3,
    }
}

const fn kind(rung: usize) -> MatchKind {
    match rung {
        0 => MatchKind::Exact,
        1 => MatchKind::Stem,
        2 => MatchKind::Synonym,
        _ => MatchKind::Near,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(term: &str, name: &str, tags: &[&str]) -> Option<(MatchKind, String)> {
        let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
        let synonyms = Synonyms::new(&["bill = invoice".to_owned()]).unwrap();
        let found = Ladder::of(term, &synonyms).explain(name, &tags, "of texts");
        found.map(|found| (found.kind, found.term))
    }

    #[test]
    fn the_worst_word_decides() {
        let found = |kind, term: &str| Some((kind, term.to_owned()));
        assert_eq!(explained("Translate", "translate", &[]), found(MatchKind::Exact, "translate"));
        assert_eq!(explained("ransl", "do translate", &[]), found(MatchKind::Exact, "translate"));
        assert_eq!(
            explained("texts of", "x", &[]),
            found(MatchKind::Exact, "of"),
            "the first by letters"
        );
        assert_eq!(
            explained("translated texts", "translate", &[]),
            found(MatchKind::Stem, "translate")
        );
        assert_eq!(
            explained("bills text", "an Invoice", &[]),
            found(MatchKind::Synonym, "invoice")
        );
        assert_eq!(explained("invoices", "x", &["Bill"]), found(MatchKind::Synonym, "bill"));
        assert_eq!(explained("translate", "counts", &[]), None);
        assert_eq!(explained("translate poems", "translate", &[]), None, "each word must match");
        assert_eq!(explained("%", "100% wool", &[]), found(MatchKind::Exact, "%"));
    }

    #[test]
    fn a_variant_has_a_fixed_width_whatever_its_letters() {
        let synonyms = Synonyms::new(&[]).unwrap();
        let long = "ö".repeat(90);
        for term in ["übersetzung", "日本 language", &long, "a b c d e f g h"] {
            let ladder = Ladder::of(term, &synonyms);
            assert!(!ladder.variants.is_empty());
            let length = ladder.encoded().chars().count();
            assert_eq!(length, ladder.variants.len() * (2 * WIDTH + 2), "{term}");
        }
        let many = Ladder::of("a b c d e f g h i", &synonyms);
        assert_eq!((many.encoded(), many.words()), (String::new(), 0), "only as it is");
    }
}
