-- What accounts may do in a time, so that none takes the room or the attention of all: a row for
-- each account and class, changed by the act itself. Room in the pages keeps changes in place.
create table budget (
    subject text collate "C" not null,
    class text collate "C" not null,
    -- GCRA's theoretical arrival time, in microseconds: what was used is paid off by then.
    paid_off_at bigint not null,
    primary key (subject, class)
) with (fillfactor = 50);
