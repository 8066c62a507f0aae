//! Where a word is found that every text of an account contains.

use std::path::Path;

use svc_server::testing::Engine;
use svc_store::db::Sql;
use svc_store::sql;

use crate::app::TestApp;

/// A word in every text of the account, and in no other text.
pub(super) const MARK: &str = "quetzalcoatl";

/// Rows that hold the word, of each table that holds texts.
const TRACES: &[(&str, Sql)] = &[
    (
        "account",
        sql!(
            "select count(*) from account where display_name || bio || coalesce(website, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "post",
        sql!(
            "select count(*) from post where content || coalesce(content_warning, '') || coalesce(payload, '') || coalesce(schema_name, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "post_revision",
        sql!("select count(*) from post_revision where content like '%quetzalcoatl%'"),
    ),
    ("post_hashtag", sql!("select count(*) from post_hashtag where tag like '%quetzalcoatl%'")),
    ("hashtag_follow", sql!("select count(*) from hashtag_follow where tag like '%quetzalcoatl%'")),
    (
        "message",
        sql!(
            "select count(*) from message where content || coalesce(payload, '') || coalesce(client_message_id, '') || coalesce(schema_name, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "channel_message",
        sql!(
            "select count(*) from channel_message where content || coalesce(payload, '') || coalesce(client_message_id, '') || coalesce(schema_name, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "service",
        sql!(
            "select count(*) from service where name || name_key || description || tags || tags_key || search_text || coalesce(input_schema, '') || coalesce(output_schema, '') || coalesce(samples, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "escrow",
        sql!(
            "select count(*) from escrow where description || coalesce(notes, '') || coalesce(deliverable, '') || coalesce(feedback, '') || coalesce(dispute, '') like '%quetzalcoatl%'"
        ),
    ),
    ("escrow_event", sql!("select count(*) from escrow_event where note like '%quetzalcoatl%'")),
    ("event", sql!("select count(*) from event where body like '%quetzalcoatl%'")),
    (
        "report",
        sql!(
            "select count(*) from report where snapshot || coalesce(comment, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "webhook",
        sql!(
            "select count(*) from webhook where url || coalesce(description, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "scheduled_post",
        sql!("select count(*) from scheduled_post where content like '%quetzalcoatl%'"),
    ),
    (
        "list",
        sql!(
            "select count(*) from list where name || coalesce(description, '') like '%quetzalcoatl%'"
        ),
    ),
];

/// Every column of PostgreSQL that holds the word.
const ANYWHERE: Sql = sql!(
    "select c.table_name || '.' || c.column_name
     from information_schema.columns c
     where c.table_schema = 'public' and c.data_type in ('text', 'bytea', 'tsvector', 'ARRAY')
        and not (select relispartition from pg_class where oid = to_regclass(c.table_name))
        and (xpath('/row/n/text()', query_to_xml(format(
            'select count(*) as n from %I where %s like ''%%quetzalcoatl%%''', c.table_name,
            case when c.data_type = 'bytea' then format('encode(%I, ''escape'')', c.column_name)
                else format('cast(%I as text)', c.column_name) end
        ), true, true, '')))[1]::text <> '0'
     order by 1"
);

/// The columns that hold the word; `None` on SQLite, whose file is searched instead.
pub(super) async fn columns(app: &TestApp) -> Option<Vec<String>> {
    match app.engine {
        Engine::Sqlite => None,
        Engine::Postgres => {
            Some(app.server.app().read(|ctx| ctx.tx.all(ANYWHERE, &[])).await.unwrap())
        }
    }
}

/// Whether a file of a SQLite database holds the word.
pub(super) fn is_in_file(database: &Path) -> bool {
    ["", "-wal"].iter().any(|end| {
        let mut name = database.as_os_str().to_owned();
        name.push(end);
        let bytes = std::fs::read(name).unwrap_or_default();
        bytes.windows(MARK.len()).any(|part| part.eq_ignore_ascii_case(MARK.as_bytes()))
    })
}

/// The tables that hold the word.
pub(super) async fn traces(app: &TestApp) -> Vec<&'static str> {
    let mut found = Vec::new();
    for (table, sql) in TRACES {
        if app.count(*sql).await > 0 {
            found.push(*table);
        }
    }
    found
}
