-- Posts that are published later by themselves.
create table scheduled_post (
    id text not null primary key,
    author text not null references account (id),
    content text not null,
    content_warning text,
    language text,
    reply_to text references post (id),
    quote_of text references post (id),
    schema_name text,
    payload text,                            -- a JSON object
    reply_policy text not null,
    scheduled_for integer not null,
    status text not null,
    due_at integer,                           -- when the clock publishes it; none once that is over
    expires_at integer not null,              -- later than this it is not published any more
    delayed_until integer,                    -- until when the post window was taken
    post text references post (id),
    failure text,
    created_at integer not null,
    updated_at integer not null,
    check ((status in ('scheduled', 'publishing')) = (due_at is not null)),
    check ((status = 'published') = (post is not null))
) strict;

create index scheduled_post_due on scheduled_post (due_at, id) where due_at is not null;
create index scheduled_post_author on scheduled_post (author, scheduled_for desc, id desc);
create index scheduled_post_status
    on scheduled_post (author, status, scheduled_for desc, id desc);

alter table post add column scheduled_post text;
create unique index scheduled_post_post on scheduled_post (post) where post is not null;
