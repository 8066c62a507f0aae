//! Random steps that fit the state often enough to get far, and miss it often enough to be refused.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::Union;
use svc_types::api::conversations::ConversationFolder as Folder;
use svc_types::api::messages::RequestStatus;
use svc_types::api::posts::ReplyPolicy;
use svc_types::api::users::DmPolicy;

use super::model::{Message, Model};
use super::step::{
    Call, List, Measure, NewPost, Reaction, Relation, Rights, Signer, Step, Talk, Words,
};
use crate::model::Order;
use crate::step::{Actor, Name, NewAnswer, NewOrder, Offer, PRICE, Word};

/// Nothing of this name exists.
const NOBODY: Name = Name(u32::MAX);

/// A history does not last until deleted accounts are erased.
const LAST: i64 = 12 * 86_400_000;

/// Any next step; rarely one about what is not there.
pub(super) fn steps(model: &Model) -> BoxedStrategy<Step> {
    let posts = if model.posts.is_empty() { 1 } else { 4 };
    let messages = if model.messages.is_empty() { 1 } else { 4 };
    let mut kinds: Vec<(u32, BoxedStrategy<Step>)> = vec![
        (4, publish(model)),
        (2 * posts, react(model)),
        (posts, change_post(model)),
        (5, relate()),
        (6, send(model)),
        (messages, handle_messages(model)),
        (3, accounts(model)),
        (3, moderate(model)),
        (3, keys(model)),
        (2, Just(Step::Again).boxed()),
        (6, look(model)),
    ];
    if model.now < LAST {
        kinds.push((3, waits()));
    }
    if model.has_market {
        kinds.push((8, trade(model)));
    }
    Union::new_weighted(kinds).boxed()
}

/// True this many times out of ten.
fn often(times: u8) -> impl Strategy<Value = bool> {
    (0..10_u8).prop_map(move |roll| roll < times)
}

/// Mostly the first ones, so that they meet.
fn anybody() -> impl Strategy<Value = Actor> {
    let most = [Actor::Ann, Actor::Ben, Actor::Cora].repeat(4);
    select([&most[..], &[Actor::Dan]].concat())
}

/// Mostly somebody's default key.
fn signers(model: &Model) -> BoxedStrategy<Signer> {
    let mut named: Vec<Name> = model.keys.keys().copied().collect();
    let weight = if named.is_empty() { 1 } else { 8 };
    named.push(NOBODY);
    prop_oneof![
        36 => anybody().prop_map(Signer::Default),
        weight => select(named).prop_map(Signer::Named),
        1 => anybody().prop_map(Signer::Former),
        1 => Just(Signer::Nobody),
    ]
    .boxed()
}

fn by_any(model: &Model, calls: impl Strategy<Value = Call> + 'static) -> BoxedStrategy<Step> {
    (signers(model), calls).prop_map(|(by, call)| Step::Call { by, call }).boxed()
}

/// A post, mostly one that is there.
fn posts(model: &Model) -> BoxedStrategy<Name> {
    let all: Vec<Name> = model.posts.keys().copied().collect();
    pick(all)
}

fn pick(all: Vec<Name>) -> BoxedStrategy<Name> {
    if all.is_empty() {
        return Just(NOBODY).boxed();
    }
    prop_oneof![15 => select(all), 1 => Just(NOBODY)].boxed()
}

fn words(model: &Model) -> impl Strategy<Value = Words> + use<> {
    let number = model.next;
    let mention = proptest::option::weighted(0.4, anybody());
    mention.prop_map(move |mention| Words { number, mention })
}

/// Mostly replies, which have no window.
fn publish(model: &Model) -> BoxedStrategy<Step> {
    let name = Name(model.next);
    let parent = if model.posts.is_empty() { 0.1 } else { 0.6 };
    let parent = proptest::option::weighted(parent, posts(model));
    let quote = proptest::option::weighted(parent_weight(model), posts(model));
    let policies = [ReplyPolicy::Following, ReplyPolicy::Mentioned, ReplyPolicy::None];
    let policy = select([&vec![ReplyPolicy::Everyone; 6][..], &policies].concat());
    let new =
        (words(model), parent, quote, policy).prop_map(move |(words, parent, quote, policy)| {
            Call::Post(NewPost { name, words, parent, quote, policy })
        });
    by_any(model, new)
}

fn parent_weight(model: &Model) -> f64 {
    if model.posts.is_empty() { 0.02 } else { 0.25 }
}

fn react(model: &Model) -> BoxedStrategy<Step> {
    use Reaction::{Bookmark, Like, Mute, Pin, Repost};
    let reactions = select(vec![Like, Like, Like, Repost, Repost, Pin, Mute, Bookmark]);
    let calls = (posts(model), reactions, often(7)).prop_map(|(post, reaction, on)| Call::React {
        post,
        reaction,
        on,
    });
    let all: Vec<(Name, Actor)> =
        model.posts.iter().map(|(name, post)| (*name, post.author)).collect();
    if all.is_empty() {
        return by_any(model, calls);
    }
    let own = (any::<Index>(), often(8)).prop_map(move |(which, on)| {
        let (post, author) = *which.get(&all);
        Step::Call { by: Signer::Default(author), call: Call::React { post, reaction: Pin, on } }
    });
    prop_oneof![5 => by_any(model, calls), 1 => own].boxed()
}

/// Mostly by the author.
fn change_post(model: &Model) -> BoxedStrategy<Step> {
    let all: Vec<(Name, Actor)> =
        model.posts.iter().map(|(name, post)| (*name, post.author)).collect();
    let words = words(model);
    (any::<Index>(), signers(model), often(7), often(5), words)
        .prop_map(move |(which, other, right, edits, words)| {
            let (post, author) =
                if all.is_empty() { (NOBODY, Actor::Ann) } else { *which.get(&all) };
            let by = if right { Signer::Default(author) } else { other };
            let call = if edits { Call::Edit { post, words } } else { Call::DeletePost(post) };
            Step::Call { by, call }
        })
        .boxed()
}

fn relate() -> BoxedStrategy<Step> {
    let relations = prop_oneof![
        5 => Just(Relation::Follow),
        2 => Just(Relation::Block),
        2 => select(vec![None, Some(600), Some(86_400)]).prop_map(Relation::Mute),
    ];
    (anybody(), anybody(), relations, often(7))
        .prop_map(|(who, whom, relation, on)| {
            let call = Call::Relate { whom, relation, on };
            Step::Call { by: Signer::Default(who), call }
        })
        .boxed()
}

fn send(model: &Model) -> BoxedStrategy<Step> {
    let name = Name(model.next);
    let client_id = proptest::option::weighted(0.2, 0..2_u8);
    let calls = (anybody(), client_id).prop_map(move |(to, client_id)| Call::Message {
        name,
        to,
        client_id,
    });
    by_any(model, calls)
}

/// Mostly by the recipient.
fn handle_messages(model: &Model) -> BoxedStrategy<Step> {
    let all: Vec<(Name, Message)> =
        model.messages.iter().map(|(name, message)| (*name, message.clone())).collect();
    let talks = select(vec![
        Talk::Accept,
        Talk::Decline,
        Talk::Decline,
        Talk::Mute(true),
        Talk::Mute(false),
    ]);
    (any::<Index>(), signers(model), 0..10_u8, talks, 0..4_u8)
        .prop_map(move |(which, other, right, talk, what)| {
            let Some((name, message)) = (!all.is_empty()).then(|| which.get(&all)) else {
                return Step::Call { by: other, call: Call::ReadUpTo(NOBODY) };
            };
            let (by, with) = match right {
                0..7 => (Signer::Default(message.to), message.from),
                7..9 => (Signer::Default(message.from), message.to),
                _ => (other, message.from),
            };
            let call = match what {
                0 => Call::DeleteMessage(*name),
                1 | 2 => Call::Converse { with, talk },
                _ => Call::ReadUpTo(*name),
            };
            Step::Call { by, call }
        })
        .boxed()
}

fn accounts(model: &Model) -> BoxedStrategy<Step> {
    let dm = select(vec![
        None,
        Some(DmPolicy::All),
        Some(DmPolicy::Following),
        Some(DmPolicy::Following),
        Some(DmPolicy::None),
    ]);
    let number = model.next;
    let profile = (dm, often(5))
        .prop_map(move |(dm, named)| Call::Profile { number: named.then_some(number), dm });
    let deleted = model.accounts.iter().filter(|(_, it)| it.is_deleted).map(|(who, _)| *who);
    let deleted: Vec<Actor> = deleted.collect();
    let restore = if deleted.is_empty() {
        by_any(model, Just(Call::Restore))
    } else {
        let call = |who| Step::Call { by: Signer::Default(who), call: Call::Restore };
        select(deleted.clone()).prop_map(call).boxed()
    };
    let register = anybody().prop_map(|who| {
        let who = if who == Actor::Ben { who } else { Actor::Dan };
        Step::Call { by: Signer::Nobody, call: Call::Register(who) }
    });
    let weight = if deleted.is_empty() { 1 } else { 8 };
    prop_oneof![
        3 => by_any(model, profile),
        2 => by_any(model, Just(Call::Delete)),
        weight => restore,
        2 => register,
    ]
    .boxed()
}

fn moderate(model: &Model) -> BoxedStrategy<Step> {
    let suspended = model.accounts.iter().filter(|(_, it)| it.is_suspended).map(|(who, _)| *who);
    let hidden = model.posts.iter().filter(|(_, it)| it.is_hidden).map(|(name, _)| *name);
    let mut lifts: Vec<Measure> = suspended.map(Measure::Suspend).collect();
    lifts.extend(hidden.map(Measure::Hide));
    let weight = if lifts.is_empty() { 1 } else { 6 };
    lifts.push(Measure::Suspend(Actor::Ann));
    let measures = prop_oneof![
        1 => anybody().prop_map(Measure::Suspend),
        2 => posts(model).prop_map(Measure::Hide),
    ];
    let measures = prop_oneof![
        5 => (measures, Just(true)),
        weight => (select(lifts), Just(false)),
    ];
    let by = prop_oneof![9 => Just(Actor::Mia), 1 => anybody()];
    (by, measures)
        .prop_map(|(by, (measure, on))| Step::Call {
            by: Signer::Default(by),
            call: Call::Moderate { measure, on },
        })
        .boxed()
}

fn keys(model: &Model) -> BoxedStrategy<Step> {
    let name = Name(model.next);
    let rights = select(vec![Rights::Read, Rights::Write, Rights::Talk, Rights::All, Rights::All]);
    let hours = proptest::option::weighted(0.3, 1..3_u64);
    let make = (0..2_u8, rights, hours).prop_map(move |(label, rights, hours)| Call::MakeKey {
        name,
        label,
        rights,
        hours,
    });
    let named: Vec<Name> = model.keys.keys().copied().collect();
    let owned: Vec<(Name, Actor)> = model.keys.iter().map(|(name, it)| (*name, it.owner)).collect();
    let end = (any::<Index>(), signers(model), often(7), pick(named)).prop_map(
        move |(which, by, is_own, any)| {
            if is_own && !owned.is_empty() {
                let (name, signer) = *which.get(&owned);
                return Step::Call { by: Signer::Default(signer), call: Call::EndKey(name) };
            }
            Step::Call { by, call: Call::EndKey(any) }
        },
    );
    let calls = prop_oneof![
        5 => make,
        2 => Just(Call::Regenerate),
        1 => Just(Call::ReadAllNotifications),
    ]
    .boxed();
    let by_made = (pick(model.keys.keys().copied().collect()), calls.clone())
        .prop_map(|(key, call)| Step::Call { by: Signer::Named(key), call });
    let weight = if model.keys.is_empty() { 0 } else { 3 };
    prop_oneof![4 => by_any(model, calls), weight => by_made, 1 => end].boxed()
}

/// Near the ends of windows, mutes, keys and budgets.
fn waits() -> BoxedStrategy<Step> {
    let most = vec![1, 599, 600, 601, 1_800, 1_799, 3_600, 3_600, 7_200];
    let rare = vec![43_200, 86_399, 86_400, 172_800];
    prop_oneof![4 => select(most), 1 => select(rare)]
        .prop_map(|seconds| Step::Wait { seconds })
        .boxed()
}

fn look(model: &Model) -> BoxedStrategy<Step> {
    let folders = select(vec![Folder::Inbox, Folder::Requests, Folder::Declined]);
    let lists = prop_oneof![
        3 => anybody().prop_map(List::Profile),
        1 => anybody().prop_map(List::Followers),
        3 => posts(model).prop_map(List::Post),
        2 => anybody().prop_map(List::PostsOf),
        2 => Just(List::Feed),
        1 => Just(List::Global),
        2 => Just(List::Notifications),
        2 => Just(List::Unread),
        2 => folders.prop_map(List::Conversations),
        1 => anybody().prop_map(List::Messages),
        1 => Just(List::Keys),
        1 => Just(List::Credits),
    ];
    (anybody(), lists).prop_map(|(by, at)| Step::Look { by, at }).boxed()
}

fn trade(model: &Model) -> BoxedStrategy<Step> {
    let name = Name(model.next);
    let is_open = |order: &Order| order.state == RequestStatus::Open;
    let mut some: Vec<(Name, Order)> = Vec::new();
    for (name, order) in &model.deals.orders {
        let times = if is_open(order) { 4 } else { 1 };
        some.extend(std::iter::repeat_n((*name, order.clone()), times));
    }
    let orders = by_any(model, order(name));
    if some.is_empty() {
        return orders;
    }
    let words = select(vec![
        Word::Completed,
        Word::Completed,
        Word::Completed,
        Word::Rejected,
        Word::Error,
        Word::Delivered,
    ]);
    let handle = (any::<Index>(), signers(model), often(8), words, 0..6_u8, 0..6_u8).prop_map(
        move |(which, other, right, word, charge, what)| {
            let (order, of) = which.get(&some);
            let (buyer, seller) = (of.requester, of.provider);
            let charged = [None, None, None, Some(of.micros / 2), Some(of.micros), Some(PRICE * 2)];
            let charged = charged[usize::from(charge)];
            let answer = NewAnswer { by: seller, to: buyer, order: *order, word, charged };
            let (by, call) = match what {
                0 => (seller, Call::Begin(*order)),
                1 => (buyer, Call::CancelOrder(*order)),
                2 if charge < 3 => ([buyer, seller][usize::from(charge) % 2], Call::Delete),
                _ => (seller, Call::Answer(name, answer)),
            };
            Step::Call { by: if right { Signer::Default(by) } else { other }, call }
        },
    );
    prop_oneof![2 => orders, 4 => handle].boxed()
}

fn order(name: Name) -> impl Strategy<Value = Call> {
    let offers = select(vec![Offer::Review, Offer::Review, Offer::Art, Offer::Art, Offer::Retired]);
    let micros = select(vec![0, 1, PRICE, PRICE, PRICE + 6_000_000]);
    (offers, often(9), anybody(), micros, often(9), often(5)).prop_map(
        move |(offer, right, other, micros, fits, by_endpoint)| {
            let to = offer.provider().filter(|_| right).unwrap_or(other);
            let by = Actor::Ann;
            Call::Order(NewOrder { name, by, to, offer, micros, escrow: None, fits, by_endpoint })
        },
    )
}
