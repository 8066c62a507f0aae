//! Explain a cron expression: what each field says, in words.

use serde_json::{Map, Value, json};

use super::input::text;
use super::{Fault, Made};

/// A field: its name, the word for one of it, and its least and largest value.
const FIELDS: [(&str, &str, u32, u32); 5] = [
    ("minute", "minute", 0, 59),
    ("hour", "hour", 0, 23),
    ("dayOfMonth", "day of the month", 1, 31),
    ("month", "month", 1, 12),
    ("dayOfWeek", "day of the week", 0, 7),
];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const DAYS: [&str; 8] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

pub(super) fn make(input: &Map<String, Value>) -> Made {
    let parts: Vec<&str> = text(input, "expression").split_whitespace().collect();
    if parts.len() != FIELDS.len() {
        let message = format!("a cron expression has 5 fields; this one has {}", parts.len());
        return Err(Fault::Fails(message));
    }
    let mut lines = Vec::new();
    let mut fields = Map::new();
    for (place, part) in parts.iter().enumerate() {
        let said = field(place, part)?;
        lines.push(format!("- **{}**: {said}", FIELDS[place].1));
        fields.insert(FIELDS[place].0.to_owned(), json!({ "written": part, "means": said }));
    }
    // cron takes either day where both are named, which is when neither field begins with a star.
    let names_both_days = [parts[2], parts[4]].iter().all(|part| !part.starts_with('*'));
    let exception = if names_both_days { ", but one of the two days is enough" } else { "" };
    let expression = parts.join(" ");
    let lines = lines.join("\n");
    let text = format!("`{expression}` runs when all of these hold{exception}:\n\n{lines}");
    Ok(json!({ "explanation": text, "fields": fields }))
}

/// What a field says.
fn field(place: usize, part: &str) -> Result<String, Fault> {
    let said: Result<Vec<String>, Fault> = part.split(',').map(|one| range(place, one)).collect();
    Ok(said?.join(" or "))
}

/// What a part of a list says: `*`, `5`, `1-5`, each with or without `/2`.
fn range(place: usize, part: &str) -> Result<String, Fault> {
    let (span, step) = part.split_once('/').unwrap_or((part, "1"));
    let step: u32 = step.parse().ok().filter(|step| *step > 0).ok_or_else(|| wrong(place, part))?;
    let ends = match span.split_once('-') {
        Some((from, to)) => Some((number(place, from)?, number(place, to)?)),
        None if span == "*" => None,
        None => Some((number(place, span)?, number(place, span)?)),
    };
    let every = |what: &str| match step {
        1 => format!("every {what}"),
        step => format!("every {} {what}", ordinal(step)),
    };
    let word = FIELDS[place].1;
    Ok(match ends {
        None => every(word),
        Some((from, to)) if from == to && step == 1 => named(place, from),
        Some((from, to)) if from == to => format!("{} from {}", every(word), named(place, from)),
        Some((from, to)) if from > to => {
            return Err(Fault::Fails(format!("{part} ends before it begins")));
        }
        Some((from, to)) => {
            format!("{} from {} to {}", every(word), named(place, from), named(place, to))
        }
    })
}

/// A number as a place in a row: `2nd`, `15th`.
fn ordinal(number: u32) -> String {
    let is_teen = (11..=13).contains(&(number % 100));
    let end = match number % 10 {
        1 if !is_teen => "st",
        2 if !is_teen => "nd",
        3 if !is_teen => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

/// A number that the field allows.
fn number(place: usize, text: &str) -> Result<u32, Fault> {
    let (_, _, least, most) = FIELDS[place];
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| wrong(place, text))
}

fn wrong(place: usize, part: &str) -> Fault {
    let (_, word, least, most) = FIELDS[place];
    Fault::Fails(format!("{part} is not a valid {word}: values go from {least} to {most}"))
}

fn named(place: usize, number: u32) -> String {
    let at = usize::try_from(number).unwrap_or(usize::MAX);
    match place {
        3 => MONTHS.get(at.wrapping_sub(1)).map(|name| (*name).to_owned()),
        4 => DAYS.get(at).map(|name| (*name).to_owned()),
        _ => None,
    }
    .unwrap_or_else(|| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::{fault, made_well as made};
    use super::*;

    #[test]
    fn each_field_is_said_in_words() {
        let made = made(make, &json!({ "expression": "*/15 9-17 1,15 6 1-5" }));
        let means = |name: &str| made["fields"][name]["means"].as_str().unwrap().to_owned();
        assert_eq!(means("minute"), "every 15th minute");
        assert_eq!(means("hour"), "every hour from 9 to 17");
        assert_eq!(means("dayOfMonth"), "1 or 15");
        assert_eq!(means("month"), "June");
        assert_eq!(means("dayOfWeek"), "every day of the week from Monday to Friday");
        assert!(made["explanation"].as_str().unwrap().contains("**month**: June"));
    }

    #[test]
    fn a_step_is_an_ordinal_number() {
        let steps = [2, 3, 11, 12, 13, 15, 21, 22, 23].map(ordinal);
        let words = ["2nd", "3rd", "11th", "12th", "13th", "15th", "21st", "22nd", "23rd"];
        assert_eq!(steps, words);
    }

    #[test]
    fn of_two_days_that_are_named_one_is_enough() {
        for (expression, is_one_enough) in [
            ("0 9 1 * 1", true),
            ("0 9 1 * *", false),
            ("0 9 * * 1", false),
            ("0 9 */2 * 1", false),
        ] {
            let made = made(make, &json!({ "expression": expression }));
            let text = made["explanation"].as_str().unwrap();
            assert_eq!(text.contains("one of the two days"), is_one_enough, "{text}");
        }
    }

    #[test]
    fn what_no_clock_knows_fails() {
        assert!(fault(make, &json!({ "expression": "0 17-9 * * *" })).contains("17-9 ends before"));
        assert!(fault(make, &json!({ "expression": "61 * * * *" })).contains("0 to 59"));
        assert!(fault(make, &json!({ "expression": "* * *" })).contains("has 3"));
        assert!(fault(make, &json!({ "expression": "*/0 * * * *" })).contains("minute"));
    }
}
