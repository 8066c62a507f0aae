//! Opaque ids: a prefix and 13 characters of Crockford base32.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A type of id with its prefix.
pub trait Id: From<String> {
    /// The prefix of the ids, including the underscore.
    const PREFIX: &'static str;

    /// Converts a number of 63 bits to an id; a higher bit is ignored. Ids sort bytewise like their
    /// numbers.
    fn from_number(number: u64) -> Self {
        Self::from(format!("{}{}", Self::PREFIX, base32(number & (u64::MAX >> 1))))
    }
}

/// Maximum length of a text that could be an id, in characters.
pub const TEXT_MAX: usize = 64;

/// Digits of an id. The first has three bits, the others five.
const LENGTH: u32 = 13;

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// 13 digits of lower-case Crockford base32, most significant first.
fn base32(number: u64) -> String {
    let digit = |position: u32| {
        let bits = (number >> (5 * position)) & 31;
        char::from(DIGITS[usize::try_from(bits).expect("five bits")])
    };
    (0..LENGTH).rev().map(digit).collect()
}

/// The number of an id, whatever its type; `None` for text that is not an id.
pub fn number(id: &str) -> Option<u64> {
    let digits = id.rsplit('_').next().unwrap_or_default().as_bytes();
    if digits.len() != LENGTH as usize || digits[0] > b'7' {
        return None;
    }
    digits.iter().try_fold(0, |number, digit| {
        let value = DIGITS.iter().position(|known| known == digit)?;
        Some(number << 5 | u64::try_from(value).ok()?)
    })
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
                let example = Self::from_number(0x3241_e78b_6f58_6071);
                json_schema!({ "type": "string", "maxLength": TEXT_MAX, "examples": [example.as_str()] })
            }
        }
    )+};
}

ids! {
    /// A plan of escrows.
    PlanId "plan_";
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
    /// A payment.
    PaymentId "pay_";
    /// A pass.
    PassId "pass_";
    /// A subscription.
    SubscriptionId "sbs_";
    /// An image of a post.
    MediaId "media_";
    /// A payout.
    PayoutId "po_";
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
    /// A review of an order.
    ReviewId "rvw_";
    /// A session.
    SessionId "ses_";
    /// Id of a pending change.
    PendingChangeId "pnd_";
    /// An entry of an account's security log.
    SecurityEntryId "sec_";
    /// What an account allowed a program to do.
    GrantId "grt_";
    /// An invite.
    InviteId "inv_";
    /// A passkey.
    PasskeyId "pky_";
    /// A ceremony of a passkey. Unlike other ids it is random.
    CeremonyId "cer_";
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_id_is_its_prefix_and_13_digits() {
        assert_eq!(UserId::from_number(0).as_str(), "usr_0000000000000");
        assert_eq!(UserId::from_number(u64::MAX).as_str(), "usr_7zzzzzzzzzzzz");
    }

    #[test]
    fn other_text_has_no_number() {
        for text in
            ["", "usr_", "usr_1", "usr_8000000000000", "usr_000000000000I", "usr_00000000000000"]
        {
            assert_eq!(number(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn ids_sort_as_their_numbers(a in 0..=i64::MAX as u64, b in 0..=i64::MAX as u64) {
            prop_assert_eq!(a.cmp(&b), PostId::from_number(a).cmp(&PostId::from_number(b)));
            prop_assert_eq!(number(PostId::from_number(a).as_str()), Some(a));
        }
    }
}
