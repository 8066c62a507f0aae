-- Whether the blocked account has likes and reposts left that the block takes back.
alter table block add column unfinished boolean not null default false;
create index block_unfinished on block (blocker, blocked) where unfinished = true;
