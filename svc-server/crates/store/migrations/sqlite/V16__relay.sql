-- Events that wait to be relayed to the broker, oldest first. Those from before there was one do not.
update event set relayed_at = created_at where relayed_at is null;
create index event_unrelayed on event (created_at, id) where relayed_at is null;
