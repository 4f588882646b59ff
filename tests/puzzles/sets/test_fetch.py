"""Fetching, from a server on loopback that cuts, stalls, lies and babbles."""

import errno
import gzip
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from unreliable_server import (
    Server,
    dripping,
    dripping_head,
    encoded,
    endless,
    garbage,
    plain,
    pour,
    redirect,
    silent,
    stalling,
    status,
    unmeasured,
    whole,
)

from modelling.errors import FetchError, InputError, Unreachable
from puzzles.sets import cache, fetch
from puzzles.sets.catalogue import Listing
from puzzles.sets.connection import Patience

DATA = b"".join(hashlib.sha256(bytes([k % 256, k // 256])).digest() for k in range(7000))
"""224,000 bytes that do not repeat, so that no part of them fits elsewhere."""

HALF = 100_000
OTHER = DATA[::-1]

PATIENT = Patience(pause=0.0)
QUICK = Patience(pause=0.0, attempts=3)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path / "cache"))
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def serve():
    """Starts a server with these answers."""
    servers = []

    def start(*answers):
        servers.append(Server(*answers).__enter__())
        return servers[-1]

    yield start
    for server in servers:
        server.__exit__()


def left():
    """What is in the cache beside what was fetched."""
    folder = Path(os.environ["CONCORD_CACHE"]) / "sets"
    return sorted(path.suffix for path in folder.iterdir() if path.suffix != ".txt")


def fetched(server, listing=None, patience=PATIENT, on_progress=None):
    """Fetch, and see that it is whole and that nothing else lies about."""
    listing = listing or server.listing(DATA)
    path = fetch.fetch(listing, on_progress, patience)
    assert cache.digest(path) == listing.sha256
    assert path == cache.path_of(listing) == cache.ready(listing)
    assert left() == []
    return path


def refused(server, message, listing=None, patience=QUICK, rest=()):
    """Fetch, and see that it fails, and that nothing is there under the final name."""
    listing = listing or server.listing(DATA)
    with pytest.raises(FetchError, match=message) as caught:
        fetch.fetch(listing, None, patience)
    assert not cache.path_of(listing).exists()
    assert left() == sorted(rest)
    return str(caught.value)


def test_a_good_server(serve):
    server = serve(whole(DATA))
    path = fetched(server)
    assert path.read_bytes() == DATA
    assert path.name.startswith("some-")
    assert path.suffix == ".txt"
    assert server.asked[0]["Accept-Encoding"] == "identity"
    assert server.asked[0]["Range"] is None
    fetched(server)
    assert len(server.asked) == 1, "what is there is not fetched again"


def test_a_damaged_file_is_fetched_again(serve):
    server = serve(whole(DATA))
    path = fetched(server)
    path.write_bytes(DATA[:-1] + b"?")
    with pytest.raises(InputError, match=r"is damaged: .*concord sets fetch some"):
        cache.ready(server.listing(DATA))
    assert fetched(server).read_bytes() == DATA


def test_progress_is_told_to_the_end(serve):
    seen = []
    server = serve(whole(DATA, upto=HALF), whole(DATA))
    fetched(server, on_progress=seen.append)
    assert {step.name for step in seen} == {"some"}
    assert {step.total for step in seen} == {len(DATA)}
    done = [step.done for step in seen]
    assert done == sorted(done)
    assert seen[-1].done == len(DATA)
    assert seen[-1].doing == "checking"
    assert any("the connection broke" in step.doing for step in seen)


# --- interruptions -------------------------------------------------------------------------------


def test_a_cut_connection_is_resumed(serve):
    server = serve(whole(DATA, upto=HALF), whole(DATA, upto=2 * HALF), whole(DATA))
    fetched(server)
    ranges = [asked["Range"] for asked in server.asked]
    assert ranges == [None, f"bytes={HALF}-", f"bytes={2 * HALF}-"]
    assert [asked["If-Range"] for asked in server.asked] == [None, '"one"', '"one"']


def test_an_end_before_the_end_is_no_end(serve):
    server = serve(unmeasured(DATA[:HALF]), whole(DATA))
    fetched(server)
    assert server.asked[1]["Range"] == f"bytes={HALF}-"


@pytest.mark.parametrize(
    ("tag", "fields", "condition"),
    [
        ('W/"weak"', {}, None),
        (None, {}, None),
        (None, {"Last_Modified": "Sat, 01 Jan 2022 00:00:00 GMT"}, "Sat, 01 Jan 2022 00:00:00 GMT"),
        ('W/"weak"', {"Last_Modified": "Sat, 01 Jan 2022 00:00:00 GMT"}, "Sat, 01 Jan 2022 "),
    ],
    ids=["weak", "none", "date", "weak-and-date"],
)
def test_if_range_takes_a_strong_tag_or_a_date(serve, tag, fields, condition):
    server = serve(whole(DATA, tag, HALF, **fields), whole(DATA, tag, **fields))
    fetched(server)
    given = server.asked[1]["If-Range"]
    assert given is None if condition is None else given.startswith(condition)
    assert server.asked[1]["Range"] == f"bytes={HALF}-"


def test_all_attempts_fail(serve):
    server = serve(whole(DATA, upto=HALF))
    server.answers = [whole(DATA, upto=HALF)]
    refused(server, "the connection broke", rest=[".origin", ".part"])
    assert len(server.asked) == QUICK.attempts
    server.answers = [whole(DATA)]
    fetched(server)
    assert server.asked[-1]["Range"] == f"bytes={HALF}-", "the next fetch continues"


def test_who_gets_further_has_all_attempts_again(serve, monkeypatch):
    monkeypatch.setattr(fetch, "GAIN", 10_000)
    server = serve(*(whole(DATA, upto=20_000 * k) for k in range(1, 10)), whole(DATA))
    fetched(server, patience=Patience(pause=0.0, attempts=2))
    assert len(server.asked) == 10


def test_the_whole_part_needs_no_server(serve):
    with Server(whole(DATA)) as server:
        listing = server.listing(DATA)
    part, _ = cache.parts_of(cache.path_of(listing))
    part.parent.mkdir(parents=True)
    part.write_bytes(DATA)
    fetched(server, listing)


@pytest.mark.parametrize("there", [DATA + b"more", OTHER, OTHER[:HALF]], ids=["long", "off", "cut"])
def test_a_part_of_something_else_is_thrown_away(serve, there):
    server = serve(whole(DATA))
    listing = server.listing(DATA)
    part, _ = cache.parts_of(cache.path_of(listing))
    part.parent.mkdir(parents=True)
    part.write_bytes(there)
    fetched(server, listing)


@pytest.mark.once
def test_a_server_that_stalls_is_left_and_asked_again(serve):
    server = serve(stalling(DATA, HALF), silent, whole(DATA))
    fetched(server, patience=Patience(pause=0.0, stall=1.5, attempts=20))
    assert server.asked[1]["Range"] == f"bytes={HALF}-"


def test_a_server_that_never_says_anything(serve):
    server = serve(silent)
    refused(server, r"no byte came for 0\.2 s", patience=Patience(pause=0, stall=0.2, attempts=2))
    assert server.was_asked(2)


@pytest.mark.parametrize(
    "answer", [dripping(DATA, 0.02), dripping_head(0.02)], ids=["body", "head"]
)
def test_a_server_that_drips_is_left(serve, answer):
    impatient = Patience(pause=0.0, stall=20.0, window=0.3, least=4096, attempts=2)
    message = r"fewer than 4096 bytes came in 0\.3 s"
    listing = (server := serve(answer)).listing(DATA)
    with pytest.raises(FetchError, match=message):
        fetch.fetch(listing, None, impatient)
    assert not cache.path_of(listing).exists()
    assert server.was_asked(2)


# --- lies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("told", [1, len(DATA) - 1, len(DATA) + 1, 10**15])
def test_a_length_that_is_not_the_files(serve, told):
    server = serve(plain(DATA, Content_Length=told))
    refused(server, rf"has a file of {told} bytes; the set has {len(DATA)}")
    assert len(server.asked) == 1


def test_a_length_that_is_no_number(serve):
    refused(serve(plain(DATA, Content_Length="many")), "the connection broke")


def test_a_body_beyond_its_length_is_not_read(serve):
    fetched(serve(plain(DATA + b"more", Content_Length=len(DATA))))


def test_wrong_bytes(serve):
    server = serve(plain(OTHER))
    message = refused(server, "what comes has the SHA-256")
    assert hashlib.sha256(OTHER).hexdigest() in message
    assert server.listing(DATA).sha256 in message
    assert len(server.asked) == 1


def test_endless_data_is_cut_off(serve):
    refused(serve(endless), f"sends more than the {len(DATA)} bytes")


def test_without_a_size_there_is_a_bound_all_the_same(serve, monkeypatch):
    monkeypatch.setattr(fetch, "LARGEST", 1_000_000)
    server = serve(endless)
    refused(server, "sends more than the 1000000 bytes", server.listing(DATA, bytes=None))


def test_without_a_size(serve):
    server = serve(whole(DATA, upto=HALF), whole(DATA))
    fetched(server, server.listing(DATA, bytes=None))
    assert server.asked[1]["Range"] == f"bytes={HALF}-"


def test_without_a_size_the_part_may_be_whole(serve):
    server = serve(whole(DATA))
    listing = server.listing(DATA, bytes=None)
    part, _ = cache.parts_of(cache.path_of(listing))
    part.parent.mkdir(parents=True)
    part.write_bytes(DATA)
    fetched(server, listing)
    assert [asked["Range"] for asked in server.asked] == [f"bytes={len(DATA)}-"]


def test_a_server_without_ranges_sends_all_again(serve):
    server = serve(whole(DATA, upto=HALF), plain(DATA))
    fetched(server)
    assert server.asked[1]["Range"] == f"bytes={HALF}-"


@pytest.mark.parametrize(
    "told",
    [
        f"bytes 0-{len(DATA) - 1}/{len(DATA)}",
        f"bytes {HALF + 1}-{len(DATA) - 1}/{len(DATA)}",
        f"bytes {HALF - 1}-{len(DATA) - 1}/*",
        f"bytes */{len(DATA)}",
        "pages 1-2/3",
        "",
    ],
)
def test_another_range_than_was_asked_for(serve, told):
    server = serve(whole(DATA, upto=HALF), plain(DATA[HALF:], 206, Content_Range=told), whole(DATA))
    fetched(server)
    assert [asked["Range"] for asked in server.asked] == [None, f"bytes={HALF}-", None]


def test_a_range_of_a_file_of_another_size(serve):
    told = f"bytes {HALF}-{len(DATA)}/{len(DATA) + 1}"
    server = serve(whole(DATA, upto=HALF), plain(b"?", 206, Content_Range=told))
    refused(server, f"has a file of {len(DATA) + 1} bytes", rest=[".origin", ".part"])


def test_a_range_with_wrong_bytes_is_noticed_and_all_is_fetched_again(serve):
    told = f"bytes {HALF}-{len(DATA) - 1}/{len(DATA)}"
    server = serve(
        whole(DATA, upto=HALF), plain(OTHER[HALF:], 206, Content_Range=told), whole(DATA)
    )
    fetched(server)
    assert server.asked[2]["Range"] is None


def test_a_part_that_nobody_asked_for(serve):
    told = f"bytes 0-{len(DATA) - 1}/{len(DATA)}"
    refused(serve(plain(DATA, 206, Content_Range=told)), "the server answers 206")


def test_a_range_that_cannot_be_satisfied(serve):
    server = serve(whole(DATA, upto=HALF), status(416), whole(DATA))
    fetched(server)
    assert server.asked[2]["Range"] is None


def test_the_file_changes_between_two_requests(serve):
    server = serve(whole(DATA, '"one"', HALF), whole(OTHER, '"two"'))
    refused(server, "what comes has the SHA-256")
    assert [asked["If-Range"] for asked in server.asked] == [None, '"one"']


def test_the_file_changes_and_the_server_does_not_tell(serve):
    server = serve(whole(DATA, None, HALF), whole(OTHER, None), whole(DATA, None))
    fetched(server)
    assert [asked["Range"] for asked in server.asked] == [None, f"bytes={HALF}-", None]


# --- statuses ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [204, 304, 400, 401, 403, 404, 410, 501])
def test_an_answer_that_is_final(serve, number):
    server = serve(plain(b"", number))
    refused(server, f"the server answers {number}")
    assert len(server.asked) == 1


def test_a_proxy_that_wants_a_password(serve):
    refused(serve(status(407)), "HTTPS_PROXY")


@pytest.mark.parametrize("number", [408, 429, 500, 502, 503, 504])
def test_an_answer_that_may_pass(serve, number):
    server = serve(status(number), status(number, Retry_After=0), whole(DATA))
    fetched(server)
    assert len(server.asked) == 3


def test_an_answer_that_does_not_pass(serve):
    server = serve(status(503))
    refused(server, "503 Service Unavailable")
    assert len(server.asked) == QUICK.attempts


@pytest.mark.parametrize(
    "told",
    ["3600", format_datetime(datetime.now(UTC) + timedelta(days=400), usegmt=True)],
    ids=["seconds", "date"],
)
def test_who_asks_for_a_long_pause_is_left_alone(serve, told):
    server = serve(status(429, Retry_After=told))
    refused(server, r"429 .* asks to be left alone for \d+ s; try again then")
    assert len(server.asked) == 1


@pytest.mark.parametrize("told", ["0", "soon", "-1", "Sat, 01 Jan 2022 00:00:00 GMT"])
def test_other_wishes_for_a_pause(serve, told):
    fetched(serve(status(429, Retry_After=told), whole(DATA)))


def test_redirections(serve):
    server = serve(redirect("/b"), redirect("c?x=1", then=pour), whole(DATA))
    fetched(server)
    assert server.paths == ["/some.txt", "/b", "/c?x=1"]


def test_a_resumed_download_is_redirected_too(serve):
    server = serve(redirect("/b"), whole(DATA, upto=HALF), redirect("/c"), whole(DATA))
    fetched(server)
    assert [asked["Range"] for asked in server.asked[2:]] == [f"bytes={HALF}-"] * 2


def test_endless_redirections(serve):
    server = serve(redirect("/again"))
    refused(server, "it redirects more than 5 times")
    assert len(server.asked) == 6


@pytest.mark.parametrize("place", ["ftp://127.0.0.1/x", "file:///etc/passwd", "http://[", "//:x"])
def test_redirections_to_nowhere(serve, place):
    refused(serve(redirect(place)), "cannot be fetched")


def test_what_is_no_http(serve):
    refused(serve(garbage), "the connection broke")


# --- encodings -----------------------------------------------------------------------------------


def test_a_compressed_transfer(serve):
    fetched(serve(encoded(DATA)))


def test_a_compressed_transfer_is_not_resumed_by_its_tag(serve):
    server = serve(encoded(DATA, upto=HALF), whole(DATA))
    fetched(server)
    assert server.asked[1]["If-Range"] is None


def test_a_range_of_a_compressed_transfer_is_not_taken(serve):
    told = f"bytes {HALF}-{len(DATA) - 1}/{len(DATA)}"
    part = plain(gzip.compress(DATA[HALF:]), 206, Content_Range=told, Content_Encoding="gzip")
    server = serve(whole(DATA, upto=HALF), part, encoded(DATA))
    fetched(server)


def test_a_file_that_blows_up(serve):
    refused(serve(encoded(b"0" * 50_000_000)), f"sends more than the {len(DATA)} bytes")


def test_what_is_not_compressed_as_it_says(serve):
    refused(serve(plain(DATA, Content_Encoding="gzip")), "cannot be fetched")


def test_a_compressed_file_is_kept_as_it_is(serve):
    stored = gzip.compress(DATA)
    server = serve(plain(stored, Content_Encoding="gzip"))
    listing = server.listing(stored, file="some.txt.gz")
    path = fetch.fetch(listing, None, PATIENT)
    assert path.read_bytes() == stored
    assert path.name.endswith(".txt.gz")


# --- addresses, proxies, no network --------------------------------------------------------------


def closed_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_the_next_address_is_tried(serve):
    bad, good = serve(status(404)), serve(whole(DATA))
    dead = f"http://127.0.0.1:{closed_port()}/x.txt"
    listing = good.listing(DATA)
    urls = (f"{bad.address}/x.txt", dead, *listing.urls)
    listing = Listing(name="some", sha256=listing.sha256, urls=urls, bytes=len(DATA))
    fetched(good, listing)
    assert len(bad.asked) == len(good.asked) == 1


def test_a_part_is_completed_from_another_address(serve):
    first, second = serve(whole(DATA, upto=HALF), status(404)), serve(whole(DATA, '"two"'))
    listing = first.listing(DATA)
    urls = (*listing.urls, f"{second.address}/some.txt")
    fetched(second, Listing(name="some", sha256=listing.sha256, urls=urls, bytes=len(DATA)))
    assert second.asked[0]["Range"] == f"bytes={HALF}-"
    assert second.asked[0]["If-Range"] is None


def test_offline():
    listing = Server().listing(DATA)
    listing = Listing(
        name="some", sha256=listing.sha256, urls=(f"http://127.0.0.1:{closed_port()}/some.txt",)
    )
    with pytest.raises(Unreachable) as caught:
        fetch.fetch(listing, None, PATIENT)
    message = str(caught.value)
    assert "127.0.0.1 cannot be reached" in message
    assert "offline" in message
    assert str(cache.path_of(listing)) in message
    path = cache.path_of(listing)
    path.write_bytes(DATA)
    assert cache.ready(listing) == path, "a file that is put there by hand is taken"


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_the_environments_proxy_is_asked(serve, monkeypatch, variable):
    proxy = serve(whole(DATA))
    monkeypatch.setenv(variable, proxy.address)
    url = "http://puzzles.example/some.txt"
    digest = hashlib.sha256(DATA).hexdigest()
    fetched(proxy, Listing(name="some", sha256=digest, urls=(url,), bytes=len(DATA)))
    assert proxy.paths == [url]


def test_what_needs_no_proxy(serve, monkeypatch):
    proxy, server = serve(status(403)), serve(whole(DATA))
    monkeypatch.setenv("HTTP_PROXY", proxy.address)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    fetched(server)
    assert not proxy.asked


def test_a_proxy_that_is_not_there(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", f"http://me:secret@127.0.0.1:{closed_port()}")
    listing = Listing(name="some", sha256="0" * 64, urls=("http://puzzles.example/x",))
    with pytest.raises(Unreachable, match=r"puzzles\.example through the proxy 127") as caught:
        fetch.fetch(listing, None, PATIENT)
    assert "secret" not in str(caught.value)


def test_a_proxy_that_is_none(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "nonsense://127.0.0.1")
    listing = Listing(name="some", sha256="0" * 64, urls=("http://puzzles.example/x",))
    with pytest.raises(FetchError, match=r"the environment's proxy"):
        fetch.fetch(listing, None, PATIENT)


def test_a_connection_that_should_be_encrypted_and_is_not(serve):
    server = serve(whole(DATA))
    url = server.address.replace("http:", "https:") + "/x"
    listing = Listing(name="some", sha256="0" * 64, urls=(url,))
    with pytest.raises(FetchError, match="SSL_CERT_FILE"):
        fetch.fetch(listing, None, PATIENT)


# --- the cache folder ----------------------------------------------------------------------------


def test_a_folder_that_cannot_be_made(serve, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path / "file"))
    server = serve(whole(DATA))
    with pytest.raises(
        FetchError, match=r"cannot be written \(.*\); name another .* CONCORD_CACHE"
    ):
        fetch.fetch(server.listing(DATA), None, PATIENT)
    assert not server.asked


@contextmanager
def nobody():
    """Root, who may write everywhere, is another user for a while; others stay who they are."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="there are no users of this kind here")
def test_a_folder_that_must_not_be_written(serve, monkeypatch):
    listing = serve(whole(DATA)).listing(DATA)
    with tempfile.TemporaryDirectory() as root:  # nobody may look into pytest's own folders
        Path(root).chmod(0o755)
        fetch.fetch(listing, None, PATIENT)  # what is imported must be: nobody may not read it
        (Path(root) / "cache").mkdir()
        monkeypatch.setenv("CONCORD_CACHE", str(Path(root) / "cache"))
        (Path(root) / "cache").chmod(0o555)
        with nobody(), pytest.raises(FetchError, match=r"cannot be written .* CONCORD_CACHE"):
            fetch.fetch(listing, None, PATIENT)
        (Path(root) / "cache").chmod(0o777)
        with nobody():
            fetch.fetch(listing, None, PATIENT)
        assert (Path(root) / "cache" / "sets").is_dir()


def test_too_little_room_is_said_before_anything_is_fetched(serve, monkeypatch):
    usage = shutil.disk_usage(Path.cwd())._replace(free=len(DATA) - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    server = serve(whole(DATA))
    refused(server, r"there is no room in .*; make some, or name another folder in CONCORD_CACHE")
    assert not server.asked


def test_a_file_system_without_locks(serve, monkeypatch):
    def no(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", no)
    with pytest.raises(FetchError, match="keeps no locks"):
        fetch.fetch(serve(whole(DATA)).listing(DATA), None, PATIENT)


PROGRAM = textwrap.dedent(
    """
    import sys
    from puzzles.sets.catalogue import Listing
    from modelling.errors import FetchError
    from puzzles.sets.fetch import fetch

    def say(step):
        print(step.doing, step.done, flush=True)

    listing = Listing(name="some", sha256=sys.argv[1], urls=(sys.argv[2],), bytes=int(sys.argv[3]))
    try:
        fetch(listing, say)
    except FetchError as error:
        print(error, flush=True)
    """
)


def process(listing, before=""):
    """Another process that fetches the same."""
    arguments = [listing.sha256, listing.urls[0], str(listing.bytes)]
    return subprocess.Popen(
        [sys.executable, "-c", before + PROGRAM, *arguments], stdout=subprocess.PIPE, text=True
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit on a file's size to set")
def test_a_disk_that_fills_up_meanwhile(serve):
    server = serve(whole(DATA))
    listing = server.listing(DATA)
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({HALF}, {HALF}))\n"
    output, _ = process(listing, limit).communicate(timeout=60)
    assert "there is no room" in output
    assert left() == [".origin", ".part"]
    fetched(server)
    assert server.asked[-1]["Range"].startswith("bytes="), "with more room it continues"


def until(lines, words):
    for line in lines:
        if words in line:
            return line
    raise AssertionError(f"{words!r} was never said")


def test_two_processes_fetch_at_once(serve):
    server = serve(silent)
    listing = server.listing(DATA)
    first = process(listing)
    until(first.stdout, "connecting")
    second = process(listing)
    until(second.stdout, "waiting for another process")
    first.kill()
    server.answers = [whole(DATA)]
    first.communicate(timeout=60)
    output, _ = second.communicate(timeout=60)
    assert f"checking {len(DATA)}" in output, "the lock ends with its process"
    fetched(server)
    assert len(server.asked) <= 2


def test_who_waited_finds_the_file(serve):
    data = DATA * 20
    server = serve(whole(data))
    listing = server.listing(data)
    outputs = [each.communicate(timeout=60)[0] for each in [process(listing) for _ in range(4)]]
    assert sum("checking" in output for output in outputs) == 1
    assert len(server.asked) == 1
    fetched(server, listing)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signal to one process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, 9])
def test_an_interrupted_process_leaves_a_part_that_is_resumed(serve, number):
    server = serve(stalling(DATA, HALF))
    listing = server.listing(DATA)
    other = process(listing)
    until(other.stdout, f"fetching {HALF}")
    other.send_signal(number)
    other.communicate(timeout=60)
    assert not cache.path_of(listing).exists()
    assert {".part", ".origin"} <= set(left())
    server.answers = [whole(DATA)]
    fetched(server)
    assert server.asked[-1]["Range"] == f"bytes={HALF}-"


def test_a_file_of_the_users_is_not_fetched(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_bytes(DATA)
    listing = Listing(name="mine", sha256=hashlib.sha256(DATA).hexdigest(), file=path)
    assert fetch.fetch(listing) == path
    path.write_bytes(OTHER)
    with pytest.raises(InputError, match="has changed"):
        fetch.fetch(listing)
