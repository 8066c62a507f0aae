//! What a credential shows that may not read, or not all that its account may: as much as everybody sees.

use http::StatusCode;
use svc_client::types::api::channels::{
    GetChannel, GetChannelMessage, ListChannelMembers, ListChannelMessages, ListChannels,
};
use svc_client::types::api::escrow::{EscrowRole, EscrowStatus, GetEscrow, ListEscrows};
use svc_client::types::api::lists::{GetList, ListListMembers, ListListPosts, ListLists};
use svc_client::types::api::posts::GetPost;
use svc_client::types::api::users::GetUser;
use svc_client::types::{Code, Scope};
use svc_store::sql;

use super::{PASSWORD, limited};
use crate::app::code;
use crate::channels::{private, public};
use crate::market::Market;
use crate::moderation::staff;
use crate::oauth::{DONE, text};
use crate::on_both_engines;

on_both_engines! {
    async fn a_key_that_may_not_read_sees_what_everybody_sees(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (room, open) = (private(&ada, "the-few").await.id, public(&ada, "the-hall").await.id);
        let message = ada.client.channels().post(&room, "for few").await.unwrap().message.message_id;
        let list = ada.client.lists().create("secret").await.unwrap().list.id;
        ada.client.lists().add(&list, ["bob"]).await.unwrap();
        let signs_in = limited(&app, &ada, &[Scope::Identity]).await;
        let (channels, lists) = (signs_in.channels(), signs_in.lists());
        assert_eq!(code::<GetChannel>(channels.get(&room).await), Code::NotFound);
        assert_eq!(code::<ListChannelMembers>(channels.members(&room).await), Code::NotFound);
        assert_eq!(code::<ListChannelMessages>(channels.messages(&room).await), Code::NotFound);
        let one = channels.get_message(&room, &message).await;
        assert_eq!(code::<GetChannelMessage>(one), Code::NotFound);
        assert_eq!(code::<GetList>(lists.get(&list).await), Code::NotFound);
        assert_eq!(code::<ListListMembers>(lists.members(&list).await), Code::NotFound);
        assert_eq!(code::<ListListPosts>(lists.feed(&list).await), Code::NotFound);
        // What is its own is refused and not empty.
        let mine = channels.list().mine(true).await;
        assert_eq!(code::<ListChannels>(mine), Code::InsufficientScope);
        assert_eq!(code::<ListLists>(lists.list().await), Code::InsufficientScope);
        channels.get(&open).await.unwrap();
        assert_eq!(channels.list().await.unwrap().channels.len(), 1);
        assert_eq!(signs_in.users().get("bob").await.unwrap().user.viewer, None);
        let reader = limited(&app, &ada, &[Scope::Read]).await;
        reader.channels().get_message(&room, &message).await.unwrap();
        reader.lists().members(&list).await.unwrap();
        assert_eq!(reader.channels().list().mine(true).await.unwrap().channels.len(), 2);
        assert!(reader.users().get(&*bob.user.username).await.unwrap().user.viewer.is_some());
    }

    async fn a_program_that_only_signs_people_in_reads_none_of_their_channels(app: TestApp) {
        let ada = app.visitor("ada").await;
        let room = private(&ada.member, "the-few").await.id;
        ada.member.client.channels().post(&room, "for few").await.unwrap();
        let client = app.register_client(&[DONE]).await;
        let read = format!("/channels/{room}/messages");
        for (scope, status) in [("openid", StatusCode::NOT_FOUND), ("openid read", StatusCode::OK)] {
            let token = text(&app.tokens(&ada, &client, scope).await, "access_token");
            assert_eq!(app.status_with(&token, &read).await, status, "{scope}");
        }
    }

    async fn a_moderators_key_without_that_scope_shows_no_more_than_others_see(app: TestApp) {
        let [bob, eve] = app.agents(["bob", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let hidden = bob.post("hidden").await;
        app.hide(&hidden).await;
        app.suspend("eve").await;
        let reader = limited(&app, &judge, &[Scope::Read]).await;
        assert_eq!(code::<GetPost>(reader.posts().get(&hidden.id).await), Code::NotFound);
        assert_eq!(code::<GetUser>(reader.users().get("eve").await), Code::NotFound);
        assert_eq!(reader.relations().to([&eve.user.id]).await.unwrap().relationships, []);
        let worker = limited(&app, &judge, &[Scope::Read, Scope::Moderate]).await;
        for client in [&worker, &judge.client] {
            client.posts().get(&hidden.id).await.unwrap();
            client.users().get("eve").await.unwrap();
            assert_eq!(client.relations().to([&eve.user.id]).await.unwrap().relationships.len(), 1);
        }
    }

    async fn a_moderators_key_without_that_scope_shows_no_disputes_between_other_accounts(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.escrow(&EscrowStatus::Disputed).await.id;
        let judge = staff(&market.app, "judge", "moderator").await;
        let reader = limited(&market.app, &judge, &[Scope::Read]).await;
        let of_reader = reader.escrow();
        let listed = of_reader.list().role(EscrowRole::Moderator).await;
        assert_eq!(code::<ListEscrows>(listed), Code::InsufficientScope);
        assert_eq!(code::<GetEscrow>(of_reader.get(&escrow).await), Code::NotFound);
        let worker = limited(&market.app, &judge, &[Scope::Read, Scope::Moderate]).await;
        let of_worker = worker.escrow();
        let listed = of_worker.list().role(EscrowRole::Moderator).await.unwrap().escrows;
        assert_eq!(listed.len(), 1);
        of_worker.get(&escrow).await.unwrap();
    }

    async fn a_key_that_neither_reads_nor_manages_the_account_shows_no_address(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let entered = sql!("update account set pending_email = 'new@example.org' where username = 'ada'");
        app.execute(move |ctx| ctx.tx.execute(entered, &[])).await;
        for (scope, is_shown) in [
            (Scope::Identity, false),
            (Scope::Write, false),
            (Scope::Dm, false),
            (Scope::Read, true),
            (Scope::Account, true),
        ] {
            let client = limited(&app, &ada, std::slice::from_ref(&scope)).await;
            let user = client.auth().session().await.unwrap().user;
            assert_eq!((user.username.as_str(), user.email.is_some()), ("ada", is_shown), "{scope}");
            assert_eq!(user.pending_email.is_some(), is_shown, "{scope}");
        }
        let writer = limited(&app, &ada, &[Scope::Write, Scope::Dm]).await;
        let user = writer.users().update_me().bio("counts words").await.unwrap().user;
        assert_eq!((user.bio.as_str(), user.email, user.pending_email), ("counts words", None, None));
    }
}
