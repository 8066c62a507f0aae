//! JSON Schemas that bots publish: taken when they come in, and kept ready for orders.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_types::schema::{Fault, Schema};
use svc_types::{ServiceId, Timestamp};

use crate::background::{Background, Priority};

/// Most compiled schemas in memory.
const COMPILED_MAX: usize = 100;

/// Schemas compiled or run at once, on machines of any size.
const THREADS_MAX: usize = 4;

/// Compilations and long checks that wait; at up to half a second each the last waits for half a
/// minute, if one thread does them all.
const QUEUE_MAX: usize = 64;

/// Steps of a check that runs at once, without waiting behind long ones: about a millisecond.
const QUICK_STEPS: usize = 100_000;

/// A schema as it is stored: none when it is empty; 400 when it can't be used.
pub fn accept(field: &str, schema: Option<&Map<String, Value>>) -> Result<Option<String>> {
    let Some(schema) = schema.filter(|schema| !schema.is_empty()) else {
        return Ok(None);
    };
    Schema::new(schema).map_err(|error| Error::invalid(field, format!("{field} {error}")))?;
    serde_json::to_string(schema).map(Some).map_err(Error::internal)
}

/// Compiled schemas of services, and the threads that compile and run long ones.
#[derive(Debug)]
pub struct Schemas {
    compiled: Mutex<HashMap<ServiceId, (Timestamp, Arc<Schema>)>>,
    background: Background,
}

impl Schemas {
    /// Starts the threads.
    pub fn start(priority: Priority) -> Self {
        let full = "too many schemas are checked at once";
        let background = Background::start("schemas", THREADS_MAX, QUEUE_MAX, full, priority);
        Self { compiled: Mutex::default(), background }
    }

    /// Runs work whose length a published schema decides.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.background.run(work).await?
    }

    /// The faults of a value, if the schema is compiled and the check is short. It runs beside
    /// requests, so that ordinary orders never wait behind expensive ones.
    pub async fn quick_faults(
        &self,
        service: &ServiceId,
        updated_at: Timestamp,
        value: &Arc<Value>,
    ) -> Result<Option<Vec<Fault>>> {
        let Some(schema) = self.compiled(service, updated_at) else { return Ok(None) };
        let value = Arc::clone(value);
        let check = move || schema.faults_within(&value, QUICK_STEPS);
        tokio::task::spawn_blocking(check).await.map_err(Error::internal)
    }

    /// The schema of a service as it was at this instant, compiled at most once.
    pub fn of(
        &self,
        service: &ServiceId,
        updated_at: Timestamp,
        json: &str,
    ) -> Result<Arc<Schema>> {
        if let Some(schema) = self.compiled(service, updated_at) {
            return Ok(schema);
        }
        let schema = serde_json::from_str(json).map_err(Error::internal)?;
        let schema = Arc::new(Schema::new(&schema).map_err(Error::internal)?);
        let mut compiled = self.lock();
        if compiled.len() >= COMPILED_MAX {
            compiled.clear();
        }
        compiled.insert(service.clone(), (updated_at, Arc::clone(&schema)));
        Ok(schema)
    }

    fn compiled(&self, service: &ServiceId, updated_at: Timestamp) -> Option<Arc<Schema>> {
        let compiled = self.lock();
        let (version, schema) = compiled.get(service)?;
        (*version == updated_at).then(|| Arc::clone(schema))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ServiceId, (Timestamp, Arc<Schema>)>> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn a_refused_schema_is_named_by_its_field() {
        let refused = accept("outputSchema", json!({ "$ref": "#" }).as_object()).unwrap_err();
        let expected = "outputSchema must refer only to its own parts, such as #/$defs/name";
        assert_eq!(refused.to_string(), expected);
    }
}
