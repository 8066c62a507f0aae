-- Whether the post is a reply. An account may write any number of them, so what lists top-level posts reads none. Earlier
-- programs do not say it of their posts. The index has the column, so that SQLite need not read the table.
alter table post_hashtag add column of_reply integer not null default 0 check (of_reply in (0, 1));
update post_hashtag set of_reply = true
where post in (select id from post where reply_to is not null);
create index post_hashtag_top_level on post_hashtag (tag, post, of_reply) where of_reply = false;

-- What each look for lost events of the provider names again.
create index payment_open on payment (id) where status = 'open';
create index payout_account_waiting on payout_account (id)
    where is_enabled = false and provider_id is not null;
