"""Rules of the interface that no schema can express.

A request schemathesis holds for valid is made to keep them before it is sent, so that whatever is
still refused is a finding.
"""

import base64
from datetime import datetime, timedelta, timezone

import schemathesis

# A GIF of one pixel.
PICTURE = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw["operationId"]
    if operation == "beginLink" and case.path_parameters["provider"] == "google":
        case.path_parameters["provider"] = "x"  # where the server of the run is registered
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.headers:
        case.headers.pop("Prefer", None)  # refuses the members that the schemas of bodies allow
        case.headers.pop("PAYMENT-SIGNATURE", None)  # what a wallet signs
        case.headers.pop("X-Svc-Consistency", None)  # comes from a response, never from a caller
    query = case.query or {}
    keep_six_decimals(query)
    keep_years(query)
    query.pop("cursor", None)  # comes from an answer, never from a caller
    if "ids" in query:
        query.pop("usernames", None)  # one or the other
    if operation == "listUsers" and ("ids" in query or "usernames" in query):
        for name in ("q", "isAgent", "sort", "window"):
            query.pop(name, None)  # select accounts of the directory
    keep_rules_of_queries(operation, query)
    if operation in OF_OTHERS:
        case.path_parameters["username"] = "nobody"  # not the caller itself
    if operation in ("followHashtag", "unfollowHashtag"):
        case.path_parameters["name"] = "rust"  # letters, digits and _, not only digits
    if operation == "topUpCredits":
        query["credits"] = 500  # from credits.min to credits.max
    if operation == "readNotifications":
        case.media_type, case.body = "application/json", {"all": True}  # exactly one of several
    elif operation == "getOembed":
        query["url"] = "http://localhost/post/post_0"  # an address of this server
    if operation in ("putAvatar", "postAvatar"):
        case.media_type, case.body = "application/octet-stream", PICTURE
    elif operation == "uploadImage":
        case.media_type, case.body = "multipart/form-data", {"file": PICTURE, "alt": "a dot"}
    elif isinstance(case.body, dict):
        keep_rules_of_bodies(operation, case.body)


# Actions that are not possible on your own account.
OF_OTHERS = ("follow", "unfollow", "blockUser", "unblockUser", "muteUser", "unmuteUser")


def keep_rules_of_queries(operation, query):
    for name in ("types", "excludeTypes"):
        if operation in ("listNotifications", "countUnreadNotifications", "listEvents") and name in query:
            query[name] = "like,reply"  # words of a list
    if "include" in query:  # words of a list
        query["include"] = "replies,reposts,html" if operation == "listUserPosts" else "html"
    if operation == "listHashtags" and "q" in query:
        query["q"] = "ru"  # what a hashtag may begin with
    if operation == "discoverBots" and "language" in query:
        query["language"] = "en"  # a BCP 47 tag
    if operation == "listEvents" and "after" in query:
        query["after"] = min(int(query["after"]), 2**63)  # 64 bits
    if operation == "search":
        query["q"] = "word"  # holds a word at least
        for name in ("author", "tag", "since", "until", "include"):
            query.pop(name, None)  # of posts alone; tags have a form
    if operation == "listUsers" and "window" in query:
        query["sort"] = "new"  # the only order of a window
    if query.get("window") in ("30d", "all") and query.get("bucket") == "hour":
        query.pop("bucket")  # too many


# What a browser sends when a passkey is added, and when one signs in.
CREDENTIAL = {
    "id": "AQ",
    "rawId": "AQ",
    "type": "public-key",
    "response": {
        "clientDataJSON": "e30",
        "attestationObject": "oA",
        "authenticatorData": "AQ",
        "signature": "AQ",
        "userHandle": "AQ",
    },
}

# Amounts of credits, whose six decimals no schema can express: dividing doubles refuses valid ones.
CREDITS = ("amount", "chargedCredits", "credits", "expectedAmount", "maxCredits", "maxPrice", "offeredCredits",
           "perDay", "perOrder", "priceCredits", "providerAmount")


def keep_six_decimals(members):
    for name in CREDITS:
        if isinstance(members.get(name), float):
            members[name] = round(members[name], 6)


# Times, which begin in 1970 here.
TIMES = ("since", "until", "scheduledFor")


def keep_years(members):
    for name in TIMES:
        if isinstance(members.get(name), str) and members[name] < "1970":
            members[name] = "1970" + members[name][4:]


def keep_rules_of_orders(operation, body):
    if operation == "createOrder":
        for name in ("offeredCredits", "escrowId", "answerWithin"):
            body.pop(name, None)  # one of three amounts; 1m to 30d
        body["maxCredits"] = 5
    elif operation == "answerOrder":
        if body["status"] in ("rejected", "error"):
            body.pop("chargedCredits", None)  # they cost nothing
        for name, status in (("reason", "rejected"), ("error", "error")):
            body.pop(name, None)
            if body["status"] == status:
                body[name] = "it broke"  # required with this status, refused with another
    elif operation == "progressOrder":
        body.pop("wantsUntil", None)  # in the future
        if body["state"] == "working":
            body.pop("prompt", None)  # with the other state alone
        else:
            body["prompt"] = "Which language?"
        body.pop("promptSchema", None)  # what an object needs to be a JSON Schema
    else:
        body["answerWithin"] = "3d"  # 1m to 30d


# Calls that take the description of a service.
SERVICES = ("createService", "updateService", "createBotService", "updateBotService", "checkBotService")


# Texts that must show something.
TEXTS = ("content", "contentWarning", "displayName", "appName")


def visible(text):
    if isinstance(text, str) and text and not any(c.isalnum() and c.isascii() for c in text):
        return "a" + text[1:]
    return text


def keep_visible(body):
    for name in TEXTS:
        if name in body:
            body[name] = visible(body[name])
    if isinstance(body.get("tags"), list):
        body["tags"] = [visible(tag) for tag in body["tags"]]


def keep_rules_of_bodies(operation, body):
    keep_visible(body)
    for name in ("password", "newPassword"):
        if operation in ("register", "changePassword", "finishPasswordReset") and name in body:
            body[name] = "three random words"  # not one that is guessed first
    if "redirectUris" in body:
        body["redirectUris"] = ["https://example.org/done"]  # https, or this machine
    keep_six_decimals(body)
    keep_years(body)
    body.pop("mediaIds", None)  # uploaded before, each for one post
    if not body.get("schema") or not body.get("payload"):  # both or neither
        body.pop("schema", None)
        body.pop("payload", None)
    if operation in ("createOrder", "answerOrder", "progressOrder", "extendOrder"):
        keep_rules_of_orders(operation, body)
    elif operation == "extendEscrow":
        body["expiresIn"] = "30d"  # to 90d after the creation
    elif operation == "resolveEscrow":
        body.pop("providerAmount", None)  # with the outcome split alone
        body["outcome"] = "refund"
    elif operation == "createPlan":
        for milestone in body["milestones"]:
            keep_six_decimals(milestone)
            milestone.pop("expiresIn", None)  # 1m to 90d
    elif operation == "runBatch":
        body["atomic"] = False  # or an operation that fails refuses the call
    elif operation in ("createIdentityToken", "createEscrow"):
        body.pop("expiresIn", None)  # 60s to 3600s; 1m to 90d
    elif operation in ("createApiKey", "updateApiKey"):
        body.pop("expiresIn", None)  # 1h to 365d
        body.pop("allowFrom", None)  # networks
        keep_six_decimals(body.get("spend") or {})
    elif operation in SERVICES:
        body.pop("inputSchema", None)  # what an object needs to be a JSON Schema
        body.pop("outputSchema", None)
        body.pop("samples", None)  # at most 16 KiB together, which fit the stored schemas
        if "languages" in body:
            body["languages"] = ["en"]  # BCP 47 tags
    elif operation == "buyPass":
        body["tier"] = "boost"  # not free
    elif operation == "createInvite":
        body.pop("expiresIn", None)  # 1h to 90d
    elif operation == "register":
        body.pop("invite", None)  # somebody made it
        body.pop("proof", None)  # takes work
        if not {"email", "password"} <= body.keys():
            body["isAgent"] = True  # people need both
        body["username"] = body["username"].replace("usr_", "user_")[:30]  # no id
    elif operation == "createReport":
        body["subject"]["id"] = "nobody"  # not the caller itself
    elif operation == "login":
        body.pop("proof", None)  # takes work
        body.pop("email", None)  # one or the other
        body.setdefault("username", "ada")
    elif operation == "stepUp":
        body.pop("ceremonyId", None)  # either these, or a password or a code
        body.pop("credential", None)
    elif operation in ("createPasskey", "loginWithPasskey"):
        body["credential"] = CREDENTIAL  # the form that browsers send
    elif operation == "muteUser":
        body.pop("expiresIn", None)  # 1m to 90d
    elif operation in ("createScheduledPost", "editScheduledPost"):
        soon = datetime.now(timezone.utc) + timedelta(days=1)  # 60 s to 90 d ahead
        body["scheduledFor"] = soon.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    elif operation in ("createWebhook", "updateWebhook"):
        body["url"] = "https://hooks.example.org/svc"  # https at a public host
    elif operation == "recoverWebhook":
        body.pop("until", None)  # not before since
        body["since"] = "2026-01-01T00:00:00.000Z"  # nor later than now
    elif operation == "updatePreferences":
        body["preferences"].pop("types", None)  # by words of a list
    elif operation == "createModerationAction":
        body.pop("expiresIn", None)  # 1m to 90d
