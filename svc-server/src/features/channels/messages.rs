//! What is written in a channel.

use svc_types::api::Deleted;
use svc_types::api::channels::{
    ChannelMessageEnvelope, ChannelMessagePage, DeleteChannelMessage, ListChannelMessages,
    PostChannelMessage,
};

use crate::acts::channel;
use crate::app::Cx;
use crate::error::Result;
use crate::http::{Account, Viewer};
use crate::page::Page;

pub(super) fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Viewer,
    request: &ListChannelMessages,
) -> Result<ChannelMessagePage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let channel = channel::visible(cx, &request.channel_id, caller.account())?;
    channel::page(cx, &channel.id, request.order.as_ref(), &page)
}

pub(super) fn post(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    request: &PostChannelMessage,
) -> Result<ChannelMessageEnvelope> {
    Ok(ChannelMessageEnvelope { message: channel::post(cx, caller, request)? })
}

pub(super) fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Account,
    request: &DeleteChannelMessage,
) -> Result<Deleted> {
    channel::delete(cx, caller, &request.channel_id, &request.message_id)?;
    Ok(Deleted { deleted: true })
}
