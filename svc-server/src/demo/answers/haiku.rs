//! Haiku: five, seven and five syllables on a word, from lists of each season.

use serde_json::{Map, Value, json};

use super::input::text;
use super::{Fault, Made};

/// Most syllables of the word.
const SYLLABLES_MAX: usize = 4;

/// What follows the word, by its syllables: together five.
const OPENINGS: [[&str; 3]; 4] = [
    ["in the morning", "under the stairs", "across the hill"],
    ["at the door", "in my hand", "and the sea"],
    ["at last", "again", "still here"],
    ["now", "here", "waits"],
];

/// The lists of a season: middles of seven syllables, ends of five.
struct Season {
    name: &'static str,
    middles: [&'static str; 3],
    ends: [&'static str; 3],
}

const SEASONS: [Season; 4] = [
    Season {
        name: "spring",
        middles: [
            "the first warm rain is falling",
            "a green leaf opens slowly",
            "the plum tree drops its blossom",
        ],
        ends: ["frogs begin to sing", "the river is loud", "a door moves slowly"],
    },
    Season {
        name: "summer",
        middles: [
            "the long day forgets to end",
            "the heat lies down on the stones",
            "a wasp walks along the glass",
        ],
        ends: ["the crickets go on", "dust hangs in the light", "the tea has gone cold"],
    },
    Season {
        name: "autumn",
        middles: [
            "the wind counts the fallen leaves",
            "smoke stands over the small town",
            "a crow takes the highest branch",
        ],
        ends: ["the light leaves early", "one apple is left", "the field is brown now"],
    },
    Season {
        name: "winter",
        middles: [
            "the snow has shut all the roads",
            "the lamp is lit before noon",
            "a thin ice holds the bucket",
        ],
        ends: ["the cat will not move", "breath hangs in the air", "footprints lead to none"],
    },
];

pub(super) fn make(input: &Map<String, Value>) -> Made {
    let word = text(input, "word").trim();
    let count = syllables(word);
    if !(1..=SYLLABLES_MAX).contains(&count) {
        let message =
            format!("“{word}” has {count} syllables; a line has room for {SYLLABLES_MAX}");
        return Err(Fault::Declines(message));
    }
    let chosen = text(input, "season");
    let season = SEASONS.iter().find(|season| season.name == chosen).unwrap_or(&SEASONS[0]);
    let at = word.bytes().fold(0, |sum, byte| sum + usize::from(byte));
    let lines = [
        format!("{word} {}", OPENINGS[count - 1][at % 3]),
        season.middles[at / 3 % 3].to_owned(),
        season.ends[at / 9 % 3].to_owned(),
    ];
    let counts = lines.each_ref().map(|line| line.split(' ').map(syllables).sum::<usize>());
    Ok(json!({ "haiku": lines.join("\n"), "syllables": counts }))
}

/// The syllables of an English word, by its groups of vowels.
fn syllables(word: &str) -> usize {
    let word = word.to_lowercase();
    let is_vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let mut count = 0;
    for part in word.split(|c: char| !c.is_alphabetic()).filter(|part| !part.is_empty()) {
        let groups = part.split(|c| !is_vowel(c)).filter(|group| !group.is_empty()).count();
        // A mute e ends the word, unless it follows a consonant and l.
        let is_mute = groups > 1 && part.ends_with('e') && !part.ends_with("le");
        let is_mute_ed = groups > 1 && part.ends_with("es") && !part.ends_with("ches");
        count += groups - usize::from(is_mute || is_mute_ed);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::{fault, made_well as made};
    use super::*;

    #[test]
    fn a_haiku_has_three_lines_with_the_word() {
        for word in ["tea", "robot", "harbour", "umbrella"] {
            let made = made(make, &json!({ "word": word, "season": "winter" }));
            let haiku = made["haiku"].as_str().unwrap();
            assert!(haiku.starts_with(word) && haiku.lines().count() == 3, "{haiku}");
        }
    }

    #[test]
    fn a_word_that_fits_no_line_is_declined() {
        assert!(fault(make, &json!({ "word": "incomprehensibility" })).contains("syllables"));
        assert!(fault(make, &json!({ "word": "42" })).contains("0 syllables"));
    }

    #[test]
    fn the_lists_have_the_syllables_that_they_promise() {
        let count = |line: &str| line.split(' ').map(syllables).sum::<usize>();
        let mut wrong: Vec<&str> = Vec::new();
        for (at, openings) in OPENINGS.iter().enumerate() {
            wrong.extend(openings.iter().filter(|line| count(line) != 4 - at));
        }
        for season in &SEASONS {
            wrong.extend(season.middles.iter().filter(|line| count(line) != 7));
            wrong.extend(season.ends.iter().filter(|line| count(line) != 5));
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
