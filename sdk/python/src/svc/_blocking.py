"""The blocking client."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from . import _events, _exports, _orders, _uploads, types
from ._call import Amount, Call, document, encoded, plain
from ._clock import Clock
from ._core import Core, Environment, core, decoded
from ._error import SvcError
from ._exchange import Limits, Lost, Reply, exchange
from ._methods import Methods
from ._methods.channels import Channels as ChannelMethods
from ._methods.events import Events as EventMethods
from ._methods.export import Export as ExportMethods
from ._methods.orders import Orders as OrderMethods
from ._methods.posts import Posts as PostMethods
from ._methods.users import Users as UserMethods
from ._orders import Input
from ._placed import PlacedOrder
from ._transport import SyncTransport, lost

T = TypeVar("T")


class Orders(OrderMethods):
    """Orders of services."""

    _client: Svc

    def create(
        self,
        service: str,
        input: Input,
        max_credits: Amount | None = None,
        *,
        offered_credits: Amount | None = None,
        escrow_id: str | None = None,
        client_order_id: str | None = None,
        answer_within: timedelta | str | None = None,
        idempotency_key: str | None = None,
    ) -> PlacedOrder:
        """Orders `user/service`, paid by one of `max_credits`, `offered_credits`, `escrow_id`.
        Without any of them only a free service is ordered.

        With a `client_order_id` the order is placed once, however often the program runs: the same
        order again returns the first one, also if the provider no longer offers the service, and
        another order under this id is refused.
        """
        placed = _orders.place(
            self._client.core,
            service,
            input,
            max_credits,
            offered_credits,
            escrow_id,
            client_order_id,
            answer_within,
            idempotency_key,
        )
        return PlacedOrder(self._client, self._client.transport.run(placed))

    def find(self, order_id: str) -> PlacedOrder:
        """An order that was placed earlier, to wait for it or to act on it."""
        return PlacedOrder(self._client, (self.get(order_id)).order)

    def input(
        self, order_id: str, prompt_id: str, input: Any, *, idempotency_key: str | None = None
    ) -> types.OrderEnvelope:
        """Gives the input that the provider asks for, such as a model: at most 64 KiB of JSON.

        It must match the schema of the question. `prompt_id` is the question: `prompt.id`.
        """
        given = document(input)
        return super().input(order_id, prompt_id, given, idempotency_key=idempotency_key)

    def wait(self, order: types.ServiceOrder, timeout: float | None = None) -> types.ServiceOrder:
        """Waits until an order has ended or goes on only if its buyer acts."""
        client = self._client
        return client.transport.run(_orders.wait(client.core, order, timeout))


class Events(EventMethods):
    """Events of the account."""

    _client: Svc

    def follow(
        self, after: int | None = None, *, types: Sequence[str] | None = None
    ) -> Generator[types.Event, None, None]:
        """Events as they happen, each once and in order; it never ends.

        Pass the `seq` of the last event you handled, and what happened meanwhile comes first. If
        the platform no longer has the next events, the error is `cursor_expired`.
        """
        transport, core = self._client.transport, self._client.core
        begin = transport.run(_events.latest(core)) if after is None else after
        reader = _events.Reader(core, begin, types)
        while True:
            came: Reply | Lost | None = None
            try:
                with transport.open(reader.request(), _events.SILENCE_MAX) as response:
                    if response.status_code == 200:
                        for piece in response.iter_bytes():
                            yield from reader.read(piece)
                    else:
                        came = Reply(response.status_code, response.headers, response.read())
            except httpx.RequestError as error:
                came = lost(error, core.base)
            core.clock.pause(reader.pause(came))


class Channels(ChannelMethods):
    """Channels and their messages."""

    _client: Svc

    def follow(
        self, channel_id: str, after: str | None = None
    ) -> Generator[types.ChannelMessage, None, None]:
        """Messages of a channel as they are sent, in order; it never ends.

        Pass the id of the last message you handled, and what was sent meanwhile comes first: the
        newest 10,000 messages. Each call opens a stream of its own.
        """
        transport, core = self._client.transport, self._client.core
        last = after or ""
        if after is None:
            newest = self.messages(channel_id, limit=1).page()
            last = newest.messages[0].message_id if newest.messages else ""

        def unread() -> list[types.ChannelMessage]:
            found: list[types.ChannelMessage] = []
            for message in self.messages(channel_id, limit=100):
                if message.message_id <= last or len(found) == _events.UNREAD_MAX:
                    break
                found.append(message)
            return found[::-1]

        reader = _events.Reader(core, 0, None, channel_id)
        while True:
            came: Reply | Lost | None = None
            try:
                with transport.open(reader.request(), _events.SILENCE_MAX) as response:
                    if response.status_code == 200:
                        reader.has_changed = True  # perhaps while no stream was open
                        for piece in response.iter_bytes():
                            for _ in reader.read(piece):
                                pass
                            if reader.has_changed:
                                reader.has_changed = False
                                for message in unread():
                                    yield message
                                    last = message.message_id
                    else:
                        came = Reply(response.status_code, response.headers, response.read())
            except httpx.RequestError as error:
                came = lost(error, core.base)
            except SvcError as error:
                core.clock.pause(reader.pause_after(error))
                continue
            core.clock.pause(reader.pause(came))


class Export(ExportMethods):
    """A copy of your data."""

    _client: Svc

    def file(self) -> Generator[bytes, None, None]:
        """The ZIP file of your export, piece by piece, once it is ready.

        An interrupted download starts over.
        """
        transport, core = self._client.transport, self._client.core
        request = _exports.request(core)
        try:
            with transport.open(request, core.limits.attempt_timeout) as response:
                if response.status_code != 200:
                    body = response.read()
                    refusal = Reply(response.status_code, response.headers, body)
                    raise _exports.failed(core, request, refusal)
                yield from response.iter_bytes()
        except httpx.RequestError as error:
            raise _exports.failed(core, request, lost(error, core.base)) from None


class Posts(PostMethods):
    """Posts and their images."""

    _client: Svc

    def upload_image(
        self, file: bytes, alt: str, *, idempotency_key: str | None = None
    ) -> types.MediaEnvelope:
        """Uploads an image for a post of yours, and what it shows in 1 to 1500 characters.

        A PNG, JPEG, WebP or GIF file of at most 8 MiB and 40 megapixels. It is removed after 24
        hours without a post: pass its id as one of `media_ids`.
        """
        client = self._client
        return client.transport.run(_uploads.image(client.core, file, alt, idempotency_key))


class Users(UserMethods):
    """Accounts."""

    _client: Svc

    def upload_avatar(self, file: bytes) -> types.UserEnvelope:
        """Uploads the avatar of your account: a PNG, JPEG, WebP or GIF file of at most 2 MiB."""
        client = self._client
        return client.transport.run(_uploads.avatar(client.core, file))


class Svc(Methods):
    """A blocking client. It may be shared by threads.

    `url` is the address of the server, with or without `/api`. `timeout`, for a whole call with its
    retries, `attempt_timeout` and `max_retry_wait` are seconds.
    """

    channels: Channels
    orders: Orders
    events: Events
    export: Export
    posts: Posts
    users: Users

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        developer_key: str | None = None,
        retries: int = 2,
        timeout: float = 120.0,
        attempt_timeout: float = 30.0,
        max_retry_wait: float = 60.0,
        allow_plain_http: bool = False,
        http_client: httpx.Client | None = None,
        clock: Clock | None = None,
    ) -> None:
        limits = Limits(retries, timeout, attempt_timeout, max_retry_wait)
        self._begin(core(url, api_key, developer_key, limits, allow_plain_http, clock), http_client)

    def _begin(self, core: Core, http: httpx.Client | None) -> None:
        self.core = core
        self.transport = SyncTransport(core.base, core.clock, http)
        super().__init__(self)
        self.channels = Channels(self)
        self.orders = Orders(self)
        self.events = Events(self)
        self.export = Export(self)
        self.posts = Posts(self)
        self.users = Users(self)

    @classmethod
    def from_env(cls) -> Self:
        """The client that SVC_URL, SVC_API_KEY and SVC_DEVELOPER_KEY describe."""
        env = Environment.read()
        return cls(
            env.url,
            api_key=env.api_key,
            developer_key=env.developer_key,
            allow_plain_http=env.allow_plain_http,
        )

    def with_options(
        self,
        *,
        retries: int | None = None,
        timeout: float | None = None,
        attempt_timeout: float | None = None,
        max_retry_wait: float | None = None,
    ) -> Self:
        """The same client with other limits. It shares connections and retry budget."""
        other = type(self).__new__(type(self))
        limited = self.core.limited(
            retries=retries,
            timeout=timeout,
            attempt_timeout=attempt_timeout,
            max_retry_wait=max_retry_wait,
        )
        other._begin(limited, self.transport.http)
        return other

    def send(self, call: Call[T]) -> T:
        """Sends a call; the methods of the groups do that."""
        return self.transport.run(self.core.call(call))

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        json: Mapping[str, Any] | None = None,
        content: bytes | None = None,
        content_type: str = "application/json",
        idempotency_key: str | None = None,
    ) -> Any:
        """Sends a request to an endpoint that has no method, such as one of a later version.

        The answer is parsed if it is JSON; otherwise it is `bytes`.
        """
        call: Call[Any] = Call(
            method.upper(), path, object, query=query or {}, idempotency_key=idempotency_key
        )
        body = content if json is None else encoded(plain(json))
        core = self.core
        request = core.raw(call, body, content_type)
        reply = self.transport.run(exchange(request, core.limits, core.budget, core.clock))
        return decoded(reply)

    def close(self) -> None:
        """Closes the connections."""
        self.transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Svc({self.core.base!r})"
