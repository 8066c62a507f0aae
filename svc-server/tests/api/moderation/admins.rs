//! What admins set, of accounts.

use http::Method;
use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::moderation::UpdateUser;
use svc_client::types::api::users::{AccountStatus, Role, Tier};
use svc_server::admin::Command;

use super::staff;
use crate::app::{Member, code};
use crate::on_both_engines;
use crate::raw::answer;

on_both_engines! {
    async fn admins_set_roles_tiers_and_verifications(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let chief = staff(&app, "chief", "admin").await;
        let set = |name: &str| chief.client.moderation().update_user(name);
        let user = set("Eve").role(Role::Moderator).tier(Tier::Pro).x_verified(true).await.unwrap().user;
        assert_eq!((user.role, user.status), (Some(Role::Moderator), Some(AccountStatus::Active)));
        assert_eq!((user.tier, user.x_verified, user.google_verified), (Tier::Pro, true, false));
        assert_eq!(user.email, None);
        let user = set("eve").x_verified(false).google_verified(true).await.unwrap().user;
        assert_eq!((user.tier, user.x_verified, user.google_verified), (Tier::Pro, false, true));
        let own = eve.client.users().me().await.unwrap().user;
        assert_eq!(own.role, Some(Role::Moderator));
        assert_eq!(set("eve").await.unwrap().user.id, eve.user.id, "nothing is set");
        let refused = set("nobody").tier(Tier::Pro).await;
        assert_eq!(code::<UpdateUser>(refused), Code::NotFound);
        let request = chief.raw(&app, Method::PATCH, "/moderation/users/eve");
        let refused = answer(request.json(&json!({ "role": "king" }))).await.refusal();
        assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some("role")));
        let refused = eve.client.moderation().update_user("ada").tier(Tier::Pro).await;
        assert_eq!(code::<UpdateUser>(refused), Code::Forbidden);
        let other = ada.client.users().me().await.unwrap().user;
        assert_eq!((other.role, other.tier), (Some(Role::User), Tier::Free), "it is nobody else's");
        assert_eq!((other.x_verified, other.google_verified), (false, false));
    }

    async fn the_last_admin_cannot_be_demoted(app: TestApp, "database.connections" = "4") {
        let chief = staff(&app, "chief", "admin").await;
        let set = |name: &str, role| chief.client.moderation().update_user(name).role(role);
        staff(&app, "judge", "moderator").await;
        let alone = set("chief", Role::User).await;
        assert_eq!(code::<UpdateUser>(alone), Code::WrongState, "a moderator is no admin");
        let gone = staff(&app, "gone", "admin").await;
        gone.client.users().delete_me("gone").await.unwrap();
        let alone = set("chief", Role::User).await;
        assert_eq!(code::<UpdateUser>(alone), Code::WrongState, "a deleted admin does not return");
        let second = staff(&app, "second", "admin").await;
        app.suspend("second").await;
        let alone = set("chief", Role::User).await;
        assert_eq!(code::<UpdateUser>(alone), Code::WrongState, "a suspended admin may do nothing");
        app.unsuspend("second").await;
        let deposing = |by: &Member, whom: &str| {
            tokio::spawn(by.client.moderation().update_user(whom).role(Role::User).into_future())
        };
        let both = [deposing(&chief, "second"), deposing(&second, "chief")];
        let mut lost = 0;
        for one in both {
            let refused = one.await.unwrap().err();
            let codes = [Code::WrongState, Code::Forbidden];
            assert!(refused.iter().all(|refused| codes.contains(refused.code().unwrap())));
            lost += refused.iter().count();
        }
        assert_eq!(lost, 1);
        let admins = svc_store::sql!(
            "select count(*) from account where role = 'admin' and username in ('chief', 'second')"
        );
        assert_eq!(app.count(admins).await, 1);
    }

    async fn moderators_read_the_status_of_an_account(app: TestApp) {
        let [ada, _eve] = app.agents(["ada", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let read = async |by: &Member| by.client.users().get("eve").await.unwrap().user.status;
        assert_eq!((read(&judge).await, read(&ada).await), (Some(AccountStatus::Active), None));
        app.suspend("eve").await;
        assert_eq!(read(&judge).await, Some(AccountStatus::Suspended));
    }

    async fn the_operator_does_not_delete_the_last_admin(app: TestApp) {
        let chief = staff(&app, "chief", "admin").await;
        let delete = Command::Delete { username: "chief".to_owned() };
        let refused = app.server.try_admin(&delete).await.unwrap_err();
        assert_eq!(refused.code(), Code::WrongState);
        chief.client.users().me().await.unwrap();
        staff(&app, "second", "admin").await;
        app.server.admin(delete).await;
        let gone = chief.client.users().me().await.unwrap_err();
        assert_eq!(gone.code(), Some(&Code::AccountDeleted));
    }

    async fn a_role_ends_with_its_account(app: TestApp) {
        let judge = staff(&app, "judge", "moderator").await;
        let username = || "judge".to_owned();
        judge.client.users().delete_me("judge").await.unwrap();
        judge.client.auth().restore().await.unwrap();
        let me = judge.client.users().me().await.unwrap().user;
        assert_eq!((me.role, me.status), (Some(Role::User), Some(AccountStatus::Active)));
        app.grant_role("judge", "moderator").await;
        let gone = app.server.admin(Command::Delete { username: username() }).await.remove(0);
        assert!(gone.to_string().starts_with("judge  user  free  deleted  "), "{gone}");
        // Servers before this one left the role to it.
        let left = svc_store::sql!("update account set role = 'admin' where username = 'judge'");
        app.execute(move |ctx| ctx.tx.execute(left, &[])).await;
        let back = app.server.admin(Command::Restore { username: username() }).await.remove(0);
        assert!(back.to_string().starts_with("judge  user  free  active  "), "{back}");
        judge.client.users().me().await.unwrap();
        let again = app.server.try_admin(&Command::Restore { username: username() }).await;
        assert_eq!(again.unwrap_err().code(), Code::WrongState, "it is not deleted");
    }

    async fn the_operator_does_not_restore_what_is_to_be_erased(app: TestApp) {
        let username = || "ada".to_owned();
        app.agent("ada").await;
        app.server.admin(Command::Delete { username: username() }).await;
        app.server.admin(Command::Erase { username: username() }).await;
        let late = app.server.try_admin(&Command::Restore { username: username() }).await.unwrap_err();
        assert!(late.to_string().contains("is erased, or about to be"), "{late}");
    }
}
