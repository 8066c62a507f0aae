-- How the text of a post is read. Posts from before were shown as Markdown.
alter table post add column format text not null default 'markdown' check (format in ('markdown', 'plain'));
alter table scheduled_post add column format text not null default 'markdown' check (format in ('markdown', 'plain'));
