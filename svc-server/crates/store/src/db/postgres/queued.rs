//! Statements that wait to be sent with the next one.

use postgres::Statement;
use tokio_postgres::Client;

use super::session::{parameters, typed};
use crate::db::sql::Sql;
use crate::db::tx::Failure;
use crate::db::value::Value;

/// Most statements that wait.
pub(super) const QUEUED_MAX: usize = 16;

/// A statement whose result nobody needs.
pub(super) struct Queued {
    sql: Sql,
    /// If statements have names.
    prepared: Option<Statement>,
    values: Vec<Kept>,
}

impl Queued {
    pub(super) fn new(sql: Sql, prepared: Option<Statement>, values: &[Value<'_>]) -> Self {
        Self { sql, prepared, values: values.iter().map(Kept::of).collect() }
    }

    /// Sends the statement when this is first polled.
    pub(super) async fn run(&self, client: &Client) -> Result<(), Failure> {
        let values: Vec<Value<'_>> = self.values.iter().map(Kept::value).collect();
        match &self.prepared {
            Some(statement) => client.execute(statement, &parameters(statement, &values)?).await?,
            None => client.execute_typed(self.sql.text(), &typed(&values)).await?,
        };
        Ok(())
    }
}

/// A value that outlives its job's.
enum Kept {
    Null,
    Bool(bool),
    Integer(i64),
    Text(Box<str>),
    Blob(Box<[u8]>),
}

impl Kept {
    fn of(value: &Value<'_>) -> Self {
        match *value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Integer(value) => Self::Integer(value),
            Value::Text(text) => Self::Text(text.into()),
            Value::Blob(bytes) => Self::Blob(bytes.into()),
        }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Integer(value) => Value::Integer(*value),
            Self::Text(text) => Value::Text(text),
            Self::Blob(bytes) => Value::Blob(bytes),
        }
    }
}
