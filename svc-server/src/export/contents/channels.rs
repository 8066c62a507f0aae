//! Messages that an account wrote in channels.

use serde_json::{Value, json};
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::Timestamp;

use super::without_nulls;
use crate::export::source::{Page, Position, ROWS, Source};

/// A message in a channel.
struct ChannelLine {
    id: String,
    channel: String,
    content: String,
    schema: Option<String>,
    payload: Option<String>,
    reply_to: Option<String>,
    created_at: Timestamp,
}
row!(ChannelLine {
    id: "id",
    channel: "channel",
    content: "content",
    schema: "schema_name",
    payload: "payload",
    reply_to: "reply_to",
    created_at: "created_at",
});

impl ChannelLine {
    fn line(self) -> (String, Value) {
        let Self { id, channel, content, schema, payload, reply_to, created_at } = self;
        let payload: Option<Value> = payload.and_then(|text| serde_json::from_str(&text).ok());
        let line = json!({ "messageId": id, "channelId": channel, "content": content,
            "schema": schema, "payload": payload, "replyToId": reply_to, "createdAt": created_at });
        (id, without_nulls(line))
    }
}

/// Messages that the account wrote in channels.
pub(super) fn channel_messages(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    let rows: Vec<ChannelLine> = source.ctx.tx.all(
        sql!(
            "select ",
            ChannelLine::COLUMNS,
            " from channel_message
             where sender = $1 and id > $2 and deleted_at is null order by id limit $3"
        ),
        values![source.account.id, at.after, ROWS],
    )?;
    Page::of_rows(rows.into_iter().map(ChannelLine::line).collect())
}
