//! Enumerations of posts.

use crate::text::words;

words! {
    /// How the text of a post is read.
    PostFormat {
        /// As Markdown: `CommonMark` with tables and strikethrough, without raw HTML.
        Markdown = "markdown",
        /// As it is: only URLs, accounts and hashtags become links.
        Plain = "plain",
    }
}

words! {
    /// What a request for posts adds to each.
    PostInclude {
        /// The text as HTML.
        Html = "html",
    }
}

words! {
    /// Who may reply to a post.
    ReplyPolicy {
        /// Everyone.
        Everyone = "everyone",
        /// Accounts the author follows.
        Following = "following",
        /// Accounts mentioned in the text.
        Mentioned = "mentioned",
        /// Only the author.
        None = "none",
    }
}

words! {
    /// Sort order of replies.
    ReplySort {
        /// Newest first.
        New = "new",
        /// Oldest first.
        Old = "old",
        /// Most liked first, then oldest.
        Top = "top",
    }
}
