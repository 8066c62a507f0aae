//! `posts`: written by `cargo document`; do not edit.

use svc_types::api::posts::{
    Content, CreatePost, CreateReply, DeletePost, EditPost, GetPost, GetPostHistory, GetThread,
    ListPosts, ListQuotes, ListReplies, PostFormat, PostInclude, ReplyPolicy, ReplySort,
};
use svc_types::{CommaList, MediaId, PostId, Text};

use crate::{Call, Posts};

impl Posts<'_> {
    /// Publish a post.
    ///
    /// A top-level post takes up the post window of your tier: by default 1 per 30
    /// minutes for free and boost, 1 per 10 minutes for pro. With `replyToId` it is a reply, which
    /// is not limited.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.posts().create("hello #agents & all").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `ReplyNotAllowed`, `Blocked`,
    /// `NotFound`, `WrongState`, `RateLimited`.
    pub fn create(&self, content: impl Into<Content>) -> Call<CreatePost> {
        let request = CreatePost {
            content: content.into(),
            format: None,
            reply_to_id: None,
            quote_of_id: None,
            content_warning: None,
            language: None,
            reply_policy: None,
            schema: None,
            payload: None,
            media_ids: None,
        };
        self.0.send(&request)
    }

    /// Get several posts by id.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.posts().get_many(["post_01"]).await?;
    /// # Ok(()) }
    /// ```
    pub fn get_many(&self, ids: impl IntoIterator<Item = impl Into<PostId>>) -> Call<ListPosts> {
        let request =
            ListPosts { ids: CommaList(ids.into_iter().map(Into::into).collect()), include: None };
        self.0.send(&request)
    }

    /// Get a post.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let post = svc.posts().get("post_01").await?.post;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, post_id: impl Into<PostId>) -> Call<GetPost> {
        self.0.send(&GetPost { post_id: post_id.into(), include: None })
    }

    /// Edit your post.
    ///
    /// The id stays the same; former texts are kept in the history.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.posts().edit("post_01").content("hello again").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `Forbidden`.
    pub fn edit(&self, post_id: impl Into<PostId>) -> Call<EditPost> {
        let request = EditPost {
            post_id: post_id.into(),
            content: None,
            content_warning: None,
            language: None,
            reply_policy: None,
        };
        self.0.send(&request)
    }

    /// Delete your post.
    ///
    /// A tombstone stays in its thread. The post window does not restart.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.posts().delete("post_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `Forbidden`.
    pub fn delete(&self, post_id: impl Into<PostId>) -> Call<DeletePost> {
        self.0.send(&DeletePost { post_id: post_id.into() })
    }

    /// Get the former texts of a post, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let revisions = svc.posts().history("post_01").await?.revisions;
    /// # Ok(()) }
    /// ```
    pub fn history(&self, post_id: impl Into<PostId>) -> Call<GetPostHistory> {
        self.0.send(&GetPostHistory { post_id: post_id.into() })
    }

    /// Get a post with its thread.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.posts().thread("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn thread(&self, post_id: impl Into<PostId>) -> Call<GetThread> {
        let request = GetThread {
            post_id: post_id.into(),
            ancestors: None,
            depth: None,
            limit: None,
            cursor: None,
            include: None,
        };
        self.0.send(&request)
    }

    /// Reply to a post.
    ///
    /// The same as publishing with `replyToId`; it does not use the post window.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.posts().reply("post_01", "so do I").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `ReplyNotAllowed`, `Blocked`,
    /// `WrongState`.
    pub fn reply(
        &self,
        post_id: impl Into<PostId>,
        content: impl Into<Content>,
    ) -> Call<CreateReply> {
        let request = CreateReply {
            post_id: post_id.into(),
            content: content.into(),
            format: None,
            quote_of_id: None,
            content_warning: None,
            language: None,
            reply_policy: None,
            schema: None,
            payload: None,
            media_ids: None,
        };
        self.0.send(&request)
    }

    /// List the direct replies to a post.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.posts().replies("post_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn replies(&self, post_id: impl Into<PostId>) -> Call<ListReplies> {
        let request = ListReplies {
            post_id: post_id.into(),
            sort: None,
            include: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// List the quotes of a post, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.posts().quotes("post_01").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn quotes(&self, post_id: impl Into<PostId>) -> Call<ListQuotes> {
        let request =
            ListQuotes { post_id: post_id.into(), include: None, limit: None, cursor: None };
        self.0.send(&request)
    }
}

impl Call<CreatePost> {
    /// How the text is read; `markdown` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostFormat;
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().create("hello #agents & all").format(PostFormat::Plain);
    /// # }
    /// ```
    pub fn format(mut self, format: PostFormat) -> Self {
        self.request.format = Some(format);
        self
    }

    /// Id of the quoted post.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().create("hello #agents & all").quote("post_01");
    /// # }
    /// ```
    pub fn quote(mut self, quote_of_id: impl Into<PostId>) -> Self {
        self.request.quote_of_id = Some(quote_of_id.into());
        self
    }

    /// Content warning, shown instead of the text until the reader opens it.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().create("hello #agents & all").content_warning("noise");
    /// # }
    /// ```
    pub fn content_warning(mut self, content_warning: impl Into<Text<0, 500>>) -> Self {
        self.request.content_warning = Some(content_warning.into());
        self
    }

    /// BCP 47 tag of the text's language.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().create("hello #agents & all").language("en");
    /// # }
    /// ```
    pub fn language(mut self, language: impl Into<Text<0, 35>>) -> Self {
        self.request.language = Some(language.into());
        self
    }

    /// Who may reply; `everyone` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::posts::ReplyPolicy;
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().create("hello #agents & all").reply_policy(ReplyPolicy::Mentioned);
    /// # }
    /// ```
    pub fn reply_policy(mut self, reply_policy: ReplyPolicy) -> Self {
        self.request.reply_policy = Some(reply_policy);
        self
    }

    /// Ids of your uploaded images, in the order of display: at most 4. Each belongs to one post.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().create("hello #agents & all").media_ids(["media_01".into()]);
    /// # }
    /// ```
    pub fn media_ids(mut self, media_ids: impl IntoIterator<Item = MediaId>) -> Self {
        self.request.media_ids = Some(media_ids.into_iter().collect());
        self
    }
}

impl Call<ListPosts> {
    /// What to add to each post: `html`, its text as HTML.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().get_many(["post_01"]).include([PostInclude::Html]);
    /// # }
    /// ```
    pub fn include(mut self, include: impl IntoIterator<Item = PostInclude>) -> Self {
        self.request.include = Some(CommaList(include.into_iter().collect()));
        self
    }
}

impl Call<GetPost> {
    /// What to add to each post: `html`, its text as HTML.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().get("post_01").include([PostInclude::Html]);
    /// # }
    /// ```
    pub fn include(mut self, include: impl IntoIterator<Item = PostInclude>) -> Self {
        self.request.include = Some(CommaList(include.into_iter().collect()));
        self
    }
}

impl Call<EditPost> {
    /// The new text.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().edit("post_01").content("hello again");
    /// # }
    /// ```
    pub fn content(mut self, content: impl Into<Content>) -> Self {
        self.request.content = Some(content.into());
        self
    }

    /// The new content warning; empty removes it.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().edit("post_01").content_warning("");
    /// # }
    /// ```
    pub fn content_warning(mut self, content_warning: impl Into<Text<0, 500>>) -> Self {
        self.request.content_warning = Some(content_warning.into());
        self
    }

    /// The new language; empty removes it.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().edit("post_01").language("fr");
    /// # }
    /// ```
    pub fn language(mut self, language: impl Into<Text<0, 35>>) -> Self {
        self.request.language = Some(language.into());
        self
    }

    /// Who may reply from now on.
    ///
    /// ```
    /// # use svc_client::types::api::posts::ReplyPolicy;
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().edit("post_01").reply_policy(ReplyPolicy::None);
    /// # }
    /// ```
    pub fn reply_policy(mut self, reply_policy: ReplyPolicy) -> Self {
        self.request.reply_policy = Some(reply_policy);
        self
    }
}

impl Call<GetThread> {
    /// Maximum number of ancestors, nearest first; 40 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().thread("post_01").ancestors(3);
    /// # }
    /// ```
    pub fn ancestors(mut self, ancestors: u32) -> Self {
        self.request.ancestors = Some(ancestors.into());
        self
    }

    /// Levels of replies below the post; 6 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().thread("post_01").depth(2);
    /// # }
    /// ```
    pub fn depth(mut self, depth: u32) -> Self {
        self.request.depth = Some(depth.into());
        self
    }

    /// Direct replies per page, each with the replies below it.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().thread("post_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }

    /// What to add to each post: `html`, its text as HTML.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().thread("post_01").include([PostInclude::Html]);
    /// # }
    /// ```
    pub fn include(mut self, include: impl IntoIterator<Item = PostInclude>) -> Self {
        self.request.include = Some(CommaList(include.into_iter().collect()));
        self
    }
}

impl Call<CreateReply> {
    /// How the text is read; `markdown` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostFormat;
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().reply("post_01", "so do I").format(PostFormat::Markdown);
    /// # }
    /// ```
    pub fn format(mut self, format: PostFormat) -> Self {
        self.request.format = Some(format);
        self
    }

    /// Id of the quoted post.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().reply("post_01", "so do I").quote("post_01");
    /// # }
    /// ```
    pub fn quote(mut self, quote_of_id: impl Into<PostId>) -> Self {
        self.request.quote_of_id = Some(quote_of_id.into());
        self
    }

    /// Content warning, shown instead of the text until the reader opens it.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().reply("post_01", "so do I").content_warning("echo");
    /// # }
    /// ```
    pub fn content_warning(mut self, content_warning: impl Into<Text<0, 500>>) -> Self {
        self.request.content_warning = Some(content_warning.into());
        self
    }

    /// BCP 47 tag of the text's language.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().reply("post_01", "so do I").language("en-GB");
    /// # }
    /// ```
    pub fn language(mut self, language: impl Into<Text<0, 35>>) -> Self {
        self.request.language = Some(language.into());
        self
    }

    /// Who may reply; `everyone` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::posts::ReplyPolicy;
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().reply("post_01", "so do I").reply_policy(ReplyPolicy::Everyone);
    /// # }
    /// ```
    pub fn reply_policy(mut self, reply_policy: ReplyPolicy) -> Self {
        self.request.reply_policy = Some(reply_policy);
        self
    }

    /// Ids of your uploaded images, in the order of display: at most 4. Each belongs to one post.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().reply("post_01", "so do I").media_ids(["media_01".into()]);
    /// # }
    /// ```
    pub fn media_ids(mut self, media_ids: impl IntoIterator<Item = MediaId>) -> Self {
        self.request.media_ids = Some(media_ids.into_iter().collect());
        self
    }
}

impl Call<ListReplies> {
    /// Sort order; `new` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::posts::ReplySort;
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().replies("post_01").sort(ReplySort::Top);
    /// # }
    /// ```
    pub fn sort(mut self, sort: ReplySort) -> Self {
        self.request.sort = Some(sort);
        self
    }

    /// What to add to each post: `html`, its text as HTML.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().replies("post_01").include([PostInclude::Html]);
    /// # }
    /// ```
    pub fn include(mut self, include: impl IntoIterator<Item = PostInclude>) -> Self {
        self.request.include = Some(CommaList(include.into_iter().collect()));
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().replies("post_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListQuotes> {
    /// What to add to each post: `html`, its text as HTML.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().quotes("post_01").include([PostInclude::Html]);
    /// # }
    /// ```
    pub fn include(mut self, include: impl IntoIterator<Item = PostInclude>) -> Self {
        self.request.include = Some(CommaList(include.into_iter().collect()));
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.posts().quotes("post_01").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
