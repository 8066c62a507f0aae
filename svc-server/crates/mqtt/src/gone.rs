//! Texts that are gone by the time their events are published: late, or again.

use serde_json::Value;
use svc_core::app::Ctx;
use svc_core::services::outbox::{self, GLOBAL_FEED};
use svc_core::services::post;
use svc_store::db::slots;
use svc_store::error::Result;
use svc_store::sql;
use svc_types::{EventId, PostId};

use crate::relay::Live;

/// Leaves out the texts that moderators hide by now, and those of channels and of the feed that were deleted.
pub(crate) fn leave_out_gone(ctx: &mut Ctx<'_, '_>, events: &mut [Live]) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let ids: Vec<EventId> = events.iter().map(|event| event.id.clone()).collect();
    let sql = sql!(
        "select e.id from event e where e.id in (",
        slots!(1),
        ") and (",
        outbox::IS_HIDDEN,
        " or ",
        outbox::IS_GONE_FROM_CHANNEL,
        ")"
    );
    let mut gone: Vec<EventId> = ctx.tx.all(sql, &slots(&ids))?;
    gone.extend(gone_from_feed(ctx, events)?);
    for event in events.iter_mut().filter(|event| gone.contains(&event.id)) {
        event.body = outbox::without_text(&event.body)?;
    }
    Ok(())
}

/// Events of the feed whose posts can't be read any more.
fn gone_from_feed(ctx: &mut Ctx<'_, '_>, events: &[Live]) -> Result<Vec<EventId>> {
    let (posted, posts): (Vec<EventId>, Vec<PostId>) = events.iter().filter_map(post_of).unzip();
    if posts.is_empty() {
        return Ok(Vec::new());
    }
    let shown = post::shown_of(ctx, &posts)?;
    let gone = posted.into_iter().zip(posts).filter(|(_, post)| !shown.contains(post));
    Ok(gone.map(|(event, _)| event).collect())
}

/// The event of a new post, and the post, which only its body names.
fn post_of(event: &Live) -> Option<(EventId, PostId)> {
    if event.stream != GLOBAL_FEED || event.kind != "post" {
        return None;
    }
    let body: Value = serde_json::from_str(&event.body).ok()?;
    Some((event.id.clone(), PostId::from(body["data"]["id"].as_str()?)))
}
