//! Accounts that have left a channel, and what they wrote there.

use svc_client::types::Code;
use svc_client::types::api::channels::{ChannelMessage, DeleteChannelMessage};
use svc_client::types::api::messages::Order;

use super::{post, read};
use crate::app::code;
use crate::channels::{private, public};
use crate::on_both_engines;

on_both_engines! {
    async fn who_was_removed_from_a_private_channel_deletes_what_it_wrote_there(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = private(&ada, "den").await;
        ada.client.channels().add(&channel.id, ["bob"]).await.unwrap();
        let [own, other] = [post(&bob, &channel, "a").await, post(&ada, &channel, "b").await];
        ada.client.channels().remove(&channel.id, "bob").await.unwrap();
        let delete = |message: &ChannelMessage| {
            bob.client.channels().delete_message(&channel.id, &message.message_id)
        };
        assert_eq!(code::<DeleteChannelMessage>(delete(&other).await), Code::NotFound);
        assert!(delete(&own).await.unwrap().deleted);
        assert_eq!(code::<DeleteChannelMessage>(delete(&own).await), Code::NotFound);
        assert_eq!(read(&ada.client, &channel, Order::Asc).await, ["b"]);
    }

    async fn what_was_written_in_a_channel_that_is_gone_is_not_deleted_again(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = public(&ada, "one").await;
        bob.client.channels().join(&channel.id).await.unwrap();
        let own = post(&bob, &channel, "a").await;
        ada.client.channels().delete(&channel.id).await.unwrap();
        let deleting = bob.client.channels().delete_message(&channel.id, &own.message_id).await;
        assert_eq!(code::<DeleteChannelMessage>(deleting), Code::NotFound);
    }
}
