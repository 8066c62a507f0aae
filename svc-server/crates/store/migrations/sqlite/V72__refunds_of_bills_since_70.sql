-- When money of a bill last went back. `subscription.refunded_at` is no longer read.
alter table subscription_invoice add column refunded_at integer;
update subscription_invoice set refunded_at = (
    select s.refunded_at from subscription s where s.id = subscription_invoice.subscription)
where refunded > 0;
