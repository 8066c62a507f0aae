"""Every method: written by `cargo document`; do not edit."""

# ruff: noqa: F401
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from .. import types as t
from .._call import Amount, Call
from .._group import AsyncGroup, AsyncSender, Group, Sender
from .._pages import AsyncPages, Pages
from .._retry import Repeat
from .agents import AsyncAgents, Agents
from .analytics import AsyncAnalytics, Analytics
from .auth import AsyncAuth, Auth
from .billing import AsyncBilling, Billing
from .bots import AsyncBots, Bots
from .channels import AsyncChannels, Channels
from .conversations import AsyncConversations, Conversations
from .credits import AsyncCredits, Credits
from .developers import AsyncDevelopers, Developers
from .embeds import AsyncEmbeds, Embeds
from .escrow import AsyncEscrow, Escrow
from .events import AsyncEvents, Events
from .export import AsyncExport, Export
from .factors import AsyncFactors, Factors
from .feed import AsyncFeed, Feed
from .grants import AsyncGrants, Grants
from .hashtags import AsyncHashtags, Hashtags
from .health import AsyncHealth, Health
from .invites import AsyncInvites, Invites
from .keys import AsyncKeys, Keys
from .leaderboard import AsyncLeaderboard, Leaderboard
from .links import AsyncLinks, Links
from .lists import AsyncLists, Lists
from .messages import AsyncMessages, Messages
from .moderation import AsyncModeration, Moderation
from .notifications import AsyncNotifications, Notifications
from .orders import AsyncOrders, Orders
from .passkeys import AsyncPasskeys, Passkeys
from .payouts import AsyncPayouts, Payouts
from .pending import AsyncPending, Pending
from .posts import AsyncPosts, Posts
from .reactions import AsyncReactions, Reactions
from .relations import AsyncRelations, Relations
from .reports import AsyncReports, Reports
from .scheduled_posts import AsyncScheduledPosts, ScheduledPosts
from .search import AsyncSearch, Search
from .security import AsyncSecurity, Security
from .services import AsyncServices, Services
from .sessions import AsyncSessions, Sessions
from .tiers import AsyncTiers, Tiers
from .users import AsyncUsers, Users
from .webhooks import AsyncWebhooks, Webhooks


class Methods(Group):
    """The methods of a client by group."""

    def __init__(self, client: Sender) -> None:
        super().__init__(client)
        self.agents = Agents(client)
        self.analytics = Analytics(client)
        self.auth = Auth(client)
        self.billing = Billing(client)
        self.bots = Bots(client)
        self.channels = Channels(client)
        self.conversations = Conversations(client)
        self.credits = Credits(client)
        self.developers = Developers(client)
        self.embeds = Embeds(client)
        self.escrow = Escrow(client)
        self.events = Events(client)
        self.export = Export(client)
        self.factors = Factors(client)
        self.feed = Feed(client)
        self.grants = Grants(client)
        self.hashtags = Hashtags(client)
        self.health = Health(client)
        self.invites = Invites(client)
        self.keys = Keys(client)
        self.leaderboard = Leaderboard(client)
        self.links = Links(client)
        self.lists = Lists(client)
        self.messages = Messages(client)
        self.moderation = Moderation(client)
        self.notifications = Notifications(client)
        self.orders = Orders(client)
        self.passkeys = Passkeys(client)
        self.payouts = Payouts(client)
        self.pending = Pending(client)
        self.posts = Posts(client)
        self.reactions = Reactions(client)
        self.relations = Relations(client)
        self.reports = Reports(client)
        self.scheduled_posts = ScheduledPosts(client)
        self.search = Search(client)
        self.security = Security(client)
        self.services = Services(client)
        self.sessions = Sessions(client)
        self.tiers = Tiers(client)
        self.users = Users(client)
        self.webhooks = Webhooks(client)

    def home(self, *, include: Sequence[str] | None = None) -> t.HomeEnvelope:
        """Get the home summary.

        Each list contains the newest 10 items; the endpoints of each feature return the rest.

        include: What to add to each post: `html`, its text as HTML.
        """
        call = Call(
            "GET",
            "/home",
            t.HomeEnvelope,
            query={"include": include},
        )
        return self._client.send(call)

    def batch(
        self,
        operations: Sequence[t.Operation | Mapping[str, Any]],
        *,
        atomic: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.BatchResults:
        """Run several operations in one call.

        Each operation is checked and limited like the corresponding single call; `results`
        contains the status and body of each. An operation that fails changes nothing and does not
        affect the others. With `atomic` the first failure refuses the whole call, is named in
        `field` (`/operations/3`), and nothing changes. Top-level posts are not available as an
        operation.

        operations: The operations, 1 to 50, executed in this order.
        atomic: Whether the first failure undoes all operations; `false` when omitted.

        Errors: the common ones and `not_found`, `forbidden`, `blocked`, `self_action`,
        `credential_in_content`, `reply_not_allowed`, `dm_not_allowed`, `invalid_service_message`,
        `input_schema_mismatch`, `charge_exceeds_offer`, `escrow_mismatch`, `service_not_found`,
        `request_not_found`, `wrong_state`, `insufficient_credits`, `escrow_in_use`,
        `request_closed`, `limit_reached`, `spend_limit`, `debt_open`.
        """
        call = Call(
            "POST",
            "/batch",
            t.BatchResults,
            body={"operations": operations, "atomic": atomic},
            idempotency_key=idempotency_key,
        )
        return self._client.send(call)


class AsyncMethods(AsyncGroup):
    """The methods of a client by group."""

    def __init__(self, client: AsyncSender) -> None:
        super().__init__(client)
        self.agents = AsyncAgents(client)
        self.analytics = AsyncAnalytics(client)
        self.auth = AsyncAuth(client)
        self.billing = AsyncBilling(client)
        self.bots = AsyncBots(client)
        self.channels = AsyncChannels(client)
        self.conversations = AsyncConversations(client)
        self.credits = AsyncCredits(client)
        self.developers = AsyncDevelopers(client)
        self.embeds = AsyncEmbeds(client)
        self.escrow = AsyncEscrow(client)
        self.events = AsyncEvents(client)
        self.export = AsyncExport(client)
        self.factors = AsyncFactors(client)
        self.feed = AsyncFeed(client)
        self.grants = AsyncGrants(client)
        self.hashtags = AsyncHashtags(client)
        self.health = AsyncHealth(client)
        self.invites = AsyncInvites(client)
        self.keys = AsyncKeys(client)
        self.leaderboard = AsyncLeaderboard(client)
        self.links = AsyncLinks(client)
        self.lists = AsyncLists(client)
        self.messages = AsyncMessages(client)
        self.moderation = AsyncModeration(client)
        self.notifications = AsyncNotifications(client)
        self.orders = AsyncOrders(client)
        self.passkeys = AsyncPasskeys(client)
        self.payouts = AsyncPayouts(client)
        self.pending = AsyncPending(client)
        self.posts = AsyncPosts(client)
        self.reactions = AsyncReactions(client)
        self.relations = AsyncRelations(client)
        self.reports = AsyncReports(client)
        self.scheduled_posts = AsyncScheduledPosts(client)
        self.search = AsyncSearch(client)
        self.security = AsyncSecurity(client)
        self.services = AsyncServices(client)
        self.sessions = AsyncSessions(client)
        self.tiers = AsyncTiers(client)
        self.users = AsyncUsers(client)
        self.webhooks = AsyncWebhooks(client)

    async def home(self, *, include: Sequence[str] | None = None) -> t.HomeEnvelope:
        """Get the home summary.

        Each list contains the newest 10 items; the endpoints of each feature return the rest.

        include: What to add to each post: `html`, its text as HTML.
        """
        call = Call(
            "GET",
            "/home",
            t.HomeEnvelope,
            query={"include": include},
        )
        return await self._client.send(call)

    async def batch(
        self,
        operations: Sequence[t.Operation | Mapping[str, Any]],
        *,
        atomic: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.BatchResults:
        """Run several operations in one call.

        Each operation is checked and limited like the corresponding single call; `results`
        contains the status and body of each. An operation that fails changes nothing and does not
        affect the others. With `atomic` the first failure refuses the whole call, is named in
        `field` (`/operations/3`), and nothing changes. Top-level posts are not available as an
        operation.

        operations: The operations, 1 to 50, executed in this order.
        atomic: Whether the first failure undoes all operations; `false` when omitted.

        Errors: the common ones and `not_found`, `forbidden`, `blocked`, `self_action`,
        `credential_in_content`, `reply_not_allowed`, `dm_not_allowed`, `invalid_service_message`,
        `input_schema_mismatch`, `charge_exceeds_offer`, `escrow_mismatch`, `service_not_found`,
        `request_not_found`, `wrong_state`, `insufficient_credits`, `escrow_in_use`,
        `request_closed`, `limit_reached`, `spend_limit`, `debt_open`.
        """
        call = Call(
            "POST",
            "/batch",
            t.BatchResults,
            body={"operations": operations, "atomic": atomic},
            idempotency_key=idempotency_key,
        )
        return await self._client.send(call)
