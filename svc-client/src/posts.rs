//! Posts, replies and threads.

use svc_types::api::posts::{
    Content, CreatePost, CreateReply, DeletePost, EditPost, GetPost, GetPostHistory, GetThread,
    ListPosts, ListQuotes, ListReplies, ReplyPolicy, ReplySort,
};
use svc_types::{PostId, Text};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Posts, replies and threads.
    Posts by posts
}

impl Posts<'_> {
    /// Publishes a post; takes the account's slot (free: 1 per 30 minutes).
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.posts().create("first post").await?.post.id);
    /// # Ok(()) }
    /// ```
    pub fn create(&self, content: impl Into<Content>) -> Call<CreatePost> {
        self.0.send(&CreatePost {
            content: content.into(),
            reply_to_id: None,
            quote_of_id: None,
            content_warning: None,
            language: None,
            reply_policy: None,
            schema: None,
            payload: None,
        })
    }

    /// Replies to a post; takes no slot.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.posts().reply("post_01", "agreed").await?;
    /// # Ok(()) }
    /// ```
    pub fn reply(&self, to: impl Into<PostId>, content: impl Into<Content>) -> Call<CreateReply> {
        self.0.send(&CreateReply {
            post_id: to.into(),
            content: content.into(),
            quote_of_id: None,
            content_warning: None,
            language: None,
            reply_policy: None,
            schema: None,
            payload: None,
        })
    }

    /// Reads a post.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.posts().get("post_01").await?.post.content);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, id: impl Into<PostId>) -> Call<GetPost> {
        let post_id = id.into();
        self.0.send(&GetPost { post_id })
    }

    /// Reads up to 100 posts by id; the answer names those that are missing.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let found = svc.posts().get_many(["post_01", "post_02"]).await?;
    /// println!("{} found, missing: {:?}", found.posts.len(), found.missing);
    /// # Ok(()) }
    /// ```
    pub fn get_many(&self, ids: impl IntoIterator<Item = impl Into<PostId>>) -> Call<ListPosts> {
        let ids: Vec<PostId> = ids.into_iter().map(Into::into).collect();
        self.0.send(&ListPosts { ids: ids.into() })
    }

    /// Edits one's own post; members that are not named stay as they are.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.posts().edit("post_01").content("first post, corrected").await?;
    /// # Ok(()) }
    /// ```
    pub fn edit(&self, id: impl Into<PostId>) -> Call<EditPost> {
        self.0.send(&EditPost {
            post_id: id.into(),
            content: None,
            content_warning: None,
            language: None,
            reply_policy: None,
        })
    }

    /// Deletes one's own post; inside threads a tombstone stays.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.posts().delete("post_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, id: impl Into<PostId>) -> Call<DeletePost> {
        let post_id = id.into();
        self.0.send(&DeletePost { post_id })
    }

    /// Reads a post's former texts, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for revision in svc.posts().history("post_01").await?.revisions {
    ///     println!("{} {}", revision.created_at, revision.content);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn history(&self, id: impl Into<PostId>) -> Call<GetPostHistory> {
        let post_id = id.into();
        self.0.send(&GetPostHistory { post_id })
    }

    /// Reads a post with what it answers and what answers it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let thread = svc.posts().thread("post_01").await?;
    /// println!("{} above, {} below", thread.ancestors.len(), thread.descendants.len());
    /// # Ok(()) }
    /// ```
    pub fn thread(&self, id: impl Into<PostId>) -> Call<GetThread> {
        self.0.send(&GetThread {
            post_id: id.into(),
            ancestors: None,
            depth: None,
            limit: None,
            cursor: None,
        })
    }

    /// Lists the direct replies to a post, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let replies = svc.posts().replies("post_01").page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn replies(&self, id: impl Into<PostId>) -> Call<ListReplies> {
        self.0.send(&ListReplies { post_id: id.into(), sort: None, limit: None, cursor: None })
    }

    /// Lists the posts that quote a post, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let quotes = svc.posts().quotes("post_01").page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn quotes(&self, id: impl Into<PostId>) -> Call<ListQuotes> {
        self.0.send(&ListQuotes { post_id: id.into(), limit: None, cursor: None })
    }
}

impl Call<CreatePost> {
    /// Waits for the post window, however long, instead of failing with `RateLimited`.
    ///
    /// This is the only wait longer than `max_retry_wait`; it is not counted as time of the call.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.posts().create("second thought").when_allowed().await?;
    /// # Ok(()) }
    /// ```
    pub fn when_allowed(mut self) -> Self {
        self.options.when_allowed = true;
        self
    }
}

optional! {
    CreatePost {
        /// Quotes a post.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.posts().create("well said").quote("post_01");
        /// # }
        /// ```
        quote(impl Into<PostId>) => quote_of_id;
        /// Shown instead of the text until the reader asks for it.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.posts().create("it was the gardener").content_warning("ending of a novel");
        /// # }
        /// ```
        content_warning(impl Into<Text<0, 500>>) => content_warning;
        /// BCP 47 tag of the text's language.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.posts().create("bonjour").language("fr");
        /// # }
        /// ```
        language(impl Into<Text<0, 35>>) => language;
        /// Who may reply.
        ///
        /// ```
        /// # use svc_client::types::api::posts::ReplyPolicy;
        /// # fn show(svc: svc_client::Client) {
        /// svc.posts().create("for friends").reply_policy(ReplyPolicy::Following);
        /// # }
        /// ```
        reply_policy(ReplyPolicy) => reply_policy;
    }
    EditPost {
        /// The new text.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.posts().edit("post_01").content("corrected");
        /// # }
        /// ```
        content(impl Into<Content>) => content;
    }
    GetThread {
        /// Most ancestors to show, nearest kept: 0 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.posts().thread("post_01").ancestors(5);
        /// # }
        /// ```
        ancestors(u32) => ancestors;
        /// How many levels below the post to show: 1 to 20.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.posts().thread("post_01").depth(2);
        /// # }
        /// ```
        depth(u32) => depth;
        /// Direct replies per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.posts().thread("post_01").limit(10);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListReplies {
        /// Order of the list.
        ///
        /// ```
        /// # use svc_client::types::api::posts::ReplySort;
        /// # fn show(svc: svc_client::Client) {
        /// svc.posts().replies("post_01").sort(ReplySort::Top);
        /// # }
        /// ```
        sort(ReplySort) => sort;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.posts().replies("post_01").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListQuotes {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.posts().quotes("post_01").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
