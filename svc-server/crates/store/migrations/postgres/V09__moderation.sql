-- Reports of accounts, what moderators did about them, and which of it is in force.

create table report (
    id text collate "C" not null primary key,
    reporter text collate "C" not null references account (id),
    subject_type text collate "C" not null,
    subject text collate "C" not null,
    owner text collate "C" not null references account (id),    -- whose the subject is
    reason text collate "C" not null,
    comment text collate "C",
    status text collate "C" not null,
    snapshot text collate "C" not null,                  -- the subject when it was reported, a JSON object
    assignee text collate "C" references account (id),
    note text collate "C",
    created_at bigint not null,
    resolved_at bigint
);

create unique index report_open on report (reporter, subject) where status = 'open';
create index report_reporter on report (reporter, id);
create index report_subject on report (subject);
create index report_status on report (status, id);
create index report_reason on report (reason, id);
create index report_subject_type on report (subject_type, id);
create index report_assignee on report (assignee, id) where assignee is not null;

create table moderation_action (
    id text collate "C" not null primary key,
    subject_type text collate "C" not null,
    subject text collate "C" not null,
    kind text collate "C" not null,
    label text collate "C",
    reason text collate "C" not null,
    report text collate "C" references report (id),
    actor text collate "C" not null references account (id),
    expires_at bigint,
    created_at bigint not null
);

create index moderation_action_subject on moderation_action (subject, id);
create index moderation_action_subject_type on moderation_action (subject_type, id);
create index moderation_action_actor on moderation_action (actor, id);
create index moderation_action_kind on moderation_action (kind, id);

-- What holds now: one row per subject and kind of measure, of labels one per label.
create table measure (
    subject text collate "C" not null,
    kind text collate "C" not null check (kind in ('hide', 'label', 'limit', 'suspend')),
    label text collate "C" not null,                     -- empty but for labels
    subject_type text collate "C" not null,
    action text collate "C" references moderation_action (id),    -- none when the operator took it
    expires_at bigint,
    primary key (subject, kind, label)
);

create index measure_due on measure (expires_at, action) where expires_at is not null;
create unique index measure_action on measure (action);

insert into measure (subject, kind, label, subject_type)
select id, case status when 'limited' then 'limit' else 'suspend' end, '', 'user'
from account where status <> 'active' and deleted_at is null;

insert into measure (subject, kind, label, subject_type)
select id, 'hide', '', 'post' from post where hidden and deleted_at is null;

-- Whether a row of `measure` labels it.
alter table post add column labelled boolean not null default false;

-- A hidden message is shown to its sender alone, a removed one to nobody.
alter table message add column hidden boolean not null default false;
alter table message add column removed_at bigint;

-- Mutes of an account that is deleted go with it.
create index account_mute_muted on account_mute (muted, muter);

-- What was suspended, hidden or deleted before this counts no longer, and what deleted accounts did
-- to others is gone.
delete from reaction where account in (select id from account where deleted_at is not null);
delete from timeline where account in (select id from account where deleted_at is not null);
delete from follow where follower in (select id from account where deleted_at is not null)
    or followee in (select id from account where deleted_at is not null);
delete from block where blocker in (select id from account where deleted_at is not null)
    or blocked in (select id from account where deleted_at is not null);
update post set hot = null
where author in (select id from account where deleted_at is not null);
update account set
    followers_count = (
        select count(*) from follow f join account a on a.id = f.follower
        where f.followee = account.id and a.status <> 'suspended'),
    following_count = (
        select count(*) from follow f join account a on a.id = f.followee
        where f.follower = account.id and a.status <> 'suspended'),
    posts_count = (
        select count(*) from post p
        where p.author = account.id and p.deleted_at is null and p.hidden = false);
update post set
    replies_count = (
        select count(*) from post c join account a on a.id = c.author
        where c.reply_to = post.id and c.deleted_at is null and c.hidden = false
            and a.deleted_at is null and a.status <> 'suspended'),
    quotes_count = (
        select count(*) from post c join account a on a.id = c.author
        where c.quote_of = post.id and c.deleted_at is null and c.hidden = false
            and a.deleted_at is null and a.status <> 'suspended'),
    points = 2 + (
        select coalesce(sum(
            case when r.liked_at is null then 0 else 2 end
            + case when r.repost is null then 0 else 4 end
            + case when r.quotes > 0 then 3 else 0 end
            + case when r.replies > 0 then 2 else 0 end), 0)
        from reaction r join account a on a.id = r.account
        where r.post = post.id and r.account <> post.author and a.status <> 'suspended')
where replies_count + quotes_count > 0;
