-- Posts that are published later by themselves.
create table scheduled_post (
    id text collate "C" not null primary key,
    author text collate "C" not null references account (id),
    content text not null,
    content_warning text,
    language text,
    reply_to text collate "C" references post (id),
    quote_of text collate "C" references post (id),
    schema_name text,
    payload text,                            -- a JSON object
    reply_policy text not null,
    scheduled_for bigint not null,
    status text not null,
    due_at bigint,                           -- when the clock publishes it; none once that is over
    expires_at bigint not null,              -- later than this it is not published any more
    delayed_until bigint,                    -- until when the post window was taken
    post text collate "C" references post (id),
    failure text,
    created_at bigint not null,
    updated_at bigint not null,
    check ((status in ('scheduled', 'publishing')) = (due_at is not null)),
    check ((status = 'published') = (post is not null))
);

create index scheduled_post_due on scheduled_post (due_at, id) where due_at is not null;
create index scheduled_post_author on scheduled_post (author, scheduled_for desc, id desc);
create index scheduled_post_status
    on scheduled_post (author, status, scheduled_for desc, id desc);

alter table post add column scheduled_post text collate "C";
create unique index scheduled_post_post on scheduled_post (post) where post is not null;
