"""Ads for conversations: a client of the ad service for Python 3.9 and later, without dependencies.

Copy this file next to your code. `docs/python.md` shows how to use it. Times are in seconds, and prices are CPMs in USD.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import concurrent.futures
import email.utils
import hashlib
import hmac
import html
import http.client
import io
import json
import logging
import math
import os
import random
import re
import secrets
import select
import socket
import ssl
import threading
import time
import urllib.parse
import weakref
from collections import deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Callable, Generic, Literal, NamedTuple, Optional, Protocol, TypeVar, Union, cast

__version__ = "0.1.0"
__all__ = [
    "Ad",
    "AdsError",
    "Bid",
    "CardAnswer",
    "Client",
    "NoBid",
    "PendingBid",
    "WebhookError",
    "append_ad",
    "remove_ad",
    "sign_token",
    "to_conversation",
    "to_html",
    "to_markdown",
    "to_text",
    "verify_token",
    "verify_webhook",
]

_log = logging.getLogger("conversation_ads")

_T = TypeVar("_T")


# Errors


class AdsError(Exception):
    """An error response of the service, or the reason why there is no usable response (status 0)."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        error: str = "",
        details: Sequence[Mapping[str, Any]] = (),
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(code, message)  # both, so that processes can pass the error on
        #: `invalid`, `unauthorized`, `forbidden`, `not_found`, `method_not_allowed`, `conflict`, `too_large`,
        #: `unsupported_media_type`, `rate_limited`, `unavailable` (5xx), `refused` (another 4xx); or, without a usable
        #: response, `network`, `timeout`, `unreadable`, and `secret_lost`.
        self.code = code
        self.message = message
        #: HTTP status; 0 if no response arrived.
        self.status = status
        #: The kind of error, as the service names it.
        self.error = error
        #: The invalid fields of the request: `{"path": …, "message": …}`.
        self.details = details
        #: Include it in support requests. None if the response has none.
        self.request_id = request_id
        #: Seconds to wait before a retry; None if the service did not say.
        self.retry_after = retry_after

    def __str__(self) -> str:
        """With the reasons, because a traceback shows no details."""
        reasons = " ".join(str(one.get("message", "")) for one in self.details)
        return ": ".join(filter(None, [self.message, reasons.strip()]))


_CODES = {
    400: "invalid",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    413: "too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
}


class _Response(NamedTuple):
    status: int
    reason: str
    headers: http.client.HTTPMessage  # ignores the case of names
    body: bytes

    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


def _to_refusal(response: _Response) -> AdsError:
    """If the body is not the service's (a gateway's, for example), the message comes from the status."""
    try:
        body = json.loads(response.body)
    except (ValueError, RecursionError):
        body = None
    members: Mapping[str, Any] = body if isinstance(body, dict) else {}
    words = response.reason or f"HTTP {response.status}"
    details = members.get("details")
    return AdsError(
        _CODES.get(response.status, "unavailable" if response.status >= 500 else "refused"),
        str(members.get("message", words)),
        status=response.status,
        error=str(members.get("error", words)),
        details=[one for one in details if isinstance(one, dict)] if isinstance(details, list) else (),
        request_id=response.headers.get("x-request-id"),
        retry_after=_parse_retry_after(response.headers.get("retry-after")),
    )


def _parse_retry_after(value: Optional[str]) -> Optional[float]:
    """The header contains either seconds or a date."""
    if not value:
        return None
    if re.fullmatch(r"[0-9]{1,9}", value):
        return float(value)
    try:
        at = email.utils.parsedate_to_datetime(value)
        return max(0.0, float(math.ceil(at.timestamp() - time.time())))
    except (TypeError, ValueError, OverflowError):
        return None


def _timed_out(seconds: float) -> AdsError:
    return AdsError("timeout", f"No response within {seconds * 1000:.0f} ms", error="Timeout")


def _unreadable(response: _Response, message: str = "The response is not JSON") -> AdsError:
    request_id = response.headers.get("x-request-id")
    return AdsError("unreadable", message, status=response.status, error="Unreadable", request_id=request_id)


# What the service returns


@dataclass(frozen=True)
class Bid:
    """An ad fits. Get it with `Client.ad` when you show it: that is the impression, which the advertiser pays for."""

    bid_id: str
    #: CPM in USD: the price of 1,000 impressions.
    bid: float
    #: Unix time from which the ad is no longer available.
    expires_at: float

    def __bool__(self) -> Literal[True]:
        return True  # so that type checkers know a result that is false as a NoBid


@dataclass(frozen=True)
class NoBid:
    """No ad fits, or the bid failed. False in a condition, so `if bid:` asks whether there is one."""

    #: Why: an outcome of docs/why-no-ad.md, or the code of `error`; `unknown` if the service did not say.
    code: str
    meaning: str
    #: Set only by `Client.start_bid`, if the bid failed.
    error: Optional[Exception] = field(default=None, compare=False)

    def __bool__(self) -> Literal[False]:
        return False


@dataclass(frozen=True)
class Ad:
    """An ad to show under its label. Its texts are the advertiser's: escape them, and never follow them as instructions."""

    #: Headline, description, and call to action as one text.
    ad_text: str
    #: Counts the click and redirects to the advertiser's page.
    redirect_url: str
    #: "Sponsored". Show it with the ad.
    label: str
    advertiser: str
    headline: str
    description: str
    call_to_action: str
    image_url: Optional[str] = None
    #: `Client.feedback` reports there that the reader finds the ad not relevant.
    feedback_url: Optional[str] = None
    #: A POST records that half of the ad was visible for one second.
    viewable_url: Optional[str] = None
    #: The parts of the ad (OpenRTB Native 1.2).
    native_ad: Mapping[str, Any] = field(default_factory=dict)


# Types of data assets (OpenRTB Native 1.2)
_DESCRIPTION = 2
_CALL_TO_ACTION = 12


def _to_ad(response: _Response) -> Ad:
    try:
        return _read_ad(_parse(response))
    except (KeyError, TypeError, AttributeError) as error:
        raise _unreadable(response, "The response is not an ad") from error


def _read_ad(body: Any) -> Ad:
    native: Mapping[str, Any] = body.get("nativeAd") or {}
    assets: Sequence[Mapping[str, Any]] = native.get("assets") or []
    disclosure: Mapping[str, Any] = (native.get("ext") or {}).get("disclosure") or {}
    data = {asset["data"].get("type"): str(asset["data"].get("value", "")) for asset in assets if asset.get("data")}
    titles = [str(asset["title"]["text"]) for asset in assets if asset.get("title")]
    return Ad(
        ad_text=str(body["adText"]),
        redirect_url=str(body["redirectUrl"]),
        label=str(disclosure.get("label", "Sponsored")),
        advertiser=str(disclosure.get("advertiser", "")),
        headline=titles[0] if titles else str(body["adText"]),
        description=data.get(_DESCRIPTION, ""),
        call_to_action=data.get(_CALL_TO_ACTION, ""),
        image_url=body.get("imageUrl"),
        feedback_url=body.get("feedbackUrl"),
        viewable_url=body.get("viewableUrl"),
        native_ad=native,
    )


# Conversations

# The service's own limits, in UTF-16 code units
_MAX_MESSAGES = 1_000
_MAX_CHARACTERS = 32_768
# Keeps the body below the service's limit of 1 MiB in any script.
_MAX_TOTAL_CHARACTERS = 150_000

# LangChain's types, also of streamed messages
_USERS = ("user", "human", "HumanMessageChunk")
_ASSISTANTS = ("assistant", "ai", "AIMessageChunk")
# Text of most services, and of OpenAI's responses
_TEXT_TYPES = ("text", "input_text", "output_text")


def to_conversation(messages: Union[str, Iterable[Any]]) -> list[dict[str, str]]:
    """Converts messages to those of the service.

    Takes messages of OpenAI, Anthropic, LangChain, or a page with the AI SDK, as dictionaries, objects, or pairs of role
    and text; or one text of a user. Joins the text parts of each message and omits system and tool messages, files, tool
    calls, and earlier ads. If the conversation is too long, omits the oldest messages. Empty without text from a user.
    """
    if isinstance(messages, str):
        messages = [("user", messages)]
    elif hasattr(messages, "to_messages"):  # LangChain's prompts
        messages = messages.to_messages()
    kept: list[dict[str, str]] = []
    characters = 0
    for message in reversed(list(messages)):
        author, content = _read_message(message)
        if author not in _USERS + _ASSISTANTS:
            continue
        role = "user" if author in _USERS else "assistant"
        texts = _read_texts(content)
        if role == "assistant":  # an earlier ad would influence which one fits now
            texts = [remove_ad(text) for text in texts]
        text = _take_end("\n".join(filter(None, map(str.strip, texts))), _MAX_CHARACTERS)
        characters += _count_units(text)
        if len(kept) == _MAX_MESSAGES or characters > _MAX_TOTAL_CHARACTERS:
            break
        if text:
            kept.append({"role": role, "content": text})
    return kept[::-1] if any(message["role"] == "user" for message in kept) else []


def _read_message(message: Any) -> tuple[Any, Any]:
    if isinstance(message, tuple):
        return message if len(message) == 2 else (None, None)
    content = _get(message, "content")
    # UI messages of the AI SDK, which a page sends, have parts.
    return _get(message, "role") or _get(message, "type"), _get(message, "parts") if content is None else content


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _read_texts(content: Any) -> list[str]:
    """The texts of a message's content, which is one text or a list of parts."""
    parts = [content] if isinstance(content, str) else content if isinstance(content, (list, tuple)) else []
    texts = [_get(part, "text") if _get(part, "type") in _TEXT_TYPES else part for part in parts]
    return [text for text in texts if isinstance(text, str)]


def _take_end(text: str, units: int) -> str:
    """The last UTF-16 code units, without lone surrogates, which UTF-8 cannot represent."""
    return text[-units:].encode("utf-16-le", "surrogatepass")[-2 * units :].decode("utf-16-le", "ignore")


def _count_units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


# The connection: every operation ends by the deadline of the call


class _Deadline:
    """The total time of a call, including retries."""

    def __init__(self, seconds: float) -> None:
        if not seconds > 0:
            raise ValueError(f"timeout must be more than 0 seconds, but it is {seconds}")
        self.seconds = seconds
        self._until = time.monotonic() + min(seconds, _MAX_SECONDS)

    def left(self) -> float:
        """0 once it is over."""
        return max(0.0, self._until - time.monotonic())

    def limit(self, sock: socket.socket, share: float = 1) -> None:
        """Limits the next operation of a socket to a share of the time that is left. @raises TimeoutError if there is none"""
        left = self.left()
        if left == 0:
            raise TimeoutError  # 0 would make the socket non-blocking
        sock.settimeout(left * share)


#: A wait of more than some years overflows.
_MAX_SECONDS = 86_400.0
#: The local service closes connections that are idle for five seconds.
_MAX_IDLE_SECONDS = 4.0
_MAX_IDLE_CONNECTIONS = 32
#: Several times the service's largest response.
_MAX_RESPONSE_BYTES = 16 * 1024 * 1024


class _TimedReader(io.RawIOBase):
    """Reads from a socket. A server that sends a byte now and then cannot outlast the deadline."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, connection: _Connection) -> None:
        self._raw = raw
        self._sock = sock
        self._connection = connection

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._connection.deadline.limit(self._sock)
        return cast(Optional[int], self._raw.readinto(buffer))

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedSocket:
    """The part of a socket that `http.client` uses."""

    def __init__(self, sock: socket.socket, connection: _Connection) -> None:
        self._sock = sock
        self._connection = connection

    def sendall(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            self._connection.deadline.limit(self._sock)
            rest = rest[self._sock.send(rest) :]

    def makefile(self, mode: str) -> io.BufferedReader:
        raw = self._sock.makefile(mode, buffering=0)  # type: ignore[call-overload]
        return io.BufferedReader(_TimedReader(raw, self._sock, self._connection))

    def has_input(self) -> bool:
        """Whether the server has closed the idle connection, or sent what nobody asked for."""
        if hasattr(select, "poll"):  # not limited to the first 1,024 descriptors
            poll = select.poll()
            poll.register(self._sock, select.POLLIN)
            return bool(poll.poll(0))
        return bool(select.select([self._sock], [], [], 0)[0])

    def close(self) -> None:
        self._sock.close()


class _Connection(http.client.HTTPConnection):
    #: That of the current call.
    deadline: _Deadline

    def __init__(self, host: str, port: int, context: Optional[ssl.SSLContext]) -> None:
        super().__init__(host, port)
        if context:
            self.default_port = 443
        self._context = context
        self.pid = os.getpid()
        self.idle_since = 0.0

    def connect(self) -> None:
        sock = self._connect_any()
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._context:
                self.deadline.limit(sock)
                sock = self._context.wrap_socket(sock, server_hostname=self.host)
        except BaseException:
            sock.close()
            raise
        self.sock = cast(socket.socket, _TimedSocket(sock, self))

    def _connect_any(self) -> socket.socket:
        """Tries each address of the host, and leaves time for the next if one does not answer."""
        addresses = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        fault: OSError = OSError("The host has no address")
        for index, (family, kind, protocol, _, address) in enumerate(addresses):
            sock: Optional[socket.socket] = None
            try:
                sock = socket.socket(family, kind, protocol)
                self.deadline.limit(sock, 1 / (len(addresses) - index))
                sock.connect(address)
                return sock
            except OSError as error:
                fault = error
                if sock:
                    sock.close()
        raise fault

    def is_reusable(self) -> bool:
        """Not after a fork: parent and child would read each other's responses."""
        if self.sock is None or self.pid != os.getpid() or time.monotonic() - self.idle_since > _MAX_IDLE_SECONDS:
            return False
        return not cast(_TimedSocket, self.sock).has_input()


def _close_all(connections: deque[_Connection]) -> None:
    while True:
        try:
            connections.pop().close()
        except IndexError:
            return


# Which requests may be sent again

_KEYED_CREATION = re.compile(r"POST /api/v1/(campaigns|auth/api-keys|webhooks)")
_KEYED_ROTATION = re.compile(r"POST /api/v1/(auth/api-keys/[^/]+/rotate|webhooks/[^/]+/rotate-secret)")
#: They write nothing, or only the time of the last test.
_HARMLESS = ("POST /api/v1/campaigns/preview", "POST /api/v1/conversions/test")
#: Deduplicated by its ID.
_CONVERSION = "POST /api/v1/conversions"
_SECRET_CREATIONS = ("POST /api/v1/auth/api-keys", "POST /api/v1/webhooks")

_FIRST_DELAY = 0.25
_MAX_DELAY = 8.0


class _Request(NamedTuple):
    route: str  # for the log: without a query, and without the values of path variables
    method: str
    target: str
    headers: dict[str, str]
    body: Optional[bytes]
    #: Whether a retry is safe even if an earlier attempt may have taken effect.
    is_repeatable: bool


def _is_repeatable(method: str, route: str, body: Any, idempotency_key: Optional[str]) -> bool:
    if method in ("GET", "HEAD", "PUT", "DELETE") or route in _HARMLESS:
        return True
    if route == _CONVERSION:
        return isinstance(body, Mapping) and isinstance(body.get("conversionId"), str)
    is_keyed = _KEYED_CREATION.fullmatch(route) or _KEYED_ROTATION.fullmatch(route)
    return idempotency_key is not None and is_keyed is not None


def _may_retry(error: AdsError, is_repeatable: bool) -> bool:
    """A rate-limited request had no effect, so a retry is always safe."""
    return error.code == "rate_limited" or (is_repeatable and (error.code == "network" or error.status >= 500))


def _pause_before(attempt: int, error: AdsError) -> float:
    """Random, up to a bound that doubles with each attempt, which spreads out clients that failed together."""
    jitter = random.random() * min(_MAX_DELAY, _FIRST_DELAY * 2.0 ** min(attempt - 1, 10))
    return (error.retry_after or 0) + jitter


def _is_gone(error: AdsError) -> bool:
    """Whether the service itself says that the resource does not exist. A gateway's 404 does not count."""
    return error.status == 404 and re.fullmatch(r"(API key|Campaign|Webhook) not found", error.message) is not None


# The client

_BID_SECONDS = 0.4
_AD_SECONDS = 3.0


class Client:
    """A client of the ad service. Threads may share it; so may processes that fork.

    Each call runs in a thread of its own, so that its time limit holds even while a name is resolved. In asyncio, await
    `start_bid`, and wrap other calls in `asyncio.to_thread`. Environment proxies are not used.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        user_id: Optional[str] = None,
        *,
        timeout: float = 10.0,
        retries: int = 2,
        bid_ttl: float = 300.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """
        :param base_url: URL of the service. Default: the environment variable ADS_URL
        :param api_key: publisher API key, for bids and ads. Default: ADS_KEY
        :param user_id: account ID, for API keys, campaigns, webhooks, and conversions
        :param timeout: total seconds of a call, including retries
        :param retries: how often a failed call is repeated, where that is safe
        :param bid_ttl: lifetime of a bid, if the operator changed BID_TTL_SECONDS
        :param ssl_context: for a service whose certificate the system does not trust
        :raises ValueError: if a URL, a key, or a number is missing or invalid
        """
        self._scheme, self._host, self._port, self._prefix = _parse_base_url(base_url or _read_environment("ADS_URL"))
        self._api_key = _check_credential("api_key", _read_environment("ADS_KEY") if api_key is None else api_key)
        self._user_id = _check_credential("user_id", user_id)
        self._timeout = _Deadline(timeout).seconds
        self._retries = retries
        self._bid_ttl = bid_ttl
        self._context = (ssl_context or ssl.create_default_context()) if self._scheme == "https" else None
        self._idle: deque[_Connection] = deque()
        weakref.finalize(self, _close_all, self._idle)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes idle connections, as the end of the client does. It remains usable."""
        _close_all(self._idle)

    # Bids and ads

    def bid(
        self,
        messages: Union[str, Iterable[Any]],
        country_code: str,
        *,
        conversation: Optional[Mapping[str, Any]] = None,
        variant: Optional[str] = None,
        regs: Optional[Mapping[str, Any]] = None,
        timeout: Optional[float] = None,
    ) -> Union[Bid, NoBid]:
        """Asks for an ad that fits the conversation.

        :param messages: see `to_conversation`. Without text from a user, nothing is sent
        :param country_code: the user's country (ISO 3166-1 alpha-2)
        :param conversation: `{"id": …, "turn": …}`, for your key's limits on ads per conversation
        :param variant: your own label of an A/B test, by which reports count
        :param regs: privacy signals of the user, such as `{"coppa": 1}`
        :raises AdsError: if the service refuses the request or does not respond
        """
        seconds = self._timeout if timeout is None else timeout
        call = self._request_bid(messages, country_code, conversation, variant, regs, seconds)
        return call if isinstance(call, NoBid) else call.wait()

    def start_bid(
        self,
        messages: Union[str, Iterable[Any]],
        country_code: str,
        *,
        conversation: Optional[Mapping[str, Any]] = None,
        variant: Optional[str] = None,
        regs: Optional[Mapping[str, Any]] = None,
        deadline: float = _BID_SECONDS,
    ) -> PendingBid:
        """Starts a bid to run next to your model, and returns at once. Parameters as for `bid`.

        Never raises, and its result neither: without a bid by the deadline, the answer gets no ad.
        """
        try:
            return PendingBid(self, self._request_bid(messages, country_code, conversation, variant, regs, deadline))
        except Exception as error:
            return PendingBid(self, _to_no_bid(error))

    def ad(self, bid_id: str, *, timeout: float = _AD_SECONDS) -> Ad:
        """Gets the ad of a bid. This is the impression: call it when you show the ad.

        :raises AdsError: `not_found` if the bid has expired, or the campaign may no longer serve
        """
        request = self._build("GET", "/api/v1/ssp/ad/{bidId}", params={"bidId": bid_id})
        return self._start(request, _to_ad, timeout).wait()

    def feedback(self, ad: Ad) -> None:
        """Reports that the reader finds the ad not relevant. Does nothing if an earlier service sent no URL for it.

        The report goes to `base_url`, so that an ad cannot send this server's request elsewhere.
        """
        token = re.search(r"/api/v1/feedback/([^/?#]+)$", ad.feedback_url or "")
        if token:
            self.request("POST", "/api/v1/feedback/{token}", params={"token": token[1]})

    # Ads that a page fetches when it shows them

    def sponsored_part(self, bid: Bid) -> dict[str, Any]:
        """The part of a UI message that `<sponsored-card>` and `<SponsoredCard>` show. Contains no ad and no secret."""
        expires_at = datetime.fromtimestamp(bid.expires_at, timezone.utc)
        return {
            "type": "data-sponsored",
            "id": f"sponsored-{bid.bid_id}",
            "data": {
                "disclosure": "Sponsored",
                "token": sign_token(bid.bid_id, self._require_key()),
                "expiresAt": expires_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            },
        }

    def answer_card(self, body: Union[bytes, str], method: str = "POST") -> CardAnswer:
        """Answers the card's request for its ad. The route that calls it needs no login: the token is signed."""
        if method != "POST":
            return _answer_card(405, "This route only accepts POST", {"allow": "POST"})
        if len(body) > _MAX_CARD_BYTES:
            return _answer_card(413, "The body is too large")
        bid_id = verify_token(_read_token(body), self._require_key())
        if bid_id is None:
            return _answer_card(404, "Ad not found")
        try:
            return CardAnswer(200, dict(_NO_STORE), _to_sponsored_ad(self.ad(bid_id)))
        except AdsError as error:
            if error.status == 404:
                return _answer_card(404, "The ad has expired")
            _log_failure("No ad for a card", error)
            return _answer_card(503, "The ad is temporarily unavailable", {"retry-after": "5"})

    def _require_key(self) -> str:
        if self._api_key is None:
            raise ValueError("api_key is missing. Set it, or the environment variable ADS_KEY")
        return self._api_key

    # Any operation

    def request(
        self,
        method: str,
        path: str,
        *,
        params: Optional[Mapping[str, object]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        accept: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Any:
        """Calls any operation. Returns the response's JSON, None without a body, or text if `accept` asks for another type.

        :param path: such as `/api/v1/campaigns/{id}`
        :param params: values of the path's variables
        :param query: None values are omitted
        :param idempotency_key: makes a creation or a rotation safe to repeat: within 24 hours, requests with the same key
            and body take effect once. If omitted, each creation gets a new key
        :raises AdsError: if the service refuses the request or does not respond
        :raises ValueError: if a path variable is missing
        """
        method = method.upper()
        route = f"{method} {path}"
        key = idempotency_key or (secrets.token_hex(16) if _KEYED_CREATION.fullmatch(route) else None)
        request = self._build(method, path, params=params, query=query, body=body, accept=accept, idempotency_key=key)

        def read(response: _Response) -> Any:
            # A caller with its own key expects a repeat without the secret. Any other caller must be told.
            is_replay = response.headers.get("idempotency-replayed") == "true"
            if is_replay and idempotency_key is None and route in _SECRET_CREATIONS:
                raise _secret_lost(response)
            return response.text() if accept and "json" not in accept else _parse(response)

        return self._start(request, read, self._timeout if timeout is None else timeout, retries).wait()

    def _request_bid(
        self,
        messages: Union[str, Iterable[Any]],
        country_code: str,
        conversation: Optional[Mapping[str, Any]],
        variant: Optional[str],
        regs: Optional[Mapping[str, Any]],
        seconds: float,
    ) -> Union[NoBid, _Call[Union[Bid, NoBid]]]:
        """Starts a bid, unless there is nothing to ask for."""
        kept = to_conversation(messages)
        if not kept:
            return NoBid("no_user_message", "No message from the user contains a word.")
        optional = {"conversation": conversation, "variant": variant, "regs": regs}
        given = {name: value for name, value in optional.items() if value is not None}
        request = self._build("POST", "/api/v1/ssp/bid", body={"countryCode": country_code, "messages": kept, **given})
        # Measured before the call, so that the bid expires no later than the service's own.
        expires_at = time.time() + self._bid_ttl
        return self._start(request, lambda response: _to_bid(response, expires_at), seconds)

    def _start(
        self, request: _Request, read: Callable[[_Response], _T], seconds: float, retries: Optional[int] = None
    ) -> _Call[_T]:
        deadline = _Deadline(seconds)
        most = self._retries if retries is None else retries
        return _Call(lambda: read(self._send(request, deadline, most)), deadline)

    def _build(
        self,
        method: str,
        path: str,
        *,
        params: Optional[Mapping[str, object]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        accept: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> _Request:
        route = f"{method} {path}"
        target = self._prefix + _fill_path(route, path, params or {})
        pairs = [(name, _to_query_text(value)) for name, value in (query or {}).items() if value is not None]
        if pairs:
            target += "?" + urllib.parse.urlencode(pairs)
        if not re.fullmatch(r"/[!-~]*", target):
            raise ValueError("path must start with / and contain only visible ASCII characters: use params and query")
        headers = {"user-agent": f"conversation-ads-python/{__version__}"}
        for name, value in (
            ("accept", accept),
            ("x-api-key", self._api_key),
            ("x-user-id", self._user_id),
            ("idempotency-key", idempotency_key),
        ):
            if value is not None:
                headers[name] = value
        content: Optional[bytes] = None
        if body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        return _Request(route, method, target, headers, content, _is_repeatable(method, route, body, idempotency_key))

    def _send(self, request: _Request, deadline: _Deadline, retries: int) -> _Response:
        """Sends a request and, where a retry is safe, sends it again until the deadline. @raises AdsError"""
        may_be_done = False
        failed = 0
        while True:
            try:
                return self._attempt(request, deadline, failed + 1, may_be_done)
            except AdsError as error:
                failed += 1
                if failed > retries or not _may_retry(error, request.is_repeatable):
                    raise
                pause = _pause_before(failed, error)
                # Fail now if the next attempt would start after the deadline.
                if pause >= deadline.left():
                    raise
                time.sleep(pause)
                may_be_done = may_be_done or error.code != "rate_limited"

    def _attempt(self, request: _Request, deadline: _Deadline, attempt: int, may_be_done: bool) -> _Response:
        started = time.monotonic()
        outcome: Union[int, str] = "failed"
        try:
            response = self._exchange(request, deadline)
            outcome = response.status
        except (OSError, http.client.HTTPException) as error:
            if deadline.left() == 0:
                outcome = "timeout"
                raise _timed_out(deadline.seconds) from error
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise AdsError("network", f"No response received: {reason}", error="Network") from error
        finally:
            milliseconds = (time.monotonic() - started) * 1000
            _log.debug("%s: %s in %.0f ms, attempt %d", request.route, outcome, milliseconds, attempt)
        if response.status < 400:
            return response
        refusal = _to_refusal(response)
        if may_be_done and request.method == "DELETE" and _is_gone(refusal):
            return response._replace(body=b'{"message": "Deleted by an attempt whose response was lost"}')
        raise refusal

    def _exchange(self, request: _Request, deadline: _Deadline) -> _Response:
        connection = self._take_connection()
        connection.deadline = deadline
        try:
            connection.request(request.method, request.target, request.body, request.headers)
            answer = connection.getresponse()
            body = _read(answer)
        except BaseException:
            connection.close()
            raise
        if answer.will_close or len(self._idle) >= _MAX_IDLE_CONNECTIONS:
            connection.close()
        else:
            connection.idle_since = time.monotonic()
            self._idle.append(connection)
        return _Response(answer.status, answer.reason, answer.headers, body)

    def _take_connection(self) -> _Connection:
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return _Connection(self._host, self._port, self._context)
            if connection.is_reusable():
                return connection
            connection.close()


class _Call(Generic[_T]):
    """Work in a thread of its own, which does not keep the process alive, and its deadline."""

    def __init__(self, work: Callable[[], _T], deadline: _Deadline) -> None:
        self.deadline = deadline
        self.future: concurrent.futures.Future[_T] = concurrent.futures.Future()
        self.future.set_running_or_notify_cancel()  # so that a canceled task does not cancel it
        try:
            threading.Thread(target=self._run, args=(work,), name="conversation-ads", daemon=True).start()
        except RuntimeError as error:
            raise AdsError("network", "No thread is available", error="Network") from error

    def _run(self, work: Callable[[], _T]) -> None:
        try:
            result = work()
        except BaseException as error:
            self.future.set_exception(error)
        else:
            self.future.set_result(result)

    def wait(self) -> _T:
        """@raises AdsError, also at the deadline, while the work may still go on"""
        try:
            return self.future.result(self.deadline.left())
        except (TimeoutError, concurrent.futures.TimeoutError):
            raise _timed_out(self.deadline.seconds) from None


class PendingBid:
    """A bid that runs next to your model. None of its methods raises."""

    def __init__(self, client: Client, bid: Union[NoBid, _Call[Union[Bid, NoBid]]]) -> None:
        self._client = client
        self._bid = bid

    def result(self) -> Union[Bid, NoBid]:
        """Waits for the bid, at most until its deadline, which has usually passed once the model has answered.

        In asyncio, await this object instead.
        """
        call = self._bid
        if isinstance(call, NoBid):
            return call
        try:
            return call.wait()
        except Exception as error:
            return self._fail(error)

    def ad(self, *, timeout: float = _AD_SECONDS) -> Optional[Ad]:
        """Gets the ad, if there is one. This is the impression: call it when you show the ad.

        It waits for the service: in asyncio, use `await asyncio.to_thread(pending.ad)`.
        """
        bid = self.result()
        if not bid:
            return None
        try:
            return self._client.ad(bid.bid_id, timeout=timeout)
        except Exception as error:
            _log_failure("No ad", error)
            return None

    def __await__(self) -> Generator[Any, None, Union[Bid, NoBid]]:
        return self._wait().__await__()

    async def _wait(self) -> Union[Bid, NoBid]:
        call = self._bid
        if isinstance(call, NoBid) or call.future.done():
            return self.result()
        try:
            return await asyncio.wait_for(asyncio.wrap_future(call.future), call.deadline.left())
        except asyncio.TimeoutError:
            return self._fail(_timed_out(call.deadline.seconds))
        except Exception as error:
            return self._fail(error)

    def _fail(self, error: Exception) -> NoBid:
        self._bid = _to_no_bid(error)
        return self._bid


def _to_no_bid(error: Exception) -> NoBid:
    _log_failure("No bid", error)
    return NoBid(error.code if isinstance(error, AdsError) else "invalid", str(error), error)


def _log_failure(lost: str, error: Exception) -> None:
    """Logs no message of the service, which might quote the conversation."""
    code, reason = "invalid", type(error).__name__
    if isinstance(error, AdsError):
        fields = [str(one.get("path", "")) for one in error.details]
        code, reason = error.code, " ".join([*fields, str(error.request_id or error.status or error.message)])
    _log.warning("%s: %s (%s)", lost, code, reason)


def _read(answer: http.client.HTTPResponse) -> bytes:
    """@raises HTTPException if the response ends too early, AdsError if it is too large"""
    parts: list[bytes] = []
    size = 0
    while True:
        part = answer.read(65_536)
        if not part:
            break
        parts.append(part)
        size += len(part)
        if size > _MAX_RESPONSE_BYTES:
            raise AdsError("unreadable", "The response is larger than 16 MiB", status=answer.status, error="Unreadable")
    if answer.length:
        raise http.client.IncompleteRead(b"", answer.length)
    return b"".join(parts)


def _parse(response: _Response) -> Any:
    if not response.body:
        return None
    try:
        return json.loads(response.body)
    except (ValueError, RecursionError) as error:
        raise _unreadable(response) from error


def _secret_lost(response: _Response) -> AdsError:
    return AdsError(
        "secret_lost",
        f"{_parse(response).get('id')} was created, but the response with its secret was lost: "
        "rotate its secret to get a new one",
        status=response.status,
        error="Secret lost",
        request_id=response.headers.get("x-request-id"),
    )


def _to_bid(response: _Response, expires_at: float) -> Union[Bid, NoBid]:
    body = _parse(response)
    if body is None and response.body:
        code, _, meaning = response.headers.get("x-no-bid-reason", "").partition(":")
        return NoBid(code.strip() or "unknown", meaning.strip())
    try:
        return Bid(str(body["bidId"]), float(body["bid"]), expires_at)
    except (KeyError, TypeError, ValueError) as error:
        raise _unreadable(response, "The response is not a bid") from error


def _read_environment(name: str) -> Optional[str]:
    """Without the spaces and line ends that a file of variables may leave. None if nothing remains."""
    return os.environ.get(name, "").strip() or None


def _parse_base_url(base_url: Optional[str]) -> tuple[str, str, int, str]:
    if not base_url:
        raise ValueError(
            "base_url is missing. Set it, or the environment variable ADS_URL, such as https://ads.example"
        )
    try:
        url = urllib.parse.urlsplit(base_url)
        host = (url.hostname or "").encode("idna").decode("ascii")
        port = url.port or (443 if url.scheme == "https" else 80)
    except ValueError:
        raise ValueError("base_url is not a valid URL") from None
    if url.scheme not in ("http", "https") or not host or url.username is not None or url.query or url.fragment:
        raise ValueError("base_url must start with https:// or http://, and have no user, query, or fragment")
    if not re.fullmatch(r"[!-~]*", host + url.path):
        raise ValueError("base_url must contain only visible ASCII characters after its host")
    return url.scheme, host, port, url.path.rstrip("/")


def _check_credential(name: str, value: Optional[str]) -> Optional[str]:
    """The message does not repeat the value, which is secret."""
    if value is not None and not re.fullmatch(r"[!-~]([ -~]*[!-~])?", value):
        raise ValueError(f"{name} is empty or has invalid characters. Omit it, or check where it comes from")
    return value


def _fill_path(route: str, path: str, params: Mapping[str, object]) -> str:
    def fill(variable: re.Match[str]) -> str:
        value = params.get(variable[1])
        # An empty value would address the list, and "." or ".." would address another path.
        if value is None or str(value) in ("", ".", ".."):
            raise ValueError(
                f'{route} needs params["{variable[1]}"]' + ("" if value is None else f', which is "{value}"')
            )
        return urllib.parse.quote(str(value), safe="")

    return re.sub(r"\{(\w+)\}", fill, path)


def _to_query_text(value: Any) -> str:
    return ("false", "true")[value] if isinstance(value, bool) else str(value)


# Signed tokens, as the JavaScript package makes them

_PURPOSE = "conversation-ads sponsored card\n"
_MAX_CARD_BYTES = 1_024
_NO_STORE = {"cache-control": "no-store"}


def sign_token(bid_id: str, api_key: str) -> str:
    """A token with which a page can ask your server for the ad of this bid. The server does not have to store it."""
    signature = hmac.new(api_key.encode(), (_PURPOSE + bid_id).encode(), hashlib.sha256)
    return f"{bid_id}.{signature.hexdigest()}"


def verify_token(token: str, api_key: str) -> Optional[str]:
    """The token's bid ID; None if it was not signed with this key."""
    match = re.fullmatch(r"([A-Za-z0-9_-]{1,64})\.[0-9a-f]{64}", token)
    # Compares in constant time.
    return match[1] if match and hmac.compare_digest(token, sign_token(match[1], api_key)) else None


class CardAnswer(NamedTuple):
    """The response of your route: its status, headers, and JSON body."""

    status: int
    headers: dict[str, str]
    body: dict[str, Any]


def _answer_card(status: int, message: str, headers: Mapping[str, str] = {}) -> CardAnswer:
    return CardAnswer(status, {**_NO_STORE, **headers}, {"statusCode": status, "message": message})


def _read_token(body: Union[bytes, str]) -> str:
    """Empty if the body is malformed."""
    try:
        token = json.loads(body)["token"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""
    return token if isinstance(token, str) else ""


def _to_sponsored_ad(ad: Ad) -> dict[str, Any]:
    shown = {
        "disclosure": ad.label,
        "advertiser": ad.advertiser,
        "headline": ad.headline,
        "description": ad.description,
        "callToAction": ad.call_to_action,
        "url": ad.redirect_url,
    }
    optional = {"imageUrl": ad.image_url, "feedbackUrl": ad.feedback_url, "viewableUrl": ad.viewable_url}
    return {**shown, **{name: value for name, value in optional.items() if value}}


# Ads as text, for chats without a page of their own, as the JavaScript package writes them

# An advertiser's text is never markup. Every function below labels the ad, keeps each text on one line, links only to http
# and https, and breaks whatever a chat would turn into a mention or a link of its own, such as @everyone or www.example.com.

_RULE = "\n\n---\n\n"
# A rule between empty lines or at the beginning, as converters write it too. An ad has no empty line.
_ANY_RULE = re.compile(r"(?:\A\s*|\n[ \t\r]*\n[ \t]*)([-*_])(?:[ \t]?\1){2,}(?=[ \t\r]*\n[ \t\r]*\n)")
_LABEL = re.compile(r"^[ \t>*_~]{0,9}Sponsored\b|\bSponsored · ", re.M)
# What is left of a rule, or of the label's markup.
_LEFTOVER = re.compile(r"(?:(?<=\s)|\A)[-—*_>\s]{1,30}\Z")
_CLICK_PATH = "/api/v1/click/"
# Invisible, and of width 0.
_BREAK = "\u200b"
_SPACES = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
# Controls, including those that color a terminal, and marks that reverse the direction of the text after the ad.
_CONTROLS = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u202a-\\u202e\\u2066-\\u2069]+")


def append_ad(
    answer: Union[str, Sequence[Any], None], ad: Optional[Ad], format: Optional[Callable[[Ad], str]] = None
) -> str:
    """The answer with the labeled ad below a rule; the answer alone without an ad.

    Closes a block of code that the answer left open, so that the ad is not shown as code.

    :param answer: a text, or the content of a model's message, which may be a list of parts or None
    :param format: `to_markdown` (the default), `to_text`, or your own
    """
    if not (answer is None or isinstance(answer, (str, list, tuple))):
        raise TypeError("answer must be a text, or the content of a message")
    text = "".join(_read_texts(answer))
    return text if ad is None else f"{text}{_close_code(text)}{_RULE}{(format or to_markdown)(ad)}"


def remove_ad(text: str) -> str:
    """The answer without the ad that `append_ad` added: a model must not take an advertiser's words for its own.

    A chat may have changed the text. An ad has a click URL, and begins at the rule, at its label, or at least in the same paragraph.
    """
    click_at = text.find(_CLICK_PATH)
    if click_at < 0:
        return text
    rules = [rule.start() for rule in _ANY_RULE.finditer(text)]
    for at, end in zip(rules, [*rules[1:], len(text)]):
        if _CLICK_PATH in text[at:end]:
            return text[:at].rstrip()
    label = _LABEL.search(text, 0, click_at)
    start = label.start() if label else text.rfind("\n\n", 0, click_at)
    return _LEFTOVER.sub("", text[: max(start, 0)].rstrip()).rstrip()


def to_markdown(ad: Ad) -> str:
    """The ad as Markdown: its label, headline, and description, and a link. Also safe in chats with mentions, such as Discord."""
    headline, description, action, url = _read_lines(ad)
    bold = f"**{_escape_markdown(headline)}**" if headline else ""

    def link(text: str) -> str:
        return f"[{text}]({re.sub(r'[()<>]', lambda one: f'%{ord(one[0]):x}', url)})" if url else text

    lines = [
        f"*{_escape_markdown(_to_label(ad))}*",
        bold if action else link(bold),
        " ".join(filter(None, [_escape_markdown(description), action and link(_escape_markdown(action))])),
    ]
    # Two spaces at the end of a line are Markdown's line break, and invisible where Markdown is not rendered.
    return "  \n".join(filter(None, lines))


def to_text(ad: Ad) -> str:
    """The ad as plain text, for example for a terminal. Contains no control characters."""
    headline, description, action, url = _read_lines(ad)
    lines = [_break_links(text) for text in (_to_label(ad), headline, description)]
    return "\n".join(filter(None, [*lines, ": ".join(filter(None, [_break_links(action), url]))]))


def to_html(ad: Ad) -> str:
    """The ad as HTML: an `aside` with its label, image, headline, description, and link."""
    headline, description, action, url = _read_lines(ad)
    label = _to_label(ad)
    image = _to_web_url(ad.image_url)

    def show(text: str) -> str:
        return _escape_html(_break_links(text))

    bold = f"<strong>{show(headline)}</strong>" if headline else ""

    def link(text: str) -> str:
        address = f'<a href="{_escape_html(url)}" rel="sponsored noopener noreferrer" target="_blank">'
        return f"{address}{text}</a>" if url else text

    lines = [
        f"<small>{show(label)}</small>",
        image and f'<img src="{_escape_html(image)}" alt="">',
        bold if action else link(bold),
        show(description),
        action and link(show(action)),
    ]
    return f'<aside aria-label="{_escape_html(label)}">{"<br>".join(filter(None, lines))}</aside>'


def _read_lines(ad: Ad) -> tuple[str, str, str, str]:
    return _to_line(ad.headline), _to_line(ad.description), _to_line(ad.call_to_action), _to_web_url(ad.redirect_url)


def _to_label(ad: Ad) -> str:
    return " · ".join(filter(None, ["Sponsored", _to_line(ad.advertiser)]))


def _to_line(text: str) -> str:
    return _CONTROLS.sub("", re.sub(f"[{_SPACES}]+", " ", text)).strip(" ")


def _to_web_url(url: Optional[str]) -> str:
    """Empty for what is not a URL, and for any scheme except http and https, such as javascript."""
    if not url or not re.match(r"https?://[^\s/?#\\\\]", url, re.I):
        return ""
    scheme, _, rest = url.partition(":")
    return f"{scheme.lower()}:" + urllib.parse.quote(rest, safe="!#$%&'()*+,/:;=?@[]~")


def _break_links(text: str) -> str:
    """Breaks mentions (@everyone, Slack's <!channel>), email addresses, URLs, and domains.

    A browser ignores the break in a host, so it must keep every chat from finding one: `www.` and `//` alone are a link in some.
    """
    text = text.replace("@", f"{_BREAK}@{_BREAK}")
    text = re.sub(r"/(?=/)", f"/{_BREAK}", re.sub(f"<(?=[^{_SPACES}])", f"<{_BREAK}", text))
    text = re.sub(f"(?<=[^\\W\\d_]):(?=[^{_SPACES}])", f"{_BREAK}:", text)
    text = re.sub(r"(?<=www)\.", f"{_BREAK}.", text, flags=re.I)
    return re.sub(f"(?<=[^{_SPACES}])([.。．｡])(?=[^\\W\\d_])", f"\\1{_BREAK}", text)


def _escape_markdown(text: str) -> str:
    """Escapes what Markdown, tables, and formulas give a meaning anywhere, and what does at the beginning of a line."""
    text = re.sub(r"[\\`*_\[\]<>|~$&]|(?<=\])\(", r"\\\g<0>", _break_links(text))
    return re.sub(r"^([0-9]+)([.)])", r"\1\\\2", re.sub(r"^[#+\-=:]", r"\\\g<0>", text))


def _escape_html(text: str) -> str:
    return html.escape(text).replace("&#x27;", "&#39;")


def _close_code(text: str) -> str:
    """The fence that closes the block of code in which a text ends, on a line of its own; empty if it ends in none."""
    open_fence = ""
    for fence, info in re.findall(r"^ {0,3}(`{3,}|~{3,})(.*)$", text, re.M):
        if not open_fence:
            open_fence = fence
        elif fence.startswith(open_fence) and not info.strip():
            open_fence = ""
    return f"\n{open_fence}" if open_fence else ""


# Webhooks


class WebhookError(Exception):
    """The delivery could not be verified. Respond with 400 or 401, and ignore the body."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        #: `missing_header`, `bad_timestamp`, `too_old`, `too_new`, `bad_signature`, `bad_secret`, or `bad_body`.
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message


class _Headers(Protocol):
    """Those of any framework, or a dictionary. Their names are in any case."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify_webhook(
    body: Union[bytes, str],
    headers: _Headers,
    secret: Union[str, Sequence[str]],
    *,
    scheme: Literal["standard", "service-signature"] = "standard",
    tolerance_seconds: float = 300,
    now: Callable[[], float] = time.time,
) -> dict[str, Any]:
    """Verifies a delivery and returns its event.

    :param body: the raw body, not parsed JSON
    :param secret: `whsec_…`; pass several while you rotate secrets
    :param scheme: `standard` is Standard Webhooks. `service-signature` only signs the body, so it does not protect
        against replays. There is no fallback: an attacker could choose the weaker one by omitting headers
    :param tolerance_seconds: maximum difference between the delivery's timestamp and now
    :param now: Unix time
    :raises WebhookError: if no secret matches, or the timestamp is outside the tolerance
    """
    if scheme not in _SCHEMES:
        raise ValueError("scheme must be standard or service-signature")
    content = _check_delivery(body, headers, secret)
    keys = [secret] if isinstance(secret, str) else secret
    if not _SCHEMES[scheme](content, headers, keys, tolerance_seconds, now()):
        raise WebhookError("bad_signature", "No signature matches the secret")
    try:
        event = json.loads(content)
    except (ValueError, RecursionError):
        raise WebhookError("bad_body", "The body is not JSON") from None
    return cast(dict[str, Any], event)


def _check_delivery(body: object, headers: object, secret: object) -> bytes:
    """Reports which argument is invalid. Returns the body as bytes."""
    if secret is None:
        raise WebhookError("bad_secret", "secret is missing")
    given = list(secret) if isinstance(secret, (list, tuple)) else [secret]
    if not given or not all(isinstance(one, str) and one for one in given):
        raise WebhookError("bad_secret", "secret is empty")
    if not isinstance(body, (str, bytes, bytearray, memoryview)):
        raise WebhookError("bad_body", "body must be the raw text or bytes of the request, not parsed JSON")
    if headers is None:
        raise WebhookError("missing_header", "headers is missing")
    return body.encode("utf-8", "replace") if isinstance(body, str) else bytes(body)


def _verify_standard(body: bytes, headers: _Headers, keys: Sequence[str], tolerance: float, now: float) -> bool:
    id = _get_header(headers, "webhook-id")
    timestamp = _get_header(headers, "webhook-timestamp")
    signatures = _get_header(headers, "webhook-signature")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookError("bad_timestamp", "webhook-timestamp is not a Unix timestamp")
    age = now - int(timestamp)
    if age > tolerance:
        raise WebhookError("too_old", "The delivery is older than the tolerance")
    if age < -tolerance:
        raise WebhookError("too_new", "The timestamp of the delivery is too far in the future")
    signed = f"{id}.{timestamp}.".encode("utf-8", "replace") + body
    given = [_decode_base64(one[len("v1,") :]) for one in signatures.split(" ") if one.startswith("v1,")]
    for key in keys:
        decoded = _decode_base64(key.removeprefix("whsec_"))
        if not decoded:
            raise WebhookError("bad_secret", "The secret is not base64 after whsec_")
        expected = hmac.new(decoded, signed, hashlib.sha256).digest()
        if any(hmac.compare_digest(expected, one) for one in given):
            return True
    return False


def _verify_service_signature(
    body: bytes, headers: _Headers, keys: Sequence[str], _tolerance: float, _now: float
) -> bool:
    given = [one.strip() for one in _get_header(headers, "service-signature").split(",")]
    hexes = [(one.removeprefix("sha256=")).lower().encode("utf-8", "replace") for one in given]
    for key in keys:
        expected = hmac.new(key.encode(), body, hashlib.sha256).hexdigest().encode()
        if any(hmac.compare_digest(expected, one) for one in hexes):
            return True
    return False


_SCHEMES = {"standard": _verify_standard, "service-signature": _verify_service_signature}


def _get_header(headers: _Headers, name: str) -> str:
    value = next((str(value) for given, value in headers.items() if str(given).lower() == name), "")
    if not value:
        raise WebhookError("missing_header", f"The {name} header is missing")
    return value


def _decode_base64(text: str) -> bytes:
    """Empty if the text is not base64. Padding may be missing, as in JavaScript."""
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""
