//! Roman numerals.

use serde_json::{Map, Value, json};

use super::input::number;
use super::{Fault, Made};

/// Values and their signs, largest first.
const SIGNS: [(usize, &str); 13] = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
];

pub(super) fn make(input: &Map<String, Value>) -> Made {
    let signs = signs(number(input, "number", 0));
    if signs.is_empty() {
        return Err(Fault::Declines("numerals go from 1 to 3999".to_owned()));
    }
    let numeral: String = signs.iter().map(|(_, sign)| *sign).collect();
    let sum: Vec<String> = signs.iter().map(|(value, sign)| format!("{sign} = {value}")).collect();
    Ok(json!({ "numeral": numeral, "signs": sum }))
}

/// The signs of a number from 1 to 3999; none for others.
fn signs(number: usize) -> Vec<(usize, &'static str)> {
    let mut left = if number <= 3999 { number } else { 0 };
    let mut found = Vec::new();
    for (value, sign) in SIGNS {
        while left >= value {
            found.push((value, sign));
            left -= value;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{fault, made_well as made};
    use super::*;

    #[test]
    fn numbers_become_numerals() {
        for (number, numeral) in [(1, "I"), (4, "IV"), (1994, "MCMXCIV"), (3999, "MMMCMXCIX")] {
            assert_eq!(made(make, &json!({ "number": number }))["numeral"], numeral);
        }
        assert!(fault(make, &json!({ "number": 4000 })).contains("3999"));
        assert_eq!(made(make, &json!({ "number": 14 }))["signs"], json!(["X = 10", "IV = 4"]));
    }
}
