//! What one request is about, with all that its endpoint needs.

use std::time::Duration;

use serde_json::{Map, Value};
use svc_client::types::api::channels::ChannelVisibility;
use svc_client::types::api::moderation::ReportOutcome;
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::{
    CeremonyId, ChannelId, FactorCode, MessageId, PasskeyId, PaymentId, PayoutId, Scope, SessionId,
    UserId,
};
use svc_core::services::{mail, passkey};
use svc_store::{sql, values};

use super::deal::{Deal, offer};
use super::{Ask, Side, World};
use crate::app::Member;
use crate::device::Device;
use crate::email::{mails, one_mail};
use crate::factors::{authenticator, current_code};
use crate::purchase::buy;

/// When posts are scheduled: later than any test lasts.
pub(super) const SOON: Duration = Duration::from_hours(60 * 24);

/// What one request is about: an account, a post of it, and the deal an endpoint needs.
pub(crate) struct Scene {
    pub(crate) party: Side,
    pub(super) post: String,
    pub(super) token: String,
    pub(super) service: Option<String>,
    pub(super) escrow: Option<String>,
    pub(super) order: Option<MessageId>,
    pub(super) list: Option<String>,
    pub(super) app: Option<String>,
    pub(super) channel: Option<(ChannelId, MessageId)>,
    pub(super) report: Option<String>,
    pub(super) scheduled_post: Option<String>,
    pub(super) webhook: Option<Hook>,
    pub(super) key: Option<String>,
    pub(super) session: Option<SessionId>,
    /// The first code of an authenticator app.
    pub(super) code: Option<FactorCode>,
    /// A passkey of the party.
    pub(super) passkey: Option<PasskeyId>,
    /// A ceremony that the party has begun, and the answer of its device.
    pub(super) ceremony: Option<(CeremonyId, Map<String, Value>)>,
    /// An agent that the party owns.
    pub(super) agent: Option<String>,
    pub(super) invite: Option<String>,
    /// An account that waits for approval.
    pub(super) signup: Option<UserId>,
    /// The token of a link in a mail.
    pub(super) link: Option<String>,
    /// What the party bought.
    pub(super) payment: Option<PaymentId>,
    /// What the party asked to be paid.
    pub(super) payout: Option<PayoutId>,
}

/// A webhook that is disabled and has a new secret besides, with what is asked about it.
pub(super) struct Hook {
    id: String,
    delivery: String,
    recovery: String,
}

impl Hook {
    /// The id that a member of a request names.
    pub(super) fn id(&self, member: &str) -> &str {
        match member {
            "deliveryId" => &self.delivery,
            "recoveryId" => &self.recovery,
            _ => &self.id,
        }
    }
}

impl World {
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

    /// A scene with what this endpoint needs.
    pub(crate) async fn scene_of(&self, ask: &Ask) -> Scene {
        let mut scene = self.scene().await;
        self.set_goods(ask, &mut scene).await;
        self.set_texts(ask, &mut scene).await;
        self.set_access(ask, &mut scene).await;
        self.set_factors(ask, &mut scene).await;
        self.set_account(ask, &mut scene).await;
        self.set_deals(ask, &mut scene).await;
        scene
    }

    /// What the party has: a service, a list, an agent, an app.
    async fn set_goods(&self, ask: &Ask, scene: &mut Scene) {
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
    }

    /// What the party wrote, and where.
    async fn set_texts(&self, ask: &Ask, scene: &mut Scene) {
        let party = &scene.party.member;
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
    }

    /// What lets others in, and who waits for that.
    async fn set_access(&self, ask: &Ask, scene: &mut Scene) {
        let party = &scene.party.member;
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
    }

    /// The authenticator app, the passkey and the ceremony.
    async fn set_factors(&self, ask: &Ask, scene: &mut Scene) {
        let party = &scene.party.member;
        if ["ConfirmTotp", "DeleteTotp", "CreateRecoveryCodes"].contains(&ask.name) {
            let totp = authenticator(&party.client.factors().create_totp().await.unwrap().uri);
            let code = current_code(&self.app, &totp);
            if ask.name != "ConfirmTotp" {
                party.client.factors().confirm_totp(code.clone()).await.unwrap();
            }
            scene.code = Some(code);
        }
        if passkey::is_on(self.app.server.app()) {
            self.set_passkey(ask, scene).await;
        }
    }

    /// An export, the deletion of the account, the token of a mail.
    async fn set_account(&self, ask: &Ask, scene: &mut Scene) {
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
    }

    /// What the party buys, sells or is paid.
    async fn set_deals(&self, ask: &Ask, scene: &mut Scene) {
        let party = &scene.party.member;
        if let Some(deal) = Deal::of(ask.name) {
            scene.escrow = Some(self.escrow(deal, party).await);
        }
        if ask.path.contains("{paymentId}") {
            scene.payment = Some(buy(&self.app, party, 500).await);
        }
        scene.payout = self.payout(ask, party).await;
        if ask.path.contains("{orderId}") {
            scene.order = Some(self.order(ask, party).await);
        }
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
}
