//! `svc analytics`: analytics of your posts.

use clap::Args;
use clap::builder::PossibleValuesParser;
use svc_client::types::api::analytics::{
    Analytics, AnalyticsStep, Bucket, GetMyAnalytics, GetPostAnalytics,
};
use svc_client::types::api::feed::Window;

use crate::error::Result;
use crate::settings::Settings;
use crate::time;

/// Length of the longest bar, in characters.
const BAR_CHARS_MAX: i64 = 40;

const DAY_MS: i64 = 86_400_000;

/// Flags of `svc analytics`.
#[derive(Clone, Debug, Args)]
pub(crate) struct AnalyticsFlags {
    /// Id of the post; all your posts together when omitted.
    #[arg(value_name = "POST")]
    post: Option<String>,
    /// Time window; 7d when omitted.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(Window::WORDS))]
    window: Option<String>,
    /// Step of the series; hour is available for 24h and 7d.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(Bucket::WORDS))]
    bucket: Option<String>,
}

/// Shows analytics of your posts.
pub(crate) async fn analytics(flags: &AnalyticsFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let window = flags.window.as_deref().map(Into::into);
    let bucket = flags.bucket.as_deref().map(Into::into);
    if let Some(post) = flags.post.as_deref() {
        let request = GetPostAnalytics { post_id: post.into(), window, bucket };
        caller.show(request, |answer| whole(&answer.analytics)).await
    } else {
        let request = GetMyAnalytics { window, bucket };
        caller.show(request, |answer| whole(&answer.analytics)).await
    }
}

/// The sums as a table, and the views step by step as bars.
fn whole(analytics: &Analytics) -> String {
    let of = analytics.post_id.as_ref().map_or_else(|| "all posts".to_owned(), ToString::to_string);
    let counts = [
        ("views", analytics.views),
        ("viewers", analytics.unique_viewers),
        ("shown in feeds", analytics.feed_impressions),
        ("by the embed", analytics.embed_views),
        ("likes", analytics.likes),
        ("replies", analytics.replies),
        ("reposts", analytics.reposts),
        ("quotes", analytics.quotes),
        ("bookmarks", analytics.bookmarks),
        ("profile clicks", analytics.profile_clicks),
    ];
    let counts = counts.iter().map(|(name, count)| format!("{name:<15} {count:>8}"));
    let rate = format!("{:<15} {:>8.2}", "engagement rate", analytics.engagement_rate);
    let head = format!("{of}  {}", analytics.window);
    let table = std::iter::once(head).chain(counts).chain([rate]);
    let lines: Vec<String> = table.chain(bars(&analytics.series)).collect();
    lines.join("\n")
}

/// A line for each step: its start, its views, and a bar of that length.
fn bars(series: &[AnalyticsStep]) -> impl Iterator<Item = String> {
    let most = series.iter().map(|step| step.views).max().unwrap_or(0).max(1);
    let by_days = series.iter().all(|step| step.start.as_millis() % DAY_MS == 0);
    series.iter().map(move |step| {
        let start = if by_days { day(step) } else { time::minute(step.start) };
        // Even one view is seen.
        let length = (step.views * BAR_CHARS_MAX + most - 1) / most;
        let bar = "#".repeat(usize::try_from(length).unwrap_or_default());
        format!("{start}  {:>8}  {bar}", step.views).trim_end().to_owned()
    })
}

/// A day as the server counts it, wherever this machine is.
fn day(step: &AnalyticsStep) -> String {
    step.start.to_string().chars().take(10).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bars_are_as_long_as_the_views_are_many() {
        let step = |day: u32, views: i64| {
            let start = format!("2026-01-{day:02}T00:00:00.000Z");
            json!({ "start": start, "views": views, "likes": 0, "replies": 0, "reposts": 0 })
        };
        let series = json!([step(1, 0), step(2, 1), step(3, 50), step(4, 100)]);
        let series: Vec<AnalyticsStep> = serde_json::from_value(series).unwrap();
        let lines: Vec<String> = bars(&series).collect();
        assert_eq!(lines[0], "2026-01-01         0");
        assert_eq!(lines[1], "2026-01-02         1  #");
        assert_eq!(lines[2], format!("2026-01-03        50  {}", "#".repeat(20)));
        assert_eq!(lines[3], format!("2026-01-04       100  {}", "#".repeat(40)));
    }
}
