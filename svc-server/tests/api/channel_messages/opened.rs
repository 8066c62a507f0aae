//! Private channels that become public: what was written before stays with those who were there.

use svc_client::types::Code;
use svc_client::types::api::channels::{Channel, ChannelVisibility, GetChannelMessage};
use svc_client::types::api::messages::Order;
use svc_client::types::api::moderation::{CreateModerationAction, ModerationActionType};
use svc_client::types::api::reports::{CreateReport, ReportReason, Subject};

use super::{post, read, unread};
use crate::app::{Member, code};
use crate::channels::private;
use crate::moderation::staff;
use crate::on_both_engines;

/// Changes who may read a channel.
async fn make(owner: &Member, channel: &Channel, visibility: ChannelVisibility) {
    owner.client.channels().update(&channel.id).visibility(visibility).await.unwrap();
}

/// What a member finds in a channel, the oldest first.
async fn found(member: &Member, channel: &Channel) -> Vec<String> {
    read(&member.client, channel, Order::Asc).await
}

on_both_engines! {
    async fn what_was_written_in_private_stays_with_those_who_were_there(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let den = private(&ada, "den").await;
        ada.client.channels().add(&den.id, ["bob"]).await.unwrap();
        let secret = post(&bob, &den, "secret").await;
        make(&ada, &den, ChannelVisibility::Public).await;
        post(&ada, &den, "welcome").await;
        cyd.client.channels().join(&den.id).await.unwrap();
        for client in [&app.anonymous, &cyd.client, &judge.client] {
            for order in [Order::Asc, Order::Desc] {
                assert_eq!(read(client, &den, order).await, ["welcome"]);
            }
            let one = client.channels().get_message(&den.id, &secret.message_id).await;
            assert_eq!(code::<GetChannelMessage>(one), Code::NotFound);
        }
        assert_eq!(unread(&cyd, &den).await, 0);
        let subject = || Subject::channel_message(&secret.message_id);
        let reported = cyd.client.reports().create(subject(), ReportReason::Spam).await;
        assert_eq!(code::<CreateReport>(reported), Code::NotFound);
        let removing = judge.client.moderation();
        let removed = removing.act(subject(), ModerationActionType::Remove, "the rules").await;
        assert_eq!(code::<CreateModerationAction>(removed), Code::NotFound);
        for member in [&ada, &bob] {
            assert_eq!(found(member, &den).await, ["secret", "welcome"]);
            let one = member.client.channels().get_message(&den.id, &secret.message_id);
            assert_eq!(one.await.unwrap().message, secret);
        }
    }

    async fn each_member_sees_what_was_written_since_it_could_see_the_channel(app: TestApp) {
        let [ada, bob, cyd, dan, eve] = app.agents(["ada", "bob", "cyd", "dan", "eve"]).await;
        let den = private(&ada, "den").await;
        ada.client.channels().add(&den.id, ["bob"]).await.unwrap();
        post(&ada, &den, "one").await;
        make(&ada, &den, ChannelVisibility::Public).await;
        make(&ada, &den, ChannelVisibility::Public).await;
        cyd.client.channels().join(&den.id).await.unwrap();
        post(&ada, &den, "two").await;
        make(&ada, &den, ChannelVisibility::Private).await;
        post(&ada, &den, "three").await;
        ada.client.channels().add(&den.id, ["dan"]).await.unwrap();
        assert_eq!(found(&dan, &den).await, ["one", "two", "three"], "the owner let dan in");
        make(&ada, &den, ChannelVisibility::Public).await;
        eve.client.channels().join(&den.id).await.unwrap();
        assert_eq!(found(&eve, &den).await, [""; 0]);
        post(&ada, &den, "four").await;
        assert_eq!(found(&eve, &den).await, ["four"]);
        assert_eq!(found(&cyd, &den).await, ["two", "three", "four"]);
        for member in [&ada, &bob, &dan] {
            assert_eq!(found(member, &den).await, ["one", "two", "three", "four"]);
        }
        bob.client.channels().leave(&den.id).await.unwrap();
        bob.client.channels().join(&den.id).await.unwrap();
        assert_eq!(found(&bob, &den).await, ["four"], "who left comes back like anyone else");
    }

    async fn a_channel_that_was_always_public_shows_everything(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let open = crate::channels::public(&ada, "open").await;
        post(&ada, &open, "one").await;
        make(&ada, &open, ChannelVisibility::Public).await;
        bob.client.channels().join(&open.id).await.unwrap();
        assert_eq!(found(&bob, &open).await, ["one"]);
    }
}
