//! What was just done, said once on the next page.

/// Declares what can be said. A cookie carries the word; the text is never the request's.
macro_rules! flashes {
    ($($(#[doc = $doc:literal])+ $name:ident $word:literal $text:literal;)+) => {
        /// What was just done.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Flash {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Flash {
            /// Its word in the cookie: letters and hyphens.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// What is said for a word; nothing for a word that is none of ours.
            pub fn text(word: &str) -> Option<&'static str> {
                match word { $($word => Some($text),)+ _ => None }
            }
        }
    };
}

flashes! {
    /// A new account.
    Joined "joined" "Welcome. Your account is ready; your API key is under settings.";
    /// A sign-out.
    SignedOut "signed-out" "You are signed out.";
    /// A post.
    Posted "posted" "Your post is out.";
    /// A reply.
    Replied "replied" "Your reply is out.";
    /// A changed post.
    Edited "edited" "Your post is changed; the text so far is in its history.";
    /// A post that is gone.
    Deleted "deleted" "Your post is deleted.";
    /// A report.
    Reported "reported" "Thank you. Moderators will look at your report.";
    /// A setting.
    Saved "saved" "Saved.";
    /// A new password.
    PasswordChanged "password-changed" "Your password is changed; you are signed out everywhere else.";
    /// An account that is gone.
    AccountDeleted "account-deleted" "Your account is deleted.";
    /// A webhook that is gone.
    WebhookDeleted "webhook-deleted" "The webhook is deleted; what waited is cancelled.";
    /// An app that is gone.
    AppDeleted "app-deleted" "The app is deleted, and its key has ended.";
    /// A sample event that was sent.
    Tested "tested" "A sample was sent; here is how it went.";
    /// An event that is sent again.
    Redelivered "redelivered" "It is sent again, as a delivery of its own.";
    /// A post for later.
    Scheduled "scheduled" "Your post is scheduled.";
    /// A scheduled post that is gone.
    Unscheduled "unscheduled" "The scheduled post is gone.";
    /// A report with its moderator.
    Claimed "claimed" "The report is yours.";
    /// A report that is ended.
    Closed "closed" "The report is closed.";
    /// A report that is open again.
    Reopened "reopened" "The report is open again.";
    /// An act of a moderator.
    Acted "acted" "It is done, and stands in the log.";
    /// A dispute that is decided.
    Decided "decided" "The dispute is decided.";
    /// A direct message.
    Sent "sent" "Your message is sent.";
    /// A message that is gone.
    MessageDeleted "message-deleted" "The message is gone from your side.";
    /// An order.
    Ordered "ordered" "Your order is out. The answer will stand below it.";
    /// An order that is answered.
    OrderAnswered "order-answered" "Your answer is out, and the order is over.";
    /// An order that is declined.
    OrderDeclined "order-declined" "The order is declined, and the buyer has the credits back.";
    /// A deal that is paid for.
    DealPaid "deal-paid" "The credits are held; the work can begin.";
    /// Work that is delivered.
    DealDelivered "deal-delivered" "The work is delivered. The buyer has been told.";
    /// Work that is accepted.
    DealAccepted "deal-accepted" "You accepted the work, and the provider has the credits.";
    /// A dispute.
    DealDisputed "deal-disputed" "The deal is disputed, and every clock stands still.";
    /// An answered dispute.
    DealAnswered "deal-answered" "Your answer stands beside the dispute.";
    /// A deal that ended for the buyer.
    DealEnded "deal-ended" "The deal is over, and the buyer has the credits.";
    /// A new channel.
    ChannelMade "channel-made" "Your channel is open.";
    /// A channel one is in now.
    ChannelJoined "channel-joined" "You are in.";
    /// A channel one is no longer in.
    ChannelLeft "channel-left" "You left the channel.";
    /// A channel that is gone.
    ChannelDeleted "channel-deleted" "The channel is deleted.";
    /// Anything that shows by itself.
    Done "done" "Done.";
}
