-- The newest message of a channel when it became public, empty if there was none; null if it never was private. Who
-- comes later sees what is newer.
alter table channel add column opened_after text collate "C";
-- The same for a member who came later; null for one who sees all.
alter table channel_member add column sees_after text collate "C";

-- The events that hold the text of a post, by the post: they are emptied when it is deleted. Those of earlier
-- programs do not name it.
create index event_of_post on event (subject)
    where kind = 'mention' or kind = 'quote' or kind = 'reply';
