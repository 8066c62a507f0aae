//! Every state, every action, every caller: what the table of transitions says, and nothing else.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::escrow::{
    ActionKind, Escrow, EscrowAction, EscrowStatus, Movement, Role, TRANSITIONS, Transition, can,
};
use svc_client::types::{ApiKey, Code};

use crate::app::{Member, TestApp};
use crate::market::Market;
use crate::on_both_engines;
use crate::raw::{Raw, answer};

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Actor {
    Anonymous,
    PreAuthSlot,
    Judge,
    Buyer,
    Provider,
}
use Actor::{Anonymous, Buyer, Judge, PreAuthSlot, Provider};

/// What the provider receives of a split, in credits.
const PART: i64 = 4;

const ACTORS: [Actor; 5] = [Anonymous, PreAuthSlot, Judge, Buyer, Provider];

/// An action as it is asked for: its path, and members that are right and wrong.
struct Asked {
    kind: ActionKind,
    path: &'static str,
    right: Value,
    wrong: Value,
}

/// Every action but the clock's.
fn actions() -> Vec<Asked> {
    let resolve = |outcome: &str| json!({ "outcome": outcome, "note": "decided" });
    let ask = |kind, path, right, wrong| Asked { kind, path, right, wrong };
    vec![
        ask(ActionKind::Fund, "fund", json!({}), json!({ "expectedAmount": "10" })),
        ask(ActionKind::Cancel, "cancel", json!({}), json!({ "reason": 7 })),
        ask(ActionKind::Decline, "decline", json!({}), json!({ "reason": "" })),
        ask(
            ActionKind::Deliver,
            "deliver",
            json!({ "deliverable": { "type": "text" } }),
            json!({ "deliverable": {} }),
        ),
        ask(ActionKind::Release, "release", json!({ "rating": 5 }), json!({ "rating": 5.2 })),
        ask(ActionKind::Dispute, "dispute", json!({ "reason": "it fails" }), json!({})),
        ask(ActionKind::Respond, "dispute/respond", json!({ "response": "no" }), json!({})),
        ask(ActionKind::Refund, "refund", json!({}), json!({ "reason": "x".repeat(4001) })),
        ask(ActionKind::ResolveRelease, "resolve", resolve("release"), resolve("split")),
        ask(
            ActionKind::ResolveRefund,
            "resolve",
            resolve("refund"),
            json!({ "outcome": "refund" }),
        ),
        ask(
            ActionKind::ResolveSplit,
            "resolve",
            json!({ "outcome": "split", "providerAmount": PART, "note": "decided" }),
            json!({ "outcome": "release", "providerAmount": PART, "note": "decided" }),
        ),
        ask(
            ActionKind::Extend,
            "extend",
            json!({ "expiresIn": "60d" }),
            json!({ "expiresIn": "soon" }),
        ),
        ask(
            ActionKind::OfferSplit,
            "split",
            json!({ "providerAmount": PART }),
            json!({ "providerAmount": 0 }),
        ),
        ask(
            ActionKind::AcceptSplit,
            "split/accept",
            json!({ "offerVersion": 1 }),
            json!({ "offerVersion": 0 }),
        ),
    ]
}

/// A state an escrow can be in; a moderator knows of it when it was disputed.
#[derive(Clone, Debug)]
struct Stage {
    status: EscrowStatus,
    disputed: bool,
}

/// Every state, those behind a dispute with and without one.
fn stages() -> Vec<Stage> {
    let mut stages: Vec<Stage> = Vec::new();
    for row in TRANSITIONS {
        for status in [&row.from, &row.to] {
            let disputed = *status == EscrowStatus::Disputed || row.from == EscrowStatus::Disputed;
            let known = |stage: &Stage| stage.status == *status && stage.disputed == disputed;
            if !stages.iter().any(known) {
                stages.push(Stage { status: status.clone(), disputed });
            }
        }
    }
    stages
}

/// The server, the parties, and who else calls.
struct Table {
    market: Market,
    judge: Member,
    stranger: Member,
}

/// What a transition must and a refusal must not change.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    escrow: Escrow,
    lines: usize,
    micros: [i64; 4],
    event_counts: [u64; 4],
}

impl Table {
    async fn new(app: TestApp) -> Self {
        let market = Market::new(app).await;
        let [judge, stranger] = market.app.agents(["judge", "stranger"]).await;
        market.app.grant_role("judge", "moderator").await;
        Self { market, judge, stranger }
    }

    /// A new escrow in this stage.
    async fn escrow(&self, stage: &Stage) -> Escrow {
        self.market.app.grant_credits("ada", 100).await;
        let ended = matches!(stage.status, EscrowStatus::Released | EscrowStatus::Refunded);
        if !(ended && stage.disputed) {
            return self.market.escrow(&stage.status).await;
        }
        let id = self.market.escrow(&EscrowStatus::Disputed).await.id;
        match stage.status {
            EscrowStatus::Released => drop(self.market.ada.client.escrow().release(&id).await),
            _ => drop(self.market.bob.client.escrow().refund(&id).await),
        }
        self.market.seen(&id).await
    }

    fn member(&self, actor: Actor) -> Option<&Member> {
        match actor {
            Anonymous => None,
            PreAuthSlot => Some(&self.stranger),
            Judge => Some(&self.judge),
            Buyer => Some(&self.market.ada),
            Provider => Some(&self.market.bob),
        }
    }

    async fn ask(&self, actor: Actor, escrow: &Escrow, path: &str, members: &Value) -> Raw {
        let path = format!("/v1/escrow/{}/{path}", escrow.id);
        let request = self.market.app.raw(Method::POST, &path).json(members);
        let key = self.member(actor).map(|member| &member.key).map(ApiKey::expose);
        answer(match key {
            Some(key) => request.bearer_auth(key),
            None => request,
        })
        .await
    }

    /// The credits of both parties, all events, the escrow and its log.
    async fn seen(&self, escrow: &Escrow) -> Seen {
        let (mut micros, mut event_counts) = (Vec::new(), Vec::new());
        for actor in [Buyer, Provider, Judge, PreAuthSlot] {
            let client = &self.member(actor).unwrap().client;
            event_counts.push(client.events().list().await.unwrap().latest_seq);
            if matches!(actor, Buyer | Provider) {
                let credits = client.credits().balance().await.unwrap().credits;
                micros.extend([credits.available.micros(), credits.held.micros()]);
            }
        }
        let log = self.market.ada.client.escrow().events(&escrow.id).limit(100);
        Seen {
            escrow: self.market.seen(&escrow.id).await,
            lines: log.await.unwrap().events.len(),
            micros: micros.try_into().unwrap(),
            event_counts: event_counts.try_into().unwrap(),
        }
    }

    /// What a malformed request is answered, in the order of checks.
    fn refusal_of_form(actor: Actor, asked: &Asked) -> Code {
        match actor {
            Anonymous => Code::Unauthorized,
            PreAuthSlot | Buyer | Provider if asked.path == "resolve" => Code::Forbidden,
            _ => Code::ValidationFailed,
        }
    }

    /// What a well-formed request is refused with; none when the table lets it pass.
    fn refusal(stage: &Stage, actor: Actor, asked: &Asked) -> Option<Code> {
        let resolves = asked.path == "resolve";
        let role = match actor {
            Anonymous => return Some(Code::Unauthorized),
            PreAuthSlot | Buyer | Provider if resolves => return Some(Code::Forbidden),
            PreAuthSlot => return Some(Code::NotFound),
            Judge if !stage.disputed => return Some(Code::NotFound),
            Judge => Role::Moderator,
            Buyer => Role::Buyer,
            Provider => Role::Provider,
        };
        let may = |row: &&Transition| row.action == asked.kind && row.by.contains(&role);
        if !TRANSITIONS.iter().any(|row| may(&row)) {
            return Some(Code::Forbidden);
        }
        can(&stage.status, asked.kind).is_none().then_some(Code::WrongState)
    }

    /// One cell of the table.
    async fn all_items(&self, stage: &Stage, escrow: &Escrow, actor: Actor, asked: &Asked) {
        let what = format!("{:?} by {actor:?} in {stage:?}", asked.kind);
        let malformed = self.ask(actor, escrow, asked.path, &asked.wrong).await.refusal();
        assert_eq!(malformed.code, Self::refusal_of_form(actor, asked), "{what}, malformed");
        let Some(code) = Self::refusal(stage, actor, asked) else {
            return self.pass(stage, actor, asked, &what).await;
        };
        let received = self.ask(actor, escrow, asked.path, &asked.right).await.refusal();
        assert_eq!(received.code, code, "{what}");
        if code == Code::WrongState {
            assert_eq!(received.hint.as_deref(), Some(stage.status.as_str()), "{what}");
        }
    }

    /// A cell that lets pass, on an escrow of its own.
    async fn pass(&self, stage: &Stage, actor: Actor, asked: &Asked, what: &str) {
        let row = can(&stage.status, asked.kind).unwrap();
        let escrow = self.escrow(stage).await;
        let right = match asked.kind {
            ActionKind::AcceptSplit => self.offered(actor, &escrow).await,
            _ => asked.right.clone(),
        };
        let before = self.seen(&escrow).await;
        let received = self.ask(actor, &before.escrow, asked.path, &right).await;
        assert_eq!(received.status, 200, "{what}: {}", received.text);
        let after = self.seen(&before.escrow).await;
        assert_eq!(after.escrow.status, row.to, "{what}");
        assert_eq!(after.escrow.close_reason, row.close_reason, "{what}");
        assert_eq!(after.escrow.closed_at.is_some(), row.close_reason.is_some(), "{what}");
        assert_eq!(after.escrow.version, before.escrow.version + 1, "{what}");
        assert_eq!(after.lines, before.lines + 1, "{what}");
        assert_eq!(
            moved(&before, &after),
            expected_move(row, before.escrow.amount.micros()),
            "{what}"
        );
        let disputes = row.told_as == EscrowAction::Disputed;
        let event_counts = [actor != Buyer, actor != Provider, disputes, false].map(u64::from);
        let received: Vec<u64> =
            after.event_counts.iter().zip(before.event_counts).map(|(a, b)| a - b).collect();
        assert_eq!(received, event_counts, "{what}");
        self.check_line(&before.escrow, row, actor).await;
    }

    /// What accepts a split that the other party has just offered.
    async fn offered(&self, actor: Actor, escrow: &Escrow) -> Value {
        let other = if actor == Buyer { Provider } else { Buyer };
        let offer = json!({ "providerAmount": PART });
        assert_eq!(self.ask(other, escrow, "split", &offer).await.status, 200);
        let offered = self.market.seen(&escrow.id).await.split.unwrap();
        json!({ "offerVersion": offered.offer_version })
    }

    /// The last line of the log is that of the row.
    async fn check_line(&self, escrow: &Escrow, row: &Transition, actor: Actor) {
        let log = self.market.bob.client.escrow().events(&escrow.id).limit(100);
        let line = log.await.unwrap().events.pop().unwrap();
        // Parties do not read which moderator decided.
        let party = self.member(actor).filter(|_| actor != Judge);
        let name = party.map(|member| member.user.username.clone());
        assert_eq!((line.from.as_ref(), &line.to), (Some(&row.from), &row.to), "{row:?}");
        assert_eq!((&line.action, line.actor_username), (&row.told_as, name), "{row:?}");
    }
}

/// By how much the credits of the parties changed.
fn moved(before: &Seen, after: &Seen) -> [i64; 4] {
    std::array::from_fn(|index| after.micros[index] - before.micros[index])
}

/// By how much a row moves credits: of the buyer, held; of the provider, held.
fn expected_move(row: &Transition, amount: i64) -> [i64; 4] {
    match row.moves {
        Movement::None => [0, 0, 0, 0],
        Movement::Hold => [-amount, amount, 0, 0],
        Movement::PayProvider => [0, -amount, amount, 0],
        Movement::PayBack => [amount, -amount, 0, 0],
        Movement::Split => [amount - PART * 1_000_000, -amount, PART * 1_000_000, 0],
    }
}

on_both_engines! {
    async fn every_cell_of_the_table_holds(app: TestApp) {
        let table = Table::new(app).await;
        let (stages, actions) = (stages(), actions());
        assert_eq!(stages.len(), 9, "seven states, two of them with and without a dispute");
        for stage in &stages {
            let escrow = table.escrow(stage).await;
            let mut before = table.seen(&escrow).await;
            for actor in ACTORS {
                for asked in &actions {
                    table.all_items(stage, &escrow, actor, asked).await;
                }
            }
            // The cells that let pass have escrows of their own, and leave this one alone.
            let after = table.seen(&escrow).await;
            (before.micros, before.event_counts) = (after.micros, after.event_counts);
            assert_eq!(after, before, "{stage:?}");
        }
        table.market.is_consistent().await;
    }

    async fn a_refusal_moves_no_credits_and_sends_no_event(app: TestApp) {
        let table = Table::new(app).await;
        for stage in stages() {
            let escrow = table.escrow(&stage).await;
            let before = table.seen(&escrow).await;
            for actor in ACTORS {
                for asked in &actions() {
                    if Table::refusal(&stage, actor, asked).is_some() {
                        table.ask(actor, &escrow, asked.path, &asked.right).await.refusal();
                    }
                }
            }
            assert_eq!(table.seen(&escrow).await, before, "{stage:?}");
        }
    }

    async fn every_clock_transition_holds(
        app: TestApp, "exchange.dispute_timeout" = "90d", "exchange.dispute_timeout_outcome" = "release"
    ) {
        let table = Table::new(app).await;
        let by_clock = TRANSITIONS.iter().filter(|row| row.by.contains(&Role::System));
        for row in by_clock.filter(|row| row.action != ActionKind::ResolveRefund) {
            let stage = Stage { status: row.from.clone(), disputed: false };
            let before = table.seen(&table.escrow(&stage).await).await;
            table.market.app.advance(90 * 86_400);
            let after = table.seen(&before.escrow).await;
            let after = Seen { event_counts: table.seen(&after.escrow).await.event_counts, ..after };
            assert_eq!((&after.escrow.status, &after.escrow.close_reason), (&row.to, &row.close_reason));
            assert_eq!(after.escrow.version, before.escrow.version + 1, "{row:?}");
            assert_eq!(moved(&before, &after), expected_move(row, before.escrow.amount.micros()), "{row:?}");
            let event_counts: Vec<u64> = after.event_counts.iter().zip(before.event_counts).map(|(a, b)| a - b).collect();
            assert_eq!(event_counts, [1, 1, 0, 0], "{row:?}");
            table.check_line(&before.escrow, row, Anonymous).await;
        }
        table.market.is_consistent().await;
    }
}
