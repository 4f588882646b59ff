"""What is asked of Dask: a client of a cluster, and a batch of jobs run on one of its workers.

The cluster is one that is there, or a local one that is made for the run.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from harness.job import Job
from harness.machine import Machine, this_machine
from harness.record import Record, Version
from harness.supervise.settings import Settings
from harness.supervise.supervisor import supervise
from modelling.errors import InputError, WorkerError

CONNECT_SECONDS = 10.0
"""The time that a scheduler has to answer."""


def require_dask() -> None:
    """Raises InputError where Dask is not installed."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise InputError(
            f"--on dask needs Dask distributed ({error}): pip install 'solver-concord[dask]'"
        ) from error


def check_scheduler(address: str) -> None:
    """Raises InputError unless a Dask scheduler answers at ``address``, in time.

    Dask's own client waits without end for something that listens and speaks another language,
    such as a scheduler's dashboard.
    """
    with ThreadPoolExecutor(1) as thread:  # a notebook has a loop that runs in this one
        asked = thread.submit(lambda: asyncio.run(_ask_identity(address)))
        try:
            kind = asked.result().get("type")
        except TimeoutError as error:
            raise _explain_no_scheduler(
                address, f"nothing came in {CONNECT_SECONDS:g} s"
            ) from error
        except Exception as error:  # foreign bytes may raise anything
            raise _explain_no_scheduler(address, f"{type(error).__name__}: {error}") from error
    if kind != "Scheduler":
        raise _explain_no_scheduler(address, f"it is a {kind}")


async def _ask_identity(address: str) -> dict[str, Any]:
    core: Any = importlib.import_module("distributed.core")

    async def ask() -> dict[str, Any]:
        async with core.rpc(address) as there:
            return await there.identity()  # type: ignore[no-any-return]

    return await asyncio.wait_for(ask(), CONNECT_SECONDS)


def _explain_no_scheduler(address: str, why: str) -> InputError:
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
            raise _explain_no_scheduler(str(scheduler), str(error)) from error
        yield client


# --- on a Dask worker --------------------------------------------------------------------------


@dataclass(frozen=True)
class Account:
    """What came of a batch: its records, the versions that they refer to, and the machine."""

    records: list[Record]
    versions: list[Version]
    machine: Machine
    seconds: float


def run_batch(jobs: list[Job], settings: Settings, topic: str, number: int) -> Account:
    """Run a batch on the Dask worker that calls this; an empty account when it was cancelled."""
    from distributed import get_worker

    worker = get_worker()
    worker.log_event(topic, {"batch": number, "worker": worker.address})
    started = perf_counter()
    machine = this_machine()
    records: list[Record] = []
    versions: list[Version] = []
    going = supervise(jobs, settings, versions.append)
    try:
        for record in going:
            if record is not None:
                records.append(record)
            if _is_cancelled(worker):
                return Account([], [], machine, perf_counter() - started)
    finally:
        going.close()  # type: ignore[attr-defined] # a generator: this ends the workers
    return Account(records, versions, machine, perf_counter() - started)


def _is_cancelled(worker: Any) -> bool:
    """Whether nobody waits for the running task any more: Dask does not stop a thread itself."""
    task = worker.state.tasks.get(worker.get_current_task())
    return task is None or task.state == "cancelled"
