//! Words that are spelt nearly as one of a term.

use std::collections::{BTreeSet, HashSet};
use std::ops::RangeInclusive;

use strsim::osa_distance;
use svc_store::error::Result;
use svc_store::{sql, values};

use crate::app::Ctx;

/// Lengths of words that may be misspelt by one letter, and by two.
const ONE: RangeInclusive<usize> = 4..=7;
const TWO: RangeInclusive<usize> = 8..=24;

/// Lengths of words that a misspelt one can be.
pub(super) const LENGTHS: RangeInclusive<usize> = 3..=26;

/// Words read for a part of a word. A part that more words share says little.
const READ_MAX: i64 = 200;

/// Words that one of the term may be instead.
const FOUND_MAX: usize = 8;

/// The parts of a word: three letters each, where `^` and `$` are its edges, and its first and last
/// letter.
///
/// Two words within the distances below share at least one: an edit changes three or four parts, and one
/// that leaves no three letters alone leaves the first and the last.
pub(super) fn grams(word: &str) -> BTreeSet<String> {
    let letters: Vec<char> = std::iter::once('^').chain(word.chars()).chain(['$']).collect();
    let mut grams: BTreeSet<String> =
        letters.windows(3).map(|three| three.iter().collect()).collect();
    if let [_, first, .., last, _] = letters[..] {
        grams.insert(format!("{first}*{last}"));
    }
    grams
}

/// How many edits a word may be away.
fn edits(letters: usize) -> usize {
    match letters {
        letters if ONE.contains(&letters) => 1,
        letters if TWO.contains(&letters) => 2,
        _ => 0,
    }
}

/// Words of services that `word` may have been meant to be, the nearest first.
pub(super) fn words(ctx: &mut Ctx<'_, '_>, word: &str) -> Result<Vec<String>> {
    let letters = word.chars().count();
    let most = edits(letters);
    if most == 0 {
        return Ok(Vec::new());
    }
    let length = |letters: usize| i64::try_from(letters).unwrap_or(i64::MAX);
    let (shortest, longest) = (length(letters - most), length(letters + most));
    let (mut seen, mut found) = (HashSet::new(), BTreeSet::new());
    for gram in grams(word) {
        let candidates: Vec<String> = ctx.tx.all(
            sql!(
                "select word from service_gram
                 where gram = $1 and length >= $2 and length <= $3
                 order by length, word limit $4"
            ),
            values![gram, shortest, longest, READ_MAX],
        )?;
        for candidate in candidates {
            let distance = osa_distance(word, &candidate);
            if (1..=most).contains(&distance) && seen.insert(candidate.clone()) {
                found.insert((distance, candidate));
            }
        }
    }
    Ok(found.into_iter().map(|(_, word)| word).take(FOUND_MAX).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts_have_edges() {
        let parts: Vec<String> = grams("form").into_iter().collect();
        assert_eq!(parts, ["^fo", "f*m", "for", "orm", "rm$"]);
    }

    /// An edit at a place: a letter more, another, one less, or two in the other order.
    fn edited(word: &str, (kind, place, letter): (u8, usize, char)) -> String {
        let mut letters: Vec<char> = word.chars().collect();
        let place = place % letters.len();
        match kind {
            0 => letters.insert(place, letter),
            1 => letters[place] = letter,
            2 => drop(letters.remove(place)),
            _ => letters.swap(place, (place + 1) % word.len().max(1)),
        }
        letters.into_iter().collect()
    }

    proptest! {
        #[test]
        fn words_that_are_near_share_a_part(
            word in "[a-e]{4,12}",
            one in (0_u8..4, 0_usize..16, prop::char::range('a', 'e')),
            two in (0_u8..4, 0_usize..16, prop::char::range('a', 'e')),
        ) {
            let once = edited(&word, one);
            let other = if word.len() < *TWO.start() { once } else { edited(&once, two) };
            let distance = osa_distance(&word, &other);
            if distance <= edits(word.len()) {
                prop_assert!(!grams(&word).is_disjoint(&grams(&other)), "{word} {other}");
            }
        }
    }
}
