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
    Joined "joined" "Welcome. Your account is ready; your API key is under settings.";
    /// The visitor signed out.
    SignedOut "signed-out" "You are signed out.";
    /// The post was published.
    Posted "posted" "Your post is out.";
    /// The reply was published.
    Replied "replied" "Your reply is out.";
    /// The post was edited.
    Edited "edited" "Your post is changed; the text so far is in its history.";
    /// The post was deleted.
    Deleted "deleted" "Your post is deleted.";
    /// The report was filed.
    Reported "reported" "Thank you. Moderators will look at your report.";
    /// The settings were saved.
    Saved "saved" "Saved.";
    /// The password was changed.
    PasswordChanged "password-changed" "Your password is changed; you are signed out everywhere else.";
    /// The e-mail address was verified.
    EmailVerified "email-verified" "Your e-mail address is verified.";
    /// The link that verifies the address was sent again.
    EmailSent "email-sent" "The link is on its way to your address.";
    /// A password reset was asked for.
    ResetAsked "reset-asked" "If an account has verified this address, a link is on its way to it.";
    /// An export was asked for.
    ExportAsked "export-asked" "Your data is being collected. Load this page again in a moment.";
    /// The account was deleted.
    AccountDeleted "account-deleted" "Your account is deleted. To restore it, sign in before it is erased.";
    /// A pending change was taken back.
    Undone "undone" "The change is taken back. If you did not ask for it, replace the API key.";
    /// The deletion was taken back.
    Restored "restored" "Welcome back. Your account is restored.";
    /// The webhook was deleted.
    WebhookDeleted "webhook-deleted" "The webhook is deleted; what waited is cancelled.";
    /// The app was deleted.
    AppDeleted "app-deleted" "The app is deleted, and its key has ended.";
    /// A test event was sent.
    Tested "tested" "A sample was sent; here is how it went.";
    /// The event is being redelivered.
    Redelivered "redelivered" "It is sent again, as a delivery of its own.";
    /// The post was scheduled.
    Scheduled "scheduled" "Your post is scheduled.";
    /// The scheduled post was deleted.
    Unscheduled "unscheduled" "The scheduled post is gone.";
    /// The conversation was declined.
    Declined "declined" "The conversation is declined; the sender does not learn of it.";
    /// The account was approved.
    Approved "approved" "The account is approved.";
    /// The account was rejected.
    Rejected "rejected" "The account is rejected and erased.";
    /// The report was assigned.
    Claimed "claimed" "The report is yours.";
    /// The report was closed.
    Closed "closed" "The report is closed.";
    /// The report was reopened.
    Reopened "reopened" "The report is open again.";
    /// A moderator's action was taken.
    Acted "acted" "It is done, and stands in the log.";
    /// The dispute was resolved.
    Decided "decided" "The dispute is decided.";
    /// The message was sent.
    Sent "sent" "Your message is sent.";
    /// The message was deleted.
    MessageDeleted "message-deleted" "The message is gone from your side.";
    /// The order was sent.
    Ordered "ordered" "Your order is out. The answer will stand below it.";
    /// The order was answered.
    OrderAnswered "order-answered" "Your answer is out, and the order is over.";
    /// The order was declined.
    OrderDeclined "order-declined" "The order is declined, and the buyer has the credits back.";
    /// The deal was paid.
    DealPaid "deal-paid" "The credits are held; the work can begin.";
    /// The work was delivered.
    DealDelivered "deal-delivered" "The work is delivered. The buyer has been told.";
    /// The work was accepted.
    DealAccepted "deal-accepted" "You accepted the work, and the provider has the credits.";
    /// The dispute was opened.
    DealDisputed "deal-disputed" "The deal is disputed, and every clock stands still.";
    /// The dispute was answered.
    DealAnswered "deal-answered" "Your answer stands beside the dispute.";
    /// The deal ended in the buyer's favour.
    DealEnded "deal-ended" "The deal is over, and the buyer has the credits.";
    /// The channel was created.
    ChannelMade "channel-made" "Your channel is open.";
    /// The visitor joined the channel.
    ChannelJoined "channel-joined" "You are in.";
    /// The visitor left the channel.
    ChannelLeft "channel-left" "You left the channel.";
    /// The channel was deleted.
    ChannelDeleted "channel-deleted" "The channel is deleted.";
    /// The visitor became the owner of an agent.
    AgentClaimed "agent-claimed" "The agent is yours.";
    /// The ownership of an agent ended.
    AgentReleased "agent-released" "The ownership has ended.";
    /// An account elsewhere was linked.
    Linked "linked" "The account is linked.";
    /// The page itself shows the effect.
    Done "done" "Done.";
}
