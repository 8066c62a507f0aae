//! Every endpoint with a request about real objects, for tests that visit all endpoints.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use http::{Method, StatusCode};
use reqwest::RequestBuilder;
use serde_json::{Map, Value, json};
use svc_client::types::api::channels::ChannelVisibility;
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::api::moderation::ReportOutcome;
use svc_client::types::api::orders::{ProgressState, ResponseStatus};
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::api::services::Acceptance;
use svc_client::types::samples::{self, SampleVisitor};
use svc_client::types::{
    ApiKey, By, CeremonyId, ChannelId, DeveloperKey, Endpoint, FactorCode, MessageId, PasskeyId,
    PaymentId, PayoutId, Rating, Scope, Scopes, SessionId, Span, UserId, Who, wire,
};
use svc_core::services::{mail, passkey, session};
use svc_store::{sql, values};

use crate::app::{Developer, Member, TestApp};
use crate::device::Device;
use crate::email::{mails, one_mail};
use crate::factors::{authenticator, shown};
use crate::payout::{connect, earn, requested, verify};
use crate::purchase::buy;

/// When posts are scheduled: later than any test lasts.
const SOON: Duration = Duration::from_hours(60 * 24);

/// How long an order may be open: longer than a test takes to set all its scenes.
const ORDER_LIFE: Span = Span::from_secs(30 * 86_400);

pub(crate) const PASSWORD: &str = "correct horse";

/// An endpoint, and what a valid request to it sends.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) name: &'static str,
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) who: Who,
    pub(crate) scopes: Scopes,
    pub(crate) status: StatusCode,
    pub(crate) is_secret: bool,
    /// Path parameters too.
    pub(crate) members: Map<String, Value>,
    /// Whether a path and a body have the form it wants.
    pub(crate) understands: fn(&[&str], &[u8]) -> bool,
    /// The texts it takes from a body.
    pub(crate) texts: fn(&[u8]) -> Vec<String>,
}

/// Every endpoint.
pub(crate) fn asks() -> Vec<Ask> {
    struct Asks(Vec<Ask>);
    impl SampleVisitor for Asks {
        fn visit<E: Endpoint>(&mut self, sample: E) {
            let mut members = serde_json::to_value(sample).unwrap();
            let members = members.as_object_mut().unwrap();
            members.retain(|_, value| !value.is_null());
            self.0.push(Ask {
                name: E::NAME,
                method: E::METHOD,
                path: E::PATH,
                who: <E::By as By>::WHO,
                scopes: E::SCOPES,
                status: E::STATUS,
                is_secret: E::SECRET,
                members: members.clone(),
                understands: |path, body| wire::decode::<E>(path, "", body).is_ok(),
                texts: texts::<E>,
            });
        }
    }
    let mut asks = Asks(Vec::new());
    samples::visit(&mut asks);
    asks.0
}

/// The texts that an endpoint reads from a body, regardless of its path.
fn texts<E: Endpoint>(body: &[u8]) -> Vec<String> {
    let path: Vec<&str> = svc_client::types::endpoint::path_parameters(E::PATH).collect();
    let mut texts = Vec::new();
    let request: E = wire::decode(&path, "", body).unwrap();
    wire::visit_texts(&request, |_, text| texts.push(text.to_owned()));
    texts
}

impl Ask {
    /// Whether a cookie or an account's key is checked.
    pub(crate) const fn is_of_accounts(&self) -> bool {
        !matches!(self.who, Who::Anyone | Who::Developer)
    }

    /// The parameters in the path.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'static str> {
        svc_client::types::endpoint::path_parameters(self.path)
    }

    /// The request by the travel rule, without a credential.
    pub(crate) fn request(&self, app: &TestApp) -> RequestBuilder {
        let mut members = self.members.clone();
        let mut path = self.path.to_owned();
        for name in self.parameters() {
            let value = members.remove(name).unwrap();
            path = path.replace(&format!("{{{name}}}"), value.as_str().unwrap());
        }
        if !wire::in_query(&self.method) {
            let request = app.raw(self.method.clone(), &path);
            return if members.is_empty() { request } else { request.json(&members) };
        }
        let text = |value: Value| value.as_str().map_or(value.to_string(), str::to_owned);
        let pairs = members.into_iter().map(|(name, value)| format!("{name}={}", text(value)));
        let query: Vec<String> = pairs.collect();
        app.raw(self.method.clone(), &format!("{path}?{}", query.join("&")))
    }
}

/// An account with private things: an address, a conversation, a message.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) member: Member,
    message: String,
    conversation: String,
}

impl Side {
    pub(crate) fn name(&self) -> &str {
        &self.member.user.username
    }

    /// Texts that only this account may read.
    pub(crate) fn marks(&self) -> [&str; 4] {
        let email = self.member.user.email.as_deref().unwrap();
        [email, &self.message, &self.conversation, self.member.key.expose()]
    }
}

/// A server with an account everybody has written with, an app, and a bystander.
pub(crate) struct World {
    pub(crate) app: TestApp,
    hub: Member,
    /// A service of the account everybody has written with.
    offer: String,
    pub(crate) bystander: Side,
    /// An admin who is no party of anything.
    pub(crate) staff: Member,
    pub(crate) gate: Developer,
    password_hash: String,
    count: AtomicU32,
}

/// What one request is about: an account, a post of it, and the deal an endpoint needs.
pub(crate) struct Scene {
    pub(crate) party: Side,
    post: String,
    token: String,
    service: Option<String>,
    escrow: Option<String>,
    order: Option<MessageId>,
    list: Option<String>,
    app: Option<String>,
    channel: Option<(ChannelId, MessageId)>,
    report: Option<String>,
    scheduled_post: Option<String>,
    webhook: Option<Hook>,
    key: Option<String>,
    session: Option<SessionId>,
    /// The first code of an authenticator app.
    code: Option<FactorCode>,
    /// A passkey of the party.
    passkey: Option<PasskeyId>,
    /// A ceremony that the party has begun, and the answer of its device.
    ceremony: Option<(CeremonyId, Map<String, Value>)>,
    /// An agent that the party owns.
    agent: Option<String>,
    invite: Option<String>,
    /// An account that waits for approval.
    signup: Option<UserId>,
    /// The token of a link in a mail.
    link: Option<String>,
    /// What the party bought.
    payment: Option<PaymentId>,
    /// What the party asked to be paid.
    payout: Option<PayoutId>,
}

/// A webhook that is disabled and has a new secret besides, with what is asked about it.
struct Hook {
    id: String,
    delivery: String,
    recovery: String,
}

impl Hook {
    /// The id that a member of a request names.
    fn id(&self, member: &str) -> &str {
        match member {
            "deliveryId" => &self.delivery,
            "recoveryId" => &self.recovery,
            _ => &self.id,
        }
    }
}

/// An escrow in the state an endpoint needs, and whose side its party is on.
#[derive(Clone, Copy)]
enum Deal {
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
    fn of(endpoint: &str) -> Option<Self> {
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
    pub(crate) async fn new(app: TestApp) -> Self {
        let passwords = &app.server.app().passwords;
        let password_hash = passwords.hash(PASSWORD.to_owned()).await.unwrap();
        let hub = app.agent("hub").await;
        let staff = app.agent("judge").await;
        app.grant_role("judge", "admin").await;
        app.grant_credits("hub", 1_000_000).await;
        let offer = offer(&hub).await;
        let services = hub.client.services();
        services.update(offer.as_str()).acceptance(Acceptance::Explicit).await.unwrap();
        let gate = app.developer("Gate of the bystander").await;
        let count = AtomicU32::new(0);
        let bystander = side(&app, &hub, "bystander", &password_hash).await;
        Self { app, hub, offer, bystander, staff, gate, password_hash, count }
    }

    /// A name that is not in use.
    fn name(&self, kind: &str) -> String {
        format!("{kind}_{}", self.count.fetch_add(1, Ordering::Relaxed))
    }

    /// A new account with its private things.
    pub(crate) async fn side(&self, kind: &str) -> Side {
        side(&self.app, &self.hub, &self.name(kind), &self.password_hash).await
    }

    /// A new account, its post, and a slot for the next one.
    pub(crate) async fn scene(&self) -> Scene {
        let party = self.side("party").await;
        let post = party.member.client.posts().create("for everybody").await.unwrap().post;
        self.free_slot(&party.member.user.id).await;
        let token = party.member.client.agents().create_identity_token().await.unwrap().token;
        let token = token.expose().to_owned();
        Scene {
            party,
            post: post.id.to_string(),
            token,
            service: None,
            escrow: None,
            order: None,
            report: None,
            scheduled_post: None,
            list: None,
            app: None,
            webhook: None,
            channel: None,
            key: None,
            session: None,
            code: None,
            passkey: None,
            ceremony: None,
            agent: None,
            invite: None,
            signup: None,
            link: None,
            payment: None,
            payout: None,
        }
    }

    /// Lets an account post again. Moving the clock instead would start every task of the server.
    async fn free_slot(&self, account: &UserId) {
        let account = account.clone();
        let sql = sql!("update account set last_post_at = null where id = $1");
        self.app.execute(move |ctx| ctx.tx.execute(sql, values![account])).await;
    }

    /// A scene with the deal this endpoint needs.
    pub(crate) async fn scene_of(&self, ask: &Ask) -> Scene {
        let mut scene = self.scene().await;
        let party = &scene.party.member;
        if matches!(
            ask.name,
            "UpdateService"
                | "DeleteService"
                | "CheckBotService"
                | "UpdateBotService"
                | "DeleteBotService"
                | "ListSampleOrders"
        ) {
            scene.service = Some(offer(party).await);
        }
        if ask.path.contains("{listId}") {
            let list = party.client.lists().create("mine").await.unwrap().list;
            scene.list = Some(list.id.to_string());
        }
        if ask.path.contains("/agents/{username}/") || ask.path.contains("/agents/owned") {
            scene.agent = Some(self.owned_agent(party).await);
        }
        if ask.name == "ClaimAgent" {
            self.make_person(party).await;
            let agent = self.app.agent(&self.name("free")).await;
            let link = agent.client.agents().create_claim_link().await.unwrap().url;
            link.expose().clone_into(&mut scene.token);
        }
        if ask.path.contains("{appId}") {
            let app = party.client.developers().register("Door", "https://door.example.org");
            scene.app = Some(app.await.unwrap().developer.id.to_string());
        }
        if ask.path.contains("{channelId}") {
            scene.channel = Some(self.channel(ask, party).await);
        }
        if ask.path.contains("{name}") {
            party.client.posts().reply(&*scene.post, "#agents").await.unwrap();
        }
        if ask.path.contains("{reportId}") {
            scene.report = Some(self.report(ask, party).await);
        }
        if ask.path.contains("{scheduledPostId}") {
            let at = self.app.server.clock().now().plus(SOON);
            let scheduling = party.client.scheduled_posts().create("for one reader", at);
            scene.scheduled_post = Some(scheduling.await.unwrap().scheduled_post.id.to_string());
        }
        if ask.path.contains("{webhookId}") {
            scene.webhook = Some(self.webhook(party).await);
        }
        if ask.path.contains("{sessionId}") {
            self.cookie(&party.user.id).await;
            scene.session =
                Some(party.client.sessions().list().await.unwrap().sessions[0].session_id.clone());
        }
        if ask.path.contains("{keyId}") {
            let creating = party.client.keys().create("named", vec![Scope::ExchangeSell]);
            scene.key = Some(creating.await.unwrap().key.key_id);
        }
        if ask.path.contains("{inviteId}") {
            let made = party.client.invites().create().await.unwrap();
            scene.invite = Some(made.invite.invite_id.to_string());
        }
        if ask.path.contains("/signups/{userId}") {
            scene.signup = Some(self.signup().await);
        }
        if ["ConfirmTotp", "DeleteTotp", "CreateRecoveryCodes"].contains(&ask.name) {
            let totp = authenticator(&party.client.factors().create_totp().await.unwrap().uri);
            let code = shown(&self.app, &totp);
            if ask.name != "ConfirmTotp" {
                party.client.factors().confirm_totp(code.clone()).await.unwrap();
            }
            scene.code = Some(code);
        }
        if passkey::is_on(self.app.server.app()) {
            self.set_passkey(ask, &mut scene).await;
        }
        let party = &scene.party.member;
        if ask.name == "GetExport" {
            party.client.export().create().await.unwrap();
        }
        if ask.name == "Restore" {
            party.client.users().delete_me(&*party.user.username).await.unwrap();
        }
        if matches!(ask.name, "VerifyEmail" | "FinishPasswordReset")
            && mail::is_on(self.app.server.app())
        {
            scene.link = Some(self.link(ask, party).await);
        }
        if let Some(deal) = Deal::of(ask.name) {
            scene.escrow = Some(self.escrow(deal, party).await);
        }
        if ask.path.contains("{paymentId}") {
            scene.payment = Some(buy(&self.app, &scene.party.member, 500).await);
        }
        scene.payout = self.payout(ask, party).await;
        if ask.path.contains("{orderId}") {
            scene.order = Some(self.order(ask, &scene.party.member).await);
        }
        scene
    }

    /// A payout of a party, or what the party needs to ask for one.
    async fn payout(&self, ask: &Ask, party: &Member) -> Option<PayoutId> {
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

    /// An order that a party answers, or placed.
    async fn order(&self, ask: &Ask, party: &Member) -> MessageId {
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

    /// The passkey and the ceremony that an endpoint needs.
    async fn set_passkey(&self, ask: &Ask, scene: &mut Scene) {
        let party = &scene.party.member;
        let mut device = Device::at(&self.app.server.app().public_url);
        if ["UpdatePasskey", "DeletePasskey", "LoginWithPasskey", "BeginPasskeyStepUp"]
            .contains(&ask.name)
        {
            scene.passkey = Some(device.join(party, "Laptop").await.passkey_id);
        }
        if ask.name == "CreatePasskey" {
            let begun = party.client.passkeys().begin().await.unwrap();
            scene.ceremony = Some((begun.ceremony_id, device.enrols(&begun.options)));
        }
        if ask.name == "LoginWithPasskey" {
            let begun = self.app.anonymous.passkeys().begin_login().await.unwrap();
            scene.ceremony = Some((begun.ceremony_id, device.signs(&begun.options)));
        }
    }

    /// An agent of a party, which becomes a person.
    async fn owned_agent(&self, party: &Member) -> String {
        self.make_person(party).await;
        let agent = self.app.agent(&self.name("owned")).await;
        let link = agent.client.agents().create_claim_link().await.unwrap().url;
        party.client.agents().claim(link).await.unwrap();
        agent.user.username
    }

    /// An account that waits for approval.
    async fn signup(&self) -> UserId {
        let id = self.app.agent(&self.name("waiting")).await.user.id;
        let (waiting, sql) = (
            id.clone(),
            sql!(
                "update account set status = 'suspended', awaits_approval_since = 1 where id = $1"
            ),
        );
        self.app.execute(move |ctx| ctx.tx.execute(sql, values![waiting])).await;
        id
    }

    async fn make_person(&self, party: &Member) {
        let id = party.user.id.clone();
        let sql = sql!("update account set is_agent = false where id = $1");
        self.app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
    }

    /// The token of the mail that an endpoint needs.
    async fn link(&self, ask: &Ask, party: &Member) -> String {
        let recorder = self.app.server.record_mails();
        let email = party.user.email.as_deref().unwrap();
        let auth = self.app.anonymous.auth();
        let mut verifies = mails(&self.app, &recorder).await;
        verifies.retain(|mail| mail.recipient == email);
        let token = verifies[0].token();
        if ask.name == "VerifyEmail" {
            return token;
        }
        auth.verify_email(token).await.unwrap();
        auth.reset_password(email).await.unwrap();
        one_mail(&self.app, &recorder).await.token()
    }

    /// A private channel with a message of the party; the party's own, but where it leaves.
    async fn channel(&self, ask: &Ask, party: &Member) -> (ChannelId, MessageId) {
        let (owner, other) = match ask.name {
            "LeaveChannel" => (&self.hub, party),
            _ => (party, &self.hub),
        };
        let name = self.name("room").replace('_', "-");
        let channels = owner.client.channels();
        let making = channels.create(name).visibility(ChannelVisibility::Private);
        let id = making.await.unwrap().channel.id;
        channels.add(&id, [&other.user.username]).await.unwrap();
        let posted = party.client.channels().post(&id, "for few").await.unwrap().message;
        (id, posted.message_id)
    }

    /// A report of a party, ended where it is to be opened again.
    async fn report(&self, ask: &Ask, party: &Member) -> String {
        let call = party.client.reports().create(Subject::user("hub"), ReportReason::Spam);
        let id = call.await.unwrap().report.id;
        if ask.name == "ReopenReport" {
            let staff = self.staff.client.moderation();
            staff.resolve(&id, ReportOutcome::Dismissed).await.unwrap();
        }
        id.to_string()
    }

    /// A webhook of a party with a message that is held.
    async fn webhook(&self, party: &Member) -> Hook {
        let webhooks = party.client.webhooks();
        let id = webhooks.create("https://hooks.example.org/svc").await.unwrap().webhook.id;
        webhooks.disable(&id).await.unwrap();
        webhooks.rotate_secret(&id).await.unwrap();
        self.hub.write(party, "for one receiver").await;
        let delivery = webhooks.deliveries(&id).await.unwrap().deliveries.remove(0).id;
        let since = self.app.server.clock().now();
        let recovery = webhooks.recover(&id, since).dry_run(true).await.unwrap().recovery.id;
        Hook { id: id.to_string(), delivery: delivery.to_string(), recovery: recovery.to_string() }
    }

    /// An escrow over 60 credits, or 150 while it is not paid for.
    async fn escrow(&self, deal: Deal, party: &Member) -> String {
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

    /// Who may ask an endpoint besides its party: those with the role it needs.
    pub(crate) fn who_may<'a>(&'a self, ask: &Ask, scene: &'a Scene) -> &'a Member {
        match ask.who {
            Who::Moderator | Who::Admin => &self.staff,
            _ => &scene.party.member,
        }
    }

    /// The endpoint asked about the objects of a scene, by the account with this name.
    pub(crate) fn fit(&self, ask: &Ask, scene: &Scene, caller: &str) -> Ask {
        let mut ask = ask.clone();
        let party = scene.party.name();
        let fresh = self.name("fresh");
        let username = match ask.name {
            "Register" => &*fresh,
            // An account cannot follow, block or mute itself.
            "Follow" | "Unfollow" | "BlockUser" | "UnblockUser" | "MuteUser" | "UnmuteUser" => {
                "hub"
            }
            _ => party,
        };
        for (name, value) in &mut ask.members {
            let fitting = match name.as_str() {
                "escrowId" if scene.escrow.is_some() => json!(scene.escrow),
                "listId" if scene.list.is_some() => json!(scene.list),
                "appId" if scene.app.is_some() => json!(scene.app),
                "usernames" if ask.name == "AddListMembers" => json!(["hub"]),
                "usernames" if ask.name == "AddChannelMembers" => json!(["hub"]),
                "username" if ask.name == "RemoveChannelMember" => json!("hub"),
                "name" if ask.name == "CreateChannel" => json!(fresh.replace('_', "-")),
                "channelId" if scene.channel.is_some() => {
                    json!(scene.channel.as_ref().map(|(id, _)| id))
                }
                "messageId" | "lastReadMessageId" if scene.channel.is_some() => {
                    json!(scene.channel.as_ref().map(|(_, message)| message))
                }
                "orderId" if scene.order.is_some() => json!(scene.order),
                "paymentId" if scene.payment.is_some() => json!(scene.payment),
                "payoutId" if scene.payout.is_some() => json!(scene.payout),
                "from" if ask.name == "RequestPayout" => json!(null),
                "clientOrderId" if ask.name == "CreateOrder" => json!(fresh),
                "waitSeconds" | "afterVersion" => json!(null),
                "serviceId"
                    if ["CreateEscrow", "CreatePlan", "CreateOrder", "ListServiceReviews"]
                        .contains(&ask.name) =>
                {
                    json!(self.offer)
                }
                "serviceId" if scene.service.is_some() => json!(scene.service),
                "scheduledPostId" if scene.scheduled_post.is_some() => json!(scene.scheduled_post),
                "webhookId" | "deliveryId" | "recoveryId" if scene.webhook.is_some() => {
                    json!(scene.webhook.as_ref().map(|hook| hook.id(name)))
                }
                "sessionId" if scene.session.is_some() => json!(scene.session),
                "username" if scene.agent.is_some() => json!(scene.agent),
                "inviteId" if scene.invite.is_some() => json!(scene.invite),
                "userId" if scene.signup.is_some() => json!(scene.signup),
                "keyId" if scene.key.is_some() => json!(scene.key),
                "code" if scene.code.is_some() => json!(scene.code),
                "passkeyId" if scene.passkey.is_some() => json!(scene.passkey),
                // Without one, a password confirms.
                "ceremonyId" => json!(scene.ceremony.as_ref().map(|(id, _)| id)),
                "credential" => json!(scene.ceremony.as_ref().map(|(_, credential)| credential)),
                "overlapSeconds" => json!(0),
                "scheduledFor" => json!(self.app.server.clock().now().plus(SOON)),
                "expectedAmount" => json!(150),
                "subject" if ask.name == "CreateReport" => json!(Subject::user("hub")),
                "subject" => json!(Subject::post(&scene.post)),
                "reportId" if scene.report.is_some() => json!(scene.report),
                "reportId" if ask.name == "CreateModerationAction" => Value::Null,
                "username" if ask.name == "AssignReport" => json!("judge"),
                "ids" if ask.name == "ListRelationships" => json!(self.hub.user.id),
                "postId" | "quoteOfId" | "ids" => json!(scene.post),
                "url" if ask.name == "GetOembed" => {
                    json!(format!("{}/post/{}", self.app.server.app().public_url, scene.post))
                }
                "messageId" | "lastReadMessageId" => json!(scene.party.message),
                "notificationId" => json!(scene.party.message.replace("msg_", "ntf_")),
                "conversationId" if ask.name != "ListMessages" => json!(scene.party.conversation),
                "conversationId" | "with" | "replyToId" | "mediaIds" | "schema" | "payload"
                | "after" | "invite" | "proof" | "requestStatus" => Value::Null,
                "recipientUsername" | "providerUsername" | "counterparty" | "author" => {
                    json!("hub")
                }
                "username" | "usernames" => json!(username),
                "email" => json!(format!("{fresh}@example.org")),
                "confirm" => json!(caller),
                "audience" => json!(self.gate.app.id),
                "token" if scene.link.is_some() => json!(scene.link),
                "token" => json!(scene.token),
                _ => continue,
            };
            *value = fitting;
        }
        ask.members.retain(|_, value| !value.is_null());
        ask
    }

    /// A session of an account, as a cookie that is sent back.
    pub(crate) async fn cookie(&self, account: &UserId) -> String {
        let account = account.clone();
        let token = self.app.server.app().write(move |ctx| session::start(ctx, &account)).await;
        format!("svc_session={}", token.unwrap())
    }
}

/// A new service of an agent.
async fn offer(bot: &Member) -> String {
    let count = bot.client.services().list().await.unwrap().services.len();
    let offering = bot.client.services().create(format!("work {count}"), "does work", 5);
    offering.await.unwrap().service.id.to_string()
}

async fn deliver(provider: &Member, escrow: &str) {
    provider.client.escrow().deliver(escrow, Deliverable::new("text")).await.unwrap();
}

async fn side(app: &TestApp, hub: &Member, name: &str, password_hash: &str) -> Side {
    let address = format!("{name}@private.example");
    let registering = app.anonymous.auth().register_agent(name);
    let registered = registering.with(|request| request.email = Some(address.as_str().into()));
    let registered = registered.await.unwrap();
    let client = app.client(registered.api_key.clone());
    let (id, hash) = (registered.user.id.clone(), password_hash.to_owned());
    let write = app.server.app().write(move |ctx| {
        let sql = sql!("update account set password_hash = $1 where id = $2");
        ctx.tx.execute(sql, values![hash, id])?;
        // Its key stays confirmed, however long it takes to set a scene.
        let sql = sql!("update api_key set confirmed_until = $1 where account = $2");
        ctx.tx.execute(sql, values![i64::MAX, id])
    });
    write.await.unwrap();
    let sent = hub.client.messages().send(name, "for one reader").await.unwrap().message;
    Side {
        member: Member { user: registered.user, key: registered.api_key, client },
        message: sent.message_id.to_string(),
        conversation: sent.conversation_id.to_string(),
    }
}

/// How a request says who calls.
#[derive(Clone, Debug)]
pub(crate) enum Credential {
    None,
    Key(ApiKey),
    Cookie(String),
    DeveloperKey(DeveloperKey),
}

impl Credential {
    /// The request with this credential, sent as our own pages or a bot would.
    pub(crate) fn sign(&self, request: RequestBuilder) -> RequestBuilder {
        match self {
            Self::None => request,
            Self::Key(key) => request.bearer_auth(key.expose()),
            Self::DeveloperKey(key) => request.bearer_auth(key.expose()),
            Self::Cookie(cookie) => {
                request.header("cookie", cookie).header("sec-fetch-site", "same-origin")
            }
        }
    }
}
