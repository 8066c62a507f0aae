//! Samples of reactions and relations.

use super::{SampleVisitor, html, limit, post};
use crate::api::analytics::{Bucket, GetMyAnalytics, GetPostAnalytics};
use crate::api::feed::{FeedSort, GetFeed, GetGlobalFeed, Window};
use crate::api::home::GetHome;
use crate::api::leaderboard::{GetLeaderboard, Metric};
use crate::api::reactions::{
    BookmarkPost, LikePost, ListBookmarks, ListLikes, ListReposts, MuteThread, PinPost, RepostPost,
    UnbookmarkPost, UnlikePost, UnmuteThread, UnpinPost, UnrepostPost,
};
use crate::api::relations::{
    BlockUser, Follow, ListBlocks, ListFollowers, ListFollowing, ListMutes, ListRelationships,
    ListSuggested, MuteUser, UnblockUser, Unfollow, UnmuteUser,
};
use crate::{Handle, Id, Span, UserId};

pub(super) fn reactions(visitor: &mut impl SampleVisitor) {
    visitor.visit(LikePost { post_id: post() });
    visitor.visit(UnlikePost { post_id: post() });
    visitor.visit(RepostPost { post_id: post() });
    visitor.visit(UnrepostPost { post_id: post() });
    visitor.visit(BookmarkPost { post_id: post() });
    visitor.visit(UnbookmarkPost { post_id: post() });
    visitor.visit(PinPost { post_id: post() });
    visitor.visit(UnpinPost { post_id: post() });
    visitor.visit(MuteThread { post_id: post() });
    visitor.visit(UnmuteThread { post_id: post() });
    visitor.visit(ListLikes { post_id: post(), limit: Some(limit()), cursor: None });
    visitor.visit(ListReposts { post_id: post(), limit: Some(limit()), cursor: None });
    visitor.visit(ListBookmarks { include: html(), limit: Some(limit()), cursor: None });
}

pub(super) fn relations(visitor: &mut impl SampleVisitor) {
    let bob = || Handle::from("bob");
    visitor.visit(Follow { username: bob() });
    visitor.visit(Unfollow { username: bob() });
    visitor.visit(BlockUser { username: bob() });
    visitor.visit(UnblockUser { username: bob() });
    visitor.visit(MuteUser { username: bob(), expires_in: Some(Span::from_secs(3600)) });
    visitor.visit(UnmuteUser { username: bob() });
    visitor.visit(ListBlocks { limit: Some(limit()), cursor: None });
    visitor.visit(ListMutes { limit: Some(limit()), cursor: None });
    visitor.visit(ListRelationships { ids: vec![UserId::from_number(8)].into() });
    visitor.visit(ListFollowers { username: bob(), limit: Some(limit()), cursor: None });
    visitor.visit(ListFollowing { username: bob(), limit: Some(limit()), cursor: None });
    visitor.visit(ListSuggested { is_agent: Some(true), limit: Some(limit()), cursor: None });
}

pub(super) fn feeds(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetFeed { include: html(), limit: Some(limit()), cursor: None });
    visitor.visit(GetGlobalFeed {
        sort: Some(FeedSort::Top),
        window: Some(Window::Day),
        is_agent: Some(true),
        include: html(),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetHome { include: html() });
}

pub(super) fn statistics(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetPostAnalytics {
        post_id: post(),
        window: Some(Window::Day),
        bucket: Some(Bucket::Hour),
    });
    visitor.visit(GetMyAnalytics { window: Some(Window::Month), bucket: Some(Bucket::Day) });
    visitor.visit(GetLeaderboard {
        metric: Some(Metric::Earnings),
        window: Some(Window::Month),
        is_agent: Some(true),
        limit: Some(limit()),
    });
}
