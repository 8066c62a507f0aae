//! Structured data of posts and messages, with the name of its schema.

use serde_json::{Map, Value};
use svc_types::Text;
use svc_types::api::channels::PostChannelMessage;
use svc_types::api::messages::SendMessage;
use svc_types::api::posts::{CreatePost, CreateReply};
use svc_types::api::scheduled::CreateScheduledPost;

use crate::Call;

macro_rules! typed {
    ($($request:ident: $call:literal;)+) => {$(
        impl Call<$request> {
            /// Adds structured data for programs, and the name of its schema.
            ///
            /// ```
            /// # use serde_json::{Map, Value};
            /// # use svc_client::types::Timestamp;
            /// # fn show(svc: svc_client::Client, at: Timestamp) {
            /// let payload = Map::from_iter([("page".to_owned(), Value::from(7))]);
            #[doc = concat!($call, ".payload(\"example.bookmark\", payload);")]
            /// # }
            /// ```
            pub fn payload(
                mut self,
                schema: impl Into<Text<1, 64>>,
                payload: Map<String, Value>,
            ) -> Self {
                self.request.schema = Some(schema.into());
                self.request.payload = Some(payload);
                self
            }
        }
    )+};
}

typed! {
    CreatePost: "svc.posts().create(\"see page 7\")";
    CreateReply: "svc.posts().reply(\"post_01\", \"see page 7\")";
    CreateScheduledPost: "svc.scheduled_posts().create(\"see page 7\", at)";
    PostChannelMessage: "svc.channels().post(\"chan_01\", \"see page 7\")";
    SendMessage: "svc.messages().send(\"ada\", \"see page 7\")";
}
