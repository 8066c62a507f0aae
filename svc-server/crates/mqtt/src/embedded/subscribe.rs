//! Subscriptions: each filter is judged by itself and answered in its place.

use std::sync::Arc;

use svc_core::app::App;

use super::connect::{Client, TRIES};
use super::hub::Hub;
use crate::policy::{self, Action};
use crate::wire::{Filter, Reason};

/// Subscriptions of a client at most.
pub(super) const SUBSCRIPTIONS_MAX: usize = 200;

/// Subscribes a client to what it may hear; the answers in the order asked.
pub(super) async fn subscribe(
    app: &Arc<App>,
    hub: &Hub,
    client: &Client,
    filters: Vec<Filter>,
) -> Vec<Result<bool, Reason>> {
    let is_over = |count: usize| count > SUBSCRIPTIONS_MAX;
    if is_over(filters.len()) || is_over(hub.subscriptions_with(&client.place, &filters)) {
        return vec![Err(Reason::Quota); filters.len()];
    }
    let filters = Arc::new(filters);
    for _ in 0..TRIES {
        let epoch = hub.epoch();
        let Some(allowed) = judge(app, client, &filters).await else { break };
        let asked = filters.iter().zip(&allowed);
        let granted = asked.filter(|(_, allowed)| **allowed);
        let topics: Vec<_> = granted
            .map(|(filter, _)| (filter.topic.as_str().into(), filter.acknowledged))
            .collect();
        if hub.subscribe(&client.place, &topics, epoch).is_ok() {
            let answer = |(filter, allowed): (&Filter, bool)| {
                if allowed { Ok(filter.acknowledged) } else { Err(Reason::NotAuthorized) }
            };
            return filters.iter().zip(allowed).map(answer).collect();
        }
    }
    vec![Err(Reason::Unspecified); filters.len()]
}

async fn judge(app: &Arc<App>, client: &Client, filters: &Arc<Vec<Filter>>) -> Option<Vec<bool>> {
    let (principal, filters) = (client.principal.clone(), Arc::clone(filters));
    let judged = app.read(move |ctx| {
        let allowed =
            |filter: &Filter| policy::authorize(ctx, &principal, Action::Subscribe, &filter.topic);
        filters.iter().map(allowed).collect()
    });
    judged.await.inspect_err(|error| tracing::error!(%error, "topics could not be judged")).ok()
}
