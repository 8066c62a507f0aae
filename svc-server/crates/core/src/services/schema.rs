//! JSON Schemas that bots publish: taken when they come in, and kept ready for orders.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_types::schema::Schema;
use svc_types::{ServiceId, Timestamp};
use tokio::sync::Semaphore;

/// Most compiled schemas that are kept.
const KEPT_MAX: usize = 100;

/// Schemas of others that are compiled or run at the same time.
const AT_ONCE: usize = 2;

/// A schema as it is stored: none when it is empty; 400 when it can't be used.
pub fn accept(field: &str, schema: Option<&Map<String, Value>>) -> Result<Option<String>> {
    let Some(schema) = schema.filter(|schema| !schema.is_empty()) else {
        return Ok(None);
    };
    Schema::new(schema).map_err(|error| Error::invalid(field, format!("{field} {error}")))?;
    serde_json::to_string(schema).map(Some).map_err(Error::internal)
}

/// Compiled schemas of services, and the threads that may work on schemas of others.
pub struct Schemas {
    kept: Mutex<HashMap<ServiceId, (Timestamp, Arc<Schema>)>>,
    turns: Arc<Semaphore>,
}

impl Default for Schemas {
    fn default() -> Self {
        Self { kept: Mutex::default(), turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl std::fmt::Debug for Schemas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Schemas")
    }
}

impl Schemas {
    /// Runs work whose length a schema of others decides, on a thread that may take its time. The
    /// turn belongs to the work: a caller who goes away neither frees it early nor keeps it.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(Error::internal)?;
        let work = move || {
            let _turn = turn;
            work()
        };
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
    }

    /// The schema of a service as it was at this instant, compiled at most once.
    pub fn of(
        &self,
        service: &ServiceId,
        updated_at: Timestamp,
        json: &str,
    ) -> Result<Arc<Schema>> {
        if let Some((known, schema)) = self.kept().get(service)
            && *known == updated_at
        {
            return Ok(Arc::clone(schema));
        }
        let schema = serde_json::from_str(json).map_err(Error::internal)?;
        let schema = Arc::new(Schema::new(&schema).map_err(Error::internal)?);
        let mut kept = self.kept();
        if kept.len() >= KEPT_MAX {
            kept.clear();
        }
        kept.insert(service.clone(), (updated_at, Arc::clone(&schema)));
        Ok(schema)
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<ServiceId, (Timestamp, Arc<Schema>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};

    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_stored_as_it_came_and_an_empty_one_not_at_all() {
        let schema = json!({ "type": "object" });
        let stored = accept("inputSchema", schema.as_object()).unwrap();
        assert_eq!(stored.as_deref(), Some("{\"type\":\"object\"}"));
        assert_eq!(accept("inputSchema", json!({}).as_object()).unwrap(), None);
        assert_eq!(accept("inputSchema", None).unwrap(), None);
    }

    #[tokio::test]
    async fn work_keeps_its_turn_until_it_ends_although_its_caller_went_away() {
        let schemas = Schemas::default();
        let (go_on, wait) = std::sync::mpsc::channel::<()>();
        let mut abandoned = Box::pin(schemas.work(move || {
            let _ = wait.recv();
            Ok(())
        }));
        let mut context = Context::from_waker(Waker::noop());
        assert!(abandoned.as_mut().poll(&mut context).is_pending());
        drop(abandoned);
        assert_eq!(schemas.turns.available_permits(), AT_ONCE - 1);
        drop(go_on);
        let all = u32::try_from(AT_ONCE).unwrap();
        drop(schemas.turns.acquire_many(all).await.unwrap());
    }

    #[test]
    fn a_refused_schema_is_named_by_its_field() {
        let refused = accept("outputSchema", json!({ "$ref": "#" }).as_object()).unwrap_err();
        let said = "outputSchema must refer only to its own parts, such as #/$defs/name";
        assert_eq!(refused.to_string(), said);
    }
}
