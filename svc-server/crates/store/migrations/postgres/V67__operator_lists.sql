-- The lists behind the figures that operators watch: orders that ended, escrows that hold credits, and what
-- waits, each along an index with a tie-breaker.
drop index service_request_completed;
create index service_request_completed on service_request (closed_at, id)
    where escrow is null and state = 'completed';
create index service_request_failed on service_request (closed_at, id)
    where escrow is null and state in ('error', 'expired');
drop index escrow_released;
create index escrow_released on escrow (closed_at, id) where status = 'released';
-- Of what was cancelled, some had failed before.
create index escrow_failed on escrow (closed_at, id)
    where status in ('refunded', 'cancelled') and funded_at is not null;
create index escrow_open on escrow (id) where status in ('funded', 'delivered', 'disputed');
drop index webhook_due;
create index webhook_due on webhook (due_at, id) where status = 'active' and due_at is not null;
