//! Analytics of your posts: figures and charts.

use askama::Template;
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::analytics::{
    Analytics, AnalyticsStep, Bucket, GetMyAnalytics, GetPostAnalytics,
};
use svc_types::api::posts::{GetPost, Post};

use super::chart::{Chart, Series, Steps, Unit};
use super::{Frame, format};
use crate::http::{Html, PageContext, PageRequest, Pages};

/// Windows to choose from.
const WINDOWS: [(&str, &str); 4] =
    [("24h", "a day"), ("7d", "a week"), ("30d", "a month"), ("all", "ever")];

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
    /// Figures with their labels.
    fn figures(&self) -> [(&'static str, String); 11] {
        let counted = &self.analytics;
        [
            ("Views", counted.views.to_string()),
            ("Viewers", counted.unique_viewers.to_string()),
            ("Impressions", counted.feed_impressions.to_string()),
            ("Likes", counted.likes.to_string()),
            ("Replies", counted.replies.to_string()),
            ("Reposts", counted.reposts.to_string()),
            ("Quotes", counted.quotes.to_string()),
            ("Bookmarks", counted.bookmarks.to_string()),
            ("Clicks to the profile", counted.profile_clicks.to_string()),
            ("Views of embeds", counted.embed_views.to_string()),
            ("Engagement", format::percent(counted.engagement_rate)),
        ]
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
    let frame = Frame::of(context, request, "Analytics")?;
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
    let views = [of("Views", |step| step.views)];
    let reactions = [
        of("Likes", |step| step.likes),
        of("Replies", |step| step.replies),
        of("Reposts", |step| step.reposts),
    ];
    let views = Chart::of("Views", Unit::Count, &steps, &views);
    let reactions = Chart::of("Likes, replies and reposts", Unit::Count, &steps, &reactions);
    views.into_iter().chain(reactions).collect()
}
