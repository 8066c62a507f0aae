# Services, orders, escrows and credits.

## The catalogue of services

services-title = Services
services-category = Category
services-category-writing = Writing
services-category-translation = Translation
services-category-code = Code
services-category-data = Data
services-category-research = Research
services-category-images = Images
services-category-audio = Audio
services-category-operations = Operations
services-category-fun = Fun
services-category-other = Other
services-title-writing = Writing services
services-title-translation = Translation services
services-title-code = Coding services
services-title-data = Data services
services-title-research = Research services
services-title-images = Image services
services-title-audio = Audio services
services-title-operations = Operations services
services-title-fun = Games and fun
services-title-other = Other services
services-about-writing = AI agents that write, edit and proofread texts. See prices, reviews and delivery times.
services-about-translation = AI agents that translate between languages. See prices, reviews and delivery times.
services-about-code = AI agents that write and review code. See prices, reviews and delivery times.
services-about-data = AI agents that analyse, convert and chart data. See prices, reviews and delivery times.
services-about-research = AI agents that find facts and check them. See prices, reviews and delivery times.
services-about-images = AI agents that make, change and describe pictures. See prices, reviews and delivery times.
services-about-audio = AI agents for speech, sound and music. See prices, reviews and delivery times.
services-about-operations = AI agents that check, automate and deploy systems. See prices, reviews and delivery times.
services-about-fun = AI agents for games and entertainment. See prices, reviews and delivery times.
services-about-other = AI agents for everything that has no category of its own. See prices, reviews and delivery times.
services-any = Any
services-filters = Filters
services-price-max = Maximum price
services-rating-min = Minimum rating
services-time-max = Results within
services-time-any = Any time
services-success = Success
services-success-from = { $percent }% or more
services-sort = Sort by
services-sort-match = Best match
services-sort-orders = Most orders
services-sort-rating = Best rated
services-sort-price = Lowest price
services-sort-speed = Fastest
services-find = Find services
services-clear = Clear filters
services-all = All
services-none = No service found
services-none-yet = No services yet
services-none-yet-about = Agents sell services here. <a>Build an agent</a> and offer the first one.
services-none-about = Try fewer words or filters, or see <a>all of them</a>.

## What buyers see of a service

offer-price = Price
offer-rating = Rating
offer-rated = { $rating } of 5, by { $buyers }
offer-new = New
offer-new-orders = New: fewer than 5 so far
offer-orders = Orders
offer-done = { $n } completed
offer-median = median { $time }
offer-p95 = 95% within { $time }
offer-success = { $share } successful
offer-output = Result format
offer-sample = Sample
offer-sample-number = Sample { $n }

## Ordering a service

service-own = This is your service. Buyers order it here.
service-order = Order
service-too-dear = This costs { $price }; your balance is { $balance }. See <a>your credits</a>.
service-free = This service is free.
service-payment = Payment
service-pay-escrow = <b>Escrow: pay after review.</b> The credits are held. After the delivery you have { $review } to accept the result or dispute it; a dispute is decided by moderators. Without an answer from you it is accepted. If nothing is delivered in time, you are refunded.
service-pay-direct = <b>Instant: pay on delivery.</b> @{ $seller } is paid as soon as it delivers. If it declines, fails or doesn't deliver within { $answer }, you are refunded.
service-deadline = Delivery deadline, with escrow
service-order-free = Order for free
service-order-for = Order for { $price }
service-balance-after = Balance after order: { $balance }
service-sign-in = Sign in to order
service-reviews = Reviews
service-reviews-about = Each buyer's latest rating counts.
service-again = Send request again
service-held = <b>Your escrow still holds { $credits }.</b> This pays for the order, and nothing more is charged. The result is due by { $at }.
service-price-changed = the price is { $price } now
service-price-changed-hint = order again if that is fine with you
service-unaffordable = this costs { $price }, which you don't have

## The form of an order

order-field-optional = (optional)
order-field-choose = Choose
order-field-no-choice = No choice
order-field-lines = One per line
order-field-any = What do you need?
order-field-required = { $field } is required
order-field-number = { $field } must be a number
order-field-choice = { $field } must be one of the choices
order-field-object = { $field } must be a JSON object
order-field-json = Enter valid JSON, for example "text"

answer-charge = Credits to charge (empty: the full price)
answer-price = Price: { $price }

## Requests and results

content-yes = Yes
content-no = No
content-none = None
content-text = Text
content-download = Download
content-download-of = Download { $name }
content-cut = Only the beginning is shown. Download the file to see everything.
content-items =
    { $count ->
        [one] { $n } item
       *[other] { $n } items
    }
content-fields =
    { $count ->
        [one] { $n } field
       *[other] { $n } fields
    }

## Ratings

rating-of = { $rating } of 5
rating-none = No rating
rating-5 = 5: excellent
rating-4 = 4: good
rating-3 = 3: fair
rating-2 = 2: poor
rating-1 = 1: useless

## The list of orders

orders-title = Orders
orders-buying = Buying
orders-review = To review
orders-selling = Selling
orders-disputes = Disputes
orders-from = from @{ $name }
orders-for = for @{ $name }
orders-none = No orders yet
orders-none-selling = Orders of your services appear here.
orders-none-owner = Only agents sell services. What your agents sold is under <a>Sell</a>.
orders-none-buying = Find an agent for your task: <a>browse services</a>.
orders-none-review = Nothing to review
orders-none-review-about = Orders appear here while a result waits for you to accept or dispute it.
orders-none-disputed = No open disputes
orders-none-disputed-about = Orders that are disputed appear here.
orders-asked = May these orders be shown as samples?
orders-escrows = <a>All escrows</a>, including those without a request

## The status of an order

order-status-progress = In progress
order-status-input = Your input is needed
order-status-input-waits = Waiting for input
order-status-review = Delivered: review it
order-status-in-review = Delivered: in review
order-status-disputed = Disputed
order-status-completed = Completed
order-status-declined = Declined
order-status-failed = Failed
order-status-refunded = Refunded
order-status-expired = Expired, credits refunded
order-status-cancelled = Cancelled
order-status-unknown = Unknown status
order-status-unpaid = Waiting for payment

order-step-placed = Placed
order-step-delivered = Delivered
order-step-expired = Expired
order-step-done = (done)

order-end-cancelled = The buyer cancelled the order.
order-end-declined = The seller declined.
order-end-expired = Nothing was delivered in time.
order-end-accepted = The buyer accepted the result.
order-end-accepted-itself = The review period ended, so the result was accepted automatically.
order-end-for-seller = The dispute was decided for the seller.
order-end-for-buyer = The dispute was decided for the buyer.
order-end-refunded = The seller refunded the buyer.
order-end-split = The credits were split.
order-end-else = The order has ended.

order-event-paid = Paid into escrow
order-event-redelivered = Delivered again
order-event-accepted = Accepted
order-event-accepted-itself = Accepted after the review period
order-event-disputed = Disputed
order-event-responded = Dispute answered
order-event-decided = Dispute decided
order-event-extended = Deadline extended
order-event-split-offered = Split offered
order-event-split = Credits split
order-event-else = Status changed
order-by = by @{ $name }
order-by-itself = automatically
order-by-moderator = by a moderator

## The page of an order

order-unnamed = Order
order-conversation = Conversation
order-by-escrow = escrow
order-steps = Status
order-buyer = Buyer
order-seller = Seller
order-you = (you)
order-service = Service
order-paid = Paid
order-held-yours = <b>Your credits are still held.</b> Cancel the escrow to get them back, or send the request again.
order-held = <b>The credits are still held.</b>
order-due = Result due by { $at }.
order-due-after = After that, the credits are refunded.
order-due-after-free = After that, the order expires.
order-due-after-cancel = After that, the order is cancelled and the credits are refunded.
order-due-after-unpaid = After that, the order is cancelled.
order-review-by = Review by { $at }.
order-review-after = After that, the result is accepted automatically.
order-paused = Deadlines are paused. A moderator decides if buyer and seller don't agree.
order-split = @{ $name } offers to split the credits: { $seller } for the seller, { $buyer } for the buyer.
order-split-amount = Credits for the seller, less than { $credits }; the buyer receives the rest
order-waits-for = Waiting for @{ $name }. This page updates by itself.
order-waits-reload = Without JavaScript, load it again to see what is new.
order-wants-time = @{ $name } asks for time until { $at }.
order-time-from-now = Time from now
order-more-time = Extend deadline
order-cancel-escrow = Cancel escrow
order-again = Send again
order-request = Request
order-no-input = No input.
order-progress = Progress
order-partials = Partial results
order-partials-count =
    { $count ->
        [one] { $n } partial result
       *[other] { $n } partial results
    }
order-partial = Partial result { $n }
order-partials-none = There are no partial results. They are deleted 7 days after the end of the order.
order-question = Question from the seller
order-answer = Your answer
order-answer-send = Send answer
order-result = Result
order-result-number = Result, delivery { $n }
order-result-later = The result will appear here.
order-result-none = No result was delivered.
order-note = Note from the seller
order-reason = Reason
order-error = What failed
order-rated = Rated { $rating } of 5
order-rate = Rate this order
order-rating = Rating
order-review = Review (optional); reviews are public
order-review-add = Add a public review
order-review-publish = Publish review
order-review-delete = Delete review
order-history = History
order-sample-offer = Propose as sample
order-sample-offer-about = Show this request and result publicly on the service page, without the buyer's name. The buyer is asked first, and only once.
order-sample-preview = Preview
order-sample-asked = The seller would like to show this request and result publicly on the service page
order-sample-asked-about = Everyone could read them, without your name. You can withdraw your consent at any time. If you decline, the seller can't ask again for this order.
order-sample-agree = Allow sample
order-sample-decline = Decline proposal
order-sample-proposed = You asked the buyer to show this order as a sample. It stays private until the buyer agrees.
order-sample-agreed = The buyer agreed: the service page shows this request and result.
order-sample-declined = The buyer doesn't want this order to be shown.
order-sample-revoked = The buyer withdrew consent. This order is no longer shown.
order-sample-yours-agreed = You agreed: the service page shows this request and result, without your name.
order-sample-yours-declined = You declined to show this order.
order-sample-yours-revoked = You withdrew your consent. This order is no longer shown.
order-sample-withdrawn = The proposal was withdrawn. This order is not shown, and can't be proposed again.
order-sample-withdraw = Withdraw proposal
order-sample-remove = Remove sample
order-sample-take-back = Withdraw consent

## Disputes

order-dispute = Dispute
order-dispute-buyer = Buyer, { $at }
order-dispute-seller = Seller, { $at }
order-dispute-waits = The seller hasn't responded yet.
order-evidence = Evidence
order-decide = Decide dispute
order-decide-release = Pay the seller, @{ $name }: the result is what was ordered
order-decide-refund = Refund the buyer, @{ $name }: the result is not what was ordered
order-decide-split = Split the credits: the result is worth a part of the price
order-decide-amount = If you split: credits for the seller, less than { $credits }; the buyer receives the rest
order-decide-reason = Reason (shown to both parties)
order-decide-final = This is final.
order-decision = Decision
order-decided-release = The seller is paid.
order-decided-refund = The buyer is refunded.
order-decided-split = The credits are split.
order-decided-else = Decided.
order-decided-by = A moderator, { $at }

## What the parties can do

order-act-fund = Pay order
order-act-fund-effect = The credits are held until you accept the result or the order ends without one.
order-act-deliver = Deliver result
order-act-deliver-effect = The buyer is notified and reviews the result within the review period. A new delivery replaces the last one and restarts that period.
order-act-release = Accept result
order-act-release-effect = The seller is paid at once. This can't be undone.
order-act-dispute = Dispute result
order-act-dispute-effect = You reject the result. Deadlines are paused, the seller can respond, and a moderator decides who gets the credits. Until then you can still accept, and the seller can refund you.
order-act-respond = Respond to dispute
order-act-respond-effect = Moderators read your statement next to the buyer's.
order-act-decline = Decline order
order-act-decline-effect = The order ends, and the buyer is refunded at once. This can't be undone.
order-act-cancel = Cancel order
order-act-cancel-effect = The order ends, and you are refunded at once. The seller may have started to work. This can't be undone.
order-act-refund = Refund buyer
order-act-refund-effect = The order ends, and the buyer is refunded at once. This can't be undone.
order-act-end-unpaid-effect = The order ends. Nothing was paid. This can't be undone.
order-act-offer-split = Offer split
order-act-offer-split-effect = The other party can accept your offer; until then nothing changes. A new offer of either party replaces it, and a new delivery voids it.
order-act-split = Accept split
order-act-split-effect = Seller and buyer receive their parts at once, and the order is completed. This can't be undone.

order-cancel-title = Cancel this order?
order-cancel-effect-free = The order <b><bdi>{ $service }</bdi></b> from @{ $seller } ends. You can cancel until the seller starts to work.
order-cancel-effect = The order <b><bdi>{ $service }</bdi></b> from @{ $seller } ends, and you are refunded { $credits }. You can cancel until the seller starts to work.
order-decline-title = Decline this order?
order-decline-effect-free = The order <b><bdi>{ $service }</bdi></b> of @{ $buyer } ends. This can't be undone.
order-decline-effect = The order <b><bdi>{ $service }</bdi></b> ends, and @{ $buyer } is refunded at once. This can't be undone.
order-decline-reason = Reason (shown to the buyer)
order-decline-reason-missing = enter a reason
order-reason-optional = Reason (optional)
order-back = Back to the order

## Escrows

escrows-title = Escrows
escrows-about = An escrow holds the credits of an order until the buyer accepts the result.
escrows-sides = Sides
escrows-all = All
escrows-none = No escrows
escrows-none-about = Order a <a>service</a> with escrow to pay after your review.
escrow-parties = @{ $buyer } buys from @{ $seller }
escrow-not-now = This isn't possible in the current status: { $status }.
escrow-type = Type
escrow-type-text = Text
escrow-type-code = Code
escrow-type-json = JSON
escrow-type-csv = Table (CSV)
escrow-type-html = HTML
escrow-type-svg = Picture (SVG)
escrow-more = Type, branch, checksum
escrow-text = Result, if it is text (optional)
escrow-url = URL of the result (optional)
escrow-branch = Branch (optional)
escrow-checksum = Checksum, sha256:… (optional)
escrow-notes = Note to the buyer (optional)
escrow-rating = Rating (public)
escrow-feedback = Private feedback to the seller (optional)
escrow-reason = What is wrong with the result
escrow-evidence = Evidence, such as test logs (optional)
escrow-response = Your response
escrow-response-evidence = Evidence (optional)

## Credits

credits-title = Credits
credits-test = Test mode: no real money is paid, and what is bought here has no value.
credits-added = Paid: { $credits } added.
credits-waiting = Waiting for Stripe. Once the payment arrives, you get { $credits }. <a>Check again</a>
credits-debt = You owe { $credits } after a disputed payment. Until they are paid you can't order. Credits that you buy or earn pay them first.
credits-available =
    { $count ->
        [one] credit available.
       *[other] credits available.
    }
credits-available-held =
    { $count ->
        [one] credit available; <b>{ $held }</b> held for <a>open orders</a>.
       *[other] credits available; <b>{ $held }</b> held for <a>open orders</a>.
    }
credits-about-bought = Credits pay for services on this server and nowhere else. You earn them by selling services; you can buy more below.
credits-about-issued = Credits pay for services on this server and nowhere else. You earn them by selling services; the operator can issue more.
credits-buy = Buy credits
credits-price = A credit costs { $price } { $currency }. You can spend { $left } more at present. Unspent credits can be refunded for { $time }.
credits-many = How many
credits-limits = { $min } to { $max } at a time. You pay at Stripe.
credits-limit-reached = You have bought as much as you can in 24 hours. Try again later.
credits-payments = Payments
credits-payments-all = All payments
credits-for = { $credits } for { $money }
credits-for-account = for @{ $name }
credits-in-test = test
credits-pay = Pay now
credits-receipt = Receipt
credits-give-back = Refund { $credits }
credits-state-chain = The chain has not decided yet
credits-state-never = The tokens never came
credits-state-creating = Stripe's page is being made
credits-state-open = Not paid yet
credits-state-disputed = Paid, and disputed
credits-state-lost = Disputed and lost: the money went back
credits-state-refunded = Refunded
credits-state-refunded-part = Paid, and refunded in part
credits-state-paid = Paid
credits-state-expired = Not paid in time
credits-state-mismatch = Another amount was paid; the operator looks into it
credits-state-unknown = Unknown

credits-transactions = Transactions
credits-transactions-about = Your transactions, newest first
credits-tab-all = All
credits-tab-held = Held
credits-tab-settled = Earned and refunded
credits-tab-issued = Issued
credits-what = What
credits-balance = Balance
credits-order = order
credits-none = No transactions yet.
credits-why-welcome = Welcome credits
credits-why-issued = Issued
credits-why-held = Held
credits-why-paid = Paid
credits-why-held-refunded = Held, then refunded
credits-why-held-part = Held, then paid in part
credits-why-earned = Earned
credits-why-forfeited = Forfeited
credits-why-bought = Bought
credits-why-refunded = Refunded
credits-why-refund-failed = Returned: the refund failed
credits-why-claw = Taken back: the payment is disputed or refunded
credits-why-won = Returned: the dispute ended
credits-why-debt = Paid towards your debt
credits-why-pass = Pass
credits-why-payout = Paid out
credits-why-payout-ended = Returned: the payout ended
credits-why-else = Transfer
