-- Messages that programs send on their own say so, so that other programs need not answer them.
alter table message add column automated integer not null default 0 check (automated in (0, 1));
