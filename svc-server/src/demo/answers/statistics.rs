//! CSV statistics: each column of numbers in a row.

use serde_json::{Map, Value, json};

use super::input::{csv, text};
use super::{Fault, Made};

/// Most columns of a table.
const COLUMNS_MAX: usize = 50;

pub(super) fn make(input: &Map<String, Value>) -> Made {
    let rows = rows(text(input, "csv"), text(input, "separator"))
        .ok_or_else(|| Fault::Fails("the table has no rows below its head".to_owned()))?;
    let (head, rows) = rows;
    let found: Vec<[String; 6]> =
        head.iter().enumerate().filter_map(|(at, name)| column(name, at, &rows)).collect();
    if found.is_empty() {
        return Err(Fault::Fails("no column of the table has numbers".to_owned()));
    }
    let names = ["column", "count", "smallest", "largest", "mean", "median"].map(str::to_owned);
    let columns = found.len();
    let statistics = csv([names].into_iter().chain(found));
    Ok(json!({ "rows": rows.len(), "columns": columns, "statistics": statistics }))
}

/// Names of the columns, and the rows below them.
type Table = (Vec<String>, Vec<Vec<String>>);

/// The table of a CSV text; `None` without a row.
pub(super) fn rows(text: &str, separator: &str) -> Option<Table> {
    let separator = match separator {
        "semicolon" => b';',
        "tab" => b'\t',
        _ => b',',
    };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let cells = |record: &csv::StringRecord| {
        record.iter().take(COLUMNS_MAX).map(str::to_owned).collect::<Vec<_>>()
    };
    let head = cells(reader.headers().ok()?);
    let rows: Vec<_> = reader.records().filter_map(Result::ok).map(|row| cells(&row)).collect();
    if rows.is_empty() { None } else { Some((head, rows)) }
}

/// The figures of a column; `None` if it has no numbers.
fn column(name: &str, at: usize, rows: &[Vec<String>]) -> Option<[String; 6]> {
    let cells = rows.iter().filter_map(|row| row.get(at));
    let mut numbers: Vec<f64> = cells.filter_map(|cell| cell.parse().ok()).collect();
    numbers.retain(|number| number.is_finite());
    numbers.sort_by(f64::total_cmp);
    let (first, last) = (*numbers.first()?, *numbers.last()?);
    let (middle, count) = (numbers.len() / 2, u32::try_from(numbers.len()).ok()?);
    let median = if numbers.len() % 2 == 1 {
        numbers[middle]
    } else {
        f64::midpoint(numbers[middle - 1], numbers[middle])
    };
    let mean = numbers.iter().sum::<f64>() / f64::from(count);
    let [first, last, mean, median] = [first, last, mean, median].map(format_number);
    Some([name.to_owned(), count.to_string(), first, last, mean, median])
}

/// A number with at most two decimals.
pub(super) fn format_number(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::{fault, made_well as made};
    use super::*;

    #[test]
    fn each_column_of_numbers_has_a_row() {
        let made = made(make, &json!({ "csv": "town,rain,wind\nEms,4,1.5\nLorn,10,2\nWick,1,9" }));
        assert_eq!((&made["rows"], &made["columns"]), (&json!(3), &json!(2)));
        let expected = "column,count,smallest,largest,mean,median\nrain,3,1,10,5,4\n\
                        wind,3,1.5,9,4.17,2\n";
        assert_eq!(made["statistics"], expected);
    }

    #[test]
    fn other_separators_are_read() {
        let input = json!({ "csv": "a;b\n1;2\n3;4", "separator": "semicolon" });
        let made = made(make, &input);
        assert!(made["statistics"].as_str().unwrap().contains("b,2,2,4,3,3"), "{made}");
    }

    #[test]
    fn a_table_without_numbers_fails() {
        assert!(fault(make, &json!({ "csv": "a\nx" })).contains("numbers"));
        assert!(fault(make, &json!({ "csv": "a" })).contains("rows"));
    }
}
