//! Jobs whose result type is erased, so that the code that queues, runs and repeats them is compiled once
//! and not for each type.

use std::any::Any;

use svc_store::error::Result;

use crate::app::Ctx;

/// The result of a job.
pub(crate) type Outcome = Box<dyn Any + Send>;

/// A job.
pub(crate) type Job = Box<dyn Fn(&mut Ctx<'_, '_>) -> Result<Outcome> + Send>;

/// Erases the result type of a job.
pub(crate) fn erased<T: Send + 'static>(
    job: impl Fn(&mut Ctx<'_, '_>) -> Result<T>,
) -> impl Fn(&mut Ctx<'_, '_>) -> Result<Outcome> {
    move |ctx| Ok(Box::new(job(ctx)?))
}

/// The result of a job that [`erased`] wrapped, in its own type.
///
/// # Panics
/// If it was another type.
pub(crate) fn typed<T: 'static>(outcome: Outcome) -> T {
    *outcome.downcast().expect("an outcome has the type of its job")
}
