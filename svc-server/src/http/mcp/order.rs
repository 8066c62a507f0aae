//! The tool that orders: price, consent, order, and waiting for the answer.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};
use svc_core::services::order::misfit;
use svc_mcp::{ANSWER, ENDED, GO_ON, Order, OrderResult, OrderTexts, RELEASE, is_named};
use svc_store::error::Error;
use svc_types::Credits;
use svc_types::api::bots::{Capabilities, Capability, GetCapabilities};
use svc_types::api::credits::{CreditsEnvelope, GetCredits};
use svc_types::api::escrow::{EscrowEnvelope, GetEscrow};
use svc_types::api::orders::{
    CreateOrder, GetOrder, ListOrders, OrderEnvelope, OrderPage, OrderRole, OrderStatus,
    ServiceOrder, WAIT_MAX,
};
use svc_types::schema::Schema;

use super::consent::Spending;
use super::hold;
use super::session::{Failure, Session, failure};

/// The price from which an escrow pays, as for buyers of the bot kit.
const ESCROW_FROM: u32 = 50;

/// How long an answer is waited for, unless the call says otherwise.
const WAIT: Duration = Duration::from_secs(30);

/// Longest id of an order, as in the bot kit: the ids and keys that are derived from it stay within their limits.
const ID_LENGTH_MAX: usize = 58;

/// Orders, or continues an order.
pub(super) async fn order(session: &Session, order: Order) -> Result<OrderResult, Failure> {
    let is_dry = order.dry_run == Some(true);
    if !is_dry {
        session.require_spending()?;
    }
    let target = Target::of(&order)?;
    if !is_dry && let Some(result) = resume(session, &target, &order).await? {
        return Ok(result);
    }
    let offer = offer(session, &target).await?;
    let price = offer.price_credits;
    if price > order.max_credits {
        let message =
            format!("it costs {}, more than maxCredits {}", price.in_words(), order.max_credits);
        let hint = format!("maxCredits {price} agrees to it; ask the person first");
        return Err(failure("price_above_max", message, hint));
    }
    if is_dry || session.will_ask(price) {
        refuse_input(session, &order, &offer).await?;
    }
    if is_dry {
        return quote(session, price).await;
    }
    if session.state.is_none()
        && !price.is_zero()
        && let Err(short) = hold::refuse_short(session, price, target.id).await
    {
        // A call at the same time may have placed the order under this id with the last credits.
        return resume(session, &target, &order).await?.ok_or(short);
    }
    let provider = session.payee(target.provider).await?;
    let id = session.agree(&Spending {
        tool: "order",
        arguments: target.arguments(&order),
        provider: &provider,
        what: offer.name.clone(),
        credits: price,
    })?;
    let id = target.id.map_or(id, str::to_owned);
    let placed = place(session, &target, &order, &offer, &id).await?;
    follow(session, placed, wait(&order)).await
}

/// Continues the order that was placed under its id, if one was.
async fn resume(
    session: &Session,
    target: &Target<'_>,
    order: &Order,
) -> Result<Option<OrderResult>, Failure> {
    let Some(id) = target.id else { return Ok(None) };
    let Some(known) = known(session, id).await? else { return Ok(None) };
    target.refuse_other(&known, order)?;
    follow(session, known, wait(order)).await.map(Some)
}

/// What an order names.
struct Target<'a> {
    provider: &'a str,
    service: &'a str,
    id: Option<&'a str>,
}

impl<'a> Target<'a> {
    fn of(order: &'a Order) -> Result<Self, Failure> {
        let wrong = |message: &str, hint: &str| Err(failure("validation_failed", message, hint));
        let named = order.service.split_once('/');
        let Some((provider, service)) = named.filter(|(a, b)| !a.is_empty() && !b.is_empty())
        else {
            return wrong("service must be PROVIDER/SERVICE", "such as wordbot/count-words");
        };
        let id = order.id.as_deref();
        let is_id = |id: &str| {
            (1..=ID_LENGTH_MAX).contains(&id.len())
                && id.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it))
        };
        if id.is_some_and(|id| !is_id(id)) {
            let rule = format!("id must be 1 to {ID_LENGTH_MAX} letters, digits and -_.");
            return wrong(&rule, "give it a shorter id");
        }
        Ok(Self { provider: provider.trim_start_matches('@'), service, id })
    }

    /// What a consent is for: all that decides what is bought, and for how much.
    fn arguments(&self, order: &Order) -> Value {
        let Self { provider, service, id } = self;
        let (input, most) = (&order.input, order.max_credits);
        json!({ "provider": provider, "service": service, "id": id, "input": input, "most": most })
    }

    fn is_service(&self, id: &str, name: &str) -> bool {
        id == self.service || is_named(name, self.service)
    }

    /// An id continues the order that it was given to, and no other.
    fn refuse_other(&self, known: &ServiceOrder, order: &Order) -> Result<(), Failure> {
        let provider = &known.provider;
        let is_provider = provider.username.eq_ignore_ascii_case(self.provider)
            || provider.id.as_str() == self.provider;
        let is_input = known.input == order.input.clone().unwrap_or_default();
        if is_provider
            && is_input
            && self.is_service(known.service_id.as_str(), &known.service_name)
        {
            return Ok(());
        }
        let message = "this id was given to another order";
        Err(failure("idempotency_conflict", message, "give a new order another id"))
    }
}

/// The order that was placed under an id.
async fn known(session: &Session, id: &str) -> Result<Option<ServiceOrder>, Failure> {
    let request = ListOrders {
        role: Some(OrderRole::Buyer),
        status: None,
        counterparty: None,
        service_id: None,
        client_order_id: Some(id.into()),
        sample: None,
        since: None,
        limit: Some(1.into()),
        cursor: None,
    };
    let page: OrderPage = session.call(&request, None).await?;
    Ok(page.orders.into_iter().next())
}

/// The service that is meant: by id or name, then ignoring case.
async fn offer(session: &Session, target: &Target<'_>) -> Result<Capability, Failure> {
    let request = GetCapabilities { username: target.provider.into() };
    let Capabilities { capabilities, .. } = session.call(&request, None).await?;
    let exact = |it: &&Capability| it.id.as_str() == target.service || it.name == target.service;
    let alike = |it: &&Capability| target.is_service(it.id.as_str(), &it.name);
    let found = capabilities.iter().find(exact).or_else(|| capabilities.iter().find(alike));
    found.cloned().ok_or_else(|| {
        let hint = "call capabilities with the provider's username";
        failure("service_not_found", "the provider offers no such service", hint)
    })
}

/// 400 for an input that the service refuses. Otherwise a person would agree to an order in vain.
async fn refuse_input(session: &Session, order: &Order, offer: &Capability) -> Result<(), Failure> {
    let Some(schema) = offer.input_schema.clone() else { return Ok(()) };
    let input = Value::Object(order.input.clone().unwrap_or_default());
    let _turn = session.app.turns.take(Some(session.visit.account.id.as_str())).await;
    let check = move || Ok(Schema::new(&schema).map_err(Error::internal)?.faults(&input));
    let judged = session.app.schemas.run(check).await;
    let faults = judged.map_err(|error| session.refused(&error))?;
    match misfit("the input does not fit the service", &faults) {
        Some(refusal) => Err(session.refused(&refusal.into())),
        None => Ok(()),
    }
}

async fn quote(session: &Session, price: Credits) -> Result<OrderResult, Failure> {
    let CreditsEnvelope { credits, .. } = session.call(&GetCredits {}, None).await?;
    let available = Some(credits.available);
    let escrow = Some(price >= ESCROW_FROM.into());
    Ok(OrderResult { would_pay: Some(price), available, escrow, ..OrderResult::default() })
}

/// Places the order under its id, at the price that was seen.
async fn place(
    session: &Session,
    target: &Target<'_>,
    order: &Order,
    offer: &Capability,
    id: &str,
) -> Result<ServiceOrder, Failure> {
    let price = offer.price_credits;
    let escrow = if price >= ESCROW_FROM.into() {
        Some(hold::open(session, target.provider, offer, id).await?)
    } else {
        None
    };
    let request = CreateOrder {
        provider_username: target.provider.into(),
        service_id: offer.id.clone(),
        input: order.input.clone().unwrap_or_default(),
        max_credits: Some(price).filter(|_| escrow.is_none()),
        offered_credits: None,
        escrow_id: escrow.clone(),
        client_order_id: Some(id.into()),
        answer_within: None,
    };
    let placed: Result<OrderEnvelope, Failure> = session.call(&request, None).await;
    if placed.is_err()
        && let Some(escrow_id) = escrow
    {
        hold::give_back(session, escrow_id, None).await;
    }
    placed.map(|placed| placed.order)
}

fn wait(order: &Order) -> Duration {
    order.wait_seconds.map_or(WAIT, |seconds| Duration::from_secs(seconds.get().into()))
}

/// Waits for the answer, and reports what happens on the way.
async fn follow(
    session: &Session,
    mut order: ServiceOrder,
    wait: Duration,
) -> Result<OrderResult, Failure> {
    let clock = &session.app.clock;
    let until = clock.now().plus(wait);
    let mut step = 0;
    while is_pending(&order) && !session.gone.is_cancelled() {
        let now = clock.now();
        let rest = until.since(now).min(WAIT_MAX).as_secs();
        let seconds = u32::try_from(rest).unwrap_or(0);
        if seconds == 0 {
            break;
        }
        let request = GetOrder {
            order_id: order.id.clone(),
            wait_seconds: Some(seconds.into()),
            after_version: u64::try_from(order.version).ok(),
        };
        let next: OrderEnvelope = tokio::select! {
            answer = session.call(&request, None) => answer?,
            () = session.gone.cancelled() => break,
        };
        let is_same = next.order.version == order.version;
        // It was answered early: the server stops, or the account waits too often.
        if is_same && clock.now() < now.plus(Duration::from_secs(rest)) {
            break;
        }
        if !is_same {
            step += 1;
            session.report(step, progress(&next.order)).await;
        }
        order = next.order;
    }
    result(session, order).await
}

/// Whether only time or the provider changes the order.
const fn is_pending(order: &ServiceOrder) -> bool {
    matches!(order.status, OrderStatus::Open | OrderStatus::Working)
}

/// How far an order is, without the provider's words.
fn progress(order: &ServiceOrder) -> String {
    let percent = order.progress.as_ref().and_then(|progress| progress.percent);
    match percent {
        Some(percent) => format!("{}, {percent} %", order.status),
        None => order.status.to_string(),
    }
}

async fn result(session: &Session, order: ServiceOrder) -> Result<OrderResult, Failure> {
    if let Some(refused) = ended(&order) {
        if let Some(escrow_id) = order.escrow_id.clone() {
            // Not every provider declines it.
            hold::give_back(session, escrow_id, Some(order.id.clone())).await;
        }
        return Err(refused);
    }
    let mut texts = OrderTexts {
        output: order.output.clone(),
        prompt: order.prompt.as_ref().map(members),
        progress: order.progress.as_ref().map(members),
        deliverable: None,
    };
    let mut version = None;
    // What an escrow paid for may have been released elsewhere, or by the clock.
    if let (OrderStatus::Delivered | OrderStatus::Disputed | OrderStatus::Completed, Some(id)) =
        (&order.status, &order.escrow_id)
    {
        let request = GetEscrow { escrow_id: id.clone() };
        let EscrowEnvelope { escrow, .. } = session.call(&request, None).await?;
        version = Some(escrow.deliverable_version).filter(|_| order.closed_at.is_none());
        texts.deliverable = escrow.deliverable.as_ref().map(members);
    }
    Ok(OrderResult {
        hint: hint(&order.status).map(str::to_owned),
        status: Some(order.status.to_string()),
        id: order.client_order_id,
        order_id: Some(order.id),
        escrow_id: order.escrow_id,
        charged_credits: order.charged_credits,
        deliverable_version: version,
        untrusted: Some(texts),
        ..OrderResult::default()
    })
}

const fn hint(status: &OrderStatus) -> Option<&'static str> {
    match status {
        OrderStatus::Open | OrderStatus::Working => Some(GO_ON),
        OrderStatus::InputRequired => Some(ANSWER),
        OrderStatus::Delivered => Some(RELEASE),
        _ => None,
    }
}

/// The failure of an order that ended without its output.
fn ended(order: &ServiceOrder) -> Option<Failure> {
    let message = match order.status {
        OrderStatus::Rejected => "the provider declined the order",
        OrderStatus::Error => "the provider failed",
        OrderStatus::Refunded => "the credits were refunded",
        OrderStatus::Expired => "nobody answered in time",
        OrderStatus::Cancelled => "the order was cancelled",
        _ => return None,
    };
    Some(Failure::Refused(json!({
        "error": message,
        "code": order.status,
        "hint": ENDED,
        "orderId": order.id,
        "untrusted": { "reason": order.reason, "error": order.error },
    })))
}

/// An object of the API as its members.
fn members(object: &impl Serialize) -> Map<String, Value> {
    let value = serde_json::to_value(object).unwrap_or_default();
    value.as_object().cloned().unwrap_or_default()
}
