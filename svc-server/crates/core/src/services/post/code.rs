//! The code in posts: noted where a text is written, highlighted by a background task, read with its post.

use std::collections::HashMap;
use std::time::Duration;

use svc_store::db::{SLOTS, slots};
use svc_store::error::Result;
use svc_store::{row, select_free, sql, values};
use svc_types::api::posts::{Post, PostFormat};
use svc_types::{PostId, Timestamp};

use super::record::Record;
use crate::app::Ctx;
use crate::html::code::may_be_in;

/// The marks of the code in posts.
pub type CodeOfPosts = HashMap<PostId, String>;

/// How long a node may take for a post before another tries.
const LEASE: Duration = Duration::from_mins(1);

/// How often a text is tried: one that ends the process must not end it for ever.
const ATTEMPTS_MAX: i64 = 3;

/// Texts of an author that wait; the code of further new ones stays plain. All authors wait in one row, and a text of a
/// few words may take a second.
const WAITING_MAX: i64 = 100;

/// Whether a post may have code to highlight.
fn has_code(content: &str, format: &PostFormat) -> bool {
    *format != PostFormat::Plain && may_be_in(content)
}

/// Notes that a post was written, if it may have code and its author has not too many waiting.
pub(super) fn note(ctx: &mut Ctx<'_, '_>, post: &Record) -> Result<()> {
    if !has_code(&post.content, &post.format) {
        return Ok(());
    }
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "insert into post_code (post, due_at)
             select cast($1 as text), cast($2 as bigint) where (
                select count(*) from (
                    select 1 from post_code c join post p on p.id = c.post
                    where c.due_at > 0 and p.author = $3 limit $4) as waiting) < $4"
        ),
        values![post.id, now, post.author, WAITING_MAX],
    )
}

/// Notes that the text of a post was replaced.
pub(super) fn note_edit(ctx: &mut Ctx<'_, '_>, before: &Record, post: &Record) -> Result<()> {
    let is_code_gone = !has_code(&post.content, &post.format);
    if is_code_gone && has_code(&before.content, &before.format) {
        return forget(ctx, &post.id);
    }
    if is_code_gone {
        return Ok(());
    }
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "insert into post_code (post, due_at) values ($1, $2)
             on conflict (post) do update
                set marks = null, due_at = excluded.due_at, attempts = 0"
        ),
        values![post.id, now],
    )
}

/// Deletes what is known of the code in a post.
pub fn forget(ctx: &mut Ctx<'_, '_>, post: &PostId) -> Result<()> {
    ctx.tx.write(sql!("delete from post_code where post = $1"), values![post])
}

/// Whether code waits to be highlighted.
pub fn is_waiting(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let now = ctx.now();
    let sql = sql!("select 1 from post_code where due_at <= $1 limit 1");
    Ok(ctx.tx.optional::<i64>(sql, values![now])?.is_some())
}

/// A text that a node highlights.
#[derive(Clone, Debug)]
pub struct Claim {
    post: PostId,
    until: Timestamp,
    attempts: i64,
    content: String,
}
row!(Claim {
    post: "post",
    until: "due_at",
    attempts: "attempts",
    content: "(select p.content from post p where p.id = post_code.post)",
});

impl Claim {
    /// The text, unless it was tried too often.
    pub fn text(&self) -> Option<&str> {
        (self.attempts <= ATTEMPTS_MAX).then_some(&self.content)
    }
}

/// Claims the text that has waited longest, for the time of a lease.
pub fn claim(ctx: &mut Ctx<'_, '_>) -> Result<Option<Claim>> {
    let now = ctx.now();
    let free =
        select_free!("select post from post_code where due_at <= $1 order by due_at limit 1");
    let Some(post) = ctx.tx.take::<PostId>(free, values![now])?.pop() else { return Ok(None) };
    let until = now.plus(LEASE);
    ctx.tx.optional(
        sql!(
            "update post_code set due_at = $1, attempts = attempts + 1 where post = $2
             returning ",
            Claim::COLUMNS
        ),
        values![until, post],
    )
}

/// Stores the marks of a claimed text, unless it was edited or claimed again meanwhile. Code that stays plain
/// leaves no row.
pub fn keep(ctx: &mut Ctx<'_, '_>, claim: &Claim, marks: &str) -> Result<()> {
    if marks.is_empty() {
        let sql = sql!("delete from post_code where post = $1 and due_at = $2 and attempts = $3");
        return ctx.tx.write(sql, values![claim.post, claim.until, claim.attempts]);
    }
    ctx.tx.write(
        sql!(
            "update post_code set marks = $1, due_at = null
             where post = $2 and due_at = $3 and attempts = $4"
        ),
        values![marks, claim.post, claim.until, claim.attempts],
    )
}

/// The marks of the code in posts, as far as they are made.
pub(super) fn of_posts(ctx: &mut Ctx<'_, '_>, posts: &[Post]) -> Result<CodeOfPosts> {
    let with_code = posts.iter().filter(|post| has_code(&post.content, &post.format));
    let ids: Vec<&PostId> = with_code.map(|post| &post.id).collect();
    let mut found = CodeOfPosts::new();
    for some in ids.chunks(SLOTS) {
        let rows: Vec<(PostId, String)> = ctx.tx.all(
            sql!(
                "select post, marks from post_code
                 where post in (",
                slots!(1),
                ") and marks is not null"
            ),
            &slots(some),
        )?;
        found.extend(rows);
    }
    Ok(found)
}
