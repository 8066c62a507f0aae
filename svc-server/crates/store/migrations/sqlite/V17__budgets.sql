-- What accounts may do in a time, so that none takes the room or the attention of all: a row for
-- each account and class, changed by the act itself.
create table budget (
    subject text not null,
    class text not null,
    -- GCRA's theoretical arrival time, in microseconds: what was used is paid off by then.
    paid_off_at integer not null,
    primary key (subject, class)
) strict, without rowid;
