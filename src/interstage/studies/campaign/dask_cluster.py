"""Run chunks of a campaign on the workers of a dask.distributed cluster.

A worker starts its own processes. The processes run the cases and write the results to a folder that all
machines share. The worker returns only the file name and a few other data. If a worker is lost, another
worker runs its chunk again. If the scheduler is lost, the finished chunks remain.
"""

from __future__ import annotations

import importlib.util
import logging
import pickle
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from importlib import metadata
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple
from uuid import uuid4

from ...tree.errors import BadInput, InterstageError, Problem
from .folder import Range
from .manifest import NAME
from .processes import Answer, Processes, Task, can_pickle
from .time_limit import LimitedFlights, Notice, TimeLimit, cases_text, duration

LOCAL = "local"
CONNECT = 30.0
"""Timeout [s] for an answer of the scheduler."""
LATER = 2.0
"""Extra time [s] after `CONNECT`, in which the dask client can raise its own error."""
LOOK = 0.5
"""Interval [s] between checks of the connection."""
ASK = 30.0
"""Interval [s] between requests to the scheduler for the number of threads."""
VISIBLE = 30.0
"""Timeout [s] for a file of another machine to become visible in the shared folder."""
PATIENCE = 60.0
"""Time [s] without workers after which a notice is printed."""
PACKAGES = ("interstage", "jax", "numpy", "scipy")
"""Packages that must have the same version on all machines."""


class ClusterLost(InterstageError):
    """Error: the connection to the scheduler, or all workers that tried to run a chunk, were lost."""


def require_dask() -> None:
    """Check that dask.distributed is installed. Raises BadInput."""
    if importlib.util.find_spec("distributed") is None:
        text = "needs dask.distributed. Run pip install 'interstage[dask]'"
        raise BadInput(Problem("--dask", text))


def versions() -> dict[str, str]:
    """Return the installed versions of the packages that affect the exact results of a case, by package
    name.
    """
    return {name: metadata.version(name) for name in PACKAGES}


# --- on a worker


class Order(NamedTuple):
    """Work for one worker.

    - cases: range of cases to run.
    - task: pickled `Task`.
    - limit: time limit of a chunk.
    - folder: folder for the result file.
    - key: identifies the processes of the worker that run this campaign.
    """

    cases: Range
    task: bytes
    limit: TimeLimit
    folder: str
    key: str


class Line(NamedTuple):
    """Answer of a worker about a finished chunk: the name of the result file, the run time [s], the host,
    and notices for the user.
    """

    file: str
    seconds: float
    host: str
    notices: list[str]


class _Flights(NamedTuple):
    task: Task
    processes: Processes


_flights: dict[str, _Flights] = {}
_guard = threading.Lock()


def function_of_workers() -> Callable[[bytes, dict[str, str]], bytes]:
    """Return the function that workers call.

    Dask pickles this function by value, because it is defined inside another function. The scheduler can
    therefore unpickle the function without an import of Interstage.
    """

    def fly(order: bytes, versions: dict[str, str]) -> bytes:
        from interstage.studies.campaign.dask_cluster import fly_order

        return fly_order(order, versions)

    return fly


def fly_order(text: bytes, client: Mapping[str, str]) -> bytes:
    """Run a range of cases on a worker, write the result file, and return a pickled `Answer`.

    - text: pickled `Order`.
    - client: package versions on the machine of the user. If they differ from the versions of the worker, the
      answer contains an error.
    """
    host = socket.gethostname()
    try:
        _check_versions(client, host)
        order: Order = pickle.loads(text)
        if not (Path(order.folder) / NAME).is_file():
            fault = f"the worker on {host} does not have the folder '{order.folder}'"
            raise BadInput(Problem("--dask", f"{fault}. Use a folder that all machines share (-o)"))
        flights, notices = _flights_of(order), []
        clock = time.monotonic()
        limited = LimitedFlights(flights.processes.fly, flights.task, order.limit, notices.append)
        file = limited.fly(order.cases)
        return pickle.dumps(Answer(None, Line(file, time.monotonic() - clock, host, notices)))
    except InterstageError as error:
        return pickle.dumps(Answer(error))


def _check_versions(client: Mapping[str, str], host: str) -> None:
    """Compare the versions of a worker and of the client. Raises BadInput."""
    own = versions()
    for name, version in client.items():
        if own[name] != version:
            text = f"the worker on {host} has {name} {own[name]}, but this process has {version}"
            raise BadInput(Problem("--dask", f"{text}. Install the same versions on all machines"))


def _flights_of(order: Order) -> _Flights:
    """Processes of this worker for a campaign: one for each thread of the worker."""
    from distributed import get_worker  # pyright: ignore[reportMissingImports]

    with _guard:
        if order.key not in _flights:
            task = pickle.loads(order.task)
            _flights[order.key] = _Flights(task, Processes(task, get_worker().state.nthreads))
        return _flights[order.key]


def end_flights(key: str) -> None:
    """End the processes of a worker for a campaign. key: see `Order`."""
    with _guard:
        found = _flights.pop(key, None)
    if found is not None:
        found.processes.close()


# --- on the machine of the user


@contextmanager
def connection(address: str | None, jobs: int) -> Iterator[Any]:
    """Yield a dask client that is connected to a scheduler. Yield None without an address.

    - address: address of the scheduler. "local" starts a cluster in this process.
    - jobs: number of threads of a local cluster.

    Raises BadInput if the scheduler does not answer.
    """
    if address is None:
        yield None
        return
    from distributed import Client, LocalCluster  # pyright: ignore[reportMissingImports]

    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # its tracebacks; the errors are reported here
    if address == LOCAL:
        how: dict[str, Any] = {"processes": False, "n_workers": 1, "threads_per_worker": jobs}
        with (
            LocalCluster(dashboard_address=None, **how) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            yield client
        return
    client = _within(partial(Client, address, timeout=CONNECT, set_as_default=False), address)
    try:
        yield client
    finally:
        with suppress(Exception):  # the scheduler is gone
            client.close(timeout=5)


def _within(begin: Callable[[], Any], address: str) -> Any:
    """A client. It is begun in another thread, because its own timeout has no effect if a scheduler accepts
    the connection and is silent. Raises BadInput."""
    found: Future[Any] = Future()

    def run() -> None:
        try:
            found.set_result(begin())
        except Exception as error:  # noqa: BLE001 - raised in the other thread
            found.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return found.result(CONNECT + LATER)
    except (OSError, ValueError, TimeoutError) as error:
        raise BadInput(Problem("--dask", _no_answer(address, error))) from None


def _no_answer(address: str, error: Exception) -> str:
    if isinstance(error, ValueError):
        text = f"'{address}' is not the address of a scheduler"
        return f'{text}. Write "local", or an address such as tcp://10.0.0.1:8786'
    text = f"the scheduler '{address}' does not answer within {duration(CONNECT)}"
    return f"{text}. Check the address and the firewall, or start a scheduler: dask scheduler"


def fly_on_cluster(
    client: Any,
    task: Task,
    ranges: Sequence[Range],
    finished: Callable[[Range, str], None],
    limit: TimeLimit,
    notice: Notice,
) -> None:
    """Run ranges of cases on the workers of a cluster. The first range is finished before the following
    ranges start.

    - client: see `connection`.
    - finished: function that is called in this thread after each finished range, with the name of its file.
    - limit: time limit of a chunk.
    - notice: function that prints a notice for the user.

    Raises InterstageError. Results of finished chunks remain in the folder.
    """
    if not can_pickle(task):
        text = (
            "other processes cannot use classes that are defined in a script. Move these classes to a module"
        )
        raise BadInput(Problem("--dask", text))
    orders = _Orders(client, task, limit, notice, finished)
    try:
        for some in (ranges[:1], ranges[1:]):
            orders.fly(some)
    finally:
        orders.end()


class _Orders:
    """Ranges that workers fly."""

    def __init__(
        self,
        client: Any,
        task: Task,
        limit: TimeLimit,
        notice: Notice,
        finished: Callable[[Range, str], None],
    ):
        self._client, self._task, self._limit = client, task, limit
        self._notice, self._finished = notice, finished
        self._text, self._key, self._versions = pickle.dumps(task), uuid4().hex, versions()
        self._function = function_of_workers()
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._flown: dict[str, tuple[Any, Range]] = {}
        self._seen = self._asked = time.monotonic()
        self._is_lost = False

    def fly(self, ranges: Sequence[Range]) -> None:
        """Fly ranges. A few more than there are threads are submitted at once."""
        left = list(reversed(ranges))
        while left or self._flown:
            with self._network():
                while left and len(self._flown) < self._room():
                    self._submit(left.pop())
            try:
                future = self._done.get(timeout=LOOK)
            except Empty:
                self._check()
                continue
            cases = self._flown.pop(future.key, (None, None))[1]
            if cases is not None:
                self._take(future, cases)

    def _room(self) -> int:
        return max(4, 2 * self._threads())

    def _threads(self) -> int:
        """Number of threads of all workers."""
        found = self._client.sync(self._client.scheduler.ncores, callback_timeout=CONNECT)
        return sum(found.values())

    def _submit(self, cases: Range) -> None:
        folder = str(self._task.folder.resolve())
        order = pickle.dumps(Order(cases, self._text, self._limit, folder, self._key))
        name = f"interstage-{uuid4().hex}"
        future = self._client.submit(self._function, order, self._versions, key=name, pure=False)
        self._flown[future.key] = (future, cases)
        future.add_done_callback(self._done.put)

    def _take(self, future: Any, cases: Range) -> None:
        """Take the line of a finished range. Raises what the worker raised, and `ClusterLost`."""
        if future.status == "cancelled":
            raise self._lost()
        if future.status == "error":
            with self._network():
                error = future.exception(timeout=CONNECT)
            text = f"{cases_text(cases)} could not be flown: {type(error).__name__}: {error}"
            if type(error).__name__ == "KilledWorker":
                text = f"{cases_text(cases)} could not be flown, because each worker was lost"
            raise ClusterLost(f"{text}. Finished chunks are kept")
        with self._network():
            answer: Answer = pickle.loads(future.result(timeout=CONNECT))
        if answer.error is not None:
            raise answer.error
        self._accept(answer.found, cases)

    def _accept(self, line: Line, cases: Range) -> None:
        clock = time.monotonic()
        while not (self._task.folder / line.file).is_file():
            if time.monotonic() - clock > VISIBLE:
                text = f"the file {line.file} of the worker on {line.host} is not in this folder"
                raise BadInput(Problem("--dask", f"{text}. Use a folder that all machines share (-o)"))
            time.sleep(LOOK)
        for text in line.notices:
            self._notice(text)
        self._limit.add(cases, line.seconds)
        self._finished(cases, line.file)
        self._seen = time.monotonic()

    def _check(self) -> None:
        """Check that the scheduler answers, and that it has workers. Raises `ClusterLost`."""
        if self._client.status != "running":
            raise self._lost()
        now = time.monotonic()
        if now - self._asked < ASK:
            return
        self._asked = now
        with self._network():
            threads = self._threads()
        if not threads and now - self._seen > PATIENCE:
            self._seen = now
            self._notice("The scheduler has no workers. Start a worker: dask worker ADDRESS")

    @contextmanager
    def _network(self) -> Iterator[None]:
        """Convert errors of the network, which have many types. Raises `ClusterLost`."""
        try:
            yield
        except Exception as error:
            raise self._lost() from error

    def _lost(self) -> ClusterLost:
        self._is_lost = True
        text = "The connection to the scheduler is lost. Finished chunks are kept: run the same command again"
        return ClusterLost(f"{text}, also without --dask")

    def end(self) -> None:
        """Have the workers end their processes."""
        if self._client.status == "running" and not self._is_lost:
            with suppress(Exception):  # the cluster is gone
                self._client.cancel([future for future, _ in self._flown.values()])
                self._client.run(end_flights, self._key, on_error="ignore")
