//! Escrows, orders and payouts in the state that an endpoint needs.

use serde_json::{Map, json};
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::api::orders::{ProgressState, ResponseStatus};
use svc_client::types::{MessageId, PayoutId, Rating, Span};

use super::{Ask, World};
use crate::app::Member;
use crate::payout::{connect, earn, requested, verify};

/// How long an order may be open: longer than a test takes to set all its scenes.
const ORDER_LIFE: Span = Span::from_secs(30 * 86_400);

/// An escrow in the state an endpoint needs, and whose side its party is on.
#[derive(Clone, Copy)]
pub(super) enum Deal {
    /// The party buys, and can pay by now.
    Unpaid,
    /// The party buys.
    Bought,
    /// The party buys, and the work is delivered.
    Review,
    /// The party buys, and the provider offers to split the credits.
    Offered,
    /// The party does the work.
    Sold,
    /// The party has delivered.
    Done,
    /// The party has delivered, and the buyer disputes it.
    Refused,
    /// A dispute between others.
    Foreign,
}

impl Deal {
    /// What an endpoint is asked about.
    pub(super) fn of(endpoint: &str) -> Option<Self> {
        Some(match endpoint {
            "FundEscrow" => Self::Unpaid,
            "GetEscrow"
            | "GetEscrowAttestation"
            | "ListEscrowEvents"
            | "CancelEscrow"
            | "ExtendEscrow" => Self::Bought,
            "ReleaseEscrow" | "DisputeEscrow" | "OfferSplit" => Self::Review,
            "AcceptSplit" => Self::Offered,
            "DeclineEscrow" | "DeliverEscrow" => Self::Sold,
            "RefundEscrow" => Self::Done,
            "RespondToDispute" => Self::Refused,
            "ResolveEscrow" => Self::Foreign,
            _ => return None,
        })
    }
}

impl World {
    /// An escrow over 60 credits, or 150 while it is not paid for.
    pub(super) async fn escrow(&self, deal: Deal, party: &Member) -> String {
        let (hub, bystander) = (&self.hub, &self.bystander.member);
        let (buyer, provider) = match deal {
            Deal::Unpaid | Deal::Bought | Deal::Review | Deal::Offered => (party, hub),
            Deal::Sold | Deal::Done | Deal::Refused => (hub, party),
            Deal::Foreign => (hub, bystander),
        };
        let service = if provider.user.id == hub.user.id {
            self.offer.clone()
        } else {
            offer(provider).await
        };
        let amount = if matches!(deal, Deal::Unpaid) { 150 } else { 60 };
        let name = provider.user.username.as_str();
        let opening = buyer.client.escrow().create(name, service.as_str(), amount, "a report");
        let id = opening.await.unwrap().escrow.id;
        match deal {
            Deal::Bought | Deal::Sold => {}
            Deal::Unpaid => self.app.grant_credits(&buyer.user.username, 100).await,
            Deal::Review | Deal::Done => deliver(provider, id.as_str()).await,
            Deal::Offered => {
                deliver(provider, id.as_str()).await;
                provider.client.escrow().offer_split(id.as_str(), 20).await.unwrap();
            }
            Deal::Refused | Deal::Foreign => {
                deliver(provider, id.as_str()).await;
                buyer.client.escrow().dispute(id.as_str(), "it fails").await.unwrap();
            }
        }
        id.to_string()
    }

    /// An order that a party answers, or placed.
    pub(super) async fn order(&self, ask: &Ask, party: &Member) -> MessageId {
        let input = Map::new;
        if matches!(ask.name, "AnswerOrder" | "ProgressOrder") {
            let (name, service) = (party.user.username.as_str(), offer(party).await);
            let placing = self.hub.client.orders().create(name, service, input());
            let placing = placing.max_credits(5).answer_within(ORDER_LIFE);
            return placing.await.unwrap().order.id;
        }
        if ask.path.ends_with("/sample") || ask.path.ends_with("/sample/answer") {
            return self.sample(ask, party).await;
        }
        let placing = party.client.orders().create("hub", self.offer.as_str(), input());
        let placing = placing.max_credits(5);
        let placing = match ask.name {
            "ExtendOrder" => placing,
            _ => placing.answer_within(ORDER_LIFE),
        };
        let id = placing.await.unwrap().order.id;
        if matches!(ask.name, "CreateReview" | "DeleteReview") {
            let answering = self.hub.client.orders().answer(&id, ResponseStatus::Completed);
            answering.await.unwrap();
        }
        if ask.name == "DeleteReview" {
            let rating = Rating::from_half_steps(9).unwrap();
            party.client.orders().review(&id, rating).await.unwrap();
        }
        if ask.name == "InputOrder" {
            let orders = self.hub.client.orders();
            let asking = orders.progress(&id, ProgressState::InputRequired);
            asking.prompt("Which language is it?").await.unwrap();
        }
        id
    }

    /// A completed order of a service of its own: one that the party may propose as a sample, that it is
    /// asked about, or that it has agreed to.
    async fn sample(&self, ask: &Ask, party: &Member) -> MessageId {
        let sells = ask.name == "ProposeSample";
        let (buyer, seller) = if sells { (&self.hub, party) } else { (party, &self.hub) };
        let (name, service) = (seller.user.username.as_str(), offer(seller).await);
        let placing = buyer.client.orders().create(name, service, Map::new());
        let id = placing.max_credits(5).await.unwrap().order.id;
        let output = Map::from_iter([("words".to_owned(), json!(2))]);
        let answering = seller.client.orders().answer(&id, ResponseStatus::Completed);
        answering.output(output).await.unwrap();
        if !sells {
            seller.client.orders().propose_sample(&id).await.unwrap();
        }
        if ask.name == "WithdrawSample" {
            buyer.client.orders().answer_sample(&id, true).await.unwrap();
        }
        id
    }

    /// A payout of a party, or what the party needs to ask for one.
    pub(super) async fn payout(&self, ask: &Ask, party: &Member) -> Option<PayoutId> {
        let names_one = ask.path.contains("{payoutId}");
        if names_one || matches!(ask.name, "GetPayoutAccount" | "ConnectPayouts" | "RequestPayout")
        {
            self.make_person(party).await;
            verify(&self.app, &party.user.id).await;
        }
        if ask.name == "RequestPayout" {
            connect(&self.app, &party.user.id).await;
            earn(&self.app, &party.user.id, 100).await;
        }
        if names_one { Some(requested(&self.app, party).await) } else { None }
    }
}

/// A new service of an agent.
pub(super) async fn offer(bot: &Member) -> String {
    let count = bot.client.services().list().await.unwrap().services.len();
    let offering = bot.client.services().create(format!("work {count}"), "does work", 5);
    offering.await.unwrap().service.id.to_string()
}

async fn deliver(provider: &Member, escrow: &str) {
    provider.client.escrow().deliver(escrow, Deliverable::new("text")).await.unwrap();
}
