//! Tables with very skewed data, and the statistics SQLite collects about them.

use svc_store::db::Sql;
use svc_store::sql;

use super::World;

impl World {
    /// Gives ada nearly all posts, messages, escrows and orders, most of them old, and one post nearly
    /// all replies; then runs `analyze`.
    pub(super) async fn skew(&self) {
        let app = &self.app;
        app.execute(|ctx| ctx.tx.execute(MANY_ACCOUNTS, &[])).await;
        app.execute(|ctx| ctx.tx.execute(MANY_POSTS, &[])).await;
        app.execute(|ctx| ctx.tx.execute(MANY_CONVERSATIONS, &[])).await;
        app.execute(|ctx| ctx.tx.execute(MANY_MEMBERS, &[])).await;
        app.execute(|ctx| ctx.tx.execute(MANY_MESSAGES, &[])).await;
        app.execute(|ctx| ctx.tx.execute(MAILBOXES, &[])).await;
        for deals in [
            MANY_SERVICES,
            MANY_FIGURES,
            MANY_WORDS,
            MANY_ESCROWS,
            MANY_LINES,
            MANY_ORDERS,
            MANY_EVENTS,
            MANY_NUMBERS,
        ] {
            app.execute(move |ctx| ctx.tx.execute(deals, &[])).await;
        }
        for entries in [MANY_TRANSFERS, MANY_ENTRIES] {
            app.execute(move |ctx| ctx.tx.execute(entries, &[])).await;
        }
        let analyze = app.server.app().write(|ctx| ctx.tx.execute(sql!("analyze"), &[]));
        analyze.await.unwrap();
        assert_ne!(app.count(sql!("select count(*) from sqlite_stat4")).await, 0);
    }
}

const MANY_ACCOUNTS: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
     insert into account (id, username, display_name, bio, is_agent, tier, role, status, x_verified,
        google_verified, dm_policy, allow_service_requests, followers_count, following_count,
        posts_count, created_at, updated_at)
     select 'usr_' || i, 'name' || i, '', '', i % 9 = 0, 'free', 'user', 'active', 0, 0, 'all', 1,
        i / 250, 0, 0, 0, 0 from n"
);

const MANY_POSTS: Sql = sql!(
    "with recursive n (i) as (select 0 union all select i + 1 from n where i < 3000)
     insert into post (id, author, content, reply_to, root, reply_policy, likes_count,
        reposts_count, replies_count, quotes_count, pinned, created_at, hidden)
     select 'post_' || (10000 + i),
        case when i % 4 = 0 then 'usr_' || (i % 300 + 1) else
            (select id from account where username = 'ada') end, 'text',
        case when i > 300 and i % 3 = 0 then 'post_' || (10000 + i % 300) when i > 0 then
            'post_10000' end, case when i > 0 then 'post_10000' end, 'everyone',
        i / 2900, 0, 0, 0, 0, 0, 0 from n"
);

const MANY_CONVERSATIONS: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 200)
     insert into conversation (id, low_account, high_account, created_at)
     select 'conv_' || i, (select id from account where username = 'ada'), 'usr_' || i, 0 from n"
);

const MANY_MEMBERS: Sql = sql!(
    "insert into conversation_member (conversation, account, unread_count, muted, updated_at,
        last_message)
     select id, low_account, 0, 0, 0, 'msg_1' from conversation
     union all select id, high_account, 0, 0, 0, 'msg_1' from conversation"
);

const MANY_MESSAGES: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
     insert into message (id, conversation, sender, recipient, content, created_at,
        deleted_by_sender, deleted_by_recipient)
     select 'msg_' || (10000 + i), c.id,
        case when i % 4 = 0 then c.low_account else c.high_account end,
        case when i % 4 = 0 then c.high_account else c.low_account end, 'text', 0, 0, 0
     from n join conversation c on c.id = 'conv_' || case when i % 5 < 4 then 1 else i % 200 end"
);

const MAILBOXES: Sql = sql!(
    "insert into mailbox (account, message)
     select sender, id from message where id > 'msg_1' and id < 'msg_2'
     union select recipient, id from message where id > 'msg_1' and id < 'msg_2'"
);

const MANY_SERVICES: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 400)
     insert into service (id, bot, name, name_key, description, tags, tags_key, search_text, price,
        active, ratings_count, ratings_sum, rating_tenths, created_at, updated_at)
     select 'srv_' || (10000 + i), 'usr_9', i, i, '', '[]', '', i, 1, i % 3 = 0, 0, 0, 0, 0, 0 from n"
);

const MANY_FIGURES: Sql =
    sql!("insert into figure (id) select id from service union all select 'usr_9'");

const MANY_WORDS: Sql = sql!(
    "insert into service_word (stem, word, service, place) select 'work', 'work', id, 2 from service
     union all select 'word' || id, 'word' || id, id, 2 from service"
);

const MANY_ESCROWS: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
     insert into escrow (id, buyer, provider, service, amount, description, status, version,
        created_at, expires_at, due_at, deliverable_version, dispute)
     select 'esc_' || (10000 + i),
        case when i % 9 = 0 then 'usr_1' else (select id from account where username = 'ada') end,
        'usr_9', 'srv_10001', 1, '',
        case when i % 50 = 0 then 'disputed' when i % 3 = 0 then 'funded' else 'released' end, 2, 0,
        9000000000000, case when i % 50 > 0 and i % 3 = 0 then 9000000000000 end, 0, null from n"
);

const MANY_LINES: Sql = sql!(
    "insert into escrow_event (escrow, seq, action, to_status, at)
     select id, 1, 'created', 'created', 0 from escrow union all
     select id, 2, 'funded', 'funded', 0 from escrow"
);

const MANY_ORDERS: Sql = sql!(
    "insert into service_request (id, requester, provider, service, offered, state, due_at, created_at)
     select id, sender, recipient, 'srv_10001', 0, case when id < 'msg_12900' then 'error' else 'open'
        end, case when id >= 'msg_12900' then 9000000000000 end, 0 from message
     where id < 'msg_14'"
);

const MANY_EVENTS: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
     insert into event (id, stream, seq, kind, body, created_at)
     select 'evt_' || i, (select id from account where username = 'ada'), 10000 + i, 'escrow', '{}', 0 from n"
);

const MANY_NUMBERS: Sql = sql!(
    "insert into account_event (account, seq, event, type, listed, read, created_at)
     select stream, seq, id, kind, true, false, 0 from event where seq > 10000"
);

const MANY_TRANSFERS: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
     insert into ledger_transfer (id, kind, ref, actor, at)
     select 'trf_' || i, 'topup', 'top_' || i, 'system', 0 from n"
);

const MANY_ENTRIES: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
     insert into ledger_entry (account, seq, transfer, amount, balance_after)
     select 'user:' || (select id from account where username = 'ada'), 10000 + i, 'trf_' || i, 1, 1
     from n"
);
