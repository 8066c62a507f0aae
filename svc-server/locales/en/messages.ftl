# Messages, channels, lists and notifications.

## Messages

messages-new = New message
messages-to = To (username)
messages-text = Message
messages-send = Send message
messages-write = Write
messages-earlier = Earlier messages
messages-tabs = Conversations
messages-all = All
messages-unread = Unread
messages-requests = Requests
messages-requests-about = From accounts you don't follow and haven't written to. They don't see whether you read or decline.
messages-muted = muted
messages-gone = Deleted account
messages-you = You: { $text }
messages-none-left = No messages left
messages-accept = Accept request
messages-decline = Decline request
messages-requests-none = No requests
messages-requests-none-about = When someone you don't know writes to you, the conversation waits here until you accept it.
messages-unread-none = Nothing unread
messages-unread-none-about = You have read everything.
messages-none = No messages yet
messages-none-about = Write to someone, or order a <a>service</a>: results arrive here.
conversation-all = All messages
conversation-profile = Profile
conversation-mark-read = Mark as read
conversation-request = Request
conversation-stranger = You neither follow @{ $name } nor have written to them.
conversation-not-accepted = You have not accepted this conversation.
conversation-request-about = Replying accepts it. If you decline, the conversation disappears; the sender is not notified.
conversation-blocked = You block @{ $name }, so neither of you can write.
conversation-gone = You can't write to @{ $name }: the account was deleted or suspended.
conversation-none = No messages left here.
message-delete-title = Delete message
message-delete-ask = Delete this message?
message-delete-about = It disappears on your side and can't be restored. The other party keeps it. An order isn't affected.

## Orders and results among messages

letter-read = read
letter-data = Data of form <bdi>{ $schema }</bdi>
letter-line-order = Order: { $name }
letter-line-answer = Result: { $outcome }
letter-order = Order: <bdi>{ $name }</bdi>
letter-paid = { $n } paid
letter-until = until { $at }
letter-deliver = Deliver result
letter-view = View order
letter-result = Result
letter-charged = <b>{ $price }</b> charged
letter-progress = In progress
letter-completed = Completed
letter-declined = Declined
letter-declined-refunded = Declined, credits refunded
letter-failed = Failed
letter-failed-refunded = Failed, credits refunded
letter-expired-refunded = Expired, credits refunded
letter-cancelled-refunded = Cancelled, credits refunded
letter-delivered = Delivered
letter-delivered-review = Delivered: review it
letter-unknown = Unknown status

## Notifications

notifications-read = Mark all as read
notifications-filter = Filter
notifications-all = All
notifications-replies = Replies and mentions
notifications-reactions = Follows, likes, reposts
notifications-unread = Unread:
# In place of a name.
notifications-gone = A deleted or suspended account
notifications-more =
    { $count ->
       *[other] and { $n } more
    }
notifications-more-messages =
    { $count ->
        [one] (and { $n } more message)
       *[other] (and { $n } more messages)
    }
notifications-none-here = None here
notifications-none-here-about = There may be older ones on the next page.
notifications-none = Nothing yet
notifications-none-about = Follows, replies and orders appear here.

# These follow the name of an account, or of several: `$count`.
notice-follow =
    { $count ->
       *[other] followed you
    }
notice-like =
    { $count ->
       *[other] liked your post
    }
notice-reply =
    { $count ->
       *[other] replied to you
    }
notice-repost =
    { $count ->
       *[other] reposted your post
    }
notice-mention =
    { $count ->
       *[other] mentioned you
    }
notice-message = messaged you
notice-quote =
    { $count ->
       *[other] quoted you
    }
notice-else =
    { $count ->
       *[other] sent a notification
    }

## What became of an order, for its buyer

notice-buyer-escrow-delivered = @{ $seller } delivered your order, { $credits }
notice-buyer-escrow-redelivered = @{ $seller } delivered your order again, { $credits }
notice-buyer-escrow-auto-released = The result of @{ $seller } was accepted automatically, { $credits }
notice-buyer-escrow-responded = @{ $seller } responded to your dispute, { $credits }
notice-buyer-escrow-refunded = @{ $seller } refunded you, { $credits }
notice-buyer-escrow-resolved = A moderator decided your dispute with @{ $seller }, { $credits }
notice-buyer-escrow-resolved-parts = A moderator decided your dispute with @{ $seller }: { $back } for you, { $sold } for the seller
notice-buyer-escrow-resolved-sold = Your dispute with @{ $seller } was decided for the seller, { $credits }
notice-buyer-escrow-resolved-refunded = Your dispute with @{ $seller } was decided for you, { $credits }
notice-buyer-escrow-split-offered = A split was offered for your order from @{ $seller }, { $credits }
notice-buyer-escrow-split-offered-parts = A split was offered for your order from @{ $seller }: { $back } for you, { $sold } for the seller
notice-buyer-escrow-split = The credits of your order from @{ $seller } were split, { $credits }
notice-buyer-escrow-split-parts = The credits of your order from @{ $seller } were split: { $back } for you, { $sold } for the seller
notice-buyer-escrow-cancelled = Your order from @{ $seller } was cancelled, { $credits }
notice-buyer-service-request-completed = @{ $seller } completed your order
notice-buyer-service-request-rejected = @{ $seller } declined your order
notice-buyer-service-request-error = Your order from @{ $seller } failed
notice-buyer-service-request-error-before = Your order from @{ $seller } failed
notice-buyer-service-request-expired = Your order from @{ $seller } expired
notice-buyer-service-request-cancelled = Your order from @{ $seller } was cancelled
notice-buyer-service-request-delivered = @{ $seller } delivered your order
notice-buyer-service-request-input = @{ $seller } needs your input
notice-buyer-service-request-sample-proposed = @{ $seller } asks to show your order as a sample
notice-buyer-service-request-else =
    { $state ->
        [expired] Your order from @{ $seller } expired
        [cancelled] Your order from @{ $seller } was cancelled
       *[other] Your order from @{ $seller }: { $state }
    }

## The same for its seller

notice-seller-escrow-created = @{ $buyer } placed an order with you, { $credits }
notice-seller-escrow-funded = @{ $buyer } paid for an order with you, { $credits }
notice-seller-escrow-released = @{ $buyer } accepted your result, { $credits }
notice-seller-escrow-auto-released = Your result for @{ $buyer } was accepted automatically, { $credits }
notice-seller-escrow-disputed = @{ $buyer } disputed your result, { $credits }
notice-seller-escrow-refunded = The credits for the order of @{ $buyer } were refunded, { $credits }
notice-seller-escrow-resolved = A moderator decided your dispute with @{ $buyer }, { $credits }
notice-seller-escrow-resolved-parts = A moderator decided your dispute with @{ $buyer }: { $sold } for you, { $back } for the buyer
notice-seller-escrow-resolved-sold = Your dispute with @{ $buyer } was decided for you, { $credits }
notice-seller-escrow-resolved-refunded = Your dispute with @{ $buyer } was decided for the buyer, { $credits }
notice-seller-escrow-extended = @{ $buyer } extended your deadline, { $credits }
notice-seller-escrow-split-offered = A split was offered for the order of @{ $buyer }, { $credits }
notice-seller-escrow-split-offered-parts = A split was offered for the order of @{ $buyer }: { $sold } for you, { $back } for the buyer
notice-seller-escrow-split = The credits of the order of @{ $buyer } were split, { $credits }
notice-seller-escrow-split-parts = The credits of the order of @{ $buyer } were split: { $sold } for you, { $back } for the buyer
notice-seller-escrow-cancelled = The order of @{ $buyer } was cancelled, { $credits }
notice-seller-service-request-completed = The order of @{ $buyer } was completed
notice-seller-service-request-rejected = The order of @{ $buyer } was declined
notice-seller-service-request-error = The order of @{ $buyer } failed
notice-seller-service-request-error-before = The order of @{ $buyer } failed
notice-seller-service-request-expired = The order of @{ $buyer } expired
notice-seller-service-request-cancelled = The order of @{ $buyer } was cancelled
notice-seller-service-request-answered = @{ $buyer } answered your question
notice-seller-service-request-extended = @{ $buyer } extended your deadline
notice-seller-service-request-sample-agreed = @{ $buyer } agreed: the order is shown as a sample
notice-seller-service-request-sample-declined = @{ $buyer } declined: the order is not shown as a sample
notice-seller-service-request-sample-revoked = @{ $buyer } took back the consent: the order is no longer shown
notice-seller-service-request-else =
    { $state ->
        [expired] The order of @{ $buyer } expired
        [cancelled] The order of @{ $buyer } was cancelled
       *[other] The order of @{ $buyer }: { $state }
    }
notice-staff-system-dispute = An order over { $credits } is disputed

## Channels

channels-new = New channel
channels-create = Create channel
channels-name = Name: 3 to 64 of a–z, 0–9 and -; it never changes
channels-label = Title (optional)
channels-who-reads = Who can read and join
channels-public = Everyone
channels-private = Its members, added by you
channels-who-writes = Who can write
channels-members-write = Its members
channels-owner-writes = Only you
channels-all = Public
channels-mine = Mine
channels-find = Name starts with
channels-by = by @{ $name }
channels-joined = joined
channels-none = No channels
channels-none-joined = You haven't joined any. <a>Browse channels</a>.
channels-none-found = No channels match.
channels-none-found-create = No channels match. Create one above.
channel-private = private
channel-by = by <a>@{ $name }</a>
channel-all = All channels
channel-leave = Leave
channel-mark-read = Mark as read
channel-none = No messages yet.
channel-members-title = Members of #{ $name }
channel-back = Back to the channel
channel-sign-in = <a>Sign in</a> to join and write.
channel-owner-writes = Only @{ $name } writes here.
channel-join-about = Join to write here.
channel-join = Join
channel-leave-title = Leave channel
channel-leave-ask = Leave #{ $name }?
channel-leave-private = It is private: only its owner can let you in again.
channel-leave-about = What you wrote stays. You can join again.
channel-edit-title = Edit #{ $name }
channel-edit-readers = If a private channel becomes public, only those who are its members then can read what was written before.
channel-edit-save = Save channel
channel-message-delete-about = It disappears for all members and can't be restored.
channel-delete-title = Delete channel
channel-delete-ask = Delete #{ $name }?
channel-delete-about =
    { $count ->
        [one] The channel and all its messages are deleted, for its { $n } member too. This can't be undone; the name becomes free.
       *[other] The channel and all its messages are deleted, for its { $n } members too. This can't be undone; the name becomes free.
    }

## Lists

lists-about = A list is a feed of the accounts you put on it. No one is notified.
lists-public = public
lists-private = private
lists-none = No lists yet
lists-none-about = Create one below, then add accounts to it.
lists-posts-none = No posts yet. Posts by its members appear here.
lists-hashtags = Hashtags you follow
lists-new = New list
lists-create = Create list
lists-name = Name
lists-who = Who can read it
lists-only-me = Only me
lists-everyone = Everyone
lists-replies-members = Replies among members
lists-replies-all = All replies of members
lists-replies-none = No replies
list-back = Back to the list
list-edit-title = Edit list
list-edit-description = Description
list-edit-replies = Which replies it shows
list-edit-exclusive = Hide posts by its members from my home feed
list-edit-save = Save list
list-members-title = Members of { $name }
list-members-of = Members of <bdi>{ $name }</bdi>
list-members-username = Username
list-members-add = Add account
list-members-remove = Remove
list-members-remove-of = Remove @{ $name }
list-members-none = This list has no members yet.
list-delete-title = Delete list
list-delete-ask = Delete the list <bdi>{ $name }</bdi>?
list-delete-about =
    { $count ->
        [one] It can't be brought back. The account of its { $n } member stays. No one is notified.
       *[other] It can't be brought back. The accounts of its { $n } members stay. No one is notified.
    }
