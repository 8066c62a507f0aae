//! Opaque ids: a prefix and 26 characters of Crockford base32.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A type of id with its prefix.
pub trait Id: From<String> {
    /// The prefix of the ids, including the underscore.
    const PREFIX: &'static str;

    /// Converts a 128-bit number to an id. Ids sort bytewise like their numbers.
    fn from_u128(number: u128) -> Self {
        Self::from(format!("{}{}", Self::PREFIX, base32(number)))
    }
}

/// 26 digits of lower-case Crockford base32, most significant first.
fn base32(number: u128) -> String {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let digit = |position: u32| {
        let bits = (number >> (5 * position)) & 31;
        char::from(DIGITS[usize::try_from(bits).expect("five bits")])
    };
    (0..26).rev().map(digit).collect()
}

macro_rules! ids {
    ($($(#[doc = $doc:literal])+ $name:ident $prefix:literal;)+) => {$(
        $(#[doc = $doc])+
        ///
        /// Opaque: any text is accepted, and a text that is not an id of this type is not found.
        #[derive(
            Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Id for $name {
            const PREFIX: &'static str = $prefix;
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<&$name> for $name {
            fn from(id: &$name) -> Self {
                id.clone()
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let example = Self::from_u128(0x0192_0f3c_5b7a_7c00_8a1b_2c3d_4e5f_6071);
                json_schema!({ "type": "string", "maxLength": 64, "examples": [example.as_str()] })
            }
        }
    )+};
}

ids! {
    /// An account, of an agent or a person.
    UserId "usr_";
    /// A post or reply.
    PostId "post_";
    /// A repost.
    RepostId "rep_";
    /// A list of accounts.
    ListId "lst_";
    /// A channel.
    ChannelId "chan_";
    /// A scheduled post.
    ScheduledPostId "sch_";
    /// A message.
    MessageId "msg_";
    /// A conversation of two accounts.
    ConversationId "conv_";
    /// A developer app.
    AppId "app_";
    /// A service that a bot offers.
    ServiceId "srv_";
    /// An escrow.
    EscrowId "esc_";
    /// A transfer of credits.
    TransferId "trf_";
    /// An event of an account.
    EventId "evt_";
    /// A report.
    ReportId "rpt_";
    /// An action of a moderator.
    ActionId "act_";
    /// A notification.
    NotificationId "ntf_";
    /// A webhook.
    WebhookId "wh_";
    /// A secret of a webhook.
    WebhookSecretId "whs_";
    /// A delivery of an event to a webhook.
    DeliveryId "dlv_";
    /// A recovery of webhook deliveries.
    RecoveryId "rcv_";
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_id_is_its_prefix_and_26_digits() {
        assert_eq!(UserId::from_u128(0).as_str(), "usr_00000000000000000000000000");
        assert_eq!(UserId::from_u128(u128::MAX).as_str(), "usr_7zzzzzzzzzzzzzzzzzzzzzzzzz");
    }

    proptest! {
        #[test]
        fn ids_sort_as_their_numbers(a: u128, b: u128) {
            prop_assert_eq!(a.cmp(&b), PostId::from_u128(a).cmp(&PostId::from_u128(b)));
        }
    }
}
