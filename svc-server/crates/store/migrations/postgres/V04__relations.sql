-- Who follows whom and who blocks whom decide who may write and reply; the directory of accounts
-- needs its orders.
create table follow (
    follower text collate "C" not null references account (id),
    followee text collate "C" not null references account (id),
    created_at bigint not null,
    primary key (follower, followee)
);

create index follow_followee on follow (followee, follower);

create table block (
    blocker text collate "C" not null references account (id),
    blocked text collate "C" not null references account (id),
    created_at bigint not null,
    primary key (blocker, blocked)
);

create index block_blocked on block (blocked, blocker);

create index account_followers on account (followers_count desc, id desc);
create index account_last_post on account (last_post_at desc, id desc);
