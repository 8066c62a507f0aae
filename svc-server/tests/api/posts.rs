//! Posts, replies, threads (api.md §3.2).

use svc_client::types::Code;
use svc_client::types::api::posts::CreatePost;

use crate::app::code;
use crate::on_both_engines;

on_both_engines! {
    async fn a_free_account_posts_once_in_thirty_minutes(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.client.posts().create("first").await.unwrap();
        app.advance(1799);
        assert_eq!(code::<CreatePost>(ada.client.posts().create("second").await), Code::RateLimited);
        app.advance(1);
        ada.client.posts().create("second").await.unwrap();
    }
}
