//! Whole lists, compared with the model's.

use std::fmt::{self, Debug};

use svc_types::api::conversations::{
    ConversationFolder, ListConversationMessages, ListConversations,
};
use svc_types::api::credits::GetCredits;
use svc_types::api::feed::{FeedSort, GetFeed, GetGlobalFeed};
use svc_types::api::keys::ListApiKeys;
use svc_types::api::messages::GetUnreadCount;
use svc_types::api::notifications::CountUnreadNotifications;
use svc_types::api::posts::{GetPost, Post};
use svc_types::api::relations::ListFollowers;
use svc_types::api::users::{GetMe, GetUser, ListUserPosts, UserEnvelope, UserPostInclude};
use svc_types::{CommaList, Endpoint};

use super::{Real, compare_outcome};
use crate::calls::Caller;
use crate::platform::model::{ConversationView, KeyView, Kind, Model, Outcome, PostView, pair};
use crate::platform::step::{List, Signer, Step};
use crate::step::{Actor, Name};

/// The largest page.
const PAGE: u32 = 100;

/// The lists that are compared when a history is over: each time others, by the time and the names.
pub(super) fn at_the_end(model: &Model) -> Vec<(Actor, List)> {
    let all = Actor::TRADERS;
    let turn = usize::try_from(model.now / 1_000).unwrap() + model.next as usize;
    let (by, of) = (all[turn % 3], all[turn / 3 % 3]);
    let inbox = List::Conversations(ConversationFolder::Inbox);
    let mut lists = vec![
        (by, List::Profile(of)),
        (by, [List::Unread, List::Notifications, inbox][turn % 3].clone()),
        (of, [List::Feed, List::PostsOf(by), List::Global][turn % 7 % 3].clone()),
    ];
    if model.has_market {
        lists.extend(Actor::TRADERS.map(|who| (who, List::Credits)));
    }
    lists
}

impl Real {
    /// Asks for a list, and compares what is granted.
    pub(super) async fn look(&self, by: Actor, at: &List, model: &Model) {
        let caller = self.signer(Signer::Default(by));
        let look = Look { real: self, caller, by, at, model };
        match at {
            List::Profile(of) => look.profile(*of).await,
            List::Followers(of) => look.followers(*of).await,
            List::Post(name) => look.post(*name).await,
            List::PostsOf(of) => look.posts_of(*of).await,
            List::Feed => look.feed().await,
            List::Global => look.global().await,
            List::Notifications => look.notifications().await,
            List::Unread => look.unread().await,
            List::Conversations(folder) => look.conversations(folder).await,
            List::Messages(with) => look.messages(*with).await,
            List::Keys => look.keys().await,
            List::Credits => look.credits().await,
        }
    }
}

/// One account that looks at one list.
struct Look<'a> {
    real: &'a Real,
    caller: Caller,
    by: Actor,
    at: &'a List,
    model: &'a Model,
}

impl Look<'_> {
    /// The response to a GET, if the model says that it is granted.
    async fn ask<E: Endpoint>(&self, request: &E) -> Option<E::Response> {
        let answer = self.real.server.node.send_inside(&self.caller.request(request)).await;
        let step = Step::Look { by: self.by, at: self.at.clone() };
        compare_outcome(&step, &answer, &self.model.outcome);
        (self.model.outcome == Outcome::Done).then(|| answer.read::<E>())
    }

    /// What was found is what the model says.
    #[track_caller]
    fn compare<T: PartialEq + Debug>(&self, found: &T, expected: &T) {
        assert_eq!(found, expected, "found (left) against expected (right): {self:?}");
    }

    async fn profile(&self, of: Actor) {
        let user = if of == self.by {
            self.ask(&GetMe {}).await
        } else {
            self.ask(&GetUser { username: self.real.username(of).as_str().into() }).await
        };
        let Some(UserEnvelope { user, .. }) = user else { return };
        self.compare(&self.real.profile_view(&user), &self.model.profile_view(self.by, of));
    }

    async fn followers(&self, of: Actor) {
        let username = self.real.username(of).as_str().into();
        let request = ListFollowers { username, limit: Some(PAGE.into()), cursor: None };
        let Some(page) = self.ask(&request).await else { return };
        let users = page.users.iter().map(|user| self.real.actor(&user.username));
        let mut found: Vec<Actor> = users.collect();
        found.sort();
        self.compare(&found, &self.model.followers(of));
    }

    async fn post(&self, name: Name) {
        let request = GetPost { post_id: self.real.post_id(name), include: None };
        let Some(found) = self.ask(&request).await else { return };
        self.compare(&self.real.post_view(&found.post), &self.model.post_view(self.by, name));
    }

    async fn posts_of(&self, of: Actor) {
        let include = vec![UserPostInclude::Replies, UserPostInclude::Reposts];
        let request = ListUserPosts {
            username: self.real.username(of).as_str().into(),
            include: Some(CommaList(include)),
            limit: Some(PAGE.into()),
            cursor: None,
        };
        let Some(page) = self.ask(&request).await else { return };
        self.compare_posts(&page.posts, &self.model.posts_of(self.by, of), Model::post_view);
    }

    async fn feed(&self) {
        let request = GetFeed { include: None, limit: Some(PAGE.into()), cursor: None };
        let Some(page) = self.ask(&request).await else { return };
        self.compare_posts(&page.posts, &self.model.feed(self.by), Model::feed_post_view);
    }

    async fn global(&self) {
        let request = GetGlobalFeed {
            sort: Some(FeedSort::New),
            window: None,
            is_agent: None,
            include: None,
            limit: None,
            cursor: None,
        };
        let Some(page) = self.ask(&request).await else { return };
        self.compare_posts(&page.posts, &self.model.global(self.by), Model::feed_post_view);
    }

    /// The global feed has posts of earlier histories too.
    fn compare_posts(
        &self,
        posts: &[Post],
        expected: &[(Name, Option<Actor>)],
        view: fn(&Model, Actor, Name) -> PostView,
    ) {
        let name = |post: &Post| self.real.named(post.id.as_str());
        let known = posts.iter().filter_map(|post| Some((name(post)?, post)));
        let known: Vec<(Name, &Post)> = known.collect();
        let by = |post: &Post| post.repost.as_ref().map(|it| self.real.actor(&it.by.username));
        let found: Vec<_> = known.iter().map(|(name, post)| (*name, by(post))).collect();
        self.compare(&found.as_slice(), &expected);
        for (name, post) in known {
            self.compare(&self.real.post_view(post), &view(self.model, self.by, name));
        }
    }

    async fn notifications(&self) {
        let types = Kind::ALL.map(|kind| kind.word().into()).to_vec();
        let request = CountUnreadNotifications { types: Some(CommaList(types)) };
        let Some(found) = self.ask(&request).await else { return };
        let counts = Kind::ALL.map(|kind| {
            let count = u32::try_from(self.model.unread_notifications(self.by, kind)).unwrap();
            (kind.word().to_owned(), count)
        });
        let expected = counts.into_iter().filter(|(_, count)| *count > 0).collect();
        self.compare(&found.by_type, &expected);
    }

    async fn unread(&self) {
        let Some(found) = self.ask(&GetUnreadCount {}).await else { return };
        let it = &found.unread;
        let found = [it.conversations, it.messages, it.requests, it.service_requests];
        let found = found.map(|count| usize::try_from(count).unwrap());
        self.compare(&found, &self.model.unread_view(self.by));
    }

    async fn conversations(&self, folder: &ConversationFolder) {
        let (folder_asked, limit) = (Some(folder.clone()), Some(PAGE.into()));
        let request = ListConversations { unread: None, folder: folder_asked, limit, cursor: None };
        let Some(page) = self.ask(&request).await else { return };
        let views = page.conversations.iter().map(|it| self.real.conversation_view(self.by, it));
        let found: Vec<ConversationView> = views.collect();
        self.compare(&found, &self.model.folder_of(self.by, folder));
    }

    async fn messages(&self, with: Actor) {
        let known = self.real.conversations.get(&pair(self.by, with));
        let request = ListConversationMessages {
            conversation_id: known.map_or("conv_nobody", String::as_str).into(),
            order: None,
            limit: Some(PAGE.into()),
            cursor: None,
        };
        let Some(page) = self.ask(&request).await else { return };
        let found = page.messages.iter().map(|it| self.real.named(it.message_id.as_str()));
        let expected = self.model.messages_with(self.by, with).into_iter().map(Some);
        self.compare(&found.collect::<Vec<_>>(), &expected.collect());
    }

    async fn keys(&self) {
        let Some(found) = self.ask(&ListApiKeys {}).await else { return };
        let made = found.keys.iter().filter(|key| !key.is_default);
        let found: Vec<KeyView> = made.map(|key| self.real.key_view(key)).collect();
        self.compare(&found, &self.model.keys_of(self.by));
    }

    async fn credits(&self) {
        let Some(found) = self.ask(&GetCredits {}).await else { return };
        let found = (found.credits.available.micros(), found.credits.held.micros());
        let deals = &self.model.deals;
        self.compare(&found, &(deals.available[&self.by], deals.held(self.by)));
    }
}

impl Debug for Look<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} looks at {:?}", self.by, self.at)
    }
}
