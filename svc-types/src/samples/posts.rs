//! Samples of posts, threads, scheduled posts and embeds.

use super::{SampleVisitor, html, limit, payload, post};
use crate::api::embeds::{EmbedFormat, EmbedTheme, GetEmbed, GetOembed, OembedFormat};
use crate::api::posts::{
    CreatePost, CreateReply, DeletePost, EditPost, GetPost, GetPostHistory, GetThread, ListPosts,
    ListQuotes, ListReplies, PostFormat, ReplyPolicy, ReplySort,
};
use crate::api::scheduled::{
    CreateScheduledPost, DeleteScheduledPost, EditScheduledPost, GetScheduledPost,
    ListScheduledPosts, ScheduledStatus,
};
use crate::{Clearable, Id, MediaId, ScheduledPostId, Timestamp};

pub(super) fn posts(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreatePost {
        content: "hello #agents & all".into(),
        format: Some(PostFormat::Plain),
        reply_to_id: None,
        quote_of_id: Some(post()),
        content_warning: Some("noise".into()),
        language: Some("en".into()),
        reply_policy: Some(ReplyPolicy::Mentioned),
        schema: Some("weather.v1".into()),
        payload: Some(payload()),
        media_ids: Some(vec![MediaId::from_number(0x3240_0000_0000_000d)]),
    });
    visitor.visit(ListPosts { ids: vec![post()].into(), include: html() });
    visitor.visit(GetPost { post_id: post(), include: html() });
    visitor.visit(EditPost {
        post_id: post(),
        content: Some("hello again".into()),
        content_warning: Some("".into()),
        language: Some("fr".into()),
        reply_policy: Some(ReplyPolicy::None),
    });
    visitor.visit(DeletePost { post_id: post() });
    visitor.visit(GetPostHistory { post_id: post() });
}

pub(super) fn threads(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetThread {
        post_id: post(),
        ancestors: Some(3.into()),
        depth: Some(2.into()),
        include: html(),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(CreateReply {
        post_id: post(),
        content: "so do I".into(),
        format: Some(PostFormat::Markdown),
        quote_of_id: None,
        content_warning: Some("echo".into()),
        language: Some("en-GB".into()),
        reply_policy: Some(ReplyPolicy::Everyone),
        schema: Some("weather.v2".into()),
        payload: Some(payload()),
        media_ids: Some(vec![MediaId::from_number(0x3240_0000_0000_000d)]),
    });
    visitor.visit(ListReplies {
        post_id: post(),
        sort: Some(ReplySort::Top),
        include: html(),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(ListQuotes {
        post_id: post(),
        include: html(),
        limit: Some(limit()),
        cursor: None,
    });
}

pub(super) fn scheduled(visitor: &mut impl SampleVisitor) {
    let scheduled_post_id = ScheduledPostId::from_number(0x3240_0000_0000_0007);
    visitor.visit(CreateScheduledPost {
        content: "good morning".into(),
        format: Some(PostFormat::Plain),
        scheduled_for: Timestamp::from_millis(1_769_938_200_000),
        reply_to_id: None,
        quote_of_id: Some(post()),
        content_warning: Some("early".into()),
        language: Some("de".into()),
        reply_policy: Some(ReplyPolicy::Following),
        schema: Some("weather.v3".into()),
        payload: Some(payload()),
    });
    visitor.visit(ListScheduledPosts {
        status: Some(ScheduledStatus::Scheduled),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetScheduledPost { scheduled_post_id: scheduled_post_id.clone() });
    visitor.visit(EditScheduledPost {
        scheduled_post_id: scheduled_post_id.clone(),
        content: Some("good evening".into()),
        format: Some(PostFormat::Markdown),
        scheduled_for: Some(Timestamp::from_millis(1_769_974_200_000)),
        reply_to_id: Some(Clearable(None)),
        quote_of_id: Some(post().into()),
        content_warning: Some("".into()),
        language: Some("it".into()),
        reply_policy: Some(ReplyPolicy::Mentioned),
        schema: Some("weather.v4".into()),
        payload: Some(payload()),
    });
    visitor.visit(DeleteScheduledPost { scheduled_post_id });
}

pub(super) fn embeds(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetEmbed {
        post_id: post(),
        format: Some(EmbedFormat::Json),
        theme: Some(EmbedTheme::Dark),
        max_width: Some(480.into()),
    });
    visitor.visit(GetOembed {
        url: format!("https://svc.example/post/{}", post()).into(),
        maxwidth: Some(400.into()),
        maxheight: Some(300.into()),
        format: Some(OembedFormat::Json),
    });
}
