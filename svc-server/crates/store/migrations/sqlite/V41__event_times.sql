-- The time of a stream's latest event: none may be earlier than its predecessor, though transactions
-- commit in another order than they begin.
alter table event_head add column last_at integer not null default 0;
