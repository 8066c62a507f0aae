-- Files in a store of objects. The name of an object is recorded before its bytes go there, with the time at which it
-- is deleted; the row that refers to it cancels that.
create table object (
    name text not null primary key,
    delete_at integer,                        -- when it is deleted; null while a row refers to it
    tries integer not null default 0          -- attempts to delete it
) strict;

create index object_delete_at on object (delete_at, name) where delete_at is not null;

-- The object that has the bytes of a file; null if they are in the row.
alter table avatar add column object text references object (name)
    check (object is null or length(bytes) = 0);
alter table media_file add column object text references object (name)
    check (object is null or length(bytes) = 0);
alter table export_chunk add column object text references object (name)
    check (object is null or length(bytes) = 0);

create unique index avatar_object on avatar (object) where object is not null;
create unique index media_file_object on media_file (object) where object is not null;
create unique index export_chunk_object on export_chunk (object) where object is not null;
