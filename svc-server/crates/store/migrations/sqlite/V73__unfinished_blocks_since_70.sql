-- Whether the blocked account has likes and reposts left that the block takes back.
alter table block add column unfinished integer not null default 0 check (unfinished in (0, 1));
create index block_unfinished on block (blocker, blocked) where unfinished = true;
