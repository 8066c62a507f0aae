-- What services mean, for searches by meaning. The vectors are those of the program that
-- search.embedder names: a byte for each number.
create table service_vector (
    service text not null primary key references service (id),
    version integer not null default 1,         -- of the service's texts
    source text not null default '',         -- whose vector it is; empty while it waits for one
    vector blob
) strict, without rowid;

create index service_vector_source on service_vector (source, service);

insert into service_vector (service) select id from service where deleted_at is null;
