//! Lists that come in pages.

use futures::{StreamExt, TryStreamExt};
use svc_client::Error;
use svc_client::mock::{Mock, Rule};
use svc_client::types::api::messages::{ListMessages, MessagePage};
use svc_client::types::{Code, Cursor};

use crate::message;

/// A list whose pages are as long as given; the last has no cursor.
fn pages(server: &Mock, lengths: &'static [usize]) -> Rule<ListMessages> {
    server.on::<ListMessages>().answers(|request| {
        let page: usize = request.cursor.map_or(0, |cursor| cursor.as_str().parse().unwrap());
        let content = |index| message(index as u64, &format!("{page}.{index}"));
        MessagePage {
            messages: (0..lengths[page]).map(content).collect(),
            next_cursor: (page + 1 < lengths.len()).then(|| (page + 1).to_string().into()),
        }
    })
}

async fn contents(server: &Mock, max_items: usize) -> Vec<String> {
    let list = server.client().messages().list().max_items(max_items);
    let stream = list.stream().map_ok(|message| message.content);
    stream.try_collect().await.unwrap()
}

#[tokio::test]
async fn an_empty_list_ends_at_once() {
    let server = Mock::start().await;
    let rule = pages(&server, &[0]);
    assert!(contents(&server, usize::MAX).await.is_empty());
    assert_eq!(rule.received().len(), 1);
}

#[tokio::test]
async fn a_short_or_empty_page_is_not_the_end() {
    let server = Mock::start().await;
    let rule = pages(&server, &[2, 0, 1]);
    assert_eq!(contents(&server, usize::MAX).await, ["0.0", "0.1", "2.0"]);
    assert_eq!(rule.received().len(), 3);
}

#[tokio::test]
async fn max_items_stops_asking() {
    let server = Mock::start().await;
    let rule = pages(&server, &[2, 2, 2]);
    assert_eq!(contents(&server, 2).await, ["0.0", "0.1"]);
    assert_eq!(rule.received().len(), 1);
    assert_eq!(contents(&server, 3).await, ["0.0", "0.1", "1.0"]);
    assert!(contents(&server, 0).await.is_empty());
    assert_eq!(rule.received().len(), 3);
}

#[tokio::test]
async fn options_and_filters_hold_for_every_page() {
    let server = Mock::start().await;
    let rule = pages(&server, &[1, 1]);
    let call = server.client().messages().list().with_user("bob").limit(1);
    let pages: Vec<_> = call.pages().try_collect().await.unwrap();
    assert_eq!(pages.len(), 2);
    for asked in rule.received() {
        assert_eq!(asked.request.with, Some("bob".into()));
        assert_eq!(asked.request.limit, Some(1.into()));
    }
}

#[tokio::test]
async fn a_cursor_that_repeats_is_an_error() {
    let server = Mock::start().await;
    let rule = server.on::<ListMessages>().answers(|request| MessagePage {
        messages: vec![message(1, "again")],
        // first -> a -> b -> a
        next_cursor: Some(match request.cursor.as_ref().map(Cursor::as_str) {
            Some("a") => "b".into(),
            _ => "a".into(),
        }),
    });
    // A client that reads on must not keep the test from ending.
    let mut stream = server.client().messages().list().stream().take(9);
    let mut read = 0;
    let error = loop {
        match stream.next().await.unwrap() {
            Ok(_) => read += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(&error, Error::Decode { path, .. } if path == "nextCursor"), "{error:?}");
    assert_eq!((read, rule.received().len()), (2, 3));
    assert!(stream.next().await.is_none(), "after an error a stream is over");
}

#[tokio::test]
async fn an_error_in_the_middle_follows_the_items_read_before() {
    let server = Mock::start().await;
    pages(&server, &[2, 1]).times(1);
    server.on::<ListMessages>().fails(Code::InvalidCursor);
    let mut stream = server.client().messages().list().stream();
    assert_eq!(stream.try_next().await.unwrap().unwrap().content, "0.0");
    assert_eq!(stream.try_next().await.unwrap().unwrap().content, "0.1");
    assert!(matches!(stream.try_next().await, Err(Error::Invalid { .. })));
    assert!(stream.try_next().await.unwrap().is_none());
}

#[tokio::test]
async fn a_dropped_stream_requests_no_further_pages() {
    let server = Mock::start().await;
    let rule = pages(&server, &[1, 1, 1]);
    let mut stream = server.client().messages().list().stream();
    stream.try_next().await.unwrap();
    drop(stream);
    assert_eq!(rule.received().len(), 1);
}

#[tokio::test]
async fn a_single_page_can_be_read_and_continued_from() {
    let server = Mock::start().await;
    pages(&server, &[1, 2]);
    let first = server.client().messages().list().page().await.unwrap();
    assert_eq!(first.items.len(), 1);
    let list = server.client().messages().list();
    let second = list.after(first.next_cursor.unwrap()).page().await.unwrap();
    assert_eq!((second.items.len(), second.next_cursor), (2, None));
}
