-- While an account leaves the counts at others, or comes back: the counts include what it did behind this place. Null
-- once they include all of it, or nothing.
alter table account add column counted_after text;
create index account_counted_after on account (counted_after, id) where counted_after is not null;

-- Since when the webhook was down, while deliveries have yet to be held, to go on or to be cancelled as it was.
alter table webhook add column unsettled_since integer;
create index webhook_unsettled on webhook (unsettled_since, id) where unsettled_since is not null;
