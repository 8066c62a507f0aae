-- Pictures of accounts. They are rows so that every node and every backup has them.
-- A picture is named by the hash of its bytes, so that the same one is kept once.

create table avatar (
    hash text not null primary key,
    content_type text not null,
    bytes blob not null
) strict;

alter table account add column avatar text references avatar (hash);

-- Who has a picture: when nobody has, it goes.
create index account_avatar on account (avatar) where avatar is not null;
