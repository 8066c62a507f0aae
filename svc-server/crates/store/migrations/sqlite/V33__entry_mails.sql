-- Accounts to which entries of their security log are mailed.

create table entry_mail (
    account text not null primary key references account (id),
    first text,                              -- the first entry that was not mailed
    due_at integer,                         -- none when nothing waits
    sent_at integer                         -- when the last mail was written
) strict, without rowid;

create index entry_mail_due_at on entry_mail (due_at) where due_at is not null;
create index entry_mail_sent_at on entry_mail (sent_at) where due_at is null;
