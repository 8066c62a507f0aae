-- What is talked about, lists of accounts, and search.

-- A hashtag that was used, and what was counted when it was last looked at. The present window may
-- have moved on since; `due_at` says when it is looked at again.
create table hashtag (
    name text collate "C" not null primary key,
    posts_day bigint not null,              -- in the 24 hours up to the present one
    accounts_day bigint not null,
    posts_week bigint not null,             -- in the 7 days up to the present one
    accounts_week bigint not null,
    hours text not null,                     -- a JSON array: hours with posts
    days text not null,                      -- a JSON array: days with posts
    counted_at bigint not null,
    due_at bigint
);

create index hashtag_day on hashtag (accounts_day desc, name) where accounts_day > 0;
create index hashtag_week on hashtag (accounts_week desc, name) where accounts_week > 0;
create index hashtag_due on hashtag (due_at, name) where due_at is not null;

insert into hashtag (name, posts_day, accounts_day, posts_week, accounts_week, hours, days,
        counted_at, due_at)
    select distinct tag, 0, 0, 0, 0, '[]', '[]', 0, 0 from post_hashtag;

create table hashtag_follow (
    account text collate "C" not null references account (id),
    tag text collate "C" not null,
    created_at bigint not null,
    primary key (account, tag)
);

create table list (
    id text collate "C" not null primary key,
    owner text collate "C" not null references account (id),
    name text not null,
    description text,
    visibility text not null,
    exclusive boolean not null,
    replies_policy text not null,
    members_count bigint not null,
    created_at bigint not null,
    updated_at bigint not null
);

create index list_owner on list (owner, id desc);
create index list_public on list (owner, id desc) where visibility = 'public';

create table list_member (
    list text collate "C" not null references list (id),
    member text collate "C" not null references account (id),
    created_at bigint not null,
    primary key (list, member)
);

create index list_member_member on list_member (member, list);

-- What waits to be indexed: ids of posts, accounts and services whose texts changed.
create table search_queue (
    id text collate "C" not null primary key
);

insert into search_queue (id)
    select id from post where deleted_at is null
    union all select id from account where deleted_at is null
    union all select id from service where deleted_at is null;

-- What is indexed. Documents are numbered in the order they came, so that later ones are newer.
create table search_doc (
    doc bigint not null primary key,
    id text collate "C" not null
);

create unique index search_doc_id on search_doc (id);

-- The index of words, which each engine has in its own way. Texts come cut into words, so the
-- parser of this engine has no part in it.
create table search_index (
    doc bigint not null primary key,
    words tsvector not null
);

-- Without a list of what is still to be sorted in, which each search would read.
create index search_index_words on search_index using gin (words) with (fastupdate = off);

-- The newest documents between two, `most` of them, that hold what is wanted.
--
-- The index of words knows no order. Of common words the newest documents hold enough, and are
-- looked at one by one; of the others there are few, which are all found and sorted.
create function search_newest(
    wanted text, before_doc bigint, after_doc bigint, most bigint
) returns setof bigint language plpgsql stable rows 50 set enable_bitmapscan = on as $$
declare
    query constant tsquery := cast(wanted as tsquery);
    edge bigint;
    found_count bigint;
begin
    select min(newest.doc) into edge from (
        select s.doc from search_index s where s.doc < before_doc order by s.doc desc limit 1000
    ) newest;
    return query
        select s.doc from search_index s
        where s.doc < before_doc and s.doc >= edge and s.doc > after_doc and s.words @@ query
        order by s.doc desc limit most;
    get diagnostics found_count = row_count;
    if found_count < most and edge > after_doc then
        return query
            with hits as materialized (
                select s.doc from search_index s
                where s.words @@ query and s.doc + 0 < edge and s.doc + 0 > after_doc
            )
            select hits.doc from hits order by hits.doc desc limit most - found_count;
    end if;
end
$$;
