//! Lists, page by page and item by item.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use svc_types::{Cursor, Paged};

use crate::call::Call;
use crate::error::{Error, Result};

/// One page of a list.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Page<T> {
    /// The items; there may be few or none although more pages follow.
    pub items: Vec<T>,
    /// Cursor of the next page; `None` at the end.
    pub next_cursor: Option<Cursor>,
}

impl<E: Paged> Call<E> {
    /// Starts at the cursor of an earlier page.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let first = svc.messages().list().page().await?;
    /// if let Some(cursor) = first.next_cursor {
    ///     let second = svc.messages().list().after(cursor).page().await?;
    /// }
    /// # Ok(()) }
    /// ```
    pub fn after(mut self, cursor: impl Into<Cursor>) -> Self {
        self.request.set_cursor(Some(cursor.into()));
        self
    }

    /// Ends [`stream`](Self::stream) and [`pages`](Self::pages) after this many items.
    ///
    /// ```no_run
    /// # fn show(svc: svc_client::Client) {
    /// let newest = svc.messages().list().max_items(50).stream();
    /// # }
    /// ```
    pub fn max_items(mut self, max: usize) -> Self {
        self.options.max_items = Some(max);
        self
    }

    /// Reads one page.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for message in svc.messages().list().page().await?.items {
    ///     println!("{}", message.content);
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn page(self) -> Result<Page<E::Item>> {
        let (items, next_cursor) = E::into_page(self.await?);
        Ok(Page { items, next_cursor })
    }

    /// Reads page after page to the end of the list.
    ///
    /// Fails if the server returns a cursor twice, since the list would never end.
    ///
    /// ```no_run
    /// use futures::TryStreamExt;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let mut pages = svc.messages().list().pages();
    /// while let Some(messages) = pages.try_next().await? {
    ///     println!("{} messages", messages.len());
    /// }
    /// # Ok(()) }
    /// ```
    pub fn pages(self) -> Pages<E> {
        Pages {
            items_left: self.options.max_items.unwrap_or(usize::MAX),
            next: Next::Send(self),
            seen: HashSet::new(),
            hasher: RandomState::new(),
        }
    }

    /// Reads item after item to the end of the list, requesting pages as needed.
    ///
    /// ```no_run
    /// use futures::TryStreamExt;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let mut inbox = svc.messages().list().with_user("ada").stream();
    /// while let Some(message) = inbox.try_next().await? {
    ///     println!("{}", message.content);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn stream(self) -> Items<E> {
        Items { pages: self.pages(), page: VecDeque::new() }
    }
}

type Fetching<E> = Pin<Box<dyn Future<Output = Result<Page<<E as Paged>::Item>>> + Send>>;

/// The pages of a list; from [`Call::pages`].
#[must_use = "a stream does nothing until it is polled"]
pub struct Pages<E: Paged> {
    next: Next<E>,
    items_left: usize,
    /// Hashes of the cursors so far, because both cursors and lists may be long.
    seen: HashSet<u64>,
    hasher: RandomState,
}

enum Next<E: Paged> {
    /// This call is to be sent.
    Send(Call<E>),
    /// This call was sent; it is kept to request the next page.
    Read(Call<E>, Fetching<E>),
    /// The end of the list.
    End,
}

impl<E: Paged> Pages<E> {
    /// Returns the items of a page and determines the next step.
    fn turn(&mut self, call: Call<E>, page: Page<E::Item>) -> Result<Vec<E::Item>> {
        let Page { mut items, next_cursor } = page;
        items.truncate(self.items_left);
        self.items_left -= items.len();
        if let Some(cursor) = next_cursor.filter(|_| self.items_left > 0) {
            if !self.seen.insert(self.hasher.hash_one(cursor.as_str())) {
                return Err(Error::repeated_cursor());
            }
            self.next = Next::Send(call.after(cursor));
        }
        Ok(items)
    }
}

impl<E: Paged> Stream for Pages<E> {
    type Item = Result<Vec<E::Item>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let (call, mut fetching) = match std::mem::replace(&mut self.next, Next::End) {
            Next::End => return Poll::Ready(None),
            Next::Send(_) if self.items_left == 0 => return Poll::Ready(None),
            Next::Send(call) => {
                let fetching: Fetching<E> = Box::pin(call.clone().page());
                (call, fetching)
            }
            Next::Read(call, fetching) => (call, fetching),
        };
        match fetching.as_mut().poll(cx) {
            Poll::Pending => {
                self.next = Next::Read(call, fetching);
                Poll::Pending
            }
            Poll::Ready(page) => Poll::Ready(Some(page.and_then(|page| self.turn(call, page)))),
        }
    }
}

// No field of a stream needs pinning: its future is boxed.
impl<E: Paged> Unpin for Pages<E> {}

/// The items of a list; from [`Call::stream`].
#[must_use = "a stream does nothing until it is polled"]
pub struct Items<E: Paged> {
    pages: Pages<E>,
    page: VecDeque<E::Item>,
}

impl<E: Paged> Stream for Items<E> {
    type Item = Result<E::Item>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(item) = self.page.pop_front() {
                return Poll::Ready(Some(Ok(item)));
            }
            match ready!(Pin::new(&mut self.pages).poll_next(cx)) {
                Some(Ok(items)) => self.page = items.into(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}

impl<E: Paged> Unpin for Items<E> {}

impl<E: Paged> fmt::Debug for Pages<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").finish_non_exhaustive()
    }
}

impl<E: Paged> fmt::Debug for Items<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").finish_non_exhaustive()
    }
}
