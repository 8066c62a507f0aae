//! The channels that a stream watches. It says which of them changed; their lists say what.

use std::collections::BTreeSet;
use std::pin::Pin;

use axum::response::sse::Event as Sent;
use futures_util::future::select_all;
use http::Uri;
use http::uri::PathAndQuery;
use serde_json::json;
use svc_core::app::Ctx;
use svc_core::ids::can_exist;
use svc_core::listeners::{Listener, Listeners};
use svc_core::services::channel;
use svc_store::error::{Error, Result};
use svc_types::{ChannelId, UserId};
use url::form_urlencoded;

/// Most channels that a stream watches.
const CHANNELS_MAX: usize = 50;

/// The parameter that names them.
const PARAMETER: &str = "channels";

/// The kind of the events about them.
const CHANGED: &str = "channel_changed";

/// A channel that a stream watches.
pub(super) struct Watched {
    id: ChannelId,
    listener: Listener,
    /// The number of the latest event that the stream knows of.
    last_seq: i64,
}

/// Takes the ids of channels out of the query; what remains is the query of the event list.
pub(super) fn take(uri: &mut Uri) -> Result<Vec<ChannelId>> {
    let Some(query) = uri.query() else { return Ok(Vec::new()) };
    let (own, rest): (Vec<&str>, Vec<&str>) = query
        .split('&')
        .partition(|pair| pair.split('=').next().is_some_and(|name| name == PARAMETER));
    let ids: BTreeSet<String> = own
        .iter()
        .flat_map(|pair| form_urlencoded::parse(pair.as_bytes()))
        .flat_map(|(_, ids)| ids.split(',').map(str::to_owned).collect::<Vec<_>>())
        .collect();
    if ids.len() > CHANNELS_MAX {
        let message = format!("channels must have at most {CHANNELS_MAX} ids");
        return Err(Error::invalid(PARAMETER, message));
    }
    if !own.is_empty() {
        let query = format!("{}?{}", uri.path(), rest.join("&"));
        let query: PathAndQuery = query.parse().map_err(Error::internal)?;
        let mut parts = std::mem::take(uri).into_parts();
        parts.path_and_query = Some(query);
        *uri = Uri::from_parts(parts).map_err(Error::internal)?;
    }
    Ok(ids.into_iter().map(ChannelId::from).collect())
}

/// The numbers of the latest events of those channels that the account may read.
pub(super) fn heads(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    ids: &[ChannelId],
) -> Result<Vec<(ChannelId, i64)>> {
    let mut heads = Vec::new();
    for id in ids.iter().filter(|id| can_exist(id.as_str())) {
        if let Some(seq) = channel::head(ctx, id, account)? {
            heads.push((id.clone(), seq));
        }
    }
    Ok(heads)
}

/// Watches these channels, all of which must be readable.
pub(super) fn watch(
    listeners: &Listeners,
    ids: &[ChannelId],
    heads: Vec<(ChannelId, i64)>,
) -> Result<Vec<Watched>> {
    if heads.len() < ids.len() {
        return Err(Error::not_found("channel").about(PARAMETER));
    }
    let watched = heads.into_iter().filter_map(|(id, last_seq)| {
        let listener = listeners.wait(id.as_str(), usize::MAX, last_seq)?;
        Some(Watched { id, listener, last_seq })
    });
    Ok(watched.collect())
}

/// The ids of these channels.
pub(super) fn ids(watched: &[Watched]) -> Vec<ChannelId> {
    watched.iter().map(|channel| channel.id.clone()).collect()
}

/// Compares what is known with what is there: the events to send. A channel that the account may no
/// longer read is dropped.
pub(super) fn update(watched: &mut Vec<Watched>, heads: &[(ChannelId, i64)]) -> Vec<Sent> {
    let mut changed = Vec::new();
    watched.retain_mut(|channel| {
        let Some((id, seq)) = heads.iter().find(|(id, _)| *id == channel.id) else { return false };
        if channel.last_seq < *seq {
            channel.last_seq = *seq;
            // Without an id, so that the number of the last event of the account stays the last id.
            let data = json!({ "channelId": id }).to_string();
            changed.push(Sent::default().event(CHANGED).data(data));
        }
        true
    });
    changed
}

/// Waits until something may have happened to the account or in one of the channels.
pub(super) async fn called(account: &mut Listener, watched: &mut [Watched]) {
    let channels = watched.iter_mut().map(|channel| &mut channel.listener);
    let calls = std::iter::once(account).chain(channels);
    select_all(calls.map(|listener| -> Pin<Box<_>> { Box::pin(listener.called()) })).await;
}
