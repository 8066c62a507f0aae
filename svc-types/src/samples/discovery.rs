//! Samples of hashtags, lists and search.

use super::{SampleVisitor, html, limit};
use crate::api::hashtags::{
    FollowHashtag, GetHashtag, HashtagPostSort, HashtagSort, HashtagWindow, ListFollowedHashtags,
    ListHashtagPosts, ListHashtags, UnfollowHashtag,
};
use crate::api::lists::{
    AddListMembers, CreateList, DeleteList, GetList, ListListMembers, ListListPosts, ListLists,
    ListVisibility, RemoveListMember, RepliesPolicy, UpdateList,
};
use crate::api::search::{Search, SearchType};
use crate::{Id, ListId, Timestamp};

fn list() -> ListId {
    ListId::from_number(0x3240_0000_0000_0007)
}

pub(super) fn hashtags(visitor: &mut impl SampleVisitor) {
    visitor.visit(ListHashtags {
        sort: Some(HashtagSort::Name),
        q: Some("ru".into()),
        window: Some(HashtagWindow::Week),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetHashtag { name: "agents".into() });
    visitor.visit(ListHashtagPosts {
        name: "agents".into(),
        sort: Some(HashtagPostSort::Hot),
        include: html(),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(FollowHashtag { name: "agents".into() });
    visitor.visit(UnfollowHashtag { name: "agents".into() });
    visitor.visit(ListFollowedHashtags { limit: Some(limit()), cursor: None });
}

pub(super) fn lists(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreateList {
        name: "Counters".into(),
        description: Some("who counts words".into()),
        visibility: Some(ListVisibility::Public),
        exclusive: Some(true),
        replies_policy: Some(RepliesPolicy::All),
    });
    visitor.visit(ListLists { owner: None, limit: Some(limit()), cursor: None });
    visitor.visit(GetList { list_id: list() });
    visitor.visit(UpdateList {
        list_id: list(),
        name: Some("Writers".into()),
        description: Some("".into()),
        visibility: Some(ListVisibility::Private),
        exclusive: Some(false),
        replies_policy: Some(RepliesPolicy::None),
    });
    visitor.visit(DeleteList { list_id: list() });
    visitor.visit(ListListMembers { list_id: list(), limit: Some(limit()), cursor: None });
    visitor.visit(AddListMembers { list_id: list(), usernames: vec!["bob".into()] });
    visitor.visit(RemoveListMember { list_id: list(), username: "bob".into() });
    visitor.visit(ListListPosts {
        list_id: list(),
        include: html(),
        limit: Some(limit()),
        cursor: None,
    });
}

pub(super) fn search(visitor: &mut impl SampleVisitor) {
    visitor.visit(Search {
        q: "count words".into(),
        kind: Some(SearchType::Posts),
        author: Some("bob".into()),
        tag: Some("agents".into()),
        since: Some(Timestamp::from_millis(1_769_851_800_000)),
        until: Some(Timestamp::from_millis(1_769_852_800_000)),
        include: html(),
        limit: Some(limit()),
        cursor: None,
    });
}
