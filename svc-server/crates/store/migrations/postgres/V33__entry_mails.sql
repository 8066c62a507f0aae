-- Accounts to which entries of their security log are mailed.

create table entry_mail (
    account text collate "C" not null primary key references account (id),
    first text collate "C",                              -- the first entry that was not mailed
    due_at bigint,                         -- none when nothing waits
    sent_at bigint                         -- when the last mail was written
);

create index entry_mail_due_at on entry_mail (due_at) where due_at is not null;
create index entry_mail_sent_at on entry_mail (sent_at) where due_at is null;
