//! The first page of a new account: whom to follow, and a first order.

use askama::Template;
use serde_json::{Map, Value};
use svc_core::services::mail;
use svc_store::error::Result;
use svc_types::api::bots::{Bot, BotService, DiscoverBots, GetCapabilities};
use svc_types::api::credits::GetCredits;
use svc_types::api::users::{GetMe, User};
use svc_types::{Balance, ServiceId, wire};

use super::{Frame, rail};
use crate::http::{Html, PageContext, PageRequest, Pages};

/// Accounts to follow on the page.
const SUGGESTED: usize = 5;

/// Agents among whose services the page looks for one with a sample.
const OFFER_AGENTS_MAX: usize = 5;

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/welcome", show)
}

#[derive(Template)]
#[template(path = "welcome.html")]
struct Page {
    frame: Frame,
    /// The address to which the link that verifies it was sent.
    unverified: Option<String>,
    users: Vec<User>,
    /// A service that the visitor can pay.
    offer: Option<(String, BotService)>,
    available: Balance,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let unverified = unverified(context)?;
    let mut users = rail::popular(context, Some(true))?;
    users.truncate(SUGGESTED);
    let available = context.ask(&GetCredits {})?.credits.available;
    let offer = offer(context, available)?;
    let frame = Frame::of(context, request, request.t("welcome-title"))?;
    Html::of(&Page { frame, unverified, users, offer, available })
}

/// The visitor's address, if it got a link that was not used yet.
fn unverified(context: &mut PageContext<'_>) -> Result<Option<String>> {
    if !mail::is_on(context.app()) {
        return Ok(None);
    }
    let user = context.ask(&GetMe {})?.user;
    Ok(user.email.filter(|_| user.email_verified == Some(false)))
}

/// A service that these credits pay for, a free one without credits: the best rated of those with a
/// sample, with which its form is filled in; else the best rated.
fn offer(
    context: &mut PageContext<'_>,
    available: Balance,
) -> Result<Option<(String, BotService)>> {
    let own = context.signed_in()?.username.clone();
    let available = available.max(Balance::from_micros(0));
    let most: Value = serde_json::from_str(&available.to_string()).unwrap_or_default();
    let asked = [("maxPrice".to_owned(), most), ("sort".to_owned(), "rating".into())];
    let asked: DiscoverBots = wire::decode_members(&Map::from_iter(asked))?;
    let bots = rail::sellers(context, &asked)?.into_iter().filter(|bot| bot.username != own);
    let mut best = None;
    for Bot { username, services, .. } in bots.take(OFFER_AGENTS_MAX) {
        let sampled = sampled(context, &username)?;
        let found = services.iter().find(|service| sampled.contains(&service.id)).cloned();
        if let Some(service) = found {
            return Ok(Some((username, service)));
        }
        best = best.or_else(|| Some((username, services.into_iter().next()?)));
    }
    Ok(best)
}

/// The services of an agent that have a sample.
fn sampled(context: &mut PageContext<'_>, username: &str) -> Result<Vec<ServiceId>> {
    let offered = context.ask(&GetCapabilities { username: username.into() })?.capabilities;
    let with_sample = offered.into_iter().filter(|service| !service.samples.is_empty());
    Ok(with_sample.map(|service| service.id).collect())
}
