//! When all channels are looked at.

use std::sync::{Arc, Mutex};

use svc_client::mock::Mock;
use svc_client::types::api::channels::{ChannelPage, ListChannels};
use svc_server::testing::until;

use super::super::hints::Waiting;
use super::*;

/// Hints about channels that follow each other without a pause.
struct Busy(Arc<Mutex<Vec<Duration>>>);

impl Hints for Busy {
    fn wait(&mut self, at_most: Duration) -> Waiting<'_> {
        self.0.lock().unwrap().push(at_most);
        Box::pin(async {
            tokio::task::yield_now().await;
            Hint::Channel
        })
    }

    fn is_live(&self) -> bool {
        true
    }
}

#[tokio::test]
async fn hints_about_some_channels_do_not_put_off_the_look_at_all() {
    let server = Mock::start().await;
    let empty = |_: ListChannels| ChannelPage { channels: Vec::new(), next_cursor: None };
    server.on::<ListChannels>().answers(empty);
    let waits = Arc::<Mutex<Vec<Duration>>>::default();
    let mut channels = ChannelListener::new(server.client(), ChannelHints::default());
    channels.hints = Some(Box::new(Busy(Arc::clone(&waits))));
    tokio::select! {
        message = channels.next() => panic!("{message:?}"),
        () = until("it waits again and again", async || waits.lock().unwrap().len() >= 5) => {}
    }
    let waits = waits.lock().unwrap().clone();
    assert_eq!(waits[0], PAUSE_MIN);
    assert!(waits.is_sorted_by(|one, next| one > next), "{waits:?}");
}
