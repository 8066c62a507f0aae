-- The header traceparent of the request that caused an event, for the calls of webhooks.
alter table event add column trace text;
