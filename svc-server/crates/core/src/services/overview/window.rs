//! The windows of figures and of the lists behind them.

use svc_types::Timestamp;
use svc_types::api::operate::OverviewWindow;

use crate::app::Ctx;
use crate::utc::{DAY_MS, HOUR_MS};

/// The steps of a window: their length, how many they are, and when the first began.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// Milliseconds of a step.
    pub length_ms: i64,
    /// How many steps there are.
    pub count: i64,
    /// When the first began, in milliseconds.
    pub first: i64,
}

impl Steps {
    /// The steps of a window that ends now.
    pub fn of(ctx: &Ctx<'_, '_>, window: &OverviewWindow) -> Self {
        let (length_ms, count) = match window {
            OverviewWindow::Day => (HOUR_MS, 24),
            _ => (DAY_MS, 7),
        };
        let first = (ctx.now().as_millis() / length_ms - count + 1) * length_ms;
        Self { length_ms, count, first }
    }

    /// When the window began.
    pub const fn begin(&self) -> Timestamp {
        Timestamp::from_millis(self.first)
    }
}
