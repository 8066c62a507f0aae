-- Messages that programs send on their own say so, so that other programs need not answer them.
alter table message add column automated boolean not null default false;
