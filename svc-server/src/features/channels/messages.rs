//! The messages of a channel.

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::page::Page;
use svc_core::services::channel;
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::channels::{
    ChannelMessageEnvelope, ChannelMessagePage, DeleteChannelMessage, GetChannelMessage,
    ListChannelMessages, PostChannelMessage,
};

pub(super) fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &ListChannelMessages,
) -> Result<ChannelMessagePage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let channel = channel::visible(ctx, &request.channel_id, caller.account())?;
    channel::page(ctx, &channel, request.order.as_ref(), &page)
}

pub(super) fn read(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &GetChannelMessage,
) -> Result<ChannelMessageEnvelope> {
    let viewer = caller.account();
    let channel = channel::visible(ctx, &request.channel_id, viewer)?;
    let message = channel::visible_message(ctx, &request.message_id, viewer)?;
    if message.channel_id != channel.id {
        return Err(Error::not_found("message"));
    }
    Ok(ChannelMessageEnvelope { message })
}

pub(super) fn post(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &PostChannelMessage,
) -> Result<ChannelMessageEnvelope> {
    Ok(ChannelMessageEnvelope { message: channel::post(ctx, caller, request)? })
}

pub(super) fn delete(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &DeleteChannelMessage,
) -> Result<Deleted> {
    channel::delete(ctx, caller, &request.channel_id, &request.message_id)?;
    Ok(Deleted { deleted: true })
}
