//! What waited for a client that was away. It is read again when the client comes back, because a text may
//! be gone since: its post was deleted, moderators hid or removed it, or its author was erased.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use svc_core::app::{App, Ctx};
use svc_store::db::{SLOTS, slots};
use svc_store::error::Result;
use svc_store::sql;
use svc_types::EventId;

use super::mailbox::Mailbox;
use crate::gone::leave_out_gone;
use crate::relay::{Live, envelope_of};

/// Brings the envelopes in a mailbox up to date. Events of channels and the feed are no longer stored. What is deleted
/// there is an event of its own, which waits behind the text.
pub(super) async fn refresh(app: &Arc<App>, mailbox: &Mailbox) -> Result<()> {
    for ids in mailbox.events().chunks(SLOTS).map(<[EventId]>::to_vec) {
        let stored = app.read(move |ctx| stored(ctx, &ids)).await?;
        let envelopes: HashMap<EventId, Bytes> = stored.iter().map(envelope).collect();
        mailbox.replace(&envelopes);
    }
    mailbox.empty_deleted();
    Ok(())
}

fn stored(ctx: &mut Ctx<'_, '_>, ids: &[EventId]) -> Result<Vec<Live>> {
    let sql = sql!("select ", Live::COLUMNS, " from event where id in (", slots!(1), ")");
    let mut stored: Vec<Live> = ctx.tx.all(sql, &slots(ids))?;
    leave_out_gone(ctx, &mut stored)?;
    Ok(stored)
}

fn envelope(stored: &Live) -> (EventId, Bytes) {
    let event = stored.event();
    let envelope = envelope_of(&event);
    (event.id, envelope)
}
