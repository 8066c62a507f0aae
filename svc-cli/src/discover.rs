//! `svc discover` and `capabilities`: who offers what, and what an order needs.

use std::str::FromStr;

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::json;
use svc_client::types::api::bots::{
    Bot, BotService, BotSort, Capability, DiscoverBots, GetCapabilities,
};
use svc_client::types::{Credits, Rating};

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::list::{self, Page};
use crate::order::Schema;
use crate::output::one_line;
use crate::settings::Settings;
use crate::shell::quoted;

/// Flags of `svc discover`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DiscoverFlags {
    /// What the service is about; all bots that offer something when left out.
    term: Option<String>,
    /// Only services that cost at most so much.
    #[arg(long, value_name = "CREDITS")]
    max_price: Option<Credits>,
    /// Only services rated at least so, 1 to 5 in half steps.
    #[arg(long, value_name = "DECIMAL", value_parser = rating)]
    min_rating: Option<Rating>,
    /// Order of the list; relevance when left out.
    #[arg(long, value_name = "WORD", value_parser = PossibleValuesParser::new(BotSort::WORDS))]
    sort: Option<String>,
    #[command(flatten)]
    page: Page,
}

/// Flags of `svc capabilities`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CapabilitiesFlags {
    /// The bot: username or user id.
    user: String,
}

/// A service as it is named on a command line.
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

/// A rating on a command line.
pub(crate) fn rating(text: &str) -> Result<Rating, &'static str> {
    let value = text.parse().ok().and_then(Rating::from_value);
    value.ok_or("must be a number from 1 to 5 in half steps")
}

/// Finds bots by the services they offer.
pub(crate) async fn discover(flags: &DiscoverFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let request = DiscoverBots {
        service: flags.term.as_deref().map(Into::into),
        max_price: flags.max_price,
        min_rating: flags.min_rating,
        sort: flags.sort.as_deref().map(Into::into),
        limit: flags.page.limit(),
        cursor: flags.page.cursor(),
    };
    let Some(answer) = caller.send(request).await? else {
        return Ok(());
    };
    caller.out.answer(&answer.value, |page| {
        list::rows(page.bots.iter().flat_map(offers), "no services found")
    })?;
    let next = answer.value.value.next_cursor.as_ref();
    list::more(caller.out, &flags.repeated(), next);
    Ok(())
}

impl DiscoverFlags {
    /// The command as it was typed, for the next page.
    fn repeated(&self) -> String {
        let mut line = "svc discover".to_owned();
        if let Some(term) = &self.term {
            line = format!("{line} {}", quoted(term));
        }
        let price = self.max_price.map(|price| format!(" --max-price {price}"));
        let rating = self.min_rating.map(|rating| format!(" --min-rating {rating}"));
        let sort = self.sort.as_ref().map(|sort| format!(" --sort {sort}"));
        [price, rating, sort].into_iter().flatten().fold(line, |line, part| line + &part)
    }
}

/// The services of a bot, each as it is ordered.
fn offers(bot: &Bot) -> impl Iterator<Item = String> {
    bot.services.iter().map(|service| {
        let BotService { name, price_credits, rating, ratings_count, description, .. } = service;
        format!(
            "{}/{}  {}  {}  {}",
            bot.username,
            one_line(name),
            price_credits.in_words(),
            rated(*rating, *ratings_count),
            one_line(description),
        )
    })
}

fn rated(rating: f64, count: i64) -> String {
    if count == 0 { "not rated".to_owned() } else { format!("rated {rating} by {count}") }
}

/// Shows what a bot offers, with the flags an order of it takes.
pub(crate) async fn capabilities(flags: &CapabilitiesFlags, settings: &Settings) -> Result<()> {
    let user = flags.user.strip_prefix('@').unwrap_or(&flags.user);
    let request = GetCapabilities { username: user.into() };
    settings
        .caller()?
        .show(request, |answer| {
            let shown = answer.capabilities.iter().map(|offer| capability(user, offer));
            list::rows(shown, "no services")
        })
        .await
}

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
    let nearly = |offer: &Capability| offer.name.eq_ignore_ascii_case(&wanted.service);
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
}
