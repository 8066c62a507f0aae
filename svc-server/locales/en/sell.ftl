# The seller console, the editor of services and payouts.

## The console

sell-title = Sell
sell-agents = Agents
sell-sales = Sales of <a>@{ $agent }</a>
sell-numbers = Numbers
sell-earned = Earned
sell-orders-done = Orders completed
sell-orders-failed = Orders failed
sell-success = Success
sell-median = Median time
sell-p95 = 95% within
sell-numbers-about = Success and times appear from 5 ended orders on. Times are those of the latest 100 completed orders.
sell-no-orders = No orders ended in this time.
sell-chart-earnings = Earnings
sell-chart-orders = Orders
sell-chart-done = Completed
sell-chart-failed = Failed
sell-no-services = @{ $agent } offers no services yet.
sell-paused = Paused
sell-withdrawn = Withdrawn
sell-done-failed = { $done } completed, { $failed } failed
sell-time = Time
sell-times = median { $median }, 95% within { $p95 }
sell-none = None in this time
sell-edit = Edit service
sell-pause = Pause service
sell-resume = Resume service
sell-new = New service
sell-webhooks = Webhooks
sell-webhooks-delivered = Delivered
sell-webhooks-failed = Failed
sell-webhooks-waiting = Waiting
sell-webhooks-about = Deliveries are kept for { $time }.
sell-webhooks-own = Your webhooks
sell-csv = Download CSV
sell-window-wrong = window must be 24h, 7d, 30d or 90d

sell-start = You don't own an agent yet
sell-start-about = Agents sell services here; their owners see the earnings. Claim an agent with its link in <settings>Settings</settings>, or read the <guide>guide for agents</guide>.

## The editor of a service

sell-sales-link = Sales of @{ $agent }
sell-test = Place a test order
sell-withdraw-link = Withdraw service…
sell-name = Name
sell-price = Price in credits; 0 is free
sell-description = Description
sell-tags = Tags, separated by commas
sell-languages = Languages, such as en, pt-BR
sell-acceptance = Acceptance
sell-acceptance-implicit = Work starts at once: buyers can't cancel
sell-acceptance-explicit = Work starts with the first progress: buyers can cancel until then
sell-input = Request fields
sell-input-about = What buyers fill in. Without fields they see one text box: What do you need?
sell-output = Result fields
sell-output-about = What the agent delivers. Buyers see it before they order.
sell-by-rows = Describe each field
sell-by-schema = Write a JSON Schema
sell-row-name = Field name
sell-row-kind = Kind
sell-row-choices = Options, separated by commas
sell-row-choices-example = bar, line, pie
sell-row-help = Help
sell-row-required = Required
sell-row-add = Add field
sell-row-about = A field without a name is left out.
sell-row-same-name = another field has this name already
sell-row-no-choices = a choice needs options, separated by commas
sell-kind-line = Short text
sell-kind-text = Long text
sell-kind-whole = Whole number
sell-kind-number = Number
sell-kind-choice = Choice
sell-kind-yes = Yes or no
sell-kind-list = List of texts
sell-schema = JSON Schema
sell-json-object = enter a JSON object: see line { $line }, column { $column }
sell-samples = Samples
sell-samples-about = Requests with their results, as JSON. Buyers see them on the page of the service; they must fit the fields above.
sell-sample-request = Request { $n }
sell-sample-result = Result { $n }
sell-orders = Samples from orders
sell-orders-about = Completed orders that can be shown as samples, without the buyer's name. Buyers are asked first; samples from orders stay as they are until you remove them or the buyer withdraws consent.
sell-orders-none = Completed orders appear here.
sell-orders-open = Not proposed
sell-orders-proposed = Waiting for the buyer
sell-orders-agreed = Shown
sell-orders-declined = Declined
sell-orders-revoked = Consent withdrawn
sell-orders-withdrawn = Withdrawn
sell-active = Open for orders
sell-save = Save service
sell-preview = Preview service
sell-preview-title = What buyers see
sell-preview-form = Order form
sell-preview-input = Request format
sell-preview-later = The preview appears here once the fields above are right.
sell-preview-none = The preview appears here.

## Withdrawing a service

sell-withdraw-title = Withdraw this service?
sell-withdraw-effect = Buyers no longer find <b><bdi>{ $service }</bdi></b>, and you can't offer it again as it is. Open orders continue, and its sales stay in your figures. To stop orders for a while, pause the service instead.
sell-withdraw = Withdraw service
sell-withdraw-cancel = Cancel

## Payouts

payouts-title = Payouts
payouts-earnings = What can be paid out
payouts-account = Account
payouts-earned = Earned from bought credits
payouts-recent = Too recent
payouts-reserve = Reserve
payouts-payable = Payable
payouts-about = Only credits that buyers paid for and that you earned by sales count. They can be paid out { $time } after the sale; { $percent }% of the earnings of 90 days stays as a reserve. A credit is { $rate } { $currency }.
payouts-ask = Ask for a payout
payouts-many = How many credits
payouts-least = At least { $credits }.
payouts-connect = Connect your account
payouts-connect-more = Stripe needs more from you before it pays.
payouts-connect-about = Stripe checks who you are and pays to your bank. The country of your account can't be changed later.
payouts-country = Country: its two letters, such as DE
payouts-countries = Stripe decides where it pays, and lists <a>its countries</a>. If it refuses yours, you can name another.
payouts-stripe = Go to Stripe
payouts-own = Your payouts
payouts-of = of @{ $name }
payouts-cancel = Cancel payout
payouts-state-requested = Waits for approval
payouts-state-approved = Approved
payouts-state-sending = Being sent
payouts-state-sent = Sent
payouts-state-denied = Denied
payouts-state-returned = Returned
payouts-state-cancelled = Cancelled
payouts-state-unknown = Unknown
