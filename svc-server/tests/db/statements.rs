//! Statements: values in, rows out.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use svc_store::db::{Db, Settings, row, sql, text_column, values};
use svc_store::error::Result;
use svc_types::{Code, Timestamp};

use crate::{on_both_engines, open};

/// A row with a column of each type, with and without a value.
#[derive(Clone, Debug, PartialEq)]
struct Thing {
    id: i64,
    word: String,
    flag: bool,
    data: Vec<u8>,
    maybe_word: Option<String>,
    maybe_number: Option<i64>,
    maybe_flag: Option<bool>,
    maybe_data: Option<Vec<u8>>,
    at: Timestamp,
}
row!(Thing { id, word, flag, data, maybe_word, maybe_number, maybe_flag, maybe_data, at });

/// A text that is a type of its own.
#[derive(Clone, Debug, PartialEq)]
struct Colour(String);
text_column!(Colour);

impl Colour {
    fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Colour {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

async fn make_table(db: &Db) {
    let table = sql!(
        "create table thing (
             id bigint primary key,
             word text,
             flag boolean,
             data bytea,
             maybe_word text,
             maybe_number bigint,
             maybe_flag boolean,
             maybe_data bytea,
             at bigint
         )"
    );
    db.write(move |tx| tx.execute(table, &[])).await.unwrap();
}

async fn store_and_load(db: &Db, thing: Thing) -> Result<Thing> {
    db.write(move |tx| {
        let Thing { id, word, flag, data, .. } = &thing;
        let Thing { maybe_word, maybe_number, maybe_flag, maybe_data, at, .. } = &thing;
        tx.execute(sql!("delete from thing"), &[])?;
        tx.execute(
            sql!(
                "insert into thing
                     (id, word, flag, data, maybe_word, maybe_number, maybe_flag, maybe_data, at)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
            ),
            values![id, word, flag, data, maybe_word, maybe_number, maybe_flag, maybe_data, at],
        )?;
        tx.one(
            sql!(
                "select id, word, flag, data, maybe_word, maybe_number, maybe_flag, maybe_data, at
                 from thing
                 where word = $1 and flag = $2 and data = $3 and at = $4"
            ),
            values![word, flag, data, at],
        )
    })
    .await
}

/// Any thing. U+0000 is left out: PostgreSQL has no text with it.
fn things() -> impl Strategy<Value = Thing> {
    let text = || "[^\0]{0,40}";
    let bytes = || vec(any::<u8>(), 0..40);
    let certain = (any::<i64>(), text(), any::<bool>(), bytes(), 0..=4_000_000_000_000_i64);
    let maybe = (
        prop::option::of(text()),
        any::<Option<i64>>(),
        any::<Option<bool>>(),
        prop::option::of(bytes()),
    );
    (certain, maybe).prop_map(|(certain, maybe)| {
        let (id, word, flag, data, at) = certain;
        let (maybe_word, maybe_number, maybe_flag, maybe_data) = maybe;
        let at = Timestamp::from_millis(at);
        Thing { id, word, flag, data, maybe_word, maybe_number, maybe_flag, maybe_data, at }
    })
}

fn stored_values_are_read_back(settings: &Settings) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let db = open(settings);
    runtime.block_on(make_table(&db));
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let stored_is_loaded = |thing: Thing| {
        let loaded = runtime.block_on(store_and_load(&db, thing.clone())).unwrap();
        prop_assert_eq!(loaded, thing);
        Ok(())
    };
    runner.run(&things(), stored_is_loaded).unwrap();
}

#[test]
fn values_stored_in_sqlite_are_read_back() {
    stored_values_are_read_back(&crate::sqlite());
}

#[test]
fn values_stored_in_postgres_are_read_back() {
    if let Some(settings) = crate::postgres() {
        stored_values_are_read_back(&settings);
    }
}

on_both_engines! {
    async fn rows_become_single_values_tuples_or_nothing(settings: Settings) {
        let db = open(&settings);
        make_table(&db).await;
        db.write(|tx| {
            let insert = sql!("insert into thing (id, word, flag) values ($1, $2, $3)");
            assert_eq!(tx.execute(insert, values![1, "one", true])?, 1);
            assert_eq!(tx.execute(insert, values![2, "two", None::<bool>])?, 1);
            let pairs: Vec<(i64, String)> =
                tx.all(sql!("select id, word from thing order by id"), &[])?;
            assert_eq!(pairs, [(1, "one".to_owned()), (2, "two".to_owned())]);
            let flags: Vec<(Option<bool>,)> =
                tx.all(sql!("select flag from thing order by id desc"), &[])?;
            assert_eq!(flags, [(None,), (Some(true),)]);
            let none: Option<i64> =
                tx.optional(sql!("select id from thing where word = $1"), values!["three"])?;
            assert_eq!(none, None);
            let changed: Option<String> = tx.optional(
                sql!("update thing set word = $1 where id = $2 returning word"),
                values!["zwei", 2],
            )?;
            assert_eq!(changed.as_deref(), Some("zwei"));
            Ok(())
        })
        .await
        .unwrap();
    }

    async fn a_conflicting_insert_changes_nothing(settings: Settings) {
        let db = open(&settings);
        make_table(&db).await;
        let insert = sql!("insert into thing (id) values ($1) on conflict do nothing");
        let rows = db
            .write(move |tx| {
                Ok((tx.execute(insert, values![1])?, tx.execute(insert, values![1])?))
            })
            .await
            .unwrap();
        assert_eq!(rows, (1, 0));
    }

    async fn one_row_too_many_or_too_few_is_a_fault(settings: Settings) {
        let db = open(&settings);
        make_table(&db).await;
        let select = sql!("select id from thing");
        let none = db.read(move |tx| tx.one::<i64>(select, &[])).await;
        assert_eq!(none.unwrap_err().code(), Code::Internal);
        let two = db
            .write(move |tx| {
                tx.execute(sql!("insert into thing (id) values (1), (2)"), &[])?;
                tx.optional::<i64>(select, &[])
            })
            .await;
        assert_eq!(two.unwrap_err().code(), Code::Internal);
    }

    async fn a_text_may_have_its_own_type(settings: Settings) {
        let db = open(&settings);
        make_table(&db).await;
        let colour = db
            .write(|tx| {
                let insert = sql!("insert into thing (id, word) values ($1, $2)");
                tx.execute(insert, values![1, Colour("blue".to_owned())])?;
                tx.one::<Colour>(sql!("select word from thing where id = $1"), values![1])
            })
            .await;
        assert_eq!(colour.unwrap(), Colour("blue".to_owned()));
    }

    async fn a_column_of_another_type_is_a_fault_that_shows_no_content(settings: Settings) {
        let db = open(&settings);
        make_table(&db).await;
        let wrong = db
            .write(|tx| {
                let insert = sql!("insert into thing (id, word) values ($1, $2)");
                tx.execute(insert, values![1, "hunter2"])?;
                tx.one::<i64>(sql!("select word from thing"), &[])
            })
            .await
            .unwrap_err();
        assert_eq!(wrong.code(), Code::Internal);
        assert!(!wrong.to_string().contains("hunter2"), "{wrong}");
    }

    async fn a_statement_that_fails_shows_no_content(settings: Settings) {
        let db = open(&settings);
        let failed = db.write(|tx| {
            tx.execute(sql!("create table certain (word text, number bigint not null)"), &[])?;
            let insert = sql!("insert into certain (word, number) values ($1, $2)");
            tx.execute(insert, values!["hunter2", None::<i64>])
        });
        let failed = failed.await.unwrap_err();
        assert_eq!(failed.code(), Code::Internal);
        let failed = failed.to_string();
        assert!(failed.contains("number") && !failed.contains("hunter2"), "{failed}");
    }

    async fn a_plan_names_its_index(settings: Settings) {
        let plan = open(&settings)
            .read(|tx| {
                tx.explain(
                    sql!("select id from post where author = $1 order by id desc limit $2"),
                    values!["a", 20],
                )
            })
            .await
            .unwrap();
        assert!(plan.iter().any(|line| line.contains("post_author")), "{plan:#?}");
    }
}
