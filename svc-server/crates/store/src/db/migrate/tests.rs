use std::fs;
use std::path::Path;

use super::*;
#[cfg(feature = "testing")]
use crate::testing::START;

#[test]
fn every_file_is_listed() {
    for (engine, listed) in [("sqlite", SQLITE), ("postgres", POSTGRES)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(engine);
        let mut files: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        files.sort();
        assert_eq!(files, listed.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "{engine}");
    }
}

/// The last migration from before the rules below: nothing was released then.
const LAST_WITHOUT_RULES: &str = "V79__app_algorithms_since_70";

/// Changes with which earlier programs may fail.
const NOT_ONLY_ADDED: [&str; 4] = [" drop ", " rename ", " alter column ", " set not null"];

/// What a migration says that it must not say.
fn fault(name: &str, sql: &str) -> Option<String> {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap_or(""));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let text = format!(" {} ", words.join(" ").to_lowercase());
    let changes = NOT_ONLY_ADDED.iter().find(|words| text.contains(*words));
    if let Some(changes) = changes.filter(|_| name.contains(SINCE)) {
        return Some(format!("`{}` does not only add", changes.trim()));
    }
    let indexes = ["create index ", "create unique index "];
    let mut made = indexes.iter().flat_map(|create| text.split(create).skip(1));
    let index = made.find(|index| !index.starts_with("if not exists "))?;
    let name = index.split(' ').next().unwrap_or_default();
    Some(format!("the index {name} must be made `if not exists`, or nobody can make it beforehand"))
}

#[test]
fn later_migrations_only_add_and_find_indexes_that_are_there() {
    for (engine, listed) in [("sqlite", SQLITE), ("postgres", POSTGRES)] {
        let last = listed.iter().position(|(name, _)| *name == LAST_WITHOUT_RULES).unwrap();
        for (name, sql) in &listed[last + 1..] {
            assert_eq!(fault(name, sql), None, "{engine}: {name}");
        }
    }
}

#[test]
fn a_migration_that_does_more_than_add_is_found() {
    let index = "create unique index\n  if not exists label_name on label (name);";
    assert_eq!(fault("V80__labels_since_79", index), None);
    assert_eq!(fault("V80__labels", "-- no longer used\ndrop index label_name;"), None);
    for (sql, said) in [
        ("alter table label\n  drop column name;", "`drop`"),
        ("Alter table label rename to mark;", "`rename`"),
        ("alter table label alter column name type bytea;", "`alter column`"),
        ("create index label_name on label (name);", "the index label_name"),
    ] {
        let found = fault("V80__labels_since_79", sql);
        assert!(found.as_ref().is_some_and(|found| found.contains(said)), "{sql}: {found:?}");
    }
}

/// Accounts and posts as they were stored before there were likes: a post of ada's, who is pro,
/// with a living and a deleted reply of bob's, one of cyd's, one of her own, and a quote of
/// bob's; and what is never ranked.
const BEFORE_SOCIAL: &str = "
    insert into account (id, username, display_name, bio, is_agent, tier, role, status,
        x_verified, google_verified, dm_policy, allow_service_requests, followers_count,
        following_count, posts_count, created_at, updated_at)
    select 'usr_' || name, name, name, '', true, case when name = 'ada' then 'pro' else 'free' end,
        'user', 'active', false, false, 'all', true, 0, 0, 4, 1, 1
    from (select 'ada' as name union all select 'bob' union all select 'cyd') names;
    insert into post (id, author, content, reply_to, root, quote_of, reply_policy, likes_count,
        reposts_count, replies_count, quotes_count, pinned, created_at, deleted_at, hidden)
    select 'post_' || id, 'usr_' || author, 'so', reply_to, reply_to, quote_of, 'everyone', 0, 0,
        replies, quotes, false, 1000, deleted_at, is_hidden
    from (
        select '1' as id, 'ada' as author, cast(null as text) as reply_to,
            cast(null as text) as quote_of, 3 as replies, 1 as quotes,
            cast(null as bigint) as deleted_at, false as is_hidden
        union all select '2', 'bob', 'post_1', null, 0, 0, null, false
        union all select '3', 'bob', 'post_1', null, 0, 0, 2000, false
        union all select '4', 'cyd', 'post_1', null, 0, 0, null, false
        union all select '5', 'ada', 'post_1', null, 0, 0, null, false
        union all select '6', 'bob', null, 'post_1', 0, 0, null, false
        union all select '7', 'cyd', null, null, 0, 0, 2000, false
        union all select '8', 'cyd', null, null, 0, 0, null, true
    ) posts order by id;";

/// Points and rank of each post, counted from when it was published.
const RANKS: &str = "select id || ' ' || points || ' '
    || coalesce(cast(hot - created_at as text), 'none') from post order by id";
const REACTIONS: &str = "select account || ' ' || author || ' ' || post || ' ' || replies || ' '
    || quotes from reaction order by account";
const TIMELINE: &str = "select account || ' ' || entry || ' ' || post from timeline order by entry";

fn assert_social(mut ask: impl FnMut(&str) -> Vec<String>) {
    // 12 h * log2(1.5 * 4.5), in milliseconds.
    let ranks = [
        "post_1 9 119011140",
        "post_2 2 none",
        "post_3 2 none",
        "post_4 2 none",
        "post_5 2 none",
        "post_6 2 0",
        "post_7 2 none",
        "post_8 2 none",
    ];
    assert_eq!(ask(RANKS), ranks);
    assert_eq!(ask(REACTIONS), ["usr_bob usr_ada post_1 1 1", "usr_cyd usr_ada post_1 1 0"]);
    assert_eq!(ask(TIMELINE), ["usr_ada 1 post_1", "usr_bob 6 post_6"]);
}

#[test]
fn posts_of_before_have_their_ranks_on_sqlite() {
    let mut connection = rusqlite::Connection::open_in_memory().unwrap();
    runner(&SQLITE[..6]).unwrap().run(&mut connection).unwrap();
    connection.execute_batch(BEFORE_SOCIAL).unwrap();
    sqlite(&mut connection).unwrap();
    assert_social(|sql| {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    });
}

#[cfg(feature = "testing")]
#[test]
fn posts_of_before_have_their_ranks_on_postgres() {
    let Some(cluster) = crate::testing::postgres::postgres() else { return };
    let mut client = ::postgres::Client::connect(&cluster.database(), ::postgres::NoTls).unwrap();
    client.batch_execute("drop schema public cascade; create schema public").unwrap();
    runner(&POSTGRES[..6]).unwrap().run(&mut client).unwrap();
    client.batch_execute(BEFORE_SOCIAL).unwrap();
    crate::db::postgres::migrating::run(&mut client, START).unwrap();
    assert_social(|sql| {
        let rows = client.query(sql, &[]).unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    });
}

/// Orders that ended before sales were counted: without escrow one was paid for with 3 credits and
/// one failed, one was declined; of three escrows one was released, one split and one refunded.
const BEFORE_SALES: &str = "
    insert into service (id, bot, name, name_key, description, tags, tags_key, search_text, price,
        active, ratings_count, ratings_sum, rating_tenths, created_at, updated_at)
    values ('srv_1', 'usr_bob', 'so', 'so', 'so', '[]', '', 'so', 5, true, 0, 0, 0, 1, 1);
    insert into service_request (id, requester, provider, service, offered, state, charged,
        created_at, closed_at)
    values ('msg_1', 'usr_ada', 'usr_bob', 'srv_1', 5, 'completed', 3, 1, 86400001),
        ('msg_2', 'usr_ada', 'usr_bob', 'srv_1', 5, 'error', 0, 1, 86400002),
        ('msg_3', 'usr_ada', 'usr_bob', 'srv_1', 5, 'rejected', 0, 1, 86400003);
    insert into escrow (id, buyer, provider, service, amount, description, status, version,
        created_at, expires_at, funded_at, closed_at, close_reason, deliverable_version,
        split_amount)
    select 'esc_' || reason, 'usr_ada', 'usr_bob', 'srv_1', 10, 'so', status, 1, 1, 1, 1,
        90000000, reason, 0, part
    from (
        select 'released' as status, 'released' as reason, cast(null as bigint) as part
        union all select 'released', 'split', 4
        union all select 'refunded', 'provider_refunded', null
    ) ended;";

const SALES: &str = "select bot || ' ' || cast(step as text) || ' ' || cast(start as text)
    || ' ' || service || ' ' || cast(completed as text) || ' ' || cast(failed as text) || ' '
    || cast(earned as text) from sale order by step, start";

fn assert_sales(mut ask: impl FnMut(&str) -> Vec<String>) {
    let sales = [
        "usr_bob 3600000 86400000 srv_1 1 1 3",
        "usr_bob 3600000 90000000 srv_1 2 1 14",
        "usr_bob 86400000 86400000 srv_1 3 2 17",
    ];
    assert_eq!(ask(SALES), sales);
}

/// The number of migrations before sales were counted.
fn before_sales() -> usize {
    SQLITE.iter().position(|(name, _)| *name == "V54__sales").unwrap()
}

#[test]
fn orders_of_before_are_sales_on_sqlite() {
    let mut connection = rusqlite::Connection::open_in_memory().unwrap();
    connection.execute_batch("pragma foreign_keys = off").unwrap();
    runner(&SQLITE[..before_sales()]).unwrap().run(&mut connection).unwrap();
    connection.execute_batch(BEFORE_SALES).unwrap();
    sqlite(&mut connection).unwrap();
    assert_sales(|sql| {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    });
}

#[cfg(feature = "testing")]
#[test]
fn orders_of_before_are_sales_on_postgres() {
    let Some(cluster) = crate::testing::postgres::postgres() else { return };
    let mut client = ::postgres::Client::connect(&cluster.database(), ::postgres::NoTls).unwrap();
    client.batch_execute("drop schema public cascade; create schema public").unwrap();
    runner(&POSTGRES[..before_sales()]).unwrap().run(&mut client).unwrap();
    client.batch_execute("set session_replication_role = replica").unwrap();
    client.batch_execute(BEFORE_SALES).unwrap();
    client.batch_execute("set session_replication_role = origin").unwrap();
    crate::db::postgres::migrating::run(&mut client, START).unwrap();
    assert_sales(|sql| {
        let rows = client.query(sql, &[]).unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    });
}

/// Stored answers and an attempt, from before tables had partitions.
#[cfg(feature = "testing")]
const BEFORE_PARTITIONS: &str = "
    insert into idempotency (hash, fingerprint, status, created_at)
    values ('yesterday', '', 201, 1769815800000), ('today', '', 202, 1769851800000);
    insert into webhook_attempt (delivery, n, started_at, duration_ms, outcome)
    values ('dlv_370kcd4w00000', 1, 1769851800000, 5, 'delivered');";

#[cfg(feature = "testing")]
#[test]
fn rows_of_before_are_a_partition_on_postgres() {
    let Some(cluster) = crate::testing::postgres::postgres() else { return };
    let mut client = ::postgres::Client::connect(&cluster.database(), ::postgres::NoTls).unwrap();
    client.batch_execute("drop schema public cascade; create schema public").unwrap();
    let before = POSTGRES.iter().position(|(name, _)| *name == "V70__partitions").unwrap();
    runner(&POSTGRES[..before]).unwrap().run(&mut client).unwrap();
    client.batch_execute("set session_replication_role = replica").unwrap();
    client.batch_execute(BEFORE_PARTITIONS).unwrap();
    client.batch_execute("set session_replication_role = origin").unwrap();
    crate::db::postgres::migrating::run(&mut client, START).unwrap();
    let insert = "insert into idempotency (hash, fingerprint, status, created_at)
        values ('noon', '', 203, 1769860800000)";
    client.batch_execute(insert).unwrap();
    let rows = "select cast(tableoid as regclass) || ' ' || id || ' ' || status from idempotency
        union all select cast(tableoid as regclass) || ' ' || n || ' ' || outcome from webhook_attempt
        order by 1";
    let rows = client.query(rows, &[]).unwrap();
    let rows: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let wanted = [
        "idempotency_2026013100 1 201",
        "idempotency_2026013100 2 202",
        "idempotency_2026013112 3 203",
        "webhook_attempt_2026012900 1 delivered",
    ];
    assert_eq!(rows, wanted);
}
