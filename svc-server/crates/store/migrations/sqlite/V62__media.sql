-- Images of posts. An image without a post was uploaded and waits for one.

create table media (
    id text not null primary key,
    owner text not null references account (id),
    post text references post (id),
    place integer not null default 0,        -- among the images of its post
    alt text not null,
    width integer not null,
    height integer not null,
    bytes integer not null,                  -- what it counts for in the space of its owner
    created_at integer not null
) strict;

-- The space of an account is summed from the index alone.
create index media_owner on media (owner, bytes);
create index media_post on media (post, place) where post is not null;
create index media_unattached on media (created_at) where post is null;

-- Their files. They are rows so that every node and every backup has them.
create table media_file (
    media text not null,
    size text not null check (size in ('full', 'thumb')),
    hash text not null,
    content_type text not null,
    bytes blob not null,
    primary key (media, size)
) strict;

-- The number of its images, so that posts without any need no further look.
alter table post add column images integer not null default 0;
