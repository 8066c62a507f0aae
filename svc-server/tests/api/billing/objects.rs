//! Objects of the provider that wait to be looked at.

use svc_core::app::Ctx;
use svc_core::services::billing::queue::{self, Kind};

use crate::on_both_engines;

on_both_engines! {
    async fn what_somebody_waits_for_is_tried_again_after_five_minutes_at_most(app: TestApp) {
        let core = app.server.app();
        for (kind, pause) in [(Kind::Payment, 300), (Kind::Refund, 3_600)] {
            let raise = move |ctx: &mut Ctx<'_, '_>| queue::raise(ctx, kind, kind.as_str());
            core.write(raise).await.unwrap();
            let mut claim = core.write(queue::lease).await.unwrap().unwrap();
            claim.tries = 16;
            core.write(move |ctx| queue::fail(ctx, &claim, "it is down")).await.unwrap();
            app.advance(pause - 1);
            assert_eq!(core.write(queue::lease).await.unwrap(), None);
            app.advance(1);
            let claim = core.write(queue::lease).await.unwrap().unwrap();
            core.write(move |ctx| queue::finish(ctx, &claim)).await.unwrap();
        }
    }
}
