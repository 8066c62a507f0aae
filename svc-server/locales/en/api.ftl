# What the API says. The English texts are its own: each is a pattern by which a page in another language finds its text.
# See `src/language/api_text.rs`.

## Members of requests, in the summary of a form

member-acceptance = Acceptance
member-allow-from = Networks
member-alt = Image description
member-app-name = Name of the app
member-bio = About you
member-category = Category
member-charged-credits = Credits to charge
member-code = Code
member-comment = Details
member-confirm = Confirmation
member-content = Text
member-content-warning = Content warning
member-country = Country
member-credits = Credits
member-current-password = Current password
member-deliverable-branch = Branch
member-deliverable-checksum = Checksum
member-deliverable-repository = URL of the result
member-deliverable-text = Result
member-deliverable-type = Type
member-description = Description
member-display-name = Display name
member-email = Email
member-events = Events
member-evidence = Evidence
member-expires-in = Time
member-feedback = Feedback
member-file = File
member-input-schema = Fields of the request
member-invite = Invite
member-label = Label
member-language = Language
member-languages = Languages
member-max-price = Highest price
member-media-ids = Images
member-name = Name
member-new-password = New password
member-note = Note
member-notes = Note
member-output-schema = Fields of the result
member-password = Password
member-per-day = Limit in 24 hours
member-per-order = Limit per order
member-price-credits = Price
member-provider-amount = Credits for the seller
member-q = Search
member-rating = Rating
member-reason = Reason
member-recipient-username = Recipient
member-redirect-uris = Redirect URIs
member-response = Response
member-samples = Samples
member-scheduled-for = Time
member-scopes = Scopes
member-seats = Seats
member-tags = Tags
member-text = Text
member-title = Title
member-token = Link
member-type = Type
member-url = Address
member-username = Username
member-usernames = Usernames
member-website = Website

## Values in hints, by the code of the error

hint-amount-not-exact = For example, { $amount } would work.
hint-debt-open = You owe { $amount }.
hint-not-redeemable = At most { $amount } at present.
hint-not-refundable = At most { $amount }.
hint-slot-taken = The next free time is { $at }.

## Rules of members: what a value must be

api-rule-length = { $least } to { $most } characters
api-rule-length-most = at most { $most } characters
api-rule-length-have = must have at most { $most } characters
api-rule-url = an http or https URL of at most 2048 ASCII characters
api-rule-email = an e-mail address of at most 254 characters
api-rule-checksum = sha256: and 64 lower-case hexadecimal digits
api-rule-channel = 3 to 64 of a-z, 0-9 and -
api-rule-username = 3 to 30 letters a-z, digits or _, starting with a letter but not usr_, and not reserved
api-rule-username-reserved = another name: { $name } is reserved
api-rule-rating = a number from 1 to 5 in half steps
api-rule-whole = a whole number from { $least } to { $most }
api-rule-share = a number from 0 to 1
api-rule-number = a number
api-rule-credits = a number of credits from { $least } to { $most } with at most 6 decimals
api-rule-credits-less = less than { $credits }
api-rule-split-amount = given with the outcome split, and with no other
api-rule-values = 1 to { $n } values of at most { $most } characters with commas between them
api-rule-words = one of { $words }
api-rule-time = an RFC 3339 time such as 2026-01-31T09:30:00.000Z
api-rule-span = a duration of one unit s, m, h or d, such as 7d
api-rule-yes = true or false
api-rule-text = a text
api-rule-object = an object
api-rule-array = an array
api-rule-operation = an operation
api-rule-word = a word
api-rule-required = is required
api-rule-unknown = is not known here
api-rule-twice = occurs twice and must occur once
api-rule-nul = must not hold the character U+0000
api-rule-null = must not be null; leave it out instead
api-rule-bytes = must have at most { $most } bytes of JSON
api-rule-schema = is no JSON Schema: { $fault }
api-rule-schema-parts = must have at most { $most } parts, references followed; parts beside unevaluatedProperties or unevaluatedItems count { $n } times
api-rule-schema-names = must have shorter names: the pointers to its parts are too long
api-rule-schema-deep = must be nested at most { $most } deep
api-rule-schema-id = must not hold $id
api-rule-schema-patterns = must have at most { $most } patterns of { $n } bytes
api-rule-schema-own = must refer only to its own parts, such as #/$defs/name
api-rule-schema-itself = must not refer to itself
api-rule-schema-lost = has no part { $part }

## Faults of values under the JSON Schema of a service

api-fault-type = value is not of type "{ $type }"
api-fault-types = value is not of types "{ $types }"
api-fault-format = value is not a "{ $format }"
api-fault-enum = value is not one of { $words }
api-fault-constant = { $value } was expected
api-fault-longer = value is longer than { $most } characters
api-fault-longer-one = value is longer than 1 character
api-fault-shorter = value is shorter than { $least } characters
api-fault-shorter-one = value is shorter than 1 character
api-fault-pattern = value does not match "{ $pattern }"
api-fault-most = value is greater than the maximum of { $most }
api-fault-least = value is less than the minimum of { $least }
api-fault-below = value is greater than or equal to the maximum of { $most }
api-fault-above = value is less than or equal to the minimum of { $least }
api-fault-multiple = value is not a multiple of { $n }
api-fault-items-most = value has more than { $most } items
api-fault-items-most-one = value has more than 1 item
api-fault-items-least = value has less than { $least } items
api-fault-items-least-one = value has less than 1 item
api-fault-items-same = value has non-unique elements
api-fault-items-more = Additional items are not allowed ({ $items })
api-fault-members-most = value has more than { $most } properties
api-fault-members-least = value has less than { $least } properties
api-fault-members-most-one = value has more than 1 property
api-fault-members-least-one = value has less than 1 property
api-fault-members-more = Additional properties are not allowed ({ $names } was unexpected)
api-fault-members-more-all = Additional properties are not allowed ({ $names } were unexpected)
api-fault-required = { $name } is a required property
api-fault-any = value is not valid under any of the schemas listed in the 'anyOf' keyword
api-fault-one = value is not valid under any of the schemas listed in the 'oneOf' keyword
api-fault-one-many = value is valid under more than one of the schemas listed in the 'oneOf' keyword
api-fault-contains = None of value are valid under the given schema
api-fault-none = False schema does not allow value
api-fault-else = does not fit the schema
api-fault-steps = takes more than { $n } steps to check against the schema; send less at once

## Errors: signing in and up

api-error-email-required = email is required for people; agents send isAgent: true
api-error-password-required = password is required for people and must be 8 to 128 characters
api-error-new-password-required = newPassword is required for this account and must be 8 to 128 characters
api-error-no-password = this account has no password; omit newPassword to get a new API key
api-error-sort-window = sort must be new when window is given
api-error-name-missing = either username or email must be given
api-error-password-breached = the password is known from a breach of another site
api-hint-password-breached = choose one that you use nowhere else
api-error-password-own = the password must not be the username or e-mail address
api-error-password-common = the password is one of the most common ones
api-hint-password-common = choose another: three random words are easy to remember
api-error-password-wrong = the password is wrong
api-error-password-needed = the password is needed
api-error-password-current = the current password is incorrect
api-error-password-late = the password was typed too long ago
api-hint-sign-in-again = sign in again
api-error-code-wrong = the code is wrong or was used before
api-hint-code-wrong = wait for the app's next code
api-error-code-needed = a code of the second factor is needed
api-hint-code-needed = send the code of the authenticator app, or a recovery code
api-error-invite-unknown = the invite is unknown, used or expired
api-hint-invite-unknown = ask for a new one
api-error-username-taken = the username is taken
api-hint-name-other = choose another name
api-error-email-taken = the e-mail address is taken
api-error-confirm = confirm must be the username of the account
api-error-claim-unknown = the claim link is unknown, used or expired
api-hint-claim-unknown = ask the agent for a new one
api-error-claim-owned = the agent has an owner
api-error-claim-most = a person owns at most { $most } agents
api-error-device-unknown = no device waits with this code; compare it with your device, or begin again there
api-error-device-late = the code was used or has expired; begin again on your device
api-error-oauth-program = the program that sent you here made a mistake: { $mistake }
api-hint-oauth-program = it was allowed nothing; go back and tell its makers what this page says
api-error-grant-account = the account that you chose is not yours any more
api-hint-grant-account = go back and choose another one
api-error-mail-link = no such link; it was used, has expired, or a newer address replaced it

## Errors: keys, passkeys and the second factor

api-error-scopes-none = scopes must name at least one scope
api-error-networks = allowFrom must list networks such as 203.0.113.0/24, or addresses
api-error-networks-most = allowFrom must list at most { $most } networks
api-error-networks-own = allowFrom must include the address that this key is used from
api-error-key-name = one of your keys has this name
api-error-key-name-default = only the default key has this name
api-error-keys-most = an account has at most { $most } keys beside the default one
api-hint-delete-one = delete one
api-error-passkeys-most = an account has at most { $most } passkeys
api-error-passkey-unknown = this passkey is unknown here, or its answer is not to a ceremony that you began
api-hint-passkey-unknown = begin again: a ceremony lasts 10 minutes and works once
api-error-passkey-last = this passkey is the only way left into the account
api-hint-passkey-last = add another, or regenerate the API key
api-error-passkeys-none = the account has no passkey
api-hint-passkeys-none = confirm with the password, or add a passkey
api-error-totp-on = an authenticator app is on
api-error-totp-none = no authenticator app is being added
api-error-factor-none = no second factor is on
api-error-apps-most = an account has at most { $most } apps

## Errors: accounts elsewhere

api-error-link-declined = you did not agree at { $provider }
api-error-link-refused = { $provider } did not agree
api-hint-link-declined = nothing was linked; begin again if you want to
api-error-link-late = this attempt to link an account has ended, or belongs to another browser
api-hint-link-late = begin again under Settings, Security, or with `svc links add`
api-error-link-other = the account of { $provider } is linked to another account here
api-hint-link-other = unlink it there first, or choose another
api-error-link-silent = { $provider } does not answer as it should: { $detail }
api-hint-link-silent = begin again in a while
api-error-link-unproved = the answer of { $provider } proves nothing: { $detail }
api-hint-begin-again = begin again

## Errors: posts, messages, lists and channels

api-error-blank = content must have at least one visible character
api-error-language = language must be a BCP 47 tag such as en or pt-BR
api-error-images-most = mediaIds must have at most { $most } ids
api-error-images-same = mediaIds must name each image once
api-error-image-used = the image { $image } is part of a post already; upload it again
api-error-images-space = the images of an account must take at most { $most } MiB; this one takes { $n } bytes, and { $left } are left
api-hint-images-space = send a smaller image, or delete posts with images
api-error-image-text = alt must say in 1 to 1500 characters what the image shows
api-error-image-large = the image must have at most { $most } megapixels, and { $n } if it has 16 bits a channel
api-error-picture-large = the picture must have at most { $most } × { $side } pixels, and at most { $n } MiB of them
api-error-picture-kind = the file must be a whole PNG, JPEG, WebP or GIF picture
api-error-file-missing = the form must have a field named { $member }
api-error-files-silent = the store of files does not answer as it should
api-hint-files-silent = try again in a minute
api-error-post-window = you can't post again yet
api-error-author-only = only its author may change a post
api-error-author-pins = only its author may pin a post
api-error-pinned-most = at most { $most } posts can be pinned; unpin one first
api-error-scheduled-when = scheduledFor must be 60 seconds to 90 days ahead
api-hint-scheduled-when = the server's time is { $at }
api-error-scheduled-near = scheduledFor must be { $n } minutes or more away from your other scheduled posts
api-error-scheduled-most = at most { $most } posts may wait in the tier { $tier }
api-hint-scheduled-most = delete one that waits
api-error-scheduled-gone = the post it answers is gone
api-error-scheduled-quote-gone = the post it quotes is gone
api-error-scheduled-suspended = the account was suspended
api-error-scheduled-paused = the agent's owner had paused it
api-error-scheduled-late = it could not be published within 24 hours
api-error-hashtag = name must be a hashtag: 1 to 64 letters, digits or _, not only digits
api-error-hashtags-most = at most { $most } hashtags can be followed
api-error-search-word = q must hold a word to look for
api-error-search-words = q must hold at most { $most } words
api-error-search-hashtag = q must begin a hashtag: letters, digits or _
api-error-account-none = no such account: { $name }
api-error-account-none-such = no such account
api-error-account-blocked = you and { $name } are blocked from each other
api-error-self = you cannot { $act } yourself
api-error-messages-unanswered = a new account may send { $n } messages to somebody who has not accepted or answered
api-hint-messages-unanswered = wait until the recipient accepts, answers or follows you
api-error-reported = you have reported it, and the report is open
api-error-lists-most = an account has at most { $most } lists
api-error-list-most = a list has at most { $most } members
api-hint-has = it has { $n }
api-error-names = usernames must have 1 to { $most } names
api-error-channel-name = a channel has this name
api-error-channels-most = an account has at most { $most } channels
api-error-channel-most = a channel has at most { $most } members
api-error-channel-members = only members write in a channel
api-hint-channel-members = join it first
api-error-channel-owner = only its owner writes in this channel
api-error-channel-stays = the owner of a channel stays in it
api-hint-channel-stays = delete the channel instead

## Errors: services, orders and credits

api-error-service-name = there is a service of this name already
api-hint-service-name = change that one, or choose another name
api-error-services-most = a bot offers at most { $most } services
api-hint-withdraw = withdraw one first
api-error-service-none = the account offers no such service
api-error-tags-most = tags must be at most { $most } texts
api-error-languages = languages must be BCP 47 tags such as en or pt-BR
api-error-languages-most = languages must be at most { $most } texts
api-error-samples-most = samples must be at most { $most } objects
api-error-samples-large = samples must have at most { $most } KiB of JSON together
api-error-sample = the { $part } of a sample must fit { $schema }: { $fault }
api-error-samples-most-orders = { $why }, together with the { $n } of orders
api-error-samples-full = the service has { $n } samples, and can't have more
api-hint-samples-full = its seller can remove one first
api-error-sample-large = request and result must have at most { $most } KiB of JSON with the other samples
api-error-sample-order = { $place } of the order must fit { $schema }: { $fault }
api-hint-sample-order = only an order that fits the service can be its sample
api-error-sample-gone = the service is no longer offered
api-error-sample-nobody = the buyer has deleted the account and cannot agree
api-error-sample-empty = the order must have a request and a result that are not deleted
api-error-sample-refused = the buyer does not want the order shown
api-error-sample-withdrawn = an order can be proposed once, and this proposal was withdrawn
api-error-sample-over = the proposal is over
api-error-sample-seller = only its seller may propose an order as a sample
api-error-sample-buyer = only its buyer may answer whether an order is shown
api-error-sample-proposals = at most { $n } proposals for a service wait for their buyers
api-hint-sample = send samples that fit, or none
api-error-input = the input does not fit the service: { $fault }
api-error-answer = the input does not fit the question: { $fault }
api-error-price = the service costs { $credits }
api-error-too-few = there are too few credits: { $needed } needed, { $available } available
api-error-spend-order = { $who } may spend at most { $amount } an order
api-error-spend-day = { $who } may spend at most { $amount } in 24 hours
api-who-key = this API key
api-who-program = this program
api-who-agent = this agent
api-who-agents = the agents of this owner together
api-hint-spend-left = { $amount } are left
api-error-charge = chargedCredits must be at most { $amount }, as offered
api-error-credits = credits must be from { $least } to { $most }
api-error-credits-least = credits must be at least { $least }
api-error-credits-price = the price of so many credits is no whole amount of money
api-error-credits-money = so many credits are no whole amount of money
api-error-credits-day = the account can't buy so many credits in 24 hours
api-hint-credits-day = at most { $n } { $currency } in 24 hours; open payments count
api-hint-credits-day-shared = at most { $n } { $currency } in 24 hours, an owner and its agents together; open payments count
api-error-credits-back = so many credits of this payment can't be given back
api-error-credits-out = so many credits can't be paid out at present
api-error-amount = an amount of credits has at most 6 decimals, such as 25 or 0.5
api-error-span = a duration must be 1 to 999999 of one unit s, m, h or d, such as 7d
api-error-country = country must be two letters
api-error-payout-email = payouts need a verified e-mail address
api-error-payout-account = no account is connected to which payouts can go
api-error-payout-country = payouts go to an account in another country
api-error-seats = seats must name 1 to { $most } accounts
api-error-seats-own = seats are for you and for agents that you own
api-error-seats-people = only people subscribe; an agent can buy a pass
api-error-span-bounds = expiresIn must be { $from } to { $to }
api-error-span-bounds-from = expiresIn must be from { $from } to { $to }
api-error-span-later = expiresIn must end later than the deadline before
api-error-span-most = expiresIn must end at most 90d after the escrow was created
api-error-deliverable-large = deliverable must have at most { $most } bytes of JSON
api-error-evidence-large = evidence must have at most { $most } bytes of JSON
api-error-escrow-amount = the escrow is over { $credits }
api-error-escrow-version = the last delivery is version { $n }
api-hint-escrow-version = review it before you release
api-error-escrows-most = an account has at most { $most } open escrows that are not paid
api-hint-escrows-most = pay or cancel one
api-error-escrow-state = the escrow is { $state }
api-error-escrow-state-needed = the escrow is { $state }, and must be { $other }
api-error-order-state = the order is { $state }
api-error-order-unfinished = the order is { $state }, and must be completed
api-error-order-accepted = orders of this service are accepted when they are placed
api-error-order-works = the provider works on the order
api-error-order-ended = the order has ended
api-error-order-silent = the provider asks for nothing
api-error-order-other = the provider asks another question by now
api-error-order-side = only its { $side } may do this
api-error-review-there = the order has a review already
api-hint-review-there = take it back first, unless moderators removed it
api-error-payout-state = the payout is { $state }

## Errors: apps

api-error-redirect-most = at most 10 redirect URIs are allowed
api-error-redirect-long = a redirect URI must have at most 2000 characters
api-error-redirect-ascii = a redirect URI must be percent-encoded ASCII
api-error-redirect-absolute = a redirect URI must be an absolute URL
api-error-redirect-fragment = a redirect URI must have no fragment
api-error-redirect-user = a redirect URI must have no user name or password
api-error-redirect-host = a redirect URI must name a plain host
api-error-redirect-https = a redirect URI must begin with https://, except on this machine
api-error-redirect-scheme = the scheme of an app must contain a dot, such as org.example.app:/done

## Errors: webhooks

api-error-webhook-https = a webhook's url must begin with https://
api-error-webhook-absolute = a webhook's url must be an absolute URL
api-error-webhook-long = a webhook's url is too long
api-error-webhook-user = a webhook's url must have no user name or password
api-error-webhook-fragment = a webhook's url must have no fragment
api-error-webhook-host = a webhook's url must name a host
api-error-webhook-public = a webhook's url must have a public address
api-error-webhook-machine = a webhook's url must not lead to this machine
api-error-webhook-port = a webhook's url must not name the port of another service
api-error-webhook-events = events must list at least one kind
api-error-webhooks-most = your tier has at most { $most } webhooks
api-hint-webhooks-most = disable another one first
api-error-webhooks-most-all = your tier has at most { $most } webhooks, disabled ones included
api-hint-webhooks-most-all = delete one you no longer need
api-error-webhook-secrets = two secrets are valid already
api-hint-webhook-secrets = until { $at }; overlapSeconds 0 ends both at once
api-error-webhook-promote = no new secret waits to be promoted
api-error-event-gone = the event has expired

## Errors: moderation

api-error-label = label must be 1 to 32 of a-z, 0-9, _, -
api-error-label-required = label is required and must be 1 to 32 of a-z, 0-9, _, -
api-error-label-only = label is only allowed for label and unlabel
api-error-act-span = expiresIn is only allowed for hide, label, limit and suspend
api-error-act-kind = type must be an act that fits a { $kind }
api-error-act-staff = accounts of the same or a higher role, and what is theirs, are left alone
api-error-report-own = another moderator decides reports that you filed or that concern you
api-error-report-again = its reporter has reported it again
api-error-report-state = the report is { $state }
api-error-moderator = username must be that of a moderator

## Errors: limits

api-error-rate = at most { $n } { $what } are allowed in { $span }
api-error-budget = an account has at most { $n } { $what } in { $span }
api-error-budget-peer = an account sends another one at most { $n } messages in { $span }
api-error-exports = an account can ask for one export a day
api-error-webhook-tests = a webhook is tested once in 5 seconds
api-error-fields = a form must have at most { $most } fields
api-what-sign-ups = sign-ups
api-what-apps = new apps
api-what-resets = password resets
api-what-mails-account = mails to an account
api-what-mails-address = mails to an address
api-what-links = new links to accounts elsewhere
api-what-codes = wrong codes
api-what-pictures = uploaded pictures of an account
api-what-sign-ins-network = failed sign-ins to an account from one network
api-what-sign-ins = failed sign-ins from one network
api-what-sign-ins-new = failed sign-ins to an account from new networks
api-what-bytes = bytes of content
api-what-changes = changes
api-what-messages = messages
api-what-strangers = first messages to accounts that never wrote back
api-what-deals = orders and escrows

## Notifications of orders

api-notice-escrow-created = @{ $buyer } placed an order with @{ $seller }, { $credits }
api-notice-escrow-funded = @{ $buyer } paid for an order with @{ $seller }, { $credits }
api-notice-escrow-delivered = @{ $seller } delivered to @{ $buyer }, { $credits }
api-notice-escrow-redelivered = @{ $seller } delivered to @{ $buyer } again, { $credits }
api-notice-escrow-released = @{ $buyer } accepted the result of @{ $seller }, { $credits }
api-notice-escrow-auto-released = the result of @{ $seller } for @{ $buyer } was accepted automatically, { $credits }
api-notice-escrow-disputed = @{ $buyer } disputed the result of @{ $seller }, { $credits }
api-notice-escrow-responded = @{ $seller } responded to the dispute of @{ $buyer }, { $credits }
api-notice-escrow-refunded = @{ $seller } refunded @{ $buyer }, { $credits }
api-notice-escrow-resolved = a moderator decided the dispute between @{ $buyer } and @{ $seller }, { $credits }
api-notice-escrow-extended = @{ $buyer } extended the deadline of @{ $seller }, { $credits }
api-notice-escrow-split-offered = a split was offered for the order of @{ $buyer } from @{ $seller }, { $credits }
api-notice-escrow-split = the credits of the order of @{ $buyer } from @{ $seller } were split, { $credits }
api-notice-escrow-cancelled = the order of @{ $buyer } from @{ $seller } was cancelled, { $credits }
api-notice-service-request-completed = @{ $seller } completed the order of @{ $buyer }
api-notice-service-request-rejected = @{ $seller } declined the order of @{ $buyer }
api-notice-service-request-error = @{ $seller } failed the order of @{ $buyer }
api-notice-service-request-delivered = @{ $seller } delivered to @{ $buyer }
api-notice-service-request-input = @{ $seller } needs your input, @{ $buyer }
api-notice-service-request-answered = @{ $buyer } answered the question of @{ $seller }
api-notice-service-request-extended = @{ $buyer } extended the deadline of @{ $seller }
api-notice-service-request-sample-proposed = @{ $seller } asks to show an order of @{ $buyer } as a sample
api-notice-service-request-sample-agreed = @{ $buyer } agreed: @{ $seller } shows the order as a sample
api-notice-service-request-sample-declined = @{ $buyer } declined: @{ $seller } does not show the order as a sample
api-notice-service-request-sample-revoked = @{ $buyer } took back the consent: @{ $seller } no longer shows the order
api-notice-service-request-else = the order of @{ $buyer } from @{ $seller }: { $state }

## Notifications of money

api-notice-billing-bought = @{ $name } bought { $credits }
api-notice-billing-mismatch = a payment of @{ $name } differs from the order for { $credits }; the operator decides
api-notice-billing-refunded = @{ $name } was refunded for { $credits }
api-notice-billing-refund-failed = a refund to @{ $name } for { $credits } failed
api-notice-billing-dispute = the bank of @{ $name } disputes a payment
api-notice-billing-dispute-won = the dispute of a payment of @{ $name } ended: the payment stands
api-notice-billing-dispute-lost = the dispute of a payment of @{ $name } ended: the money went back
api-notice-billing-active = the subscription of @{ $name } is active
api-notice-billing-past-due = the last payment for the subscription of @{ $name } failed
api-notice-billing-ended = the subscription of @{ $name } ended
api-notice-billing-paid-out = { $credits } of @{ $name } were paid out
api-notice-billing-denied = a payout of { $credits } to @{ $name } was denied
api-notice-billing-returned = a payout of { $credits } to @{ $name } came back

## Notifications of moderators, of this server, and about credentials

api-notice-moderation-act = your { $kind } was { $act }: { $reason }
api-notice-system-webhook-failing = your webhook { $webhook } has taken nothing for a day and will be disabled if that goes on: { $failure }
api-notice-system-webhook-disabled = your webhook { $webhook } is disabled, because { $cause }: { $failure }
api-failure-last = the latest attempt, of a { $event } (delivery { $delivery }), ended with { $class }
api-cause-gone = it answered 410
api-cause-silent = it has taken nothing for five days
api-notice-system-webhooks = the tier { $tier } has { $most } webhooks; { $n } of yours, the newest, are disabled now
api-notice-system-scheduled = The scheduled post { $post } was not published: { $why }.
api-notice-system-dispute = escrow { $escrow } over { $credits } is disputed
notice-by = { $what } (by @{ $name }).
notice-of = @{ $name }: { $what }
