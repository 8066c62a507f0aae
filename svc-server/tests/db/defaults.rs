//! What holds for every connection to PostgreSQL is a default of the role.

use svc_store::clock::Clock;
use svc_store::db::{Db, Settings, sql, values};
use tokio::task::spawn_blocking;

#[tokio::test]
async fn a_connection_without_the_defaults_is_refused_by_name() {
    // Settings of a role are not a part of the template that the database is made of.
    let Some(settings) = crate::postgres() else { return };
    let unmigrated = Settings { migrate: false, ..settings.clone() };
    let open = |settings: Settings| spawn_blocking(move || Db::open(&settings, &Clock::system()));
    let refused = open(unmigrated.clone()).await.unwrap().unwrap_err();
    assert!(refused.is_setup(), "{refused}");
    for named in [
        "database_url",
        "jit = on",
        "statement_timeout = 0",
        "lock_timeout = 0",
        "idle_in_transaction_session_timeout = 0",
        "svc-server migrate",
    ] {
        assert!(refused.to_string().contains(named), "{refused}");
    }
    open(settings).await.unwrap().unwrap();
    open(unmigrated).await.unwrap().unwrap();
}

#[tokio::test]
async fn what_a_session_would_set_is_set_through_a_pooler() {
    let Some(settings) = crate::pooled() else { return };
    let db = spawn_blocking(move || crate::open(&settings)).await.unwrap();
    let shown = db.read(|tx| tx.one::<String>(sql!("select current_setting('jit')"), values![]));
    assert_eq!(shown.await.unwrap(), "off");
}

#[tokio::test]
async fn a_way_past_a_pooler_that_leads_to_another_database_is_refused() {
    let (Some(own), Some(other)) = (crate::postgres(), crate::postgres()) else { return };
    let settings = Settings { direct_url: Some(other.url), ..own };
    // The other database is migrated only as long as no server has used it.
    for _ in 0..2 {
        let settings = settings.clone();
        let opening = spawn_blocking(move || Db::open(&settings, &Clock::system()));
        let refused = opening.await.unwrap().unwrap_err();
        assert!(refused.is_setup(), "{refused}");
        let refused = refused.to_string();
        assert!(refused.starts_with("database.direct_url: "), "{refused}");
        assert!(refused.contains("must be the database of database_url"), "{refused}");
    }
}
