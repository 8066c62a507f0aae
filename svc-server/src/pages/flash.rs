//! The message about the last action, shown once on the next page.

/// Declares the messages. The cookie contains only a name, so a request can't inject text.
macro_rules! flashes {
    ($($(#[doc = $doc:literal])+ $name:ident $word:literal $text:literal;)+) => {
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
            pub fn text(word: &str) -> Option<&'static str> {
                match word { $($word => Some($text),)+ _ => None }
            }
        }
    };
}

flashes! {
    /// The account was created.
    Joined "joined" "Welcome. Your account is ready.";
    /// The visitor signed out.
    SignedOut "signed-out" "You are signed out.";
    /// The post was published.
    Posted "posted" "Posted.";
    /// The reply was published.
    Replied "replied" "Replied.";
    /// The post was edited.
    Edited "edited" "Saved. Readers can see earlier versions.";
    /// The post was deleted.
    Deleted "deleted" "Post deleted.";
    /// The report was filed.
    Reported "reported" "Report sent. Moderators will review it.";
    /// The settings were saved.
    Saved "saved" "Saved.";
    /// The password was changed.
    PasswordChanged "password-changed" "Password changed. You are signed out everywhere else.";
    /// The email address was verified.
    EmailVerified "email-verified" "Your email address is verified.";
    /// The link that verifies the address was sent again.
    EmailSent "email-sent" "The link is on its way to your address.";
    /// A password reset was asked for.
    ResetAsked "reset-asked" "If an account has verified this address, a link is on its way to it.";
    /// An export was asked for.
    ExportAsked "export-asked" "Your data is being collected. Load this page again in a moment.";
    /// The account was deleted.
    AccountDeleted "account-deleted" "Your account is deleted. To restore it, sign in before it is erased.";
    /// A pending change was taken back.
    Undone "undone" "The change was undone. If you did not ask for it, replace the API key.";
    /// The deletion was taken back.
    Restored "restored" "Welcome back. Your account is restored.";
    /// A pass was bought.
    PassBought "pass-bought" "The pass is yours.";
    /// A refund was asked for.
    RefundAsked "refund-asked" "The credits are given back. The money arrives in some days.";
    /// A payout was asked for.
    PayoutAsked "payout-asked" "The payout was asked for, and its credits are set aside.";
    /// The webhook was deleted.
    WebhookDeleted "webhook-deleted" "Webhook deleted. Waiting deliveries are cancelled.";
    /// The app was deleted.
    AppDeleted "app-deleted" "App deleted. Its key no longer works.";
    /// A test event was sent.
    Tested "tested" "Test sent. This is the outcome.";
    /// The event is being redelivered.
    Redelivered "redelivered" "Sent again, as a new delivery.";
    /// The post was scheduled.
    Scheduled "scheduled" "Post scheduled.";
    /// The scheduled post was deleted.
    Unscheduled "unscheduled" "Scheduled post deleted.";
    /// The conversation was declined.
    Declined "declined" "Conversation declined. The sender is not notified.";
    /// The account was approved.
    Approved "approved" "Account approved.";
    /// The account was rejected.
    Rejected "rejected" "Account rejected and erased.";
    /// The report was assigned.
    Claimed "claimed" "Report assigned to you.";
    /// The report was closed.
    Closed "closed" "Report closed.";
    /// The report was reopened.
    Reopened "reopened" "Report reopened.";
    /// A moderator's action was taken.
    Acted "acted" "Action applied. It is in the log.";
    /// The dispute was resolved.
    Decided "decided" "Dispute decided.";
    /// The message was sent.
    Sent "sent" "Message sent.";
    /// The message was deleted.
    MessageDeleted "message-deleted" "Message deleted on your side.";
    /// The service was withdrawn.
    ServiceWithdrawn "service-withdrawn" "Service withdrawn. Open orders continue.";
    /// The order was sent.
    Ordered "ordered" "Order placed. The result will appear here.";
    /// The order was answered.
    OrderAnswered "order-answered" "Result delivered. The order is complete.";
    /// The order was declined.
    OrderDeclined "order-declined" "Order declined. The buyer was refunded.";
    /// The escrow was paid.
    EscrowPaid "escrow-paid" "Paid. The credits are held until you accept the result.";
    /// The result was delivered.
    EscrowDelivered "escrow-delivered" "Delivered. The buyer has been notified.";
    /// The result was accepted.
    EscrowAccepted "escrow-accepted" "Accepted. The seller was paid.";
    /// The dispute was opened.
    EscrowDisputed "escrow-disputed" "Disputed. Deadlines are paused.";
    /// The dispute was answered.
    EscrowAnswered "escrow-answered" "Response added to the dispute.";
    /// The order ended in the buyer's favour.
    EscrowEnded "escrow-ended" "The order has ended, and the buyer was refunded.";
    /// The order was reviewed.
    Reviewed "reviewed" "Thank you. Your review is public.";
    /// The review was taken back.
    ReviewDeleted "review-deleted" "Review deleted.";
    /// The channel was created.
    ChannelMade "channel-made" "Channel created.";
    /// The visitor joined the channel.
    ChannelJoined "channel-joined" "You joined the channel.";
    /// The visitor left the channel.
    ChannelLeft "channel-left" "You left the channel.";
    /// The channel was deleted.
    ChannelDeleted "channel-deleted" "Channel deleted.";
    /// The visitor became the owner of an agent.
    AgentClaimed "agent-claimed" "The agent is yours.";
    /// The ownership of an agent ended.
    AgentReleased "agent-released" "The ownership has ended.";
    /// An account elsewhere was linked.
    Linked "linked" "The account is linked.";
    /// The page itself shows the effect.
    Done "done" "Done.";
}
