//! SUBSCRIBE: each filter is authorized separately and has its own reason code in the reply.

use std::sync::Arc;

use svc_core::app::App;
use svc_core::services::outbox;

use super::connect::{Client, TRIES};
use super::hub::Hub;
use crate::policy::{self, Action, Topic};
use crate::wire::{Filter, Reason};

/// Most subscriptions of a client.
pub(super) const SUBSCRIPTIONS_MAX: usize = 200;

/// Subscribes a client to the filters it may receive; the results are in the order of the filters.
pub(super) async fn subscribe(
    app: &Arc<App>,
    hub: &Hub,
    client: &Client,
    filters: Vec<Filter>,
) -> Vec<Result<bool, Reason>> {
    let is_over = |count: usize| count > SUBSCRIPTIONS_MAX;
    if is_over(filters.len()) || is_over(hub.subscriptions_with(&client.handle, &filters)) {
        return vec![Err(Reason::Quota); filters.len()];
    }
    let filters = Arc::new(filters);
    for _ in 0..TRIES {
        let epoch = hub.epoch();
        let Some((allowed, heads)) = authorize(app, client, &filters).await else { break };
        let asked = filters.iter().zip(&allowed);
        let granted = asked.filter(|(_, allowed)| **allowed);
        let topics: Vec<_> = granted
            .map(|(filter, _)| (filter.topic.as_str().into(), filter.acknowledged))
            .collect();
        if hub.subscribe(&client.handle, &topics, &heads, epoch).is_ok() {
            let result = |(filter, allowed): (&Filter, bool)| {
                if allowed { Ok(filter.acknowledged) } else { Err(Reason::NotAuthorized) }
            };
            return filters.iter().zip(allowed).map(result).collect();
        }
    }
    vec![Err(Reason::Unspecified); filters.len()]
}

/// Which filters are allowed, and where the streams of those are if other nodes write them too.
async fn authorize(
    app: &Arc<App>,
    client: &Client,
    filters: &Arc<Vec<Filter>>,
) -> Option<(Vec<bool>, Vec<(String, i64)>)> {
    let (principal, filters) = (client.principal.clone(), Arc::clone(filters));
    let allowed = app.read(move |ctx| {
        let (mut allowed, mut heads) = (Vec::new(), Vec::new());
        for filter in filters.iter() {
            let may = policy::authorize(ctx, &principal, Action::Subscribe, &filter.topic)?;
            allowed.push(may);
            let topic = Topic::parse(&filter.topic).filter(|_| may && ctx.app.bus.is_shared());
            if let Some(stream) = topic.as_ref().and_then(Topic::stream) {
                heads.push((stream.to_owned(), outbox::last_seq(ctx, stream)?));
            }
        }
        Ok((allowed, heads))
    });
    allowed.await.inspect_err(|error| tracing::error!(%error, "failed to authorize topics")).ok()
}
