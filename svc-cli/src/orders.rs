//! `svc orders`: what was ordered, its state, reviews of it, and whether it is shown as a sample.
//!
//! Without a command it lists what the journal of this machine knows, with names and orders that were
//! not sent; `list` shows the platform's list of both sides.

use clap::Args;
use clap::builder::RangedU64ValueParser;
use serde_json::{Value, json};
use svc_bot_kit::Placed;
use svc_client::types::api::orders::{
    AnswerSample, CreateReview, DeleteReview, ListOrders, ProposeSample, SampleProposal,
    WithdrawSample,
};
use svc_client::types::{EscrowId, MessageId};

use crate::discover;
use crate::endpoint_command::{Commands, EndpointCommand, Given, Table, command, page};
use crate::error::Result;
use crate::list;
use crate::order::{self, failure};
use crate::output::one_line;
use crate::settings::Settings;
use crate::shell::quoted;
use crate::{spend, time};

/// Orders that are listed unless another number is given.
const LIMIT_DEFAULT: u32 = 20;
const LIMIT_MAX: u64 = 100;

/// Flags of `svc orders`, which without a command lists what was ordered from here.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct OrdersFlags {
    /// Number of orders: 1 to 100, 20 when omitted.
    #[arg(long, value_name = "NUMBER", value_parser = RangedU64ValueParser::<u32>::new().range(1..=LIMIT_MAX))]
    limit: Option<u32>,
    /// Only orders that have not ended.
    #[arg(long)]
    open: bool,
    #[command(subcommand)]
    command: Option<Commands<Orders>>,
}

/// The commands of `svc orders`.
#[derive(Clone, Debug)]
pub(crate) struct Orders;

impl Table for Orders {
    fn commands() -> Vec<EndpointCommand> {
        vec![
            page::<ListOrders>("svc orders list", |orders, _| {
                list::rows(orders.iter().map(order::row), "no orders")
            })
            .flag("counterparty", "with")
            .flag("serviceId", "service")
            .flag("clientOrderId", "id"),
            command::<CreateReview>("svc orders review", |review, _| discover::review(review))
                .explain(order::explained),
            command::<DeleteReview>("svc orders delete-review", |_, given| {
                format!("took back the review of {}", given.text("orderId"))
            }),
            command::<ProposeSample>("svc orders sample", proposal),
            command::<AnswerSample>("svc orders answer-sample", proposal),
            command::<WithdrawSample>("svc orders withdraw-sample", |_, given| {
                format!("{}  not a sample", given.text("orderId"))
            }),
        ]
    }
}

/// How far the proposal of a sample is.
fn proposal(proposal: &SampleProposal, given: &Given<'_>) -> String {
    format!("{}  {}", given.text("orderId"), proposal.state)
}

/// Runs `svc orders`.
pub(crate) async fn run(flags: &OrdersFlags, settings: &Settings) -> Result<()> {
    match &flags.command {
        Some(command) => command.run(settings).await,
        None => orders(flags, settings).await,
    }
}

/// Lists the orders that were placed from here, and those of the last 24 hours from elsewhere.
async fn orders(flags: &OrdersFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    let buyer = spend::buyer(&caller, settings, spend::Journal::Always).await?;
    buyer.catch_up().await.map_err(failure::explained)?;
    let most = flags.limit.unwrap_or(LIMIT_DEFAULT);
    let mut orders = buyer.orders(most).await.map_err(failure::explained)?;
    orders.retain(|order| !flags.open || !order.is_ended());
    let value: Vec<Value> = orders.iter().map(object).collect();
    let rows = list::rows(orders.iter().map(row), "no orders");
    caller.out.local(&json!({ "orders": value }), &rows)?;
    if let Some(order) = orders.iter().find(|order| !order.is_ended()) {
        caller.out.note(&format!("next: {}", again(order)));
    }
    Ok(())
}

/// The command that continues an order; one that was not sent needs its input, too.
fn again(order: &Placed) -> String {
    let what = quoted(&format!("{}/{}", order.provider, one_line(&order.service)));
    let again = format!("svc order {what} --max-credits {} --id {}", order.amount, order.id);
    match order.request {
        Some(_) => format!("{again} --wait 1m"),
        None => format!("{again} --wait 1m --input FILE, with the input that it was begun with"),
    }
}

/// An order for programs.
fn object(order: &Placed) -> Value {
    let mut value = json!({
        "id": order.id,
        "provider": order.provider,
        "service": order.service,
        "amount": order.amount,
        "status": order.status,
        "createdAt": order.created_at,
    });
    if let Some(request) = &order.request {
        value["requestId"] = request.as_str().into();
    }
    if let Some(escrow) = &order.escrow {
        value["escrowId"] = escrow.as_str().into();
    }
    value
}

/// An order on one line.
fn row(order: &Placed) -> String {
    let Placed { id, provider, status, .. } = order;
    let (begun, service) = (time::minute(order.created_at), one_line(&order.service));
    let mut row =
        format!("{id}  {begun}  {provider}/{service}  {}  {status}", order.amount.in_words());
    // The ids for `svc escrow` and `svc order`.
    let escrow = order.escrow.as_ref().map(EscrowId::as_str);
    for id in escrow.into_iter().chain(order.request.as_ref().map(MessageId::as_str)) {
        row = format!("{row}  {id}");
    }
    row
}
