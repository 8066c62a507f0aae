-- What the parts of the code in a post are, for its colours. It is made after the post is written, from its text;
-- posts without code, and those whose code stays plain, have no row.

create table post_code (
    post text collate "C" not null primary key references post (id),
    marks text,                              -- null until they are made
    due_at bigint,                           -- when they are to be made; null once they are
    attempts bigint not null default 0,
    check ((marks is null) = (due_at is not null))
);

create index post_code_due on post_code (due_at) where due_at is not null;

-- Posts from before that may have code.
insert into post_code (post, due_at)
    select id, 0 from post
    where deleted_at is null and format = 'markdown' and (content like '%```%' or content like '%~~~%');
