//! The message about the last action, shown once on the next page. Its text is in the catalogue.

use crate::language::Language;

/// Declares the messages. The cookie contains only a name, so a request can't inject text.
macro_rules! flashes {
    ($($(#[doc = $doc:literal])+ $name:ident $word:literal;)+) => {
        /// A message about the last action.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Flash {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Flash {
            /// The name in the cookie: letters and hyphens.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// The message with a name; `None` for an unknown name.
            pub fn text(language: Language, word: &str) -> Option<String> {
                let is_known = matches!(word, $($word)|+);
                is_known.then(|| language.text(&format!("flash-{word}")))
            }
        }
    };
}

flashes! {
    /// The account was created.
    Joined "joined";
    /// The visitor signed out.
    SignedOut "signed-out";
    /// The post was published.
    Posted "posted";
    /// The reply was published.
    Replied "replied";
    /// The post was edited.
    Edited "edited";
    /// The post was deleted.
    Deleted "deleted";
    /// The report was filed.
    Reported "reported";
    /// The settings were saved.
    Saved "saved";
    /// The password was changed.
    PasswordChanged "password-changed";
    /// The email address was verified.
    EmailVerified "email-verified";
    /// The link that verifies the address was sent again.
    EmailSent "email-sent";
    /// A password reset was asked for.
    ResetAsked "reset-asked";
    /// An export was asked for.
    ExportAsked "export-asked";
    /// The account was deleted.
    AccountDeleted "account-deleted";
    /// A pending change was taken back.
    Undone "undone";
    /// A change was requested that takes effect later.
    ChangePending "change-pending";
    /// The deletion was taken back.
    Restored "restored";
    /// A pass was bought.
    PassBought "pass-bought";
    /// A refund was asked for.
    RefundAsked "refund-asked";
    /// A payout was asked for.
    PayoutAsked "payout-asked";
    /// The invite was deleted.
    InviteDeleted "invite-deleted";
    /// The webhook was deleted.
    WebhookDeleted "webhook-deleted";
    /// The app was deleted.
    AppDeleted "app-deleted";
    /// A test event was sent.
    Tested "tested";
    /// The event is being redelivered.
    Redelivered "redelivered";
    /// The post was scheduled.
    Scheduled "scheduled";
    /// The scheduled post was deleted.
    Unscheduled "unscheduled";
    /// The conversation was declined.
    Declined "declined";
    /// The account was approved.
    Approved "approved";
    /// The account was rejected.
    Rejected "rejected";
    /// The report was assigned.
    Claimed "claimed";
    /// The report was closed.
    Closed "closed";
    /// The report was reopened.
    Reopened "reopened";
    /// A moderator's action was taken.
    Acted "acted";
    /// The dispute was resolved.
    Decided "decided";
    /// The message was sent.
    Sent "sent";
    /// The message was deleted.
    MessageDeleted "message-deleted";
    /// The service was withdrawn.
    ServiceWithdrawn "service-withdrawn";
    /// The order was sent.
    Ordered "ordered";
    /// The order was answered.
    OrderAnswered "order-answered";
    /// The order was declined.
    OrderDeclined "order-declined";
    /// The question of the seller was answered.
    InputGiven "input-given";
    /// The seller got more time.
    MoreTime "more-time";
    /// The escrow was paid.
    EscrowPaid "escrow-paid";
    /// The result was delivered.
    EscrowDelivered "escrow-delivered";
    /// The result was accepted.
    EscrowAccepted "escrow-accepted";
    /// The dispute was opened.
    EscrowDisputed "escrow-disputed";
    /// The dispute was answered.
    EscrowAnswered "escrow-answered";
    /// The order ended in the buyer's favour.
    EscrowEnded "escrow-ended";
    /// The order ended before it was paid.
    EscrowEndedUnpaid "escrow-ended-unpaid";
    /// A split was offered.
    EscrowSplitOffered "escrow-split-offered";
    /// The offered split was accepted.
    EscrowSplit "escrow-split";
    /// The order was reviewed.
    Reviewed "reviewed";
    /// The review was taken back.
    ReviewDeleted "review-deleted";
    /// The buyer was asked to show an order as a sample.
    SampleProposed "sample-proposed";
    /// The buyer agreed to a sample.
    SampleAgreed "sample-agreed";
    /// The buyer declined a sample.
    SampleDeclined "sample-declined";
    /// An order is not proposed or shown as a sample any more.
    SampleWithdrawn "sample-withdrawn";
    /// The channel was created.
    ChannelMade "channel-made";
    /// The visitor joined the channel.
    ChannelJoined "channel-joined";
    /// The visitor left the channel.
    ChannelLeft "channel-left";
    /// The channel was deleted.
    ChannelDeleted "channel-deleted";
    /// The message was deleted for all members of its channel.
    ChannelMessageDeleted "channel-message-deleted";
    /// The visitor became the owner of an agent.
    AgentClaimed "agent-claimed";
    /// The ownership of an agent ended.
    AgentReleased "agent-released";
    /// An account elsewhere was linked.
    Linked "linked";
    /// The API key ended.
    KeyEnded "key-ended";
    /// The passkey was added.
    PasskeyAdded "passkey-added";
    /// The passkey was removed.
    PasskeyRemoved "passkey-removed";
    /// The authenticator app was removed.
    FactorRemoved "factor-removed";
    /// The session was ended.
    SessionEnded "session-ended";
    /// All sessions but this one were ended.
    SessionsEnded "sessions-ended";
    /// The access of a program was ended.
    GrantEnded "grant-ended";
    /// An account elsewhere was unlinked.
    Unlinked "unlinked";
    /// The agent was paused.
    AgentPaused "agent-paused";
    /// The agent was resumed.
    AgentResumed "agent-resumed";
    /// All sessions of the agent were ended.
    AgentSignedOut "agent-signed-out";
    /// The webhook was enabled.
    WebhookEnabled "webhook-enabled";
    /// The webhook was disabled.
    WebhookDisabled "webhook-disabled";
    /// The new secret of the webhook took the place of the old one.
    SecretPromoted "secret-promoted";
    /// The list was deleted.
    ListDeleted "list-deleted";
}
