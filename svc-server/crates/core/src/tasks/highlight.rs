//! Highlights the code in posts, about a second after they are written.

use std::sync::Arc;
use std::time::Duration;

use svc_store::error::Result;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::background::time_worked;
use crate::html::highlight::Highlighter;
use crate::services::post::code::{self, Claim};
use crate::tasks::{self, Task};

/// Highlights the code in new posts.
const TASK: Task =
    Task { name: "highlight", every: Duration::from_secs(1), failure: "failed to highlight code" };

/// Highlights until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    TASK.repeat(&app, &stop, || tasks::until_stopped(&stop, once(&app))).await;
}

/// Highlights the code that waits now, one post at a time. The grammars go when none is left: they are loaded in
/// less than a millisecond, but take megabytes once they are used.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let mut highlighter = Highlighter::default();
    while app.read(code::is_waiting).await? {
        // What other nodes have claimed does not wait.
        let Some(claim) = app.write(code::claim).await? else { return Ok(()) };
        let marks;
        (highlighter, marks) = marks_of(app, highlighter, &claim).await?;
        app.write(move |ctx| code::keep(ctx, &claim, &marks)).await?;
    }
    Ok(())
}

/// The marks of a text; empty if it was tried too often.
async fn marks_of(
    app: &App,
    mut highlighter: Highlighter,
    claim: &Claim,
) -> Result<(Highlighter, String)> {
    let Some(text) = claim.text().map(str::to_owned) else {
        return Ok((highlighter, String::new()));
    };
    let clock = app.clock.clone();
    let job = move || {
        let marks = highlighter.marks_of(&text, &|| time_worked(&clock));
        (highlighter, marks)
    };
    app.highlighting.run(job).await
}
