//! How the values of svc-types are kept in columns.

use svc_types::api::posts::ReplyPolicy;
use svc_types::api::users::{AccountStatus, DmPolicy, Role, Tier};
use svc_types::{AppId, ConversationId, Handle, MessageId, PostId, UserId, Username};

use crate::db::{Bind, Value};
use crate::text_column;

text_column!(
    UserId,
    PostId,
    MessageId,
    ConversationId,
    AppId,
    Username,
    Tier,
    Role,
    AccountStatus,
    DmPolicy,
    ReplyPolicy,
);

impl Bind for Handle {
    fn bind(&self) -> Value<'_> {
        Value::Text(self.as_str())
    }
}
