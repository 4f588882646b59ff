"""The connection over which a set is fetched: how long it is waited for, and how it may fail.

Nothing here depends on a good will on the other side: redirections are counted, and a connection
that is silent or slow beyond ``Patience`` is ended. Proxies and certificates are those that the
environment names (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE).
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

if TYPE_CHECKING:
    import httpx

MOST_REDIRECTS = 5
CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server is waited for, in seconds.

    ``connect``   until it is reached
    ``stall``     for its next byte
    ``window``    the seconds within which at least ``least`` bytes must arrive
    ``attempts``  at an address that brings no more than the one before; ``reaches`` if it cannot
                  even be reached
    ``pause``     before the second attempt; doubled each time, up to ``longest_pause``
    """

    connect: float = 10.0
    stall: float = 20.0
    window: float = 30.0
    least: int = 4096
    attempts: int = 5
    reaches: int = 2
    pause: float = 1.0
    longest_pause: float = 60.0


class Failed(Exception):
    """An attempt brought nothing; it makes no sense to ask this address again."""


class Passing(Failed):
    """An attempt broke off; another may succeed, after ``wait`` seconds if the server says so."""

    def __init__(self, cause: str, wait: float | None = None) -> None:
        super().__init__(cause)
        self.wait = wait


class Unreached(Passing):
    """Not even a connection came about."""


class Pace:
    """Ends a connection over which fewer than ``least`` bytes come in a window of time.

    A time limit on the next byte alone would let a server send a byte now and then for ever, in the
    head of its answer as well.
    """

    def __init__(self, patience: Patience) -> None:
        self.received = 0
        self.broken = False
        self.cause = f"fewer than {patience.least} bytes came in {patience.window:g} s"
        self._patience = patience
        self._socket: socket.socket | None = None
        self._over = threading.Event()

    def __enter__(self) -> Pace:
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()

    def trace(self, event: str, info: dict[str, Any]) -> None:
        """httpx calls this at each step; two of them make a connection."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")

    def _watch(self) -> None:
        before = 0
        while not self._over.wait(self._patience.window):
            if self._socket is not None and self.received - before < self._patience.least:
                self.broken = True
                with contextlib.suppress(OSError):  # it is closed already
                    self._socket.shutdown(socket.SHUT_RDWR)
                return
            before = self.received


@contextmanager
def answer(
    url: str, headers: dict[str, str], patience: Patience, pace: Pace
) -> Iterator[httpx.Response]:
    """The answer at the end of all redirections; what httpx raises becomes ``Failed``."""
    import httpx

    timeout = httpx.Timeout(patience.stall, connect=patience.connect)
    try:
        client = httpx.Client(timeout=timeout, verify=_trust(*map(os.environ.get, CERTIFICATES)))
    except (ImportError, ValueError, OSError, httpx.InvalidURL) as error:
        # A proxy or a file of certificates that the environment names.
        raise Failed(f"the environment's proxy or SSL_CERT_FILE cannot be used: {error}") from error
    try:
        with client:
            extensions = {"trace": pace.trace}
            request = client.build_request("GET", url, headers=headers, extensions=extensions)
            response = client.send(request, stream=True)
            # httpx would read a redirection's body to its end, which need not exist.
            for _ in range(MOST_REDIRECTS):
                if response.next_request is None:
                    break
                response.close()
                response = client.send(response.next_request, stream=True)
            with contextlib.closing(response):
                if response.next_request is not None:
                    raise Failed(f"it redirects more than {MOST_REDIRECTS} times")
                yield response
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise _failure(error, url, patience) from error


@cache
def _trust(file: str | None, folder: str | None) -> ssl.SSLContext:
    """What the server's certificate is compared with, by the environment's ``CERTIFICATES``.

    To read all authorities takes longer than a small answer, and each connection would do so.
    """
    import httpx

    return httpx.create_ssl_context()


def _failure(error: Exception, url: str, patience: Patience) -> Failed:
    import httpx

    cause = str(error) or type(error).__name__
    match error:
        case httpx.ConnectError() if _is_about_tls(error):
            return Failed(
                f"{cause}; where a proxy looks into what is sent, name its certificates in "
                "SSL_CERT_FILE"
            )
        case httpx.ConnectTimeout():
            return Unreached(f"{_route(url)} does not answer within {patience.connect:g} s")
        case httpx.ConnectError():
            return Unreached(f"{_route(url)} cannot be reached ({cause})")
        case httpx.TimeoutException():
            return Passing(f"no byte came for {patience.stall:g} s")
        case httpx.ProxyError():
            return Failed(f"the proxy refuses: {cause}")
        case httpx.NetworkError() | httpx.RemoteProtocolError():
            return Passing(f"the connection broke ({cause})")
        case _:
            return Failed(cause)


def _route(url: str) -> str:
    """The server, or the proxy that the environment puts before it, without its password."""
    parts = urlsplit(url)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme, proxies.get("all", ""))
    if not proxy or proxy_bypass(parts.hostname or ""):
        return str(parts.hostname)
    return f"{parts.hostname} through the proxy {re.sub(r'^.*[@/](?=.)', '', proxy)}"


def _is_about_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False
