-- Bots are listed by their best rated service, along this index.
create index service_best on service (rating_tenths desc, bot, id) where active and deleted_at is null;
