//! Analytics of your posts: figures and charts.

use askama::Template;
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::analytics::{
    Analytics, AnalyticsStep, Bucket, GetMyAnalytics, GetPostAnalytics,
};
use svc_types::api::posts::{GetPost, Post};

use super::Frame;
use super::chart::{Chart, Series, Steps, Unit};
use crate::http::{Html, PageContext, PageRequest, Pages};

/// Windows to choose from, each with the id of its label.
const WINDOWS: [(&str, &str); 4] =
    [("24h", "since-24h"), ("7d", "since-7d"), ("30d", "since-30d"), ("all", "since-ever")];

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/analytics", of_all).get("/post/{postId}/analytics", of_post)
}

#[derive(Template)]
#[template(path = "analytics.html")]
struct Page {
    frame: Frame,
    tab: &'static str,
    /// The post; `None` for all posts.
    post: Option<Post>,
    path: String,
    analytics: Analytics,
    charts: Vec<Chart>,
    windows: &'static [(&'static str, &'static str)],
}

impl Page {
    /// Figures with the ids of their labels.
    fn figures(&self) -> Vec<(&'static str, String)> {
        let counted = &self.analytics;
        let counts = [
            ("analytics-views", counted.views),
            ("analytics-viewers", counted.unique_viewers),
            ("analytics-impressions", counted.feed_impressions),
            ("analytics-likes", counted.likes),
            ("analytics-replies", counted.replies),
            ("analytics-reposts", counted.reposts),
            ("analytics-quotes", counted.quotes),
            ("analytics-bookmarks", counted.bookmarks),
            ("analytics-clicks", counted.profile_clicks),
            ("analytics-embeds", counted.embed_views),
        ];
        // A rate of no views means nothing.
        let rate = self.frame.amount(format!("{:.2}", counted.engagement_rate));
        let engagement = (counted.views > 0).then_some(("analytics-engagement", rate));
        let counts = counts.map(|(id, count)| (id, self.frame.count(count)));
        counts.into_iter().chain(engagement).collect()
    }
}

fn of_all(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let analytics = context.ask(&request.decode::<GetMyAnalytics>()?)?.analytics;
    page(context, request, analytics, None, "/analytics".to_owned())
}

fn of_post(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let asked: GetPostAnalytics = request.decode()?;
    let path = format!("/post/{}/analytics", asked.post_id);
    let post = context.ask(&GetPost { post_id: asked.post_id.clone(), include: None })?.post;
    let analytics = context.ask(&asked)?.analytics;
    page(context, request, analytics, Some(post), path)
}

fn page(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    analytics: Analytics,
    post: Option<Post>,
    path: String,
) -> Result<Html> {
    let asked = request.field("bucket").map(Bucket::from);
    let is_hourly = asked.unwrap_or(match analytics.window.as_str() {
        "24h" => Bucket::Hour,
        _ => Bucket::Day,
    }) == Bucket::Hour;
    let frame = Frame::of(context, request, request.t("analytics-title"))?;
    let charts = charts(&frame, &analytics.series, is_hourly);
    Html::of(&Page { frame, tab: "/analytics", post, path, analytics, charts, windows: &WINDOWS })
}

/// The charts that have something to show.
fn charts(frame: &Frame, series: &[AnalyticsStep], is_hourly: bool) -> Vec<Chart> {
    let starts: Vec<Timestamp> = series.iter().map(|step| step.start).collect();
    let steps = Steps::of(frame, &starts, is_hourly);
    let of = |name, value: fn(&AnalyticsStep) -> i64| Series {
        name,
        values: series.iter().map(value).collect(),
    };
    let views = [of("analytics-views", |step| step.views)];
    let reactions = [
        of("analytics-likes", |step| step.likes),
        of("analytics-replies", |step| step.replies),
        of("analytics-reposts", |step| step.reposts),
    ];
    let chart =
        |title, series: &[Series]| Chart::of(frame.language, title, Unit::Count, &steps, series);
    let views = chart("analytics-views", &views);
    let reactions = chart("analytics-reactions", &reactions);
    views.into_iter().chain(reactions).collect()
}
