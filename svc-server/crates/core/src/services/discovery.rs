//! Finding services by other words than their own: stems, synonyms, and words that are misspelt.
//!
//! If the operator has set an embedder, it finds by meaning what all these rungs miss.
//!
//! The words of services are kept in tables of our own, so that both engines find and rank alike.

mod ladder;
pub mod meaning;
mod near;
mod synonyms;
mod vocabulary;

use rust_stemmers::{Algorithm, Stemmer};

pub use ladder::{Ladder, WORDS_MAX};
pub use synonyms::Synonyms;
pub use vocabulary::index;

/// Shortest word that has a stem of its own.
const STEMMED_MIN: usize = 4;

/// The stem of a folded word: what the forms of an English word share. Other words are kept.
///
/// Words of other languages lose endings that look English. That does no harm, because terms and
/// services lose the same ones.
fn stem(word: &str) -> String {
    let is_plain = word.len() >= STEMMED_MIN && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_plain {
        return word.to_owned();
    }
    Stemmer::create(Algorithm::English).stem(word).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_share_its_stem() {
        for form in ["translate", "translates", "translated", "translating", "translation"] {
            assert_eq!(stem(form), "translat", "{form}");
        }
        for word in ["ubersetzung1", "ai", "ocr", "日", "κοσμοσ"] {
            assert_eq!(stem(word), word);
        }
    }
}
