//! Channels that accounts join and write in.

mod members;
mod messages;

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::page::Page;
use svc_core::select_channels;
use svc_core::services::account;
use svc_core::services::channel::{self, Record};
use svc_core::services::visibility::{self, Counted, Counts};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::Deleted;
use svc_types::api::channels::{
    ChannelEnvelope, ChannelPage, ChannelVisibility, CreateChannel, DeleteChannel, GetChannel,
    ListChannels, PostPolicy, UpdateChannel,
};
use svc_types::{ChannelId, Code};

use crate::http::Routes;

/// Most channels of an owner.
const CHANNELS_MAX: i64 = 100;

/// Larger than every character of a name.
const LAST_LETTER: &str = "~";

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .write(create)
        .read(list)
        .read(read)
        .write(update)
        .write(delete)
        .write(members::join)
        .write(members::leave)
        .write(members::mark_read)
        .read(members::list)
        .write(members::add)
        .write(members::remove)
        .read(messages::list)
        .read(messages::read)
        .write(messages::post)
        .write(messages::delete)
}

fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateChannel,
) -> Result<ChannelEnvelope> {
    refuse_blank(request.title.as_deref())?;
    let counts = refuse_too_many(ctx, caller)?;
    let (id, now) = (ctx.id::<ChannelId>(), ctx.now());
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let rows = ctx.tx.execute(
        sql!(
            "insert into channel (id, name, title, description, owner, visibility, post_policy,
                members_count, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             on conflict (name) do nothing"
        ),
        values![
            id,
            request.name,
            request.title.as_deref().and_then(text),
            request.description.as_deref().and_then(text),
            caller.id,
            request.visibility.as_ref().unwrap_or(&ChannelVisibility::Public),
            request.post_policy.as_ref().unwrap_or(&PostPolicy::Members),
            i64::from(counts.include(Counted::Channel(request.name.as_str(), &id))),
            now
        ],
    )?;
    if rows == 0 {
        let refusal = Refusal::new(Code::AlreadyExists, "a channel has this name");
        return Err(refusal.field("name").into());
    }
    ctx.tx.write(
        sql!(
            "insert into channel_member (channel, account, name, last_read, joined_at)
             values ($1, $2, $3, '', $4)"
        ),
        values![id, caller.id, request.name, now],
    )?;
    channel::envelope(ctx, caller, &id)
}

/// Refuses a title that nobody sees; an empty one stands for none.
fn refuse_blank(title: Option<&str>) -> Result<()> {
    account::refuse_blank_name("title", title.filter(|title| !title.is_empty()))
}

/// Serializes concurrent creations, so that each counts the other. The owner counts as a member, as far as the
/// counts that it answers include what the owner does.
fn refuse_too_many(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Counts> {
    account::lock(ctx, &caller.id)?;
    let counts = visibility::keep_counted(ctx, caller)?;
    let sql = sql!("select count(*) from channel where owner = $1 and deleted_at is null");
    if ctx.tx.one::<i64>(sql, values![caller.id])? < CHANNELS_MAX {
        return Ok(counts);
    }
    let message = format!("an account has at most {CHANNELS_MAX} channels");
    Err(Error::refused(Code::LimitReached, message))
}

/// Channels by name, without public ones of suspended and deleted accounts. `~` is above every character of a
/// name, so it bounds a prefix, which may have the `#` that pages show before a name.
fn list(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListChannels) -> Result<ChannelPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let q = request.q.as_deref().unwrap_or("");
    let from = q.strip_prefix('#').unwrap_or(q).to_lowercase();
    let upto = format!("{from}{LAST_LETTER}");
    let after = page.after_one().unwrap_or("");
    let viewer = caller.account();
    let mut records: Vec<Record> = if request.mine == Some(true) {
        let message =
            "your channels are not known without a credential: sign in, or leave out mine";
        let caller = caller.reader(message)?;
        ctx.tx.all(
            select_channels!(
                "channel_member v join channel c on c.id = v.channel",
                "v.account = $1 and v.name >= $2 and v.name < $3 and v.name > $4
                 order by v.name limit $5"
            ),
            values![caller.id, from, upto, after, page.rows()],
        )?
    } else {
        ctx.tx.all(
            select_channels!(
                "c.visibility = 'public' and a.deleted_at is null and a.status <> 'suspended'
                    and c.name >= $2 and c.name < $3 and c.name > $4
                 order by c.name limit $5"
            ),
            values![viewer.map(|viewer| &viewer.id), from, upto, after, page.rows()],
        )?
    };
    let next_cursor = page.cut(&mut records, |record| vec![record.name.clone()]);
    let channels = records.into_iter().map(|record| record.into_api(ctx.app, viewer)).collect();
    Ok(ChannelPage { channels, next_cursor })
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &GetChannel) -> Result<ChannelEnvelope> {
    let viewer = caller.account();
    let channel = channel::visible(ctx, &request.channel_id, viewer)?;
    Ok(ChannelEnvelope { channel: channel.into_api(ctx.app, viewer) })
}

fn update(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UpdateChannel,
) -> Result<ChannelEnvelope> {
    refuse_blank(request.title.as_deref())?;
    let channel = channel::own(ctx, caller, &request.channel_id)?;
    ctx.tx.write(
        sql!(
            "update channel set
                title = case when cast($1 as text) is null then title
                    when $1 = '' then null else $1 end,
                description = case when cast($2 as text) is null then description
                    when $2 = '' then null else $2 end,
                visibility = coalesce($3, visibility),
                opened_after = case when $3 = 'public' and visibility <> 'public' then coalesce(
                    (select max(m.id) from channel_message m where m.channel = channel.id), '')
                    else opened_after end,
                post_policy = coalesce($4, post_policy)
             where id = $5"
        ),
        values![
            request.title,
            request.description,
            request.visibility,
            request.post_policy,
            channel.id
        ],
    )?;
    channel::envelope(ctx, caller, &channel.id)
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteChannel) -> Result<Deleted> {
    let channel = channel::own(ctx, caller, &request.channel_id)?;
    channel::close(ctx, &channel.id)?;
    Ok(Deleted { deleted: true })
}
