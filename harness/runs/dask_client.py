"""A client of a Dask cluster: of one that is there, or of a local one that is made for it."""

from __future__ import annotations

import asyncio
import importlib
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from typing import Any

from modelling.errors import InputError, WorkerError

CONNECT_SECONDS = 10.0
"""The time that a scheduler has to answer."""


def check_scheduler(address: str) -> None:
    """Raises InputError unless a Dask scheduler answers at ``address``, in time.

    Dask's own client waits without end for something that listens and speaks another language,
    such as a scheduler's dashboard.
    """
    identity: Future[dict[str, Any]] = Future()

    def ask() -> None:
        try:
            identity.set_result(asyncio.run(_identity(address)))
        except Exception as error:  # foreign bytes may raise anything; raised again below
            identity.set_exception(error)

    # In a thread of its own: a notebook has a loop that runs in this one.
    threading.Thread(target=ask, daemon=True).start()
    try:
        kind = identity.result().get("type")
    except TimeoutError as error:
        raise _no_scheduler(address, f"nothing came within {CONNECT_SECONDS:g} s") from error
    except Exception as error:  # see above
        raise _no_scheduler(address, f"{type(error).__name__}: {error}") from error
    if kind != "Scheduler":
        raise _no_scheduler(address, f"it is a {kind}")


async def _identity(address: str) -> dict[str, Any]:
    core: Any = importlib.import_module("distributed.core")

    async def ask() -> dict[str, Any]:
        async with core.rpc(address) as there:
            return await there.identity()  # type: ignore[no-any-return]

    return await asyncio.wait_for(ask(), CONNECT_SECONDS)


def _no_scheduler(address: str, why: str) -> InputError:
    return InputError(
        f"no Dask scheduler answers at {address} ({why}); start one with `dask scheduler`, and "
        "give the address that it prints, as tcp://host:8786"
    )


@contextmanager
def connect(scheduler: str | None, workers: int) -> Iterator[Any]:
    """A client of the cluster at ``scheduler``, or of a local one of so many worker processes."""
    distributed: Any = importlib.import_module("distributed")
    with ExitStack() as stack:
        if scheduler is None:
            try:
                address: Any = stack.enter_context(
                    distributed.LocalCluster(
                        n_workers=workers,
                        threads_per_worker=1,
                        dashboard_address="127.0.0.1:0",  # with None it insists on port 8787
                        memory_limit=0,  # limits are the supervisor's affair
                        silence_logs=logging.CRITICAL,
                    )
                )
            except RuntimeError as error:
                raise WorkerError(
                    f"Dask's local workers could not be started ({error}); in a script, call this "
                    'below `if __name__ == "__main__":`, since each of them imports the script'
                ) from error
        else:
            address = scheduler
        try:
            client = stack.enter_context(distributed.Client(address, timeout=CONNECT_SECONDS))
        except (OSError, ValueError, TimeoutError) as error:
            raise _no_scheduler(str(scheduler), str(error)) from error
        yield client
