//! What followed hashtags bring to the home feed. Replies are passed over when a page is shown, so
//! that a hashtag of many replies costs no more than others.

use svc_types::PostId;

use super::Place;
use crate::acts::post::rank;
use crate::app::Cx;
use crate::error::Result;
use crate::http::Account;
use crate::{sql, values};

/// The newest posts with the followed hashtags whose newest post is newest.
pub(super) fn places(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    after: &str,
    rows: i64,
) -> Result<Vec<Place>> {
    let after = format!("post_{after}");
    let newest: Vec<(String, PostId)> = cx.tx.all(
        sql!(
            "select tag, newest from (
                select f.tag, (
                    select max(h.post) from post_hashtag h where h.tag = f.tag and h.post < $1
                ) as newest
                from hashtag_follow f where f.account = $2
             ) each_newest
             where newest is not null order by newest desc limit $3"
        ),
        values![after, caller.id, rows],
    )?;
    let first = match newest.last() {
        Some((_, oldest)) if i64::try_from(newest.len()).is_ok_and(|found| found == rows) => {
            oldest.to_string()
        }
        _ => String::new(),
    };
    let mut places = Vec::new();
    for (tag, _) in newest {
        let posts: Vec<PostId> = cx.tx.all(
            sql!(
                "select post from post_hashtag where tag = $1 and post < $2 and post >= $3
                 order by post desc limit $4"
            ),
            values![tag, after, first, rows],
        )?;
        let place = |post: PostId| Place {
            entry: rank::entry(post.as_str()).to_owned(),
            account: caller.id.clone(),
            post,
            repost: None,
            is_tagged: true,
        };
        places.extend(posts.into_iter().map(place));
    }
    Ok(places)
}
