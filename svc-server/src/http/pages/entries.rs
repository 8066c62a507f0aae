//! The list of pages and their forms, and what each of them serves.

use std::sync::Arc;

use svc_store::error::Result;
use svc_types::Endpoint;
use svc_types::wire::Rejected;

use super::act::{self, Act, FirstStep, Read, ReadAfter};
use super::choice::Choice;
use super::context::PageContext;
use super::reply::{Done, Html};
use super::request::PageRequest;
use super::{Site, upload};
use crate::http::direct::DirectApi;

/// A page: a synchronous function over one read job.
pub type Show = fn(&mut PageContext<'_>, &PageRequest) -> Result<Html>;

/// Pages and their forms.
#[derive(Default)]
pub struct Pages(Vec<Entry>);

pub(super) struct Entry {
    pub(super) path: &'static str,
    /// The page to show; for a form, the page that shows it again after a refusal.
    pub(super) show: Option<Show>,
    pub(super) serves: Serves,
    /// The request type of the act.
    pub(super) of: &'static str,
    /// Finds every invalid field, if the fields are the members of the request.
    pub(super) problems: Option<fn(&PageRequest) -> Vec<Rejected>>,
    /// Whether it is the sign-in form.
    pub(super) signs_in: bool,
    /// Whether its files are images of a post.
    pub(super) takes_images: bool,
    /// Whether it is the form of a step-up.
    pub(super) confirms: bool,
    /// Where the visitor goes when what a button is about is gone.
    pub(super) gone: Option<fn(&PageRequest) -> Done>,
}

/// What an entry serves.
pub(super) enum Serves {
    /// A page.
    Page,
    /// A form that calls an endpoint.
    Form(Act),
    /// The form that uploads a file, and where to redirect then.
    Upload(fn(&PageRequest) -> Done),
    /// The form of a choice that the visitor's browser keeps.
    Choice(Choice),
}

impl Pages {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Serves a page. Path parameters are named like members of the endpoint that it reads:
    /// `/post/{postId}`, `/@{username}`.
    #[must_use]
    pub fn get(self, path: &'static str, show: Show) -> Self {
        let (show, of) = (Some(show), "");
        self.add(Entry { path, show, of, ..Entry::EMPTY })
    }

    /// Serves the form of the page at this path. Its fields and path parameters are the members of
    /// `E`. `done` names the redirect. When `E` is refused, the page is shown again with the
    /// submitted fields.
    #[must_use]
    pub fn form<E: Endpoint>(
        self,
        path: &'static str,
        show: Show,
        done: fn(&PageRequest, &E::Response) -> Done,
    ) -> Self {
        let entry = Entry::act::<E>(path, act::redirecting::<E>(None, done));
        self.add(Entry { show: Some(show), problems: Some(PageRequest::problems::<E>), ..entry })
    }

    /// Like [`Self::form`], but `read` builds the request from the fields, in a job of its own.
    #[must_use]
    pub fn form_by<E: Endpoint>(
        self,
        path: &'static str,
        show: Show,
        read: Read<E>,
        done: fn(&PageRequest, &E::Response) -> Done,
    ) -> Self {
        let act = act::redirecting::<E>(Some(read), done);
        self.add(Entry { show: Some(show), ..Entry::act::<E>(path, act) })
    }

    /// Lets a refusal of the form added last name every invalid field: its fields are the members of `E`.
    #[must_use]
    pub fn with_members_of<E: Endpoint>(mut self) -> Self {
        let form = self.0.last_mut().expect("a form was added");
        form.problems = Some(PageRequest::problems::<E>);
        self
    }

    /// Like [`Self::form`], but calls another endpoint first if `first` returns a request: one that may
    /// stay done when the form is refused.
    #[must_use]
    pub fn form_with<F: Endpoint, E: Endpoint>(
        self,
        path: &'static str,
        show: Show,
        first: fn(&PageRequest) -> Option<F>,
        done: fn(&PageRequest, &E::Response) -> Done,
    ) -> Self {
        let act = act::redirecting_with::<F, E>(first, done);
        let entry = Entry::act::<E>(path, act);
        self.add(Entry { show: Some(show), problems: Some(PageRequest::problems::<E>), ..entry })
    }

    /// Like [`Self::form_by`], but calls another endpoint first if that step returns a request. When
    /// `E` is refused, that call is reverted.
    #[must_use]
    pub fn form_after<F: Endpoint, E: Endpoint, U: Endpoint>(
        self,
        path: &'static str,
        show: Show,
        first: FirstStep<F, U>,
        read: ReadAfter<F, E>,
        done: fn(&PageRequest, &E::Response) -> Done,
    ) -> Self
    where
        F::Response: Sync,
    {
        let act = act::redirecting_after::<F, E, U>(first, read, done);
        self.add(Entry { show: Some(show), ..Entry::act::<E>(path, act) })
    }

    /// Like [`Self::form`], but shows the answer, because it holds a secret that is shown once.
    #[must_use]
    pub fn form_once<E: Endpoint>(
        self,
        path: &'static str,
        show: Show,
        answer: fn(&mut PageContext<'_>, &PageRequest, &E::Response) -> Result<Html>,
    ) -> Self {
        let entry = Entry::act::<E>(path, act::showing::<E>(None, answer));
        self.add(Entry { show: Some(show), problems: Some(PageRequest::problems::<E>), ..entry })
    }

    /// Like [`Self::form_by`], but shows the answer on the page of the form.
    #[must_use]
    pub fn form_shown_by<E: Endpoint>(
        self,
        path: &'static str,
        show: Show,
        read: Read<E>,
        answer: fn(&mut PageContext<'_>, &PageRequest, &E::Response) -> Result<Html>,
    ) -> Self {
        let act = act::showing::<E>(Some(read), answer);
        self.add(Entry { show: Some(show), ..Entry::act::<E>(path, act) })
    }

    /// Serves a button, a form without fields. A refusal has its own page.
    #[must_use]
    pub fn button<E: Endpoint>(
        self,
        path: &'static str,
        done: fn(&PageRequest, &E::Response) -> Done,
    ) -> Self {
        self.add(Entry::act::<E>(path, act::redirecting::<E>(None, done)))
    }

    /// Serves the form that uploads the account's picture, in the field `file`.
    #[must_use]
    pub fn upload(self, path: &'static str, show: Show, done: fn(&PageRequest) -> Done) -> Self {
        let (show, of, serves) = (Some(show), upload::OF, Serves::Upload(done));
        self.add(Entry { path, show, serves, of, ..Entry::EMPTY })
    }

    /// Serves the form of a choice that the visitor's browser keeps.
    #[must_use]
    pub fn choice(self, path: &'static str, choice: Choice) -> Self {
        self.add(Entry { path, serves: Serves::Choice(choice), ..Entry::EMPTY })
    }

    /// Marks the form added last as one with images: they are uploaded, and `mediaIds` names them.
    #[must_use]
    pub fn that_takes_images(mut self) -> Self {
        self.0.last_mut().expect("a form was added").takes_images = true;
        self
    }

    /// Marks the form added last as the sign-in form. It carries the fields of a form that was
    /// submitted after the session had ended, and restores them after sign-in.
    #[must_use]
    pub fn that_signs_in(mut self) -> Self {
        self.0.last_mut().expect("a form was added").signs_in = true;
        self
    }

    /// Marks the form added last as the one of a step-up. It carries the fields of a form that was
    /// refused without one, and submits them once the visitor has confirmed.
    #[must_use]
    pub fn that_confirms(mut self) -> Self {
        self.0.last_mut().expect("a form was added").confirms = true;
        self
    }

    /// Where the button added last leads if what it is about is gone, as after a first press: to the page that shows
    /// what there is. Nothing says that it was done.
    #[must_use]
    pub fn when_gone(mut self, to: fn(&PageRequest) -> Done) -> Self {
        self.0.last_mut().expect("a button was added").gone = Some(to);
        self
    }

    /// Adds the pages of another list.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The method and path of each entry, for the test of access rules.
    pub fn places(&self) -> Vec<(&'static str, &'static str)> {
        let place = |entry: &Entry| (if entry.is_form() { "POST" } else { "GET" }, entry.path);
        self.0.iter().map(place).collect()
    }

    fn add(mut self, entry: Entry) -> Self {
        self.0.push(entry);
        self
    }

    /// The site of these pages, over these endpoints.
    pub(in crate::http) fn site(self, direct: Arc<DirectApi>) -> Arc<Site> {
        let is_shown = |entry: &&Entry| !entry.is_form();
        let page_paths = self.0.iter().filter(is_shown).map(|entry| entry.path).collect();
        Arc::new(Site { direct, entries: self.0, page_paths })
    }
}

impl Entry {
    const EMPTY: Self = Self {
        path: "",
        show: None,
        serves: Serves::Page,
        of: "",
        problems: None,
        signs_in: false,
        takes_images: false,
        confirms: false,
        gone: None,
    };

    fn act<E: Endpoint>(path: &'static str, act: Act) -> Self {
        let (serves, of) = (Serves::Form(act), E::NAME);
        Self { path, serves, of, ..Self::EMPTY }
    }

    /// Whether it is a form rather than a page.
    pub(super) const fn is_form(&self) -> bool {
        !matches!(self.serves, Serves::Page)
    }
}
