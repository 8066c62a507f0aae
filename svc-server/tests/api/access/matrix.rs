//! The access matrix: what each caller gets at each endpoint.

/// What the matrix says of a caller at an endpoint.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell {
    /// 2xx.
    Fine,
    /// 2xx, and nothing of another account in the answer.
    Own,
    /// This status.
    Is(u16),
}
pub(super) use Cell::{Fine, Is, Own};

/// The columns of the matrix.
#[derive(Clone, Copy, Debug)]
pub(super) enum Caller {
    Anon,
    Other,
    Party,
    Dev,
    Mod,
}
pub(super) use Caller::{Anon, Dev, Mod, Other, Party};

/// Endpoints, and what anon, other, party, dev and mod get.
pub(super) type Row = (&'static [&'static str], [Cell; 5]);

/// What a suspended account may still do: finish what is open.
pub(super) const FINISHES: &[&str] = &[
    "Logout",
    "StepUp",
    "BeginPasskeyStepUp",
    "CreateExport",
    "CancelEscrow",
    "DeclineEscrow",
    "DeliverEscrow",
    "ReleaseEscrow",
    "DisputeEscrow",
    "RespondToDispute",
    "RefundEscrow",
    "OfferSplit",
    "AcceptSplit",
    "ReleaseAgent",
    "AnswerOrder",
    "ProgressOrder",
    "InputOrder",
    "CancelOrder",
    "WithdrawSample",
];

/// What a suspended account may do besides, and a paused agent may not: end what others may have opened, and what
/// it is charged for.
pub(super) const SECURES: &[&str] = &[
    "ChangePassword",
    "RegenerateApiKey",
    "DeleteApiKey",
    "DeletePasskey",
    "DeleteSession",
    "DeleteOtherSessions",
    "DeleteGrant",
    "CancelPendingChange",
    "RotateAgentKey",
    "SignOutAgent",
    "PauseAgent",
    "RotateAppKey",
    "DeleteApp",
    "CancelSubscription",
    "OpenPortal",
];

/// Endpoints for accounts that are deleted, which are not suspended.
pub(super) const OF_DELETED: &[&str] = &["Restore"];

/// Endpoints about the key of the request, which a session has not.
pub(super) const KEYS_ONLY: &[&str] = &["GetCurrentApiKey"];

pub(super) const MATRIX: &[Row] = &[
    (
        &["Register", "GetChallenge", "Login", "GetHealth", "GetLive", "GetReady"],
        [Fine, Fine, Fine, Fine, Fine],
    ),
    (&["GetEmbed", "GetOembed"], [Fine, Fine, Fine, Fine, Fine]),
    (
        &["Logout", "GetSession", "ChangePassword", "RegenerateApiKey"],
        [Is(401), Own, Own, Is(403), Own],
    ),
    // Only the party is deleted.
    (&["Restore"], [Is(401), Is(409), Own, Is(403), Is(409)]),
    (&["ListPendingChanges"], [Is(401), Own, Own, Is(403), Own]),
    (&["CancelPendingChange"], [Is(401), Is(404), Is(404), Is(403), Is(404)]),
    (&["UndoPendingChange"], [Is(404), Is(404), Is(404), Is(404), Is(404)]),
    (&["StepUp", "GetFactors", "CreateTotp"], [Is(401), Own, Own, Is(403), Own]),
    (&["CreateExport"], [Is(401), Own, Own, Is(403), Own]),
    // Only the party has asked for one.
    (&["GetExport"], [Is(401), Is(404), Own, Is(403), Is(404)]),
    // Only the party has an authenticator app.
    (&["ConfirmTotp", "CreateRecoveryCodes"], [Is(401), Is(409), Fine, Is(403), Is(409)]),
    (&["DeleteTotp"], [Is(401), Is(404), Fine, Is(403), Is(404)]),
    (&["BeginPasskey"], [Is(401), Own, Own, Is(403), Own]),
    // Only the party has begun a ceremony, and has a passkey.
    (&["CreatePasskey"], [Is(401), Is(401), Fine, Is(403), Is(401)]),
    (&["UpdatePasskey", "DeletePasskey"], [Is(401), Is(404), Fine, Is(403), Is(404)]),
    (&["BeginPasskeyStepUp"], [Is(401), Is(409), Own, Is(403), Is(409)]),
    (&["BeginPasskeyLogin", "LoginWithPasskey"], [Fine, Fine, Fine, Fine, Fine]),
    (&["ListApiKeys", "GetCurrentApiKey", "CreateApiKey"], [Is(401), Own, Own, Is(403), Own]),
    (&["UpdateApiKey", "DeleteApiKey"], [Is(401), Is(404), Fine, Is(403), Is(404)]),
    (&["ReportApiKey"], [Fine, Fine, Fine, Fine, Fine]),
    (
        &["ListSessions", "DeleteOtherSessions", "ListGrants", "ListSecurityLog"],
        [Is(401), Own, Own, Is(403), Own],
    ),
    (&["ListInvites", "CreateInvite"], [Is(401), Own, Own, Is(403), Own]),
    (&["DeleteInvite"], [Is(401), Is(404), Fine, Is(403), Is(404)]),
    // No account here has given a grant.
    (&["DeleteGrant"], [Is(401), Is(404), Is(404), Is(403), Is(404)]),
    // No account here has linked another.
    (&["ListLinks", "BeginLink"], [Is(401), Own, Own, Is(403), Own]),
    (&["DeleteLink"], [Is(401), Is(404), Is(404), Is(403), Is(404)]),
    (&["DeleteSession"], [Is(401), Is(404), Fine, Is(403), Is(404)]),
    (&["SendVerification"], [Is(401), Own, Own, Is(403), Own]),
    (&["VerifyEmail", "RequestPasswordReset"], [Fine, Fine, Fine, Fine, Fine]),
    (&["FinishPasswordReset"], [Fine, Fine, Fine, Fine, Fine]),
    (
        &["ListPosts", "GetPost", "GetPostHistory", "GetThread", "ListReplies", "ListQuotes"],
        [Fine, Fine, Fine, Is(403), Fine],
    ),
    (&["ListUsers", "GetUser", "ListUserPosts"], [Fine, Fine, Fine, Is(403), Fine]),
    (
        &["Search", "ListHashtags", "GetHashtag", "ListHashtagPosts"],
        [Fine, Fine, Fine, Is(403), Fine],
    ),
    (&["FollowHashtag", "UnfollowHashtag"], [Is(401), Fine, Fine, Is(403), Fine]),
    (&["ListFollowedHashtags", "CreateList", "ListLists"], [Is(401), Own, Own, Is(403), Own]),
    // A private list is visible to its owner only.
    (&["GetList", "ListListMembers", "ListListPosts"], [Is(404), Is(404), Fine, Is(403), Is(404)]),
    (
        &["UpdateList", "DeleteList", "AddListMembers", "RemoveListMember"],
        [Is(401), Is(404), Fine, Is(403), Is(404)],
    ),
    (&["CreatePost", "CreateReply"], [Is(401), Fine, Fine, Is(403), Fine]),
    (
        &[
            "LikePost",
            "UnlikePost",
            "RepostPost",
            "UnrepostPost",
            "BookmarkPost",
            "UnbookmarkPost",
            "MuteThread",
            "UnmuteThread",
            "Follow",
            "Unfollow",
            "BlockUser",
            "UnblockUser",
            "MuteUser",
            "UnmuteUser",
        ],
        [Is(401), Fine, Fine, Is(403), Fine],
    ),
    (&["PinPost", "UnpinPost"], [Is(401), Is(403), Fine, Is(403), Is(403)]),
    (
        &["ListLikes", "ListReposts", "ListFollowers", "ListFollowing", "GetGlobalFeed"],
        [Fine, Fine, Fine, Is(403), Fine],
    ),
    (
        &[
            "GetFeed",
            "GetHome",
            "ListBookmarks",
            "ListBlocks",
            "ListMutes",
            "ListRelationships",
            "ListSuggested",
        ],
        [Is(401), Own, Own, Is(403), Own],
    ),
    (&["GetPostAnalytics"], [Is(401), Is(403), Fine, Is(403), Is(403)]),
    (&["GetMyAnalytics"], [Is(401), Own, Own, Is(403), Own]),
    (&["GetLeaderboard"], [Fine, Fine, Fine, Is(403), Fine]),
    (&["EditPost", "DeletePost"], [Is(401), Is(403), Fine, Is(403), Is(403)]),
    (&["RunBatch"], [Is(401), Fine, Fine, Is(403), Fine]),
    (&["CreateScheduledPost", "ListScheduledPosts"], [Is(401), Own, Own, Is(403), Own]),
    (
        &["GetScheduledPost", "EditScheduledPost", "DeleteScheduledPost"],
        [Is(401), Is(404), Fine, Is(403), Is(404)],
    ),
    (&["GetMe", "UpdateMe", "DeleteMe", "DeleteAvatar"], [Is(401), Own, Own, Is(403), Own]),
    (
        &["SendMessage", "ListMessages", "GetUnreadCount", "ListConversations"],
        [Is(401), Own, Own, Is(403), Own],
    ),
    (
        &[
            "GetMessage",
            "DeleteMessage",
            "GetConversation",
            "ListConversationMessages",
            "ReadConversation",
            "AcceptConversation",
            "DeclineConversation",
            "MuteConversation",
            "UnmuteConversation",
        ],
        [Is(401), Is(404), Fine, Is(403), Is(404)],
    ),
    (&["CreateChannel", "ListChannels"], [Is(401), Own, Own, Is(403), Own]),
    // A private channel is visible to its members only.
    (
        &["GetChannel", "ListChannelMembers", "ListChannelMessages", "GetChannelMessage"],
        [Is(404), Is(404), Fine, Is(403), Is(404)],
    ),
    (
        &[
            "UpdateChannel",
            "DeleteChannel",
            "JoinChannel",
            "LeaveChannel",
            "ReadChannel",
            "AddChannelMembers",
            "RemoveChannelMember",
            "PostChannelMessage",
            "DeleteChannelMessage",
        ],
        [Is(401), Is(404), Fine, Is(403), Is(404)],
    ),
    (
        &[
            "ListNotifications",
            "CountUnreadNotifications",
            "GetPreferences",
            "UpdatePreferences",
            "ReadNotifications",
        ],
        [Is(401), Own, Own, Is(403), Own],
    ),
    (
        &["GetNotification", "DeleteNotification", "ReadNotification"],
        [Is(401), Is(404), Fine, Is(403), Is(404)],
    ),
    (&["CreateWebhook", "ListWebhooks"], [Is(401), Own, Own, Is(403), Own]),
    (
        &[
            "GetWebhook",
            "UpdateWebhook",
            "DeleteWebhook",
            "EnableWebhook",
            "DisableWebhook",
            "RotateWebhookSecret",
            "PromoteWebhookSecret",
            "TestWebhook",
            "ListWebhookDeliveries",
            "GetWebhookDelivery",
            "RedeliverWebhook",
            "RecoverWebhook",
            "GetWebhookRecovery",
            "GetWebhookStats",
        ],
        [Is(401), Is(404), Fine, Is(403), Is(404)],
    ),
    (
        &[
            "DiscoverBots",
            "GetCapabilities",
            "ListBotReviews",
            "ListServiceReviews",
            "GetReputation",
        ],
        [Fine, Fine, Fine, Is(403), Fine],
    ),
    (
        &[
            "ListServices",
            "CreateService",
            "CreateEscrow",
            "CreatePlan",
            "ListEscrows",
            "CreateOrder",
            "ListOrders",
            "GetCredits",
            "ListTransactions",
            "GetConnect",
            "ListEvents",
        ],
        [Is(401), Own, Own, Is(403), Own],
    ),
    (&["UpdateService", "DeleteService"], [Is(401), Is(404), Fine, Is(403), Is(404)]),
    (&["GetBilling", "ListPayments"], [Is(401), Own, Own, Is(403), Own]),
    // The provider is down here.
    (&["GetTier"], [Is(401), Own, Own, Is(403), Own]),
    // No passes are sold, the callers are agents, and nobody has subscribed.
    (&["BuyPass"], [Is(401), Is(503), Is(503), Is(403), Is(503)]),
    (&["Subscribe"], [Is(401), Is(403), Is(403), Is(403), Is(403)]),
    (
        &["CancelSubscription", "ResumeSubscription", "OpenPortal"],
        [Is(401), Is(409), Is(409), Is(403), Is(409)],
    ),
    (&["CreateCheckout"], [Is(401), Is(503), Is(503), Is(403), Is(503)]),
    (&["GetPayment", "RefundPayment"], [Is(401), Is(404), Own, Is(403), Is(404)]),
    (&["ListPayouts"], [Is(401), Own, Own, Is(403), Own]),
    // The others are agents.
    (&["GetPayoutAccount"], [Is(401), Is(403), Own, Is(403), Is(403)]),
    (&["RequestPayout"], [Is(401), Is(403), Fine, Is(403), Is(403)]),
    (&["ConnectPayouts"], [Is(401), Is(403), Is(503), Is(403), Is(403)]),
    (&["CancelPayout"], [Is(401), Is(404), Own, Is(403), Is(404)]),
    // The party is the bot itself; its owner is in the tests of owners.
    (
        &[
            "ListBotServices",
            "CreateBotService",
            "CheckBotService",
            "UpdateBotService",
            "DeleteBotService",
            "ListSampleOrders",
            "GetSales",
        ],
        [Is(401), Is(403), Fine, Is(403), Is(403)],
    ),
    (&["GrantCredits"], [Is(401), Is(403), Is(403), Is(403), Is(403)]),
    (
        &[
            "GetEscrow",
            "GetEscrowAttestation",
            "ListEscrowEvents",
            "FundEscrow",
            "CancelEscrow",
            "DeclineEscrow",
            "DeliverEscrow",
            "ReleaseEscrow",
            "DisputeEscrow",
            "RefundEscrow",
            "ExtendEscrow",
            "OfferSplit",
            "AcceptSplit",
        ],
        [Is(401), Is(404), Fine, Is(403), Is(404)],
    ),
    (
        &[
            "GetOrder",
            "AnswerOrder",
            "ProgressOrder",
            "InputOrder",
            "CancelOrder",
            "ExtendOrder",
            "ListOrderPartials",
            "CreateReview",
            "DeleteReview",
            "ProposeSample",
            "WithdrawSample",
            "AnswerSample",
        ],
        [Is(401), Is(404), Fine, Is(403), Is(404)],
    ),
    // Moderators see disputed escrows.
    (&["RespondToDispute"], [Is(401), Is(404), Fine, Is(403), Is(403)]),
    (&["CreateReport", "ListReports"], [Is(401), Own, Own, Is(403), Own]),
    (
        &[
            "ListModerationReports",
            "GetModerationReport",
            "AssignReport",
            "ResolveReport",
            "ReopenReport",
            "CreateModerationAction",
            "ListModerationActions",
            "ListSignups",
            "ApproveSignup",
            "RejectSignup",
        ],
        [Is(401), Is(403), Is(403), Is(403), Fine],
    ),
    (
        &[
            "UpdateUser",
            "GetOverview",
            "ListFailedDeliveries",
            "ListEndedOrders",
            "ListOpenEscrows",
            "ListQueue",
            "GetBillingStatus",
            "ApprovePayout",
            "DenyPayout",
        ],
        [Is(401), Is(403), Is(403), Is(403), Is(403)],
    ),
    (&["ResolveEscrow"], [Is(401), Is(403), Is(403), Is(403), Fine]),
    (&["CreateIdentityToken"], [Is(401), Own, Own, Is(403), Own]),
    (&["VerifyIdentity"], [Is(401), Is(403), Is(403), Fine, Is(403)]),
    (&["CreateClaimLink"], [Is(401), Own, Own, Is(403), Own]),
    // The others are agents.
    (&["ClaimAgent", "ListOwnedAgents", "SetOwnedCaps"], [Is(401), Is(403), Own, Is(403), Is(403)]),
    (
        &[
            "RotateAgentKey",
            "SignOutAgent",
            "PauseAgent",
            "ResumeAgent",
            "SetAgentCaps",
            "SetAgentOwner",
            "ReleaseAgent",
        ],
        [Is(401), Is(403), Fine, Is(403), Is(403)],
    ),
    (&["RegisterDeveloper"], [Fine, Fine, Fine, Is(403), Fine]),
    (
        &["GetDeveloper", "UpdateDeveloper", "DeleteDeveloper", "RotateDeveloperKey"],
        [Is(401), Is(403), Is(403), Own, Is(403)],
    ),
    (&["ListApps"], [Is(401), Own, Own, Is(403), Own]),
    (&["GetApp", "DeleteApp", "RotateAppKey"], [Is(401), Is(404), Fine, Is(403), Is(404)]),
];

/// The cells of an endpoint.
pub(super) fn row(name: &str) -> [Cell; 5] {
    let mut rows = MATRIX.iter().filter(|(names, _)| names.contains(&name));
    rows.next().unwrap_or_else(|| panic!("{name} has no row in the access matrix")).1
}
