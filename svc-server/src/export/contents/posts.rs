//! Posts of an account, their former texts, and reactions of the account to posts.

use serde_json::json;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::posts::ListPosts;
use svc_types::{PostId, Timestamp};

use super::without_nulls;
use crate::export::source::{Page, Position, ROWS, Source};

/// Posts and replies of the account, hidden ones too, oldest first.
pub(super) fn posts(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    let ids: Vec<PostId> = source.ctx.tx.all(
        sql!(
            "select id from post
             where author = $1 and id > $2 and deleted_at is null order by id limit $3"
        ),
        values![source.account.id, at.after, ROWS],
    )?;
    let is_full = i64::try_from(ids.len()).is_ok_and(|found| found >= ROWS);
    let last = ids.last().filter(|_| is_full);
    let next = last.map(|id| Position { after: id.to_string(), cursor: None });
    if ids.is_empty() {
        return Page::of([(); 0], None);
    }
    let names: Vec<&str> = ids.iter().map(PostId::as_str).collect();
    let posts = source.ask::<ListPosts>(&json!({ "ids": names.join(",") }))?.posts;
    Page::of(posts, next)
}

/// Former texts of posts.
pub(super) fn revisions(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    type Row = (String, i64, String, Option<String>, Timestamp);
    let (post, n) = at.after.split_once(' ').unwrap_or_default();
    let rows: Vec<Row> = source.ctx.tx.all(
        sql!(
            "select r.post, r.n, r.content, r.content_warning, r.created_at
             from post p join post_revision r on r.post = p.id
             where p.author = $1 and p.id >= $2 and p.deleted_at is null and (r.post, r.n) > ($2, $3)
             order by p.id, r.n limit $4"
        ),
        values![source.account.id, post, n.parse::<i64>().unwrap_or_default(), ROWS],
    )?;
    let line = |(post, n, content, warning, at): Row| {
        let line = json!({ "postId": post, "content": content, "contentWarning": warning,
            "createdAt": at });
        (format!("{post} {n}"), without_nulls(line))
    };
    Page::of_rows(rows.into_iter().map(line).collect())
}

/// Posts that the account reacted to in one way. The key of a row is the author and the post.
macro_rules! reactions {
    ($(#[doc = $doc:literal])+ $name:ident, $column:literal, $type:ty, $line:expr) => {
        $(#[doc = $doc])+
        pub(super) fn $name(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
            let (author, post) = at.after.split_once(' ').unwrap_or_default();
            let rows: Vec<(String, String, $type)> = source.ctx.tx.all(
                sql!(
                    "select author, post, ", $column, " from reaction
                     where account = $1 and (author, post) > ($2, $3) and ", $column, " is not null
                     order by author, post limit $4"
                ),
                values![source.account.id, author, post, ROWS],
            )?;
            let line = |(author, post, how): (String, String, $type)| {
                (format!("{author} {post}"), ($line)(author, post, how))
            };
            Page::of_rows(rows.into_iter().map(line).collect())
        }
    };
}

reactions!(
    /// Liked posts.
    likes,
    "liked_at",
    Timestamp,
    |author, post, at| json!({ "postId": post, "authorId": author, "likedAt": at })
);
reactions!(
    /// Reposts.
    reposts,
    "repost",
    String,
    |author, post, repost| json!({ "postId": post, "authorId": author, "repostId": repost })
);
reactions!(
    /// Bookmarked posts.
    bookmarks,
    "bookmarked_at",
    Timestamp,
    |author, post, at| json!({ "postId": post, "authorId": author, "bookmarkedAt": at })
);
