//! A bar chart, as coordinates for an SVG.

/// Width and height of the view box, which is stretched to fit the page.
const WIDTH: i64 = 600;
const HEIGHT: i64 = 120;

/// The least height of a bar above zero.
const SEEN: i64 = 2;

/// A bar chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chart {
    /// The metric.
    pub(super) what: &'static str,
    /// The text alternative for screen readers.
    pub(super) alternative: String,
    /// The bars.
    pub(super) bars: Vec<Bar>,
    /// The greatest value.
    pub(super) most: i64,
    /// Whether a bar is an hour rather than a day.
    pub(super) is_hourly: bool,
}

/// A bar: corner and size, in units of the view box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bar {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: i64,
    pub(super) height: i64,
}

impl Chart {
    /// Bars of these non-negative values.
    pub(super) fn of(what: &'static str, counts: &[i64], is_hourly: bool) -> Self {
        let most = counts.iter().copied().max().unwrap_or(0).max(0);
        let steps = i64::try_from(counts.len()).unwrap_or(i64::MAX).max(1);
        let bar = |(place, count): (i64, &i64)| {
            let (x, next) = (place * WIDTH / steps, (place + 1) * WIDTH / steps);
            let gap = i64::from(next - x > 3);
            let height = if *count <= 0 { 0 } else { (count * HEIGHT / most.max(1)).max(SEEN) };
            Bar { x, y: HEIGHT - height, width: (next - x - gap).max(1), height }
        };
        let bars = (0_i64..).zip(counts).map(bar).collect();
        let unit = if is_hourly { "hours" } else { "days" };
        let sum: i64 = counts.iter().sum();
        let alternative = format!("{what}: {sum} in {steps} {unit}, at most {most} in one");
        Self { what, alternative, bars, most, is_hourly }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fill_the_drawing_and_none_leaves_it() {
        for counts in [vec![], vec![0], vec![3, 0, 7, 1], (0..366).collect()] {
            let chart = Chart::of("Views", &counts, false);
            assert_eq!(chart.bars.len(), counts.len());
            assert!(chart.bars.iter().all(|bar| bar.x >= 0 && bar.x + bar.width <= WIDTH));
            assert!(chart.bars.iter().all(|bar| bar.y >= 0 && bar.y + bar.height == HEIGHT));
            let highest = chart.bars.iter().map(|bar| bar.height).max().unwrap_or(0);
            assert_eq!(highest, if chart.most > 0 { HEIGHT } else { 0 });
        }
    }

    #[test]
    fn a_chart_says_in_words_what_it_shows() {
        let chart = Chart::of("Views", &[3, 0, 7, 1], false);
        assert_eq!(chart.alternative, "Views: 11 in 4 days, at most 7 in one");
        assert!(chart.bars[3].height > 0, "the smallest is seen");
    }
}
