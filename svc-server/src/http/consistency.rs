//! Which reads may be answered by a replica, and how a commit is named to see it there.

use axum::response::Response;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use http::request::Parts;
use svc_core::app::App;
use svc_core::identity::Credentials;
use svc_store::db::{Freshness, Position, noting_commits};
use svc_store::error::{Error, Result};
use svc_types::Declaration;

use super::idempotency::REPLAYED;

const CONSISTENCY: HeaderName = HeaderName::from_static("x-svc-consistency");

/// Marks the request for a page that everybody may see.
#[derive(Clone, Copy)]
pub(super) struct ForEveryone;

/// How fresh the answer to a request must be. It may lag behind if anybody may ask for it, and nobody in
/// particular does: what an account reads is its own, or depends on what it has just done. 400 for a header that is
/// malformed, with a credential, too.
pub(super) fn of_request(
    declared: &Declaration,
    headers: &HeaderMap,
    credentials: &Credentials,
) -> Result<Freshness> {
    of(declared.is_for_everyone(), headers, credentials)
}

/// The same for what a page reads.
pub(super) fn of_page(parts: &Parts, credentials: &Credentials) -> Result<Freshness> {
    let is_for_everyone = parts.extensions.get::<ForEveryone>().is_some();
    of(is_for_everyone, &parts.headers, credentials)
}

fn of(is_for_everyone: bool, headers: &HeaderMap, credentials: &Credentials) -> Result<Freshness> {
    if !is_for_everyone {
        return Ok(Freshness::Latest);
    }
    let commit = named(headers)?;
    Ok(if credentials.is_absent() { Freshness::Recent(commit) } else { Freshness::Latest })
}

/// The commit that a request must see, if it names one.
fn named(headers: &HeaderMap) -> Result<Option<Position>> {
    let mut values = headers.get_all(CONSISTENCY).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => read(value).map(Some),
        (Some(_), Some(_)) => Err(malformed()),
    }
}

fn read(value: &HeaderValue) -> Result<Position> {
    value.to_str().ok().and_then(|text| text.parse().ok()).ok_or_else(malformed)
}

fn malformed() -> Error {
    let rule = "X-Svc-Consistency must be as a response had it, such as 1-0/16B3748, and sent once";
    Error::invalid("X-Svc-Consistency", rule)
}

/// Adds the position of the last commit to the response of a request that wrote. A stored response is
/// behind its own commit by now.
pub(super) async fn tell(app: &App, answering: impl Future<Output = Response>) -> Response {
    let (mut response, mut committed) = noting_commits(answering).await;
    if committed.is_none() && response.headers().contains_key(REPLAYED) {
        committed = app.db.position().await.unwrap_or_default();
    }
    if let Some(position) = committed {
        let value = HeaderValue::try_from(position.to_string());
        let value = value.expect("digits and signs are a header's value");
        response.headers_mut().insert(CONSISTENCY, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use svc_core::identity::Bearer;
    use svc_core::services::oauth::Resource;
    use svc_types::{Endpoint, Visitor};

    use super::*;

    /// The names of reads that may leave the primary.
    #[derive(Default)]
    struct Names(Vec<&'static str>);

    impl Visitor for Names {
        fn visit<E: Endpoint>(&mut self) {
            if Declaration::of::<E>().is_for_everyone() {
                self.0.push(E::NAME);
            }
        }
    }

    #[test]
    fn what_everybody_may_read_can_leave_the_primary() {
        let mut names = Names::default();
        svc_types::api::visit(&mut names);
        // These never ask a replica.
        let others = ["GetChallenge", "GetHealth", "GetLive", "GetReady"];
        names.0.retain(|name| !others.contains(name));
        names.0.sort_unstable();
        assert_eq!(
            names.0,
            [
                "DiscoverBots",
                "GetCapabilities",
                "GetChannel",
                "GetChannelMessage",
                "GetEmbed",
                "GetGlobalFeed",
                "GetHashtag",
                "GetLeaderboard",
                "GetList",
                "GetOembed",
                "GetPost",
                "GetPostHistory",
                "GetReputation",
                "GetThread",
                "GetUser",
                "ListBotReviews",
                "ListChannelMembers",
                "ListChannelMessages",
                "ListChannels",
                "ListFollowers",
                "ListFollowing",
                "ListHashtagPosts",
                "ListHashtags",
                "ListLikes",
                "ListListMembers",
                "ListListPosts",
                "ListLists",
                "ListPosts",
                "ListQuotes",
                "ListReplies",
                "ListReposts",
                "ListServiceReviews",
                "ListUserPosts",
                "ListUsers",
                "Search",
            ]
        );
    }

    #[test]
    fn a_header_is_one_position() {
        let guest = Credentials {
            bearer: Bearer::Absent,
            session: None,
            same_site: true,
            of_deleted: false,
            resource: Resource::Api,
        };
        let of_headers = |values: &[&'static str]| {
            let values = values.iter().map(|value| HeaderValue::from_static(value));
            of(true, &values.map(|value| (CONSISTENCY, value)).collect(), &guest)
        };
        assert_eq!(of_headers(&[]).unwrap(), Freshness::Recent(None));
        let commit = "1-0/16B3748".parse().unwrap();
        assert_eq!(of_headers(&["1-0/16B3748"]).unwrap(), Freshness::Recent(Some(commit)));
        for wrong in [&[""][..], &["0/16B3748"], &["1-0/16B3748", "1-0/16B3748"]] {
            let refused = of_headers(wrong).unwrap_err();
            assert!(refused.to_string().contains("such as 1-0/16B3748"), "{wrong:?}: {refused}");
        }
    }
}
