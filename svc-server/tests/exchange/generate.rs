//! Random steps that fit the state often enough to get far, and miss it often enough to be refused.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::Union;
use svc_types::api::escrow::EscrowStatus;
use svc_types::api::messages::RequestStatus;

use crate::model::{Escrow, Model, Order};
use crate::step::{
    Act, Actor, Edge, Name, NewAnswer, NewEscrow, NewOrder, Offer, PRICE, Step, Word,
};

/// Nothing of this name exists.
const NOBODY: Name = Name(u32::MAX);

/// Any next step; rarely one about what is not there.
pub(crate) fn steps(model: &Model) -> BoxedStrategy<Step> {
    let is_open = |order: &Order| order.state == RequestStatus::Open;
    let open = model.orders.values().filter(|order| is_open(order)).count();
    let live = model.escrows.values().filter(|escrow| escrow.end.is_none()).count();
    let weight = |things: usize, each: u32| 1 + each * u32::try_from(things.min(4)).unwrap();
    let kinds: Vec<(u32, BoxedStrategy<Step>)> = vec![
        (5, orders(model)),
        (4, escrows(model)),
        (weight(open, 3), answers(model)),
        (weight(open, 1), begins(model)),
        (weight(open, 2), cancels(model)),
        (weight(live, 5), moves(model)),
        (1, grants()),
        (2, waits(model)),
        (1, Just(Step::Sweep).boxed()),
        (2, Just(Step::Again).boxed()),
        (1, Just(Step::Misuse).boxed()),
    ];
    Union::new_weighted(kinds).boxed()
}

/// True this many times out of ten.
fn often(times: u8) -> impl Strategy<Value = bool> {
    (0..10_u8).prop_map(move |roll| roll < times)
}

fn anybody() -> impl Strategy<Value = Actor> {
    select(Actor::ALL.to_vec())
}

/// Mostly buyers.
fn customers() -> impl Strategy<Value = Actor> {
    let more = [Actor::Ann, Actor::Ben].repeat(6);
    select([&more[..], &Actor::ALL].concat())
}

/// Amounts around what matters: nothing, the price, and what somebody has.
fn amounts(model: &Model) -> BoxedStrategy<i64> {
    let mut edges = vec![0, 1, PRICE - 1, PRICE, PRICE + 1, 1_000_000_000];
    for balance in model.available.values() {
        edges.extend([*balance, balance + 1]);
    }
    prop_oneof![2 => select(edges), 3 => 1..PRICE].boxed()
}

fn grants() -> BoxedStrategy<Step> {
    let by = prop_oneof![4 => Just(Actor::Ada), 1 => anybody()];
    let micros = prop_oneof![1 => Just(0_i64), 8 => 1..2 * PRICE];
    (by, select(Actor::TRADERS.to_vec()), micros)
        .prop_map(|(by, to, micros)| Step::Grant { by, to, micros })
        .boxed()
}

/// A service and the account it is ordered from, mostly its provider.
fn offers() -> impl Strategy<Value = (Offer, Actor)> {
    let offer = prop_oneof![
        8 => select(vec![Offer::Review, Offer::Art]),
        1 => select(vec![Offer::Retired, Offer::Unknown]),
    ];
    (offer, often(9), anybody()).prop_map(|(offer, right, other)| {
        let with = offer.provider().filter(|_| right);
        (offer, with.unwrap_or(other))
    })
}

fn escrows(model: &Model) -> BoxedStrategy<Step> {
    let life = select(vec![Some(60), Some(3_600), Some(86_400), None]);
    let name = Name(model.next);
    (customers(), offers(), amounts(model), life)
        .prop_map(move |(by, (offer, with), micros, life)| {
            Step::Open(NewEscrow { name, by, with, offer, micros, life })
        })
        .boxed()
}

fn orders(model: &Model) -> BoxedStrategy<Step> {
    let name = Name(model.next);
    let funded: Vec<(Name, Escrow)> = live_escrows(model)
        .into_iter()
        .filter(|(_, escrow)| escrow.status == EscrowStatus::Funded)
        .collect();
    let weight = if funded.is_empty() { 12 } else { 2 };
    let all: Vec<Name> = model.escrows.keys().copied().chain([NOBODY]).collect();
    let direct = (customers(), offers(), amounts(model), often(9), often(5))
        .prop_map(move |(by, (offer, to), micros, fits, by_endpoint)| {
            let escrow = None;
            NewOrder { name, by, to, offer, micros, escrow, fits, by_endpoint }
        })
        .boxed();
    let paid = (direct.clone(), any::<Index>(), often(7), any::<Index>()).prop_map(
        move |(order, one, right, other)| {
            if right && !funded.is_empty() {
                fitting(&order, one.get(&funded))
            } else {
                NewOrder { escrow: Some(*other.get(&all)), ..order }
            }
        },
    );
    prop_oneof![weight => direct, 3 => paid].prop_map(Step::Order).boxed()
}

/// The order that an escrow was opened for.
fn fitting(order: &NewOrder, (name, escrow): &(Name, Escrow)) -> NewOrder {
    NewOrder {
        by: escrow.buyer,
        to: escrow.provider,
        offer: escrow.offer,
        micros: escrow.micros,
        escrow: Some(*name),
        ..order.clone()
    }
}

fn answers(model: &Model) -> BoxedStrategy<Step> {
    let all: Vec<(Name, Order)> =
        model.orders.iter().map(|(name, order)| (*name, order.clone())).collect();
    let is_open = |(_, order): &&(Name, Order)| order.state == RequestStatus::Open;
    let mut open: Vec<(Name, Order)> = all.iter().filter(is_open).cloned().collect();
    open.extend(to_complete(model).into_iter().cycle().take(2 * open.len()));
    let words = [Word::Completed, Word::Completed, Word::Completed];
    let words = [&words[..], &[Word::Rejected, Word::Error, Word::Delivered]].concat();
    let parties = (often(8), anybody(), anybody());
    (any::<Index>(), often(8), parties, select(words), 0..6_u8)
        .prop_map(move |(which, is_open, parties, word, charge)| {
            let some = if is_open && !open.is_empty() { &open } else { &all };
            let order = (!some.is_empty()).then(|| which.get(some));
            Step::Answer(answering(order, parties, word, charge))
        })
        .boxed()
}

/// An order, mostly an open one, and who begins or cancels it: mostly the right side.
fn orders_with(
    model: &Model,
    side: fn(&Order) -> Actor,
) -> impl Strategy<Value = (Actor, Name)> + use<> {
    let all: Vec<(Name, Order)> =
        model.orders.iter().map(|(name, order)| (*name, order.clone())).collect();
    let is_open = |(_, order): &&(Name, Order)| order.state == RequestStatus::Open;
    let open: Vec<(Name, Order)> = all.iter().filter(is_open).cloned().collect();
    (any::<Index>(), often(8), often(8), anybody()).prop_map(
        move |(which, is_open, right, other)| {
            let some = if is_open && !open.is_empty() { &open } else { &all };
            if some.is_empty() {
                return (other, NOBODY);
            }
            let (name, order) = which.get(some);
            (if right { side(order) } else { other }, *name)
        },
    )
}

fn begins(model: &Model) -> BoxedStrategy<Step> {
    let orders = orders_with(model, |order| order.provider);
    orders.prop_map(|(by, order)| Step::Begin { by, order }).boxed()
}

fn cancels(model: &Model) -> BoxedStrategy<Step> {
    let orders = orders_with(model, |order| order.requester);
    orders.prop_map(|(by, order)| Step::CancelOrder { by, order }).boxed()
}

/// Open orders whose escrow was released, which is seldom.
fn to_complete(model: &Model) -> Vec<(Name, Order)> {
    let is_released = |name: &Name| model.escrows[name].status == EscrowStatus::Released;
    let orders = model.orders.iter().filter(|(_, order)| order.state == RequestStatus::Open);
    let paid = orders.filter(|(_, order)| order.escrow.as_ref().is_some_and(is_released));
    paid.map(|(name, order)| (*name, order.clone())).collect()
}

/// An answer to this order; by the right party if that is wished.
fn answering(
    order: Option<&(Name, Order)>,
    (right, by, to): (bool, Actor, Actor),
    word: Word,
    charge: u8,
) -> NewAnswer {
    let Some((name, order)) = order else {
        return NewAnswer { by, to, order: NOBODY, word, charged: None };
    };
    let (by, to) = if right { (order.provider, order.requester) } else { (by, to) };
    NewAnswer { by, to, order: *name, word, charged: charge_of(word, charge, order.micros) }
}

/// Nothing said, all, half, none, or too much; mostly nothing said where nothing may be charged.
fn charge_of(word: Word, charge: u8, offered: i64) -> Option<i64> {
    match (word, charge) {
        (Word::Completed, 2) => Some(offered),
        (Word::Completed, 3) => Some(offered / 2),
        (_, 4) => Some(0),
        (_, 5) => Some(offered + 1),
        _ => None,
    }
}

/// Escrows that are not over, or all if all are.
fn live_escrows(model: &Model) -> Vec<(Name, Escrow)> {
    let is_live = |escrow: &Escrow| escrow.end.is_none();
    let all = model.escrows.iter().map(|(name, escrow)| (*name, escrow.clone()));
    let live: Vec<_> = all.clone().filter(|(_, escrow)| is_live(escrow)).collect();
    if live.is_empty() { all.collect() } else { live }
}

fn moves(model: &Model) -> BoxedStrategy<Step> {
    let live = live_escrows(model);
    let all: Vec<Name> = model.escrows.keys().copied().chain([NOBODY]).collect();
    let rating = proptest::option::weighted(0.9, 2..=10_u8);
    (any::<Index>(), often(8), anybody(), any::<Index>(), 0..6_u32, rating)
        .prop_map(move |(which, right, anybody, act, number, rating)| {
            if right && !live.is_empty() {
                let (name, escrow) = which.get(&live);
                let (by, act) = *act.get(&sensible(escrow, number, rating));
                return Step::Move { by, escrow: *name, act };
            }
            let amount = i64::from(number) * 1_000_000 + 1;
            let acts = every_act(Some(amount).filter(|_| number > 3), Some(number + 1), rating);
            Step::Move { by: anybody, escrow: *which.get(&all), act: *act.get(&acts) }
        })
        .boxed()
}

/// What somebody may want in this state.
fn sensible(escrow: &Escrow, number: u32, half_steps: Option<u8>) -> Vec<(Actor, Act)> {
    let (buyer, provider) = (escrow.buyer, escrow.provider);
    let version = version_of(escrow, number);
    let release = (buyer, Act::Release { version, half_steps });
    let (deliver, refund) = ((provider, Act::Deliver), (provider, Act::Refund));
    let (cancel, decline) = ((buyer, Act::Cancel), (provider, Act::Decline));
    let dispute = (buyer, Act::Dispute);
    let extend = (buyer, Act::Extend { seconds: (u64::from(number) + 2) * 17 * 86_400 });
    let splits = splits(escrow, number);
    match escrow.status {
        EscrowStatus::Created => {
            let fund = (buyer, Act::Fund { expected: amount_of(escrow, number) });
            vec![fund, fund, cancel, decline, extend]
        }
        EscrowStatus::Funded => [&[deliver; 8][..], &[cancel, decline, extend]].concat(),
        EscrowStatus::Delivered => {
            let most = [release, release, release, deliver, dispute, dispute, refund];
            [&most[..], &splits].concat()
        }
        _ => {
            let most = [
                release,
                refund,
                (provider, Act::Respond),
                (Actor::Mia, Act::Resolve { for_provider: true }),
                (Actor::Ada, Act::Resolve { for_provider: false }),
                (Actor::Mia, Act::ResolveSplit { part: i64::from(number) * 3_000_000 + 1 }),
            ];
            [&most[..], &splits].concat()
        }
    }
}

/// Offers of both parties, and who accepts the one that stands, mostly by its version.
fn splits(escrow: &Escrow, number: u32) -> Vec<(Actor, Act)> {
    let offer = Act::OfferSplit { part: i64::from(number) * 3_000_000 + 1 };
    let offers = [(escrow.buyer, offer), (escrow.provider, offer)];
    let Some((_, by, version)) = escrow.split else { return offers.to_vec() };
    let other = if by == escrow.buyer { escrow.provider } else { escrow.buyer };
    let version = u32::try_from(version).unwrap() + u32::from(number == 5);
    let accept = Act::AcceptSplit { version };
    vec![(other, accept), (other, accept), (by, accept), offers[0], offers[1]]
}

/// The amount a buyer believes in: right, wrong, or none said.
fn amount_of(escrow: &Escrow, number: u32) -> Option<i64> {
    [escrow.micros, escrow.micros + 1].get(usize::try_from(number).unwrap()).copied()
}

/// The delivery a buyer accepts: the last one, another one, or none said.
fn version_of(escrow: &Escrow, number: u32) -> Option<u32> {
    let last = u32::try_from(escrow.delivery).unwrap();
    [last.max(1), last.max(1), last + 1].get(usize::try_from(number).unwrap()).copied()
}

fn every_act(expected: Option<i64>, version: Option<u32>, half_steps: Option<u8>) -> [Act; 14] {
    [
        Act::Fund { expected },
        Act::Cancel,
        Act::Decline,
        Act::Deliver,
        Act::Release { version, half_steps },
        Act::Dispute,
        Act::Respond,
        Act::Refund,
        Act::Resolve { for_provider: true },
        Act::Resolve { for_provider: false },
        Act::Extend { seconds: 20 * 86_400 },
        Act::OfferSplit { part: 1 },
        Act::AcceptSplit { version: version.unwrap_or(1) },
        Act::ResolveSplit { part: 1 },
    ]
}

/// Mostly to the deadlines that come first, so that the others still matter afterwards.
fn waits(model: &Model) -> BoxedStrategy<Step> {
    let names = model.escrows.keys().chain(model.orders.keys());
    let mut due: Vec<(i64, Name)> =
        names.filter_map(|name| Some((model.due(*name)?, *name))).collect();
    due.sort();
    let edge = select(vec![Edge::Before, Edge::At, Edge::After]);
    let seconds = select(vec![1_i64, 59, 600, 3_600, 86_400]);
    (any::<[Index; 3]>(), often(8), edge, seconds)
        .prop_map(move |(which, near, edge, seconds)| {
            if near && !due.is_empty() {
                let first = which.iter().map(|which| which.index(due.len())).min().unwrap();
                Step::WaitFor { name: due[first].1, edge }
            } else {
                Step::Wait { seconds }
            }
        })
        .boxed()
}
