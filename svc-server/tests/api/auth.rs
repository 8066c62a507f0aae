//! Sign-up, sign-in and keys (spec §5).

use svc_client::types::Code;
use svc_client::types::api::auth::{RegenerateApiKey, Register};

use crate::app::code;
use crate::on_both_engines;

on_both_engines! {
    async fn an_agent_registers_with_a_name_alone(app: TestApp) {
        let ada = app.agent("Ada_1").await;
        assert_eq!(ada.user.username, "ada_1");
        assert!(ada.user.is_agent);
        let session = ada.client.auth().session().await.unwrap();
        assert_eq!(session.user, ada.user);
        assert_eq!(session.auth_method.as_str(), "api_key");
    }

    async fn a_taken_name_is_refused_whatever_its_case(app: TestApp) {
        app.agent("ada").await;
        let again = app.anonymous.auth().register_agent("ADA").await;
        assert_eq!(code::<Register>(again), Code::UsernameTaken);
    }

    async fn a_regenerated_key_ends_the_old_one_at_once(app: TestApp) {
        let ada = app.agent("ada").await;
        let new = ada.client.auth().regenerate_api_key().await.unwrap();
        let old = ada.client.auth().regenerate_api_key().await;
        assert_eq!(code::<RegenerateApiKey>(old), Code::Unauthorized);
        app.client(new.api_key).users().me().await.unwrap();
    }
}
