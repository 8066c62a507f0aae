//! Numbers as each language writes them.

use std::fmt::Display;

use super::Language;

/// From this number on, counters are short: `12K`.
const COMPACT_FROM: u64 = 10_000;

/// A counter: `9,999`, then `12K`, `3.4M`.
pub fn count(language: Language, number: impl Display) -> String {
    let text = number.to_string();
    match text.parse::<u64>() {
        Ok(number) if number >= COMPACT_FROM => compact(language, number),
        _ => grouped(language, &text),
    }
}

/// A number of at least [`COMPACT_FROM`], rounded down.
fn compact(language: Language, number: u64) -> String {
    let (unit, id) = match number {
        0..1_000_000 => (1_000, "number-thousands"),
        1_000_000..1_000_000_000 => (1_000_000, "number-millions"),
        _ => (1_000_000_000, "number-billions"),
    };
    let (whole, tenth) = (number / unit, number % unit / (unit / 10));
    let shown = match tenth {
        0 => whole.to_string(),
        _ if whole >= 100 => whole.to_string(),
        tenth => format!("{whole}{}{tenth}", separators(language).1),
    };
    language.message(id).with("n", shown).to_string()
}

/// What separates thousands, and what separates a fraction.
const fn separators(language: Language) -> (char, char) {
    match language {
        Language::German => ('.', ','),
        _ => (',', '.'),
    }
}

/// A number with its thousands grouped, and a minus sign: `1,240.5`, `−60`.
pub fn grouped(language: Language, text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("−", rest),
        None => ("", text),
    };
    let (thousands, point) = separators(language);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut number = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            number.push(thousands);
        }
        number.push(digit);
    }
    if !fraction.is_empty() {
        number.push(point);
        number.push_str(fraction);
    }
    number
}

/// An amount of credits without its unit, never shortened: `1,240`, `−60`.
pub fn amount(language: Language, credits: impl Display) -> String {
    grouped(language, &credits.to_string())
}
