//! How channels, their members and messages are found.

use svc_client::types::api::messages::Order;
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::reports::Subject;
use svc_core::services::channel;

use super::World;

/// Tables whose statements are told here.
const TABLES: &[&str] = &["channel", "'chan_'"];

/// Each way a table is read once, under the request that went it first, in the words of SQLite.
///
/// Unread messages are looked for among the newest 100 of a channel.
const PLANS: &str = "
make a channel
  SEARCH c USING INDEX sqlite_autoindex_channel_1 (id=?)
    SEARCH v USING PRIMARY KEY (channel=? AND account=?) LEFT-JOIN
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 2
    CO-ROUTINE newest
    SEARCH n USING INDEX channel_message_channel (channel=? AND id>?)
    SCAN newest
  SEARCH channel USING INDEX channel_owner (owner=?)
channels
  SEARCH c USING INDEX channel_public (name>? AND name<?)
    SEARCH v USING PRIMARY KEY (channel=? AND account=?) LEFT-JOIN
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 2
    CO-ROUTINE newest
    SEARCH n USING INDEX channel_message_channel (channel=? AND id>?)
    SCAN newest
channels one is in
  SEARCH v USING INDEX channel_member_account (account=? AND name>? AND name<?)
    SEARCH c USING INDEX sqlite_autoindex_channel_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
    CORRELATED SCALAR SUBQUERY 2
    CO-ROUTINE newest
    SEARCH n USING INDEX channel_message_channel (channel=? AND id>?)
    SCAN newest
join
  SEARCH channel USING INDEX sqlite_autoindex_channel_1 (id=?)
write
  SEARCH channel_message USING INDEX channel_message_client (channel=? AND sender=? AND client_message_id=?)
  SEARCH m USING INDEX channel_message_client (channel=? AND sender=? AND client_message_id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
answer
  SEARCH channel_message USING INDEX sqlite_autoindex_channel_message_1 (id=?)
messages, desc
  SEARCH m USING INDEX channel_message_channel (channel=? AND id<?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
messages, asc
  SEARCH m USING INDEX channel_message_channel (channel=? AND id>?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
read
  SEARCH channel_member USING PRIMARY KEY (channel=? AND account=?)
  SEARCH channel_message USING INDEX sqlite_autoindex_channel_message_1 (id=?)
delete a message
  SEARCH channel_message USING INDEX sqlite_autoindex_channel_message_1 (id=?)
members
  SEARCH m USING PRIMARY KEY (channel=? AND account>?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
change
  SEARCH channel USING INDEX sqlite_autoindex_channel_1 (id=?)
take out
  SEARCH channel_member USING PRIMARY KEY (channel=? AND account=?)
delete
  SEARCH channel USING INDEX sqlite_autoindex_channel_1 (id=?)
  SEARCH channel_member USING PRIMARY KEY (channel=?)
remove
  SEARCH c USING INDEX sqlite_autoindex_channel_1 (id=?)
    SEARCH a USING INDEX sqlite_autoindex_account_1 (id=?)
  SEARCH channel USING INDEX sqlite_autoindex_channel_1 (id=?)
sweep
  SEARCH channel USING COVERING INDEX sqlite_autoindex_channel_1 (id=?)
    LIST SUBQUERY 3
    SEARCH c USING INDEX channel_deleted (deleted_at>?)
    CORRELATED SCALAR SUBQUERY 1
    SEARCH m USING COVERING INDEX channel_message_channel (channel=?)
    CORRELATED SCALAR SUBQUERY 2
    SEARCH m USING PRIMARY KEY (channel=?)
    SEARCH channel_message USING COVERING INDEX channel_message_channel (channel=?)
    SEARCH channel_member USING PRIMARY KEY (channel=?)
  SEARCH channel_member USING PRIMARY KEY (channel=? AND account=?)
    LIST SUBQUERY 2
    SEARCH c USING INDEX channel_deleted (deleted_at>?)
    SEARCH m USING PRIMARY KEY (channel=?)
  SEARCH channel_message USING COVERING INDEX sqlite_autoindex_channel_message_1 (id=?)
    LIST SUBQUERY 1
    SEARCH c USING INDEX channel_deleted (deleted_at>?)
    SEARCH m USING COVERING INDEX channel_message_channel (channel=?)
  SEARCH channel_message USING COVERING INDEX sqlite_autoindex_channel_message_1 (id=?)
    LIST SUBQUERY 1
    SEARCH channel_message USING INDEX channel_message_deleted (deleted_at<?)
  SEARCH event USING PRIMARY KEY (id=?)
    LIST SUBQUERY 1
    SEARCH event USING INDEX event_stream (stream>? AND stream<?)
  SEARCH event_head USING PRIMARY KEY (stream=?)
    LIST SUBQUERY 1
    SEARCH channel USING INDEX channel_deleted (deleted_at>?)
";

impl World {
    async fn tell_of_channels(&mut self) -> String {
        let told = &mut String::new();
        let bob = self.app.agent("bob").await;
        let (client, channels) = (self.ada.client.clone(), bob.client.clone());
        let (own, channels) = (client.channels(), channels.channels());
        self.note(told, TABLES, "make a channel", own.create("rust-talk")).await;
        let id = own.create("den").await.unwrap().channel.id;
        self.note(told, TABLES, "channels", own.list()).await;
        self.note(told, TABLES, "channels one is in", own.list().mine(true).beginning("d")).await;
        self.note(told, TABLES, "a channel", own.get(&id)).await;
        self.note(told, TABLES, "join", channels.join(&id)).await;
        let post = || channels.post(&id, "hello").client_message_id("c");
        self.note(told, TABLES, "write", post()).await;
        let message = post().await.unwrap().message.message_id;
        let answer = own.post(&id, "hello").reply_to(&message);
        self.note(told, TABLES, "answer", answer).await;
        for order in [Order::Desc, Order::Asc] {
            let list = own.messages(&id).order(order.clone());
            self.note(told, TABLES, &format!("messages, {order}"), list).await;
        }
        self.note(told, TABLES, "read", own.read(&id, &message)).await;
        self.note(told, TABLES, "delete a message", channels.delete_message(&id, &message)).await;
        self.note(told, TABLES, "members", own.members(&id)).await;
        self.note(told, TABLES, "change", own.update(&id).title("Den")).await;
        self.note(told, TABLES, "take out", own.remove(&id, "bob")).await;
        self.note(told, TABLES, "leave", channels.leave(&id)).await;
        self.note(told, TABLES, "delete", own.delete(&id)).await;
        let of_bob = channels.create("of-bob").await.unwrap().channel.id;
        self.app.grant_role("ada", "moderator").await;
        let subject = Subject::channel(&of_bob);
        let removing = client.moderation().act(subject, ModerationActionType::Remove, "a test");
        self.note(told, TABLES, "remove", removing).await;
        let app = std::sync::Arc::clone(self.app.server.app());
        self.note(told, TABLES, "sweep", async move {
            for sweep in channel::SWEEPS {
                app.write(move |ctx| sweep(ctx, 1_000)).await.unwrap();
            }
            Ok(())
        })
        .await;
        told.trim().to_owned()
    }
}

#[tokio::test]
async fn channels_and_what_they_hold_are_found_along_an_index() {
    let mut world = World::new().await;
    assert_eq!(world.tell_of_channels().await, PLANS.trim());
}

#[tokio::test]
async fn their_plans_stay_when_sqlite_has_counted_very_uneven_tables() {
    let mut world = World::new().await;
    world.skew().await;
    assert_eq!(world.tell_of_channels().await, PLANS.trim());
}
