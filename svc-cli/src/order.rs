//! `svc order`: a service of a bot, ordered, paid and waited for.
//!
//! `line` makes flags of the input's members and `schema` types them; the kit's `Buyer` judges, pays
//! and waits; `outcome`, `failure` and `interrupt` show how it ends, and `format` has the text of
//! messages. `act` has the commands about an order that was placed.

mod act;
mod cost;
pub(crate) mod failure;
mod format;
mod interrupt;
mod line;
mod name;
pub(crate) mod outcome;
mod schema;

use std::fs::File;

use clap::Args;
use serde_json::{Map, Value};
use svc_bot_kit::{Buyer, Deal, Error as KitError, Order, Placed};
use svc_client::types::api::escrow::{EscrowStatus, GetEscrow};
use svc_client::types::api::messages::{GetMessage, RequestStatus};
use svc_client::types::{Credits, Span};

use crate::caller::Caller;
use crate::discover::{self, Wanted};
use crate::endpoint_command::Commands;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::input;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::shell::quoted;
use crate::{spend, time};

use self::act::Acts;
pub(crate) use self::act::{Answer, explained};
use self::cost::{preview, too_few};
pub(crate) use self::format::{row, summary};
use self::interrupt::{Interrupts, interrupted};
use self::line::member;
pub(crate) use self::line::spelled_out;
use self::name::id;
pub(crate) use self::name::new_id;
pub(crate) use self::schema::Schema;

/// What continues an order that was begun: where it was sent, its input is not asked for.
const UNSENT: &str =
    "it was not sent: give it the input that it was begun with, or order under another --id";

/// How an order is typed, which the list of its flags doesn't show.
pub(crate) const USAGE: &str = "svc order USER/SERVICE --max-credits CREDITS [--MEMBER VALUE \
                                | --input FILE|-] [--escrow TIME] [--wait TIME] \
                                [--id NAME | --new]\n       svc order COMMAND ORDER";

/// `svc order`: places an order, or does something with one that was placed.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct OrderCommand {
    #[command(flatten)]
    place: Option<OrderFlags>,
    #[command(subcommand)]
    act: Option<Commands<Acts>>,
}

/// Flags of a new order; each member of the input is one more.
#[derive(Clone, Debug, Args)]
pub(crate) struct OrderFlags {
    /// What to order: a bot, and a service of it by name or id.
    #[arg(value_name = "USER/SERVICE")]
    what: Wanted,
    /// A member of the input, as `svc capabilities USER` lists them; --NAME VALUE says the same. @FILE and -
    /// read its value.
    #[arg(long = "field", value_name = "NAME=VALUE", value_parser = member)]
    fields: Vec<(String, Option<String>)>,
    /// The whole input: a file with a JSON object, or - for stdin.
    #[arg(long, value_name = "FILE|-", conflicts_with = "fields")]
    input: Option<String>,
    /// Most that may be paid; a higher price ends the command.
    #[arg(long, value_name = "CREDITS", value_parser = input::credits, allow_negative_numbers = true)]
    max_credits: Credits,
    /// Pay by an escrow that gives the provider this long to deliver, such as 7d.
    #[arg(long, value_name = "TIME")]
    escrow: Option<Span>,
    /// Wait this long for the answer and show it, such as 60s.
    #[arg(long, value_name = "TIME")]
    wait: Option<Span>,
    /// Name the order: the same command continues it instead of paying again.
    #[arg(long, value_name = "NAME", value_parser = id)]
    id: Option<String>,
    /// Order again even if the same order is not finished, instead of continuing it.
    #[arg(long, conflicts_with = "id")]
    new: bool,
}

/// An order before anything of it is sent.
struct Begun {
    order: Order,
    name: String,
    /// It was sent before.
    deal: Option<Deal>,
    /// Held until it is sent: the same command that runs at the same time waits, and then finds this order.
    lock: Option<File>,
}

/// Runs `svc order`.
pub(crate) async fn run(command: &OrderCommand, settings: &Settings) -> Result<()> {
    match (&command.act, &command.place) {
        (Some(act), _) => act.run(settings).await,
        (None, Some(flags)) => order(flags, settings).await,
        (None, None) => Err(Error::usage("name a service: USER/SERVICE").hint(USAGE)),
    }
}

/// Orders a service.
async fn order(flags: &OrderFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let buyer = spend::buyer(&caller, settings, spend::Journal::Always).await?;
    let begun = match flags.name(settings)? {
        Some(name) => flags.named(&caller, flags.order(&buyer), name).await?,
        None => flags.unnamed(&caller, settings, flags.order(&buyer)).await?,
    };
    if caller.is_dry_run() {
        return preview(&caller, flags, begun).await;
    }
    let name = begun.name.clone();
    // From here on something may be sent; what was read and asked for before ends as ever.
    let mut interrupts = Interrupts::listen()?;
    let ended = tokio::select! {
        ended = flags.place(settings, &caller, begun) => Some(ended),
        () = interrupts.next() => None,
    };
    match ended {
        Some(ended) => ended,
        None => Err(interrupted(&buyer, &name, &flags.again(&name), &flags.repeated(&name)).await),
    }
}

impl OrderFlags {
    /// The name that was given; a key for POSTs names the order as well as `--id` does.
    fn name(&self, settings: &Settings) -> Result<Option<String>> {
        let key = || settings.idempotency_key().map(|key| id(&key)).transpose();
        let wrong = |rule| Error::usage(format!("--idempotency-key of an order {rule}"));
        if self.id.is_some() { Ok(self.id.clone()) } else { key().map_err(wrong) }
    }

    /// The order without its input and its name.
    fn order(&self, buyer: &Buyer) -> Order {
        let Wanted { user, service } = &self.what;
        let order = buyer.order(format!("{user}/{service}")).max_credits(self.max_credits);
        match self.escrow {
            Some(time) => order.escrow(time.duration()),
            None => order.direct(),
        }
    }

    /// An order with a name. One that was begun is continued, with its input or without.
    async fn named(&self, caller: &Caller, order: Order, name: String) -> Result<Begun> {
        let order = order.id(&name);
        let earlier = async |order: &Order| self.resumable(order.earlier().await, &name);
        if caller.is_dry_run() || earlier(&order).await?.is_none() {
            let order = order.input(&self.input(caller).await?);
            return Ok(Begun { order, name, deal: None, lock: None });
        }
        let order = match self.input(caller).await {
            Ok(input) if self.has_input() => order.input(&input),
            // What it took can't be known where the service is gone; nothing is paid for here.
            Err(error) if error.exit != Exit::NotFound => return Err(error),
            _ => order,
        };
        let deal = earlier(&order).await?;
        Ok(Begun { order, name, deal, lock: None })
    }

    /// An order without a name. While it is not finished, the same command continues it.
    async fn unnamed(&self, caller: &Caller, settings: &Settings, order: Order) -> Result<Begun> {
        let order = order.input(&self.input(caller).await?);
        let is_looked_for = !self.new && !caller.is_dry_run();
        let lock = is_looked_for.then(|| settings.store.lock_orders()).transpose()?;
        let unfinished = async || order.unfinished().await.map_err(|error| self.explained(error));
        let found = if self.new { None } else { unfinished().await? };
        let Some(Placed { id: name, created_at, .. }) = found else {
            return Begun::new(order, lock);
        };
        let begun = order.clone().id(&name);
        let deal = self.resumable(begun.earlier().await, &name)?;
        if let Some(deal) = &deal
            && self.wait.is_none()
            && is_ended(caller, deal).await?
        {
            return Begun::new(order, lock);
        }
        let time = time::minute(created_at);
        caller.out.note(&format!("continuing the order {name} of {time}; --new orders again"));
        Ok(Begun { order: begun, name, deal, lock })
    }

    fn has_input(&self) -> bool {
        self.input.is_some() || !self.fields.is_empty()
    }

    /// Pays and sends the order unless that was done, and shows its outcome.
    async fn place(&self, settings: &Settings, caller: &Caller, begun: Begun) -> Result<()> {
        let Begun { order, name, deal, lock } = begun;
        let deal = match deal {
            Some(deal) => deal,
            None => match order.send().await {
                Err(KitError::InsufficientCredits { asked, .. }) => {
                    return Err(too_few(caller, asked).await);
                }
                Err(error @ KitError::OrderDiffers { .. }) => {
                    return Err(failure::explained(error).hint(UNSENT));
                }
                sent => self.resumable(sent, &name)?,
            },
        };
        drop(lock);
        self.finish(settings, caller, &deal, &name).await
    }

    /// The input: as it was given, or of flags, in the types that the service asks for.
    async fn input(&self, caller: &Caller) -> Result<Map<String, Value>> {
        if let Some(path) = &self.input {
            return input::object(path);
        }
        if self.fields.is_empty() {
            return Ok(Map::new());
        }
        let offer = discover::find(caller, &self.what).await?;
        let nothing = Map::new();
        Schema(offer.input_schema.as_ref().unwrap_or(&nothing)).input(&self.fields)
    }

    /// Shows an order that was placed: its outcome if the command waits for it.
    async fn finish(
        &self,
        settings: &Settings,
        caller: &Caller,
        deal: &Deal,
        name: &str,
    ) -> Result<()> {
        let again = self.again(name);
        if let Some(time) = self.wait {
            let provider = &self.what.user;
            let progress = Progress::start(settings, &format!("waiting for @{provider}"));
            let ended = deal.wait(time.duration()).await;
            drop(progress);
            let time = time.duration();
            let waited = outcome::Waited { ended, provider, time, again: &again };
            return outcome::end(caller, deal, waited);
        }
        let placed = caller.read(GetMessage { message_id: deal.request().clone() }).await?;
        caller.out.answer(&placed, |placed| {
            let message = &placed.message;
            format!("{}  {}", message.message_id, summary(message).unwrap_or_default())
        })?;
        caller.out.note(&format!("next: {again}"));
        Ok(())
    }

    /// The command that continues an order that was placed, which needs no input.
    fn again(&self, name: &str) -> String {
        let wait = self.wait.unwrap_or(Span::from_secs(60));
        format!("{} --id {name} --wait {wait}", self.command())
    }

    /// The command without input and name.
    fn command(&self) -> String {
        let Wanted { user, service } = &self.what;
        let what = quoted(&format!("{user}/{service}"));
        format!("svc order {what} --max-credits {}", self.max_credits)
    }

    /// What the kit says, with the next command for what was typed.
    fn explained(&self, error: KitError) -> Box<Error> {
        let hint = match &error {
            KitError::Input { .. } => {
                format!("svc capabilities {} shows what the service takes", quoted(&self.what.user))
            }
            KitError::OrderDiffers { id, .. } => {
                format!("{} --id {id} continues it, without input", self.command())
            }
            _ => return failure::explained(error),
        };
        failure::explained(error).hint(hint)
    }

    /// The same for an order that can go on after it: the hint is the command that does.
    fn resumable<T>(&self, result: Result<T, KitError>, name: &str) -> Result<T> {
        result.map_err(|error| failure::goes_on(self.explained(error), name, &self.repeated(name)))
    }

    /// The command that places it if that was not done yet.
    fn repeated(&self, name: &str) -> String {
        let fields = self.fields.iter().map(|(field, value)| match value {
            Some(value) => format!("{field}={value}"),
            None => field.clone(),
        });
        let fields = fields.map(|field| format!("--field {}", quoted(&field)));
        let input = self.input.iter().map(|path| format!("--input {}", quoted(path)));
        let escrow = self.escrow.iter().map(|time| format!("--escrow {time}"));
        let parts = [self.again(name)].into_iter().chain(fields).chain(input).chain(escrow);
        parts.collect::<Vec<_>>().join(" ")
    }
}

impl Begun {
    /// A new order.
    fn new(order: Order, lock: Option<File>) -> Result<Self> {
        let name = new_id()?;
        Ok(Self { order: order.new_id(&name), name, deal: None, lock })
    }
}

/// Whether the platform has an end of an order, or nothing of it any more.
async fn is_ended(caller: &Caller, deal: &Deal) -> Result<bool> {
    if let Some(escrow_id) = deal.escrow().cloned() {
        let status = caller.read(GetEscrow { escrow_id }).await?.value.escrow.status;
        let ends = [EscrowStatus::Released, EscrowStatus::Cancelled, EscrowStatus::Refunded];
        return Ok(ends.contains(&status));
    }
    match caller.read(GetMessage { message_id: deal.request().clone() }).await {
        Ok(sent) => {
            let state = sent.value.message.request;
            Ok(state.is_none_or(|state| state.status != RequestStatus::Open))
        }
        Err(error) if error.exit == Exit::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: OrderFlags,
    }

    fn typed(line: &[&str]) -> OrderFlags {
        Line::try_parse_from([&["order"], line].concat()).ok().unwrap().flags
    }

    #[test]
    fn an_order_that_was_placed_goes_on_without_its_input() {
        let flags = typed(&["bot/count", "--field", "text=it's", "--max-credits", "2.5"]);
        let again = "svc order bot/count --max-credits 2.5 --id x --wait 1m";
        assert_eq!(flags.again("x"), again);
        assert_eq!(flags.repeated("x"), format!(r"{again} --field 'text=it'\''s'"));
        let flags = typed(&["bot/count", "--field", "deep", "--max-credits", "2.5"]);
        assert_eq!(flags.repeated("x"), format!("{again} --field deep"));
        let flags = typed(&["bot/two words", "--input=-", "--max-credits=5", "--escrow=7d"]);
        let repeated = "svc order 'bot/two words' --max-credits 5 --id y --wait 1m --input - \
                        --escrow 7d";
        assert_eq!(flags.repeated("y"), repeated);
    }
}
