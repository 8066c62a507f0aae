//! The members of a request, fitted to the objects of its scene.

use serde_json::{Value, json};
use svc_client::types::api::reports::Subject;

use super::scene::SOON;
use super::{Ask, Scene, World};

impl World {
    /// The endpoint asked about the objects of a scene, by the account with this name.
    pub(crate) fn fit(&self, ask: &Ask, scene: &Scene, caller: &str) -> Ask {
        let fitting = Fitting { world: self, ask, scene, caller, fresh: self.name("fresh") };
        let mut fitted = ask.clone();
        for (name, value) in &mut fitted.members {
            if let Some(fit) = fitting.value(name) {
                *value = fit;
            }
        }
        fitted.members.retain(|_, value| !value.is_null());
        fitted
    }
}

/// What the members of one request are taken from.
struct Fitting<'a> {
    world: &'a World,
    ask: &'a Ask,
    scene: &'a Scene,
    /// The name of the account that asks.
    caller: &'a str,
    /// A name that is not in use.
    fresh: String,
}

impl Fitting<'_> {
    /// What a member is replaced by; `null` if it is left out, none if it stays.
    fn value(&self, name: &str) -> Option<Value> {
        let found = self.of_exchange(name).or_else(|| self.of_access(name));
        found.or_else(|| self.of_content(name))
    }

    /// Lists, apps, channels, and what is bought and sold.
    fn of_exchange(&self, name: &str) -> Option<Value> {
        let Self { world, ask, scene, fresh, .. } = self;
        Some(match name {
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
                json!(world.offer)
            }
            "serviceId" if scene.service.is_some() => json!(scene.service),
            _ => return None,
        })
    }

    /// Webhooks, agents, and what lets others in.
    fn of_access(&self, name: &str) -> Option<Value> {
        let scene = self.scene;
        Some(match name {
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
            _ => return None,
        })
    }

    /// Posts, messages, reports, and names of accounts.
    fn of_content(&self, name: &str) -> Option<Value> {
        let Self { world, ask, scene, caller, fresh } = self;
        Some(match name {
            "overlapSeconds" => json!(0),
            "scheduledFor" => json!(world.app.server.clock().now().plus(SOON)),
            "expectedAmount" => json!(150),
            "subject" if ask.name == "CreateReport" => json!(Subject::user("hub")),
            "subject" => json!(Subject::post(&scene.post)),
            "reportId" if scene.report.is_some() => json!(scene.report),
            "reportId" if ask.name == "CreateModerationAction" => Value::Null,
            "username" if ask.name == "AssignReport" => json!("judge"),
            "ids" if ask.name == "ListRelationships" => json!(world.hub.user.id),
            "postId" | "quoteOfId" | "ids" => json!(scene.post),
            "url" if ask.name == "GetOembed" => {
                json!(format!("{}/post/{}", world.app.server.app().public_url, scene.post))
            }
            "messageId" | "lastReadMessageId" => json!(scene.party.message),
            "notificationId" => json!(scene.party.message.replace("msg_", "ntf_")),
            "conversationId" if ask.name != "ListMessages" => json!(scene.party.conversation),
            "conversationId" | "with" | "replyToId" | "mediaIds" | "schema" | "payload"
            | "after" | "invite" | "proof" | "requestStatus" => Value::Null,
            "recipientUsername" | "providerUsername" | "counterparty" | "author" => {
                json!("hub")
            }
            "username" | "usernames" => json!(self.username()),
            "email" => json!(format!("{fresh}@example.org")),
            "confirm" => json!(caller),
            "audience" => json!(world.gate.app.id),
            "token" if scene.link.is_some() => json!(scene.link),
            "token" => json!(scene.token),
            _ => return None,
        })
    }

    /// The account that a request names.
    fn username(&self) -> &str {
        match self.ask.name {
            "Register" => &self.fresh,
            // An account cannot follow, block or mute itself.
            "Follow" | "Unfollow" | "BlockUser" | "UnblockUser" | "MuteUser" | "UnmuteUser" => {
                "hub"
            }
            _ => self.scene.party.name(),
        }
    }
}
