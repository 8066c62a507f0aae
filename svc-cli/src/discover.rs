//! `svc discover`, `capabilities`, `reviews` and `reputation`: services of bots, their input, and what
//! they have done.

use std::str::FromStr;

use serde_json::json;
use svc_client::types::api::bots::{
    Bot, BotService, Capability, DiscoverBots, GetCapabilities, GetReputation, ListBotReviews,
    MatchKind, Ratings, Reputation,
};
use svc_client::types::api::orders::Review;

use crate::caller::Caller;
use crate::endpoint_command::{EndpointCommand, Table, command, page};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::list;
use crate::order::Schema;
use crate::output::{counted, one_line};
use crate::shell::quoted;
use crate::time;

/// `svc discover` and what shows a bot.
#[derive(Clone, Debug)]
pub(crate) struct Discover;

impl Table for Discover {
    fn commands() -> Vec<EndpointCommand> {
        let discover = page::<DiscoverBots>("svc discover", |bots, _| {
            list::rows(bots.iter().flat_map(offers), "no services found")
        });
        let capabilities = command::<GetCapabilities>("svc capabilities", |answer, given| {
            let user = given.text("username");
            let offers = answer.capabilities.iter().map(|offer| capability(user, offer));
            list::rows(offers, "no services")
        });
        let reviews = page::<ListBotReviews>("svc reviews", |reviews, _| {
            list::rows(reviews.iter().map(review), "no reviews")
        });
        let reputation = command::<GetReputation>("svc reputation", |answer, _| {
            let Reputation { orders, success_rate, ratings, .. } = &answer.reputation;
            let Ratings { count, mean, buyers, .. } = ratings;
            let done = [Some(counted(*orders, "order")), success_rate.map(succeeded)];
            let done: Vec<String> = done.into_iter().flatten().collect();
            let rated = match count {
                0 => "not rated".to_owned(),
                _ => format!("rated {mean} by {}", counted(*buyers, "buyer")),
            };
            format!("{}  {rated}\n{}", done.join(", "), answer.attestation)
        });
        vec![discover.positional("service"), capabilities, reviews, reputation]
    }
}

/// A service on the command line.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The bot that offers it.
    pub(crate) user: String,
    /// Its name or id.
    pub(crate) service: String,
}

impl FromStr for Wanted {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rule = "must be USER/SERVICE, such as wordbot/count-words";
        let (user, service) = text.split_once('/').ok_or(rule)?;
        let user = user.strip_prefix('@').unwrap_or(user);
        if user.is_empty() || service.is_empty() {
            return Err(rule);
        }
        Ok(Self { user: user.to_owned(), service: service.to_owned() })
    }
}

/// The services of a bot, as `svc order` names them.
fn offers(bot: &Bot) -> impl Iterator<Item = String> {
    bot.services.iter().map(|service| {
        let BotService { name, price_credits, rating, ratings_count, description, .. } = service;
        let row = format!(
            "{}/{}  {}  {}  {}{}",
            bot.username,
            one_line(name),
            price_credits.in_words(),
            rated(*rating, *ratings_count),
            figures(service),
            one_line(description),
        );
        match &service.matched {
            Some(found) if found.kind != MatchKind::Exact => {
                format!("{row}  ({}: {})", found.kind, one_line(&found.term))
            }
            _ => row,
        }
    })
}

/// What a service has done, once that says something.
fn figures(service: &BotService) -> String {
    let Some(rate) = service.success_rate else { return String::new() };
    let median = service.median_answer_seconds.map(|seconds| format!("{seconds} s"));
    let parts = [Some(counted(service.orders_done, "order")), median, Some(succeeded(rate))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{}  ", parts.join(", "))
}

/// A success rate for people. It is 100 % only if none failed.
fn succeeded(rate: f64) -> String {
    let is_part = rate > 0.0 && rate < 1.0;
    let percent = if is_part { (rate * 100.0).clamp(1.0, 99.0) } else { rate * 100.0 };
    format!("{percent:.0} % done")
}

/// A review on one line.
pub(crate) fn review(review: &Review) -> String {
    let Review { id, rating, text, created_at, .. } = review;
    let row = format!("{id}  {}  rated {rating}", time::minute(*created_at));
    match text {
        Some(text) => format!("{row}  {}", one_line(text)),
        None => row,
    }
}

fn rated(rating: f64, count: i64) -> String {
    if count == 0 { "not rated".to_owned() } else { format!("rated {rating} by {count}") }
}

/// A service, with the flags that an order of it takes.
fn capability(user: &str, offer: &Capability) -> String {
    let head = format!(
        "{user}/{}  {}  {}  {}",
        one_line(&offer.name),
        offer.price_credits.in_words(),
        rated(offer.rating, offer.ratings_count),
        offer.id,
    );
    let members = offer.input_schema.as_ref().map(|schema| Schema(schema).flags());
    let lines = [format!("  {}", one_line(&offer.description))];
    let lines = lines.into_iter().chain(members.into_iter().flatten());
    lines.fold(head, |text, line| format!("{text}\n{line}"))
}

/// Says what a bot offers instead of the service that is wanted.
pub(crate) fn no_service(provider: &str, service: &str, offers: &[String]) -> Box<Error> {
    let text = format!("@{provider} offers no service {service}");
    let error = |text| Error::new(Exit::NotFound, "service_not_found", text);
    if offers.is_empty() {
        return error(text).hint("svc discover");
    }
    error(format!("{text}, but others"))
        .hint(format!("svc capabilities {}", quoted(provider)))
        .untrusted(json!({ "offers": offers }))
}

/// Finds the service that is wanted among those its bot offers.
pub(crate) async fn find(caller: &Caller, wanted: &Wanted) -> Result<Capability> {
    let request = GetCapabilities { username: wanted.user.as_str().into() };
    let mut offers = caller.read(request).await?.value.capabilities;
    let exactly = |offer: &Capability| [offer.id.as_str(), &offer.name].contains(&&*wanted.service);
    let folded = wanted.service.to_lowercase();
    let nearly = |offer: &Capability| offer.name.to_lowercase() == folded;
    let found = offers.iter().position(exactly).or_else(|| offers.iter().position(nearly));
    let Some(index) = found else {
        let names: Vec<String> = offers.into_iter().map(|offer| offer.name).collect();
        return Err(no_service(&wanted.user, &wanted.service, &names));
    };
    Ok(offers.swap_remove(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_wanted_by_its_bot_and_name() {
        let wanted: Wanted = "@wordbot/count/words".parse().unwrap();
        assert_eq!((&*wanted.user, &*wanted.service), ("wordbot", "count/words"));
        for text in ["wordbot", "wordbot/", "/count", "@/count", ""] {
            assert!(text.parse::<Wanted>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_a_service_without_failures_succeeds_always() {
        let shown = [0.0, 0.003, 0.714, 0.997, 1.0].map(succeeded);
        assert_eq!(shown, ["0 % done", "1 % done", "71 % done", "99 % done", "100 % done"]);
    }
}
