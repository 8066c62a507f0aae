//! `svc search`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use svc_client::types::Timestamp;
use svc_client::types::api::search::{FoundService, Hit, Search, SearchType};

use crate::error::Result;
use crate::handle::handle;
use crate::hashtags;
use crate::list::{self, Line, Page};
use crate::output::one_line;
use crate::post::Format;
use crate::settings::Settings;
use crate::users;

/// Flags of `svc search`.
#[derive(Clone, Debug, Args)]
pub(crate) struct SearchFlags {
    /// The words; quotation marks keep words together, the last one may be a beginning.
    query: String,
    /// What to search; posts when left out.
    #[arg(long = "type", value_name = "WORD", value_parser = PossibleValuesParser::new(SearchType::WORDS))]
    kind: Option<String>,
    /// Only posts of this account.
    #[arg(long, value_name = "USER")]
    author: Option<String>,
    /// Only posts with this hashtag.
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,
    /// Only posts from this instant on, such as 2026-01-31T09:30:00Z.
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Only posts before this instant.
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    /// Show texts behind a warning too.
    #[arg(long)]
    show_warned: bool,
    #[command(flatten)]
    page: Page,
}

/// Searches.
pub(crate) async fn run(flags: &SearchFlags, settings: &Settings) -> Result<()> {
    let request = Search {
        q: flags.query.as_str().into(),
        kind: flags.kind.as_deref().map(Into::into),
        author: flags.author.as_deref().map(handle).transpose()?,
        tag: flags.tag.as_deref().map(Into::into),
        since: flags.since,
        until: flags.until,
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let (since, until) = (flags.since.map(text), flags.until.map(text));
    let line = Line::new("svc search").word(Some(&flags.query));
    let line = line.option("--type", flags.kind.as_deref());
    let line = line.option("--author", flags.author.as_deref());
    let line = line.option("--tag", flags.tag.as_deref());
    let line = line.option("--since", since.as_deref()).option("--until", until.as_deref());
    let line = line.flag("--show-warned", flags.show_warned);
    let format = Format::in_list(flags.show_warned);
    list::show(&settings.caller()?, request, &line, |hits| rows(hits, &format)).await
}

fn text(instant: Timestamp) -> String {
    instant.to_string()
}

fn rows(hits: &[Hit], format: &Format) -> String {
    let rows = hits.iter().filter_map(|hit| match hit {
        Hit::Post(post) => Some(format!("{}\n", format.one(post))),
        Hit::User(user) => Some(users::rows(std::slice::from_ref(user), "")),
        Hit::Hashtag(hashtag) => Some(hashtags::rows(std::slice::from_ref(hashtag), "")),
        Hit::Service(service) => Some(offer(service)),
        _ => None,
    });
    list::rows(rows, "nothing found").trim_end().to_owned()
}

/// A service as it is ordered.
fn offer(service: &FoundService) -> String {
    format!(
        "{}/{}  {}  {}",
        service.provider.username,
        one_line(&service.name),
        service.price_credits.in_words(),
        one_line(&service.description),
    )
}
