"""A server on loopback that cuts, stalls, lies and babbles, as it is told for each request.

An *answer* is a function that writes to the handler whatever it likes. The server gives one for
each request, in order, and the last one for all that follow; it writes down what was asked.
"""

import gzip
import hashlib
import http.server
import re
import threading
import time
from contextlib import suppress
from email.message import Message

from puzzles.sets.catalogue import Listing


class Server:
    """Runs for as long as the ``with`` block; ``asked`` are the requests' heads so far."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked: list[Message] = []
        self.paths: list[str] = []
        self.over = threading.Event()
        """Set at the end: an answer that stalls waits for it."""
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.over = server.over
                server.asked.append(self.headers)
                server.paths.append(self.path)
                answer = server.answers[0]
                if len(server.answers) > 1:
                    server.answers.pop(0)
                self.close_connection = True
                with suppress(ConnectionError):  # the other side has had enough
                    answer(self)

            def log_message(self, *_):
                pass

        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._http.server_port}"

    def was_asked(self, times):
        """Whether that many requests came; who gives up early leaves before all are noted down."""
        end = time.monotonic() + 30
        while len(self.asked) < times and time.monotonic() < end:
            time.sleep(0.01)
        return len(self.asked) == times

    def __enter__(self):
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self._http.shutdown()
        self._http.server_close()

    def listing(self, data, name="some", file="some.txt", **facts):
        """A set that this server is said to have."""
        facts = {"bytes": len(data), **facts}
        digest = hashlib.sha256(data).hexdigest()
        return Listing(name=name, sha256=digest, urls=(f"{self.address}/{file}",), **facts)


def head(handler, status, **fields):
    handler.send_response(status)
    for name, value in fields.items():
        handler.send_header(name.replace("_", "-"), str(value))
    handler.send_header("Connection", "close")
    handler.end_headers()


def whole(data, etag='"one"', upto=None, **fields):
    """A good server: it knows Range and If-Range. With ``upto`` it breaks off at that place."""

    def answer(handler):
        start = 0
        asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
        if asked and handler.headers.get("If-Range", etag) in (etag, fields.get("Last_Modified")):
            start = int(asked[1])
            if start >= len(data):
                head(handler, 416, Content_Range=f"bytes */{len(data)}", Content_Length=0)
                return
            fields["Content_Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        if etag:
            fields["ETag"] = etag
        head(handler, 206 if start else 200, Content_Length=len(data) - start, **fields)
        handler.wfile.write(data[start:upto])

    return answer


def plain(data, status=200, **fields):
    """These bytes, whatever was asked; the length is told unless ``fields`` tells another."""

    def answer(handler):
        head(handler, status, **{"Content_Length": len(data), **fields})
        handler.wfile.write(data)

    return answer


def unmeasured(data):
    """No length is told: the end of the connection is the end."""

    def answer(handler):
        head(handler, 200)
        handler.wfile.write(data)

    return answer


def encoded(data, upto=None):
    """Compressed for the way, though nobody asked for it."""
    sent = gzip.compress(data)
    return plain(sent[:upto], Content_Length=len(sent), Content_Encoding="gzip")


def status(number, **fields):
    return plain(b"the page of an error", number, **fields)


def stalling(data, upto):
    """Some bytes of the body, then nothing more."""

    def answer(handler):
        head(handler, 200, Content_Length=len(data), ETag='"one"')
        handler.wfile.write(data[:upto])
        handler.wfile.flush()
        handler.over.wait(60)

    return answer


def silent(handler):
    """Not even the head of an answer."""
    handler.over.wait(60)


def dripping(data, seconds):
    """A byte now and then, each in time."""

    def answer(handler):
        head(handler, 200, Content_Length=len(data))
        _drip(handler, data, seconds)

    return answer


def dripping_head(seconds):
    def answer(handler):
        _drip(handler, b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 10_000, seconds)

    return answer


def _drip(handler, data, seconds):
    for k in range(len(data)):
        handler.wfile.write(data[k : k + 1])
        handler.wfile.flush()
        if handler.over.is_set():
            return
        time.sleep(seconds)


def endless(handler):
    """More bytes for as long as they are taken."""
    head(handler, 200)
    pour(handler)


def pour(handler):
    while not handler.over.is_set():
        handler.wfile.write(b"x" * 65536)


def redirect(place, then=lambda handler: None):
    """To another place; ``then`` writes the body."""

    def answer(handler):
        head(handler, 302, Location=place)
        then(handler)

    return answer


def garbage(handler):
    """No HTTP."""
    handler.wfile.write(b"220 mail.example ESMTP ready\r\n\r\n")
