"""Fetch a set of the catalogue: over bad lines and from servers that say what is not true.

What comes is written beside the set's place, as ``.part``, and gets its name only when its SHA-256
is that of the catalogue; so no other file than a whole and right one is ever under that name. An
interrupted download leaves its part, and the next one asks for what is missing (RFC 9110, 14.2):

    Range      the bytes from the end of the part on
    If-Range   only if the file is still the one that the part is of; else all of it

Nothing that a server says is relied on. At most as many bytes are taken from it as the catalogue
says the file has. A server that is silent, or slow beyond patience, is left. One that fails in
passing is asked again, with growing pauses; then the listing's next address is tried.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from modelling.errors import FetchError, Unreachable
from modelling.versions import CONCORD, find_version
from puzzles.sets import cache
from puzzles.sets.catalogue import Listing
from puzzles.sets.connection import Failed, Pace, Passing, Patience, Unreached, answer
from puzzles.sets.folders import CACHE
from puzzles.sets.locking import locked

if TYPE_CHECKING:
    import httpx

LARGEST = 2**31
"""Bytes that are taken at most where a listing does not say how many there are."""

GAIN = 2**20
"""A fetch that gets this many bytes further than before has all attempts again."""

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Status codes that may be gone a moment later."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a set is: bytes that are there, bytes in all (None: not known), and what is done."""

    name: str
    done: int
    total: int | None
    doing: str


def fetch(
    listing: Listing,
    on_progress: Callable[[Progress], None] | None = None,
    patience: Patience = Patience(),
) -> Path:
    """The set's file, fetched unless it is there already.

    ``on_progress`` is called from this thread, for every portion that comes. Raises ``FetchError``
    (``Unreachable`` when the machine seems to be offline), and ``InputError`` for a file of the
    user's that is not what it was. Interrupted, it continues at the next call where it stopped.
    """
    if listing.file is not None or cache.state(listing) == "ready":
        return cache.ready(listing)
    path = cache.path_of(listing)
    part = _Part(*cache.parts_of(path))

    def tell(doing: str) -> None:
        if on_progress is not None:
            on_progress(Progress(listing.name, part.size, listing.bytes, doing))

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        waiting = partial(tell, "waiting for another process that fetches it")
        with locked(cache.lock_of(path), waiting):
            if cache.state(listing) != "ready":
                _check_room(path.parent, (listing.bytes or 0) - part.size)
                _fetch_part(listing, part, tell, patience)
                os.replace(part.path, path)
                part.discard()
    except OSError as error:
        raise FetchError(f"{listing.name}: {_storage_fault(error, path.parent)}") from error
    return path


# --- the part ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """What has come of a file; ``origin`` tells the address and the version that it is of."""

    path: Path
    origin: Path

    @property
    def size(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def version_at(self, url: str) -> str:
        """The version that this address gave to the file, "" if it gave none."""
        try:
            lines = self.origin.read_text(encoding="ascii").splitlines()
        except (FileNotFoundError, UnicodeError):
            return ""
        return lines[1] if len(lines) == 2 and lines[0] == url else ""

    def begin(self, url: str, version_there: str) -> None:
        self.discard()
        self.origin.write_text(f"{url}\n{version_there}\n", encoding="ascii")

    def discard(self) -> None:
        self.path.unlink(missing_ok=True)
        self.origin.unlink(missing_ok=True)


def _check_room(folder: Path, needed: int) -> None:
    if shutil.disk_usage(folder).free < needed:
        raise OSError(errno.ENOSPC, f"{needed} bytes are needed")


def _storage_fault(error: OSError, folder: Path) -> str:
    remedy = f"name another folder in {CACHE}"
    cause = error.strerror or str(error)
    name = errno.errorcode.get(error.errno or 0, "")
    if name in ("ENOSPC", "EFBIG", "EDQUOT"):
        return f"there is no room in {folder} ({cause}); make some, or {remedy}"
    if name in ("ENOLCK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"):
        return f"{folder} is on a file system that keeps no locks ({cause}); {remedy}"
    return f"{error.filename or folder} cannot be written ({cause}); {remedy}"


# --- addresses and attempts ----------------------------------------------------------------------


class _WrongRange(Passing):
    """The server answered with other bytes than those that were asked for."""


def _fetch_part(
    listing: Listing, part: _Part, tell: Callable[[str], None], patience: Patience
) -> None:
    """Bring the part to the bytes that the listing means, from the first address that has them."""
    failures: list[tuple[str, Failed]] = []
    for url in listing.urls:
        try:
            _fetch_from(url, listing, part, tell, patience)
        except Failed as failure:
            failures.append((url, failure))
        else:
            return
    if not part.size:
        part.discard()
    causes = "; ".join(f"from {url}: {failure}" for url, failure in failures)
    if all(isinstance(failure, Unreached) for _, failure in failures):
        raise Unreachable(
            f"{listing.name} cannot be fetched {causes}. Is this machine offline, or behind a "
            "proxy that HTTPS_PROXY does not name? Without a connection, download the file on "
            f"another machine and put it here as {cache.path_of(listing)}; it is checked before it "
            "is used"
        )
    raise FetchError(f"{listing.name} cannot be fetched {causes}")


def _fetch_from(
    url: str, listing: Listing, part: _Part, tell: Callable[[str], None], patience: Patience
) -> None:
    """Ask one address until its bytes are right, it refuses, or patience ends (``Failed``)."""
    failed = 0
    furthest = part.size
    in_parts = True  # until this server has shown that it does not know how
    while True:
        try:
            if not in_parts:
                part.discard()
            start = _attempt(url, listing, part, tell, patience)
            tell("checking")
            found = cache.digest(part.path)
            if found == listing.sha256:
                return
            part.discard()
            if start == 0:
                raise Failed(f"what comes has the SHA-256 {found}, not {listing.sha256}")
            raise Passing("what came in parts does not fit together", wait=0.0)
        except _WrongRange as failure:
            in_parts = False
            passing: Passing = failure
        except Passing as failure:
            passing = failure
        if part.size >= furthest + GAIN:
            failed, furthest = 0, part.size
        failed += 1
        allowed = patience.reaches if isinstance(passing, Unreached) else patience.attempts
        if failed >= allowed:
            raise passing
        pause = min(patience.pause * 2 ** (failed - 1), patience.longest_pause)
        if passing.wait is not None:
            pause = passing.wait
        if pause > patience.longest_pause:
            raise Failed(f"{passing} and asks to be left alone for {pause:.0f} s; try again then")
        tell(f"{passing}; trying again in {pause:.0f} s")
        time.sleep(pause)


def _attempt(
    url: str, listing: Listing, part: _Part, tell: Callable[[str], None], patience: Patience
) -> int:
    """Ask once for what is missing and write what comes; the place where the answer began."""
    most = LARGEST if listing.bytes is None else listing.bytes
    if part.size > most:
        part.discard()
    offset = part.size
    if offset == listing.bytes:
        return offset
    tell("connecting")
    with Pace(patience) as pace:
        try:
            with answer(url, _headers(url, offset, part), patience, pace) as response:
                start = _beginning(response, offset, listing)
                if start is None:
                    return offset
                if start == 0:
                    part.begin(url, _version(response))
                _write(response, part, most, pace, tell)
        except Failed as failure:
            if pace.broken and isinstance(failure, Passing):
                raise Passing(pace.cause) from failure
            raise
        if pace.broken:
            raise Passing(pace.cause)
    if listing.bytes is not None and part.size < listing.bytes:
        raise Passing(f"the connection ended after {part.size} of {listing.bytes} bytes")
    return start


def _headers(url: str, offset: int, part: _Part) -> dict[str, str]:
    program = "/".join(filter(None, [CONCORD, find_version()]))
    # Only of the file as it is stored can one ask for a part and know which bytes come.
    headers = {"User-Agent": program, "Accept": "*/*", "Accept-Encoding": "identity"}
    if offset:
        headers["Range"] = f"bytes={offset}-"
        known = part.version_at(url)
        if known:
            headers["If-Range"] = known
    return headers


def _write(
    response: httpx.Response, part: _Part, most: int, pace: Pace, tell: Callable[[str], None]
) -> None:
    """Append the answer's body to the part, up to ``most`` bytes in all."""
    # A file that is stored compressed is often declared as a file that is sent compressed.
    stored = not _is_encoded(response) or response.url.path.endswith((".gz", ".tgz"))
    size = part.size
    with open(part.path, "ab") as stream:
        for chunk in response.iter_raw() if stored else response.iter_bytes():
            size += len(chunk)
            if size > most:
                break
            stream.write(chunk)
            stream.flush()
            pace.received += len(chunk)
            tell("fetching")
        os.fsync(stream.fileno())
    if size > most:
        part.discard()
        raise Failed(f"the server sends more than the {most} bytes that the file has")


# --- what a server answers -----------------------------------------------------------------------


def _beginning(response: httpx.Response, offset: int, listing: Listing) -> int | None:
    """Where in the file the answer's body begins; None when there is nothing left to send."""
    status = response.status_code
    if status == 200:
        announced = response.headers.get("Content-Length", "")
        if not _is_encoded(response) and announced.isdecimal():
            _check_total(int(announced), listing)
        return 0
    if status == 206 and offset:
        first, total = _range(response)
        if first != offset or _is_encoded(response):
            raise _WrongRange("the server answers with another part than was asked for", wait=0.0)
        _check_total(total, listing)
        return offset
    if status == 416 and offset:
        _, total = _range(response)
        if total == offset:
            return None
        raise _WrongRange("the server cannot send what is missing", wait=0.0)
    given = f"the server answers {status} {response.reason_phrase}".rstrip()
    if status in PASSING:
        raise Passing(given, _wait(response))
    if status == 407:
        given += "; the proxy wants http://user:password@host:port in HTTPS_PROXY or HTTP_PROXY"
    raise Failed(given)


def _check_total(total: int | None, listing: Listing) -> None:
    if total is not None and listing.bytes is not None and total != listing.bytes:
        raise Failed(f"the server has a file of {total} bytes; the set has {listing.bytes}")


def _range(response: httpx.Response) -> tuple[int | None, int | None]:
    """The first byte of the answer, and the bytes of the whole file, as far as they are known."""
    given = response.headers.get("Content-Range", "")
    found = re.fullmatch(r"bytes (?:(\d{1,18})-\d{1,18}|\*)/(?:(\d{1,18})|\*)", given.strip())
    if found is None:
        return None, None
    first, total = found.groups()
    return (None if first is None else int(first)), (None if total is None else int(total))


def _is_encoded(response: httpx.Response) -> bool:
    encoding: str = response.headers.get("Content-Encoding", "identity")
    return encoding.strip().lower() != "identity"


def _version(response: httpx.Response) -> str:
    """What If-Range takes: a strong entity tag, else the date of the last change, else ""."""
    if _is_encoded(response):
        return ""
    tag = response.headers.get("ETag", "")
    if re.fullmatch(r'"[!-~]{0,200}"', tag):
        return str(tag)
    date = response.headers.get("Last-Modified", "")
    return str(date) if re.fullmatch(r"[ -~]{1,60}", date) else ""


def _wait(response: httpx.Response) -> float | None:
    """Seconds of a Retry-After, which gives a number or a date."""
    given = response.headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", given):
        return float(given)
    try:
        return max(0.0, parsedate_to_datetime(given).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
