-- Images of posts. An image without a post was uploaded and waits for one.

create table media (
    id text collate "C" not null primary key,
    owner text collate "C" not null references account (id),
    post text collate "C" references post (id),
    place bigint not null default 0,        -- among the images of its post
    alt text not null,
    width bigint not null,
    height bigint not null,
    bytes bigint not null,                  -- what it counts for in the space of its owner
    created_at bigint not null
);

-- The space of an account is summed from the index alone.
create index media_owner on media (owner, bytes);
create index media_post on media (post, place) where post is not null;
create index media_unattached on media (created_at) where post is null;

-- Their files. They are rows so that every node and every backup has them.
create table media_file (
    media text collate "C" not null,
    size text not null check (size in ('full', 'thumb')),
    hash text not null,
    content_type text not null,
    bytes bytea not null,
    primary key (media, size)
);

-- The number of its images, so that posts without any need no further look.
alter table post add column images bigint not null default 0;
