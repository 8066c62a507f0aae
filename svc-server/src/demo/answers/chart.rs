//! Chart from CSV: the first column names, the second counts.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::input::{csv, text};
use super::statistics::{format_number, rows};
use super::{Fault, Made};

/// Most values of a chart.
const VALUES_MAX: usize = 12;

/// Width and height of the picture.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;

/// Where the drawing begins and ends.
const TOP: f64 = 56.0;
const BOTTOM: f64 = 310.0;
const LEFT: f64 = 56.0;

const COLOURS: [&str; 6] = ["#3257c9", "#b4451f", "#0f766e", "#8a3ffc", "#7a4a00", "#59626e"];

/// A name and its value.
type Point = (String, f64);

pub(super) fn make(input: &Map<String, Value>) -> Made {
    let points = points(text(input, "csv"))?;
    let kind = text(input, "kind");
    let drawing = if kind == "pie" { pie(&points) } else { bars(&points) };
    let named = text(input, "title");
    let title = if named.is_empty() { "Chart" } else { named };
    let head = ["name".to_owned(), "value".to_owned()];
    let rows = points.iter().map(|(name, value)| [name.clone(), format_number(*value)]);
    Ok(json!({ "chart": picture(title, &drawing), "data": csv([head].into_iter().chain(rows)) }))
}

/// The points of a table, whose values must be countable.
fn points(text: &str) -> Result<Vec<Point>, Fault> {
    let fails = |what: &str| Fault::Fails(what.to_owned());
    let (_, rows) = rows(text, "comma").ok_or_else(|| fails("the table has no rows"))?;
    if rows.len() > VALUES_MAX {
        let message = format!("a chart has at most {VALUES_MAX} rows; this one has {}", rows.len());
        return Err(Fault::Declines(message));
    }
    let point = |row: &Vec<String>| {
        let value =
            row.get(1)?.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
        Some((row.first()?.clone(), value?))
    };
    let points: Option<Vec<Point>> = rows.iter().map(point).collect();
    let points = points.ok_or_else(|| fails("the second column must be numbers from 0"))?;
    if points.iter().all(|(_, value)| *value == 0.0) {
        return Err(fails("all values are 0"));
    }
    Ok(points)
}

fn bars(points: &[Point]) -> String {
    let largest = points.iter().fold(0.0, |most: f64, (_, value)| most.max(*value));
    let step = (WIDTH - 2.0 * LEFT) / f64::from(u32::try_from(points.len()).unwrap_or(u32::MAX));
    let mut drawing = format!(
        "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{:.0}\" fill=\"none\" stroke=\"#7d8793\"/>",
        WIDTH - LEFT
    );
    for ((at, (name, value)), colour) in (0_u32..).zip(points).zip(COLOURS.iter().cycle()) {
        let height = (BOTTOM - TOP) * value / largest;
        let (left, top) = (LEFT + step * (f64::from(at) + 0.15), BOTTOM - height);
        let (wide, middle) = (step * 0.7, left + step * 0.35);
        // Writing to a text does not fail.
        let _ = write!(
            drawing,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{height:.1}\" \
             fill=\"{colour}\"/>{}{}",
            label(middle, top - 6.0, &format_number(*value)),
            label(middle, BOTTOM + 20.0, name)
        );
    }
    drawing
}

fn pie(points: &[Point]) -> String {
    let sum: f64 = points.iter().map(|(_, value)| value).sum();
    let (x, y, radius) = (200.0, f64::midpoint(TOP, BOTTOM) + 6.0, 120.0);
    let place = |turn: f64| {
        let angle = turn * TAU - PI / 2.0;
        format!("{:.1} {:.1}", x + radius * angle.cos(), y + radius * angle.sin())
    };
    let (mut drawing, mut turn) = (String::new(), 0.0);
    for ((at, (name, value)), colour) in (0_u32..).zip(points).zip(COLOURS.iter().cycle()) {
        // A whole circle would end where it begins, and so be nothing.
        let share = (value / sum).min(0.9999);
        let is_large = u8::from(share > 0.5);
        let (from, to) = (place(turn), place(turn + share));
        let line = TOP + 24.0 * (f64::from(at) + 1.0);
        let _ = write!(
            drawing,
            "<path d=\"M{x} {y}L{from}A{radius} {radius} 0 {is_large} 1 {to}Z\" fill=\"{colour}\" \
             stroke=\"#fff\"/><rect x=\"380\" y=\"{:.0}\" width=\"14\" height=\"14\" \
             fill=\"{colour}\"/><text x=\"402\" y=\"{line:.0}\">{}: {} ({} %)</text>",
            line - 12.0,
            escaped(name),
            format_number(*value),
            format_number(share * 100.0)
        );
        turn += value / sum;
    }
    drawing
}

fn label(x: f64, y: f64, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>", escaped(text))
}

fn picture(title: &str, drawing: &str) -> String {
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"14\" fill=\"#1a1d23\"><title>{title}</title>\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\
         <text x=\"{LEFT}\" y=\"32\" font-size=\"18\">{title}</text>{drawing}</svg>"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::{fault, made_well as made};
    use super::*;

    #[test]
    fn each_row_is_a_bar_or_a_slice() {
        for (kind, part) in [("bar", "<rect"), ("pie", "Z\"")] {
            let input = json!({ "csv": "a,b\nx,1\ny,3", "kind": kind, "title": "A < B" });
            let made = made(make, &input);
            let chart = made["chart"].as_str().unwrap();
            assert!(chart.starts_with("<svg") && chart.ends_with("</svg>"), "{chart}");
            assert!(chart.contains("A &lt; B") && chart.contains('y'), "{chart}");
            assert!(chart.matches(part).count() >= 2, "{chart}");
            assert_eq!(made["data"], "name,value\nx,1\ny,3\n");
        }
    }

    #[test]
    fn what_cannot_be_drawn_fails() {
        assert!(fault(make, &json!({ "csv": "a,b\nx,many" })).contains("numbers"));
        assert!(fault(make, &json!({ "csv": "a,b\nx,0" })).contains('0'));
        let long = format!("a,b\n{}", "x,1\n".repeat(13));
        assert!(fault(make, &json!({ "csv": long })).contains("at most 12"));
    }
}
