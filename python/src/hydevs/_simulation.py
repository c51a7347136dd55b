"""A simulation that is steered: run for a while, looked at, fed, put back; and a run told event by event."""
from __future__ import annotations

import _thread

from ._core import NULL, WATCH_PROGRESS, Failure, Handle, Keep, Look, cause_of, name_of, number, start_calls, taken, text, text_or_none
from ._errors import INTERRUPTED, UsageError
from ._hydevs import ffi, lib
from ._run import Settings, blocks_error, new_run
from ._table import payload_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from typing import Any

    from ._core import Number
    from ._load import Loaded


# What travels along wires


def from_value(value: Any) -> object:
    """A number, a tuple of Taylor coefficients of what moves, or what a payload holds."""
    if value.payload != NULL:
        return payload_value(value.payload)
    c = [value.c[k] for k in range(4)]
    while len(c) > 1 and c[-1] == 0.0:
        c.pop()
    return c[0] if len(c) == 1 else tuple(c)


def variant_of(value: object) -> Any:
    """A value of Python as a GVariant: texts, whole numbers, numbers, truth, tuples, lists of one kind."""
    if isinstance(value, str):
        return lib.g_variant_new_string(value.encode())
    if isinstance(value, bool):
        return lib.g_variant_new_boolean(value)
    if isinstance(value, int):
        return lib.g_variant_new_int32(value) if -(1 << 31) <= value < 1 << 31 else lib.g_variant_new_int64(value)
    if isinstance(value, float):
        return lib.g_variant_new_double(value)
    if isinstance(value, (tuple, list)) and value:
        if isinstance(value, list) and len({type(part) for part in value}) > 1:
            raise TypeError(f"a list that is sent has one kind of elements: {value!r}")
        parts = ffi.new("GVariant *[]", [variant_of(part) for part in value])
        return lib.g_variant_new_tuple(parts, len(value)) if isinstance(value, tuple) else lib.g_variant_new_array(NULL, parts, len(value))
    raise TypeError(f"{value!r} cannot be sent: a number, a text, or a tuple or list of them can")


def fill_value(to: Any, value: object, signal: bool) -> Any:
    """VALUE into an HyValue; what is returned holds its payload (None: it has none). To a SIGNAL a sequence is a polynomial."""
    if hasattr(value, "__float__"):
        to.c[0] = float(value)
        return None
    if signal:
        if not isinstance(value, (tuple, list)):
            raise TypeError(f"a signal is a number, or up to 4 Taylor coefficients, and not {value!r}")
        c = [float(part) for part in value]
        if not 1 <= len(c) <= 4:
            raise ValueError(f"a signal has 1 to 4 Taylor coefficients, and not {len(c)}")
        for k, part in enumerate(c):
            to.c[k] = part
        return None
    made = ffi.gc(lib.g_variant_ref_sink(variant_of(value)), lib.g_variant_unref)
    to.payload = made
    return made


# Steered


class Snapshot:
    """All of a simulation as it was at `time`, in memory; it can be put back any number of times, into its own simulation."""

    __slots__ = ("time", "_handle")

    def __init__(self, time: float, handle: Handle) -> None:
        self.time = time
        self._handle = handle

    def __repr__(self) -> str:
        return f"<Snapshot at t = {self.time!r}>"


class Lever:
    """A source that is moved by hand: where it is, may go (`lower`, `upper`, so much a second by `rate`) and is going (`target`).
    `kind`: "setting", "outside" or "malfunction"."""

    __slots__ = ("path", "doc", "unit", "kind", "value", "lower", "upper", "rate", "target")

    def __init__(self, found: Any) -> None:
        self.path, self.doc, self.unit = text(found.path), text_or_none(found.doc), text_or_none(found.unit)
        self.kind = ("setting", "outside", "malfunction")[found.kind]
        self.value, self.lower, self.upper, self.rate = found.value, found.lower, found.upper, found.rate
        self.target = found.target

    def __repr__(self) -> str:
        return f"<Lever {self.path} = {self.value!r}{' ' + self.unit if self.unit else ''}, {self.lower!r} .. {self.upper!r}>"


class Turn:
    """A simulation does one thing at a time, for whoever asks first: `with turn:`."""

    __slots__ = ("lock",)

    def __init__(self) -> None:
        self.lock = _thread.allocate_lock()

    def __enter__(self) -> None:
        if not self.lock.acquire(False):
            raise UsageError("a simulation is one thread's at a time, and another one is at work in it")

    def __exit__(self, *why: object) -> None:
        self.lock.release()


class Simulation:
    """A run whose end is open. It stands at the time `time`, with all events up to there done."""

    __slots__ = ("model", "_handle", "_sim", "_time", "_lock", "__weakref__")

    def __init__(self, model: Loaded, settings: Settings) -> None:
        self.model = model
        self._handle = new_run(model, settings)
        self._sim = lib.hy_run_sim(self._handle.what)
        self._time = lib.hy_run_start(self._handle.what)
        self._lock = Turn()
        self._call(lib.hy_sim_init, self._time)
        self.run(self._time)

    def _call(self, function: Any, *arguments: Any) -> Any:
        """One call that makes events happen."""
        failure, look = Failure(), Look()
        with self._lock:
            start_calls()
            lib.hy_run_set_progress(self._handle.what, WATCH_PROGRESS, look.watch)
            ok = function(self._sim, *arguments, failure.where)
            lib.hy_run_set_progress(self._handle.what, NULL, NULL)
        if ok:
            return ok
        interrupted = failure.where[0] != NULL and failure.where[0].code == INTERRUPTED
        error = blocks_error(self.model, failure.error(lib.hy_sim_time(self._sim)))
        if interrupted:
            self._time = lib.hy_sim_time(self._sim)
            raise look.raised or KeyboardInterrupt(str(error))
        raise error from cause_of()

    @property
    def time(self) -> float:
        return float(self._time)

    @property
    def next(self) -> float:
        """When something happens next, by itself; inf: never."""
        with self._lock:
            return float(lib.hy_sim_next(self._sim))

    @property
    def finished(self) -> str | None:
        """What has ended it, as a block `stop` does; None: nothing."""
        return text_or_none(lib.hy_sim_finished(self._sim))

    def run(self, until: Number) -> None:
        """To the time UNTIL; all events up to there, and at it, happen."""
        t = number(until, "until")
        if not t >= self._time:
            raise UsageError(f"the simulation stands at t = {self._time!r}, after {t!r}")
        self._call(lib.hy_sim_run, t)
        self._time = lib.hy_sim_time(self._sim) if self.finished is not None else t

    def step(self, until: Number = float("inf")) -> bool:
        """The next event, if it is not after UNTIL; False: there is none."""
        done = ffi.new("gboolean *")
        t = number(until, "until")
        self._call(lambda sim, error: lib.hy_sim_step(sim, t, done, error))
        if done[0]:
            self._time = lib.hy_sim_time(self._sim)
        return bool(done[0])

    def input(self, port: str, value: object) -> None:
        """VALUE at an input port of the model, from now on: a number, or (value, slope, ...); other things to a port of events."""
        model = lib.hy_loaded_model(self.model._handle.what)
        known = [taken(lib.hy_model_in_name(model, lib.HY_SELF, k)) for k in range(lib.hy_model_n_in(model, lib.HY_SELF))]
        if port not in known:
            raise KeyError(f"the model has no input {port!r}" + (f"; there are {', '.join(known)}" if known else ""))
        sent = ffi.new("HyValue *")
        held = fill_value(sent, value, isinstance(value, (tuple, list)) and all(isinstance(part, (int, float)) for part in value))
        self._call(lib.hy_sim_input, self._time, known.index(port), sent)
        del held
        self.run(self._time)

    def save(self) -> Snapshot:
        """All of it, in memory."""
        what = self._call(lib.hy_sim_save)
        return Snapshot(self._time, Handle(lib.OWNED_SNAPSHOT, what, self._handle))

    def load(self, snapshot: Snapshot) -> None:
        """It goes on from there, bit for bit as it did then."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"{snapshot!r} is no Snapshot of save(); files are for read()")
        self._call(lib.hy_sim_load, snapshot._handle.what)
        self._time = snapshot.time

    def write(self, file: str | os.PathLike[str]) -> None:
        """All of it into a file, in place of an old one once all is written; read() goes on from there in any process."""
        keep = Keep()
        name, stands = keep.text(name_of(file)), keep.text(f'"time":"{self._time!r}"')
        self._call(lambda sim, error: lib.hy_run_write_snapshot(self._handle.what, name, stands, error))

    def read(self, file: str | os.PathLike[str]) -> None:
        """It goes on, bit for bit, from where one of the same model with the same parameters was written. What does not fit
        changes nothing."""
        import json

        keep, extra = Keep(), ffi.new("char **")
        name = keep.text(name_of(file))
        self._call(lambda sim, error: lib.hy_run_read_snapshot(self._handle.what, name, lib.HY_READ_EXACT, extra, error))
        stands = json.loads("{" + taken(extra[0]) + "}").get("time")  # its last event was there or before
        self._time = lib.hy_sim_time(self._sim) if stands is None else float(stands)

    @property
    def levers(self) -> dict[str, Lever]:
        """What may be moved, by path, as it is now."""
        found = ffi.new("HyLever *")
        made = {}
        with self._lock:
            for k in range(lib.hy_sim_n_levers(self._sim)):
                if lib.hy_sim_lever_info(self._sim, k, found):
                    made[text(found.path)] = Lever(found)
        return made

    def set(self, path: str, value: Number, ramp: Number = 0.0) -> None:
        """From now on a lever goes to VALUE, within RAMP seconds on a straight line."""
        keep, failure, k = Keep(), Failure(), ffi.new("guint *")
        if not lib.hy_sim_lever(self._sim, keep.text(path), k, failure.where):
            raise KeyError(str(failure.error()))
        self._call(lib.hy_sim_set_lever, self._time, k[0], number(value, "value"), number(ramp, "ramp"))
        self.run(self._time)

    def __getitem__(self, path: str) -> float:
        """What a block says now, `block.x`: what its state is now, as a recording has them. NaN: it has said nothing yet."""
        atomic, port = self._output(path)
        c = ffi.new("double[4]")
        with self._lock:
            if port == lib.HY_STATE:
                return float(lib.hy_sim_value(self._sim, atomic, self._time))
            return float(c[0]) if lib.hy_sim_signal(self._sim, atomic, port, self._time, c) else float("nan")

    def _output(self, path: str) -> tuple[int, int]:
        """The atomic and port that PATH means."""
        failure, keep = Failure(), Keep()
        found = lib.hy_loaded_match(self.model._handle.what, keep.text(path), failure.where)
        if found == NULL:
            raise KeyError(str(failure.error()))
        try:
            at = ffi.cast("HySignalAt *", found.data)
            if found.len != 1 or at.component == lib.HY_SELF or at.input or lib.hy_model_class(at.model, at.component) == NULL:
                raise KeyError(f"{path!r} is no output of one block")
            return lib.hy_model_number(at.model, at.component), at.port
        finally:
            lib.g_array_unref(found)

    def __repr__(self) -> str:
        return f"<Simulation of {self.model.name} at t = {self._time!r}>"

    def __reduce__(self) -> Any:
        raise TypeError("a simulation is memory of the library and cannot be pickled")


# Told


class Told:
    """One event: at `time` the block `block` had its turn and said what stands in `says`, [(port, value)], which came `to`
    others, [(path, port, value, state)]; then its own state is `state`."""

    __slots__ = ("time", "block", "says", "to", "state")

    def __init__(self, time: float) -> None:
        self.time = time
        self.block = ""
        self.says: list[tuple[str, object]] = []
        self.to: list[tuple[str, str, object, str | None]] = []
        self.state: str | None = None

    def __repr__(self) -> str:
        says = "; ".join(f"{port} = {value!r}" for port, value in self.says)
        return f"<t = {self.time!r}: {self.block}{' says ' + says if says else ''}>"


class Listener:
    """Who hears the messages of a simulation on the tree."""

    def __init__(self) -> None:
        self.event: Told | None = None
        self.input: tuple[str, object] = ("", None)

    def hear(self, m: Any) -> None:
        if self.event is None:
            self.event = Told(m.t)
        if m.kind == lib.HY_MSG_STAR:
            self.event.block = text(m.path)
        elif m.kind == lib.HY_MSG_X:
            self.input = text(m.port), from_value(m.value)
        elif m.kind == lib.HY_MSG_Y and m.ran == lib.HY_RAN_LAMBDA:
            self.event.says.append((text(m.port), from_value(m.value)))
        elif m.kind == lib.HY_MSG_DONE and m.ran == lib.HY_RAN_DEXT:
            self.event.to.append((text(m.path), *self.input, text_or_none(m.state)))
        elif m.kind == lib.HY_MSG_DONE and m.ran == lib.HY_RAN_DINT:
            self.event.state = text_or_none(m.state)


def message_now(user: Any, message: Any) -> None:
    ffi.from_handle(user).hear(message)


ffi.def_extern("hydevs_message")(message_now)


def steps(model: Loaded, settings: Settings) -> Iterator[Told]:
    handle, listener, failure, done = new_run(model, settings), Listener(), Failure(), ffi.new("gboolean *")
    user = ffi.new_handle(listener)
    sim, end = lib.hy_run_sim(handle.what), lib.hy_run_stop(handle.what)
    start_calls()
    lib.trace_messages(sim, user)
    if not lib.hy_sim_init(sim, lib.hy_run_start(handle.what), failure.where):
        raise blocks_error(model, failure.error()) from cause_of()
    while True:
        listener.event = None
        start_calls()
        if not lib.hy_sim_step(sim, end, done, failure.where):
            raise blocks_error(model, failure.error(lib.hy_sim_time(sim))) from cause_of()
        if not done[0]:
            return
        if listener.event is not None:
            yield listener.event
