use super::*;

const EN: Language = Language::English;

fn steps(count: usize, is_hourly: bool) -> Steps {
    let names: Vec<String> = (0..count).map(|place| format!("step {place}")).collect();
    Steps { labels: names.clone(), names, is_hourly, note: String::new() }
}

fn series(name: &'static str, values: &[i64]) -> Series {
    Series { name, values: values.to_vec() }
}

fn chart(values: &[i64]) -> Option<Chart> {
    chart_in(EN, values)
}

fn chart_in(language: Language, values: &[i64]) -> Option<Chart> {
    let views = series("analytics-views", values);
    Chart::of(language, "analytics-views", Unit::Count, &steps(values.len(), false), &[views])
}

#[test]
fn bars_stay_in_the_drawing_and_the_highest_reaches_a_line() {
    for values in [vec![3, 0, 7, 1], (0..366).collect(), vec![i64::MAX / 4, -1], vec![-5, 5]] {
        let chart = chart(&values).unwrap();
        let bars: Vec<_> = chart.columns.iter().flat_map(|column| &column.bars).collect();
        assert_eq!(bars.len(), values.iter().filter(|value| **value != 0).count());
        for bar in bars {
            assert!(bar.y >= Share(0) && bar.y.0 + bar.height.0 <= Share::ALL.0 + SEEN.0);
            assert!(bar.height >= SEEN, "the smallest is seen: {values:?}");
        }
        let ends = chart.columns.iter().map(|column| column.x.0 + column.width.0);
        assert_eq!(ends.max(), Some(Share::ALL.0));
        assert_eq!(chart.lines.last().map(|line| line.at), Some(Share(0)));
        assert!(chart.lines.len() <= 7 && chart.marks.len() <= LABELS_MAX, "{chart:?}");
    }
}

#[test]
fn the_newest_step_has_a_label() {
    for count in [1, 5, 6, 30, 90, 366] {
        let chart = chart(&vec![1; count]).unwrap();
        let last = chart.marks.last().map(|mark| mark.label.clone());
        assert_eq!(last, Some(format!("step {}", count - 1)));
        assert!(chart.marks.len() <= LABELS_MAX, "{count}: {:?}", chart.marks);
    }
}

#[test]
fn the_axis_has_round_values_from_zero_on() {
    let labels = |values: &[i64]| -> Vec<String> {
        chart(values).unwrap().lines.into_iter().map(|line| line.label).collect()
    };
    assert_eq!(labels(&[1]), ["0", "1"]);
    assert_eq!(labels(&[3, 0, 7, 1]), ["0", "2", "4", "6", "8"]);
    assert_eq!(labels(&[4_800]), ["0", "2,000", "4,000", "6,000"]);
    assert_eq!(labels(&[-3, 3]), ["−4", "−2", "0", "2", "4"]);
}

#[test]
fn negative_values_stand_below_zero() {
    let chart = chart(&[-2, 2]).unwrap();
    let [lower, upper] = [0, 1].map(|place| chart.columns[place].bars[0]);
    assert_eq!(lower, Bar { series: 1, y: Share(5_000), height: Share(5_000) });
    assert_eq!(upper, Bar { series: 1, y: Share(0), height: Share(5_000) });
}

#[test]
fn a_chart_says_in_words_what_it_shows_and_nothing_of_nothing() {
    let chart = chart(&[3, 0, 7, 7]).unwrap();
    assert_eq!(chart.summary, "Views: 17 in 4 days, peak 7 per day (step 2)");
    let german = chart_in(Language::German, &[3_000, 0]).unwrap();
    assert_eq!(german.summary, "Aufrufe: 3.000 in 2 Tagen, höchstens 3.000 pro Tag (step 0)");
    assert!(Chart::of(EN, "analytics-views", Unit::Count, &steps(0, false), &[]).is_none());
    assert!(self::chart(&[0, 0]).is_none());
}

#[test]
fn several_series_stand_on_one_another_and_have_equal_sums() {
    let two = [series("analytics-likes", &[1, 2]), series("analytics-replies", &[3, -1])];
    let chart = Chart::of(EN, "analytics-reactions", Unit::Count, &steps(2, true), &two).unwrap();
    assert_eq!(chart.legend, ["Likes", "Replies"]);
    assert_eq!(chart.columns[0].title, "step 0: Likes 1, Replies 3");
    let [lower, upper] = [chart.columns[0].bars[0], chart.columns[0].bars[1]];
    assert_eq!(upper.y.0 + upper.height.0, lower.y.0);
    assert_eq!(chart.table.sums, ["3", "2"]);
    assert_eq!(chart.table.rows[1], ("step 1".to_owned(), vec!["2".to_owned(), "−1".to_owned()]));
    let summary = "Likes, replies and reposts: 5 in 2 hours, peak 4 per hour (step 0)";
    assert_eq!(chart.summary, summary);
}

#[test]
fn credits_have_their_unit() {
    let earned = [series("leaders-earnings", &[500_000, 60_000_000])];
    let chart =
        Chart::of(EN, "leaders-earnings", Unit::Credits, &steps(2, false), &earned).unwrap();
    let summary = "Credits earned: 60.5 credits in 2 days, peak 60 per day (step 1)";
    assert_eq!(chart.summary, summary);
    assert_eq!(chart.unit.as_deref(), Some("credits per day"));
    assert_eq!(chart.columns[0].title, "step 0: 0.5 credits");
    assert_eq!(chart.table.heads, ["Credits earned, credits"]);
    let labels: Vec<_> = chart.lines.iter().map(|line| line.label.as_str()).collect();
    assert_eq!(labels, ["0", "20", "40", "60"]);
}

#[test]
fn fewer_labels_are_shown_where_they_are_long() {
    for (label, most) in [("22 Nov", LABELS_MAX), ("22. Nov.", LONG_LABELS_MAX)] {
        let days = Steps { labels: vec![label.to_owned(); 30], ..steps(30, false) };
        assert_eq!(30_usize.div_ceil(days.labelled()), most, "{label}");
    }
}
