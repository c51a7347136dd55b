"""Atomic models in Python, for teaching and glue: a class each, placed by model files like any other block.

Every event costs two to four calls into Python, so what has to be fast is written in C or as formulas.
"""
from __future__ import annotations

import itertools
import pickle

from ._core import NULL, Failure, Handle, Keep, raised_here, text
from ._errors import UsageError
from ._hydevs import ffi, lib
from ._simulation import fill_value, from_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Union

    Ports = Union["Port", Iterable["Port"]]


class Port:
    """An input or output of an atomic: `name`, and `kind`, "event" or "signal"."""

    __slots__ = ("name", "kind", "optional")

    def __init__(self, name: str, kind: str = "event", optional: bool = False) -> None:
        self.name, self.kind, self.optional = name, kind, optional

    def __repr__(self) -> str:
        return f"<Port {self.name}: {self.kind}>"


def events(*names: str, optional: bool = False) -> tuple[Port, ...]:
    """Ports at which events come or go."""
    return tuple(Port(name, "event", optional) for name in names)


def signal(*names: str, optional: bool = False) -> tuple[Port, ...]:
    """Ports of signals: what is said holds until the next word. A number, or (value, slope, ...): Taylor coefficients."""
    return tuple(Port(name, "signal", optional) for name in names)


class Atomic:
    """An atomic DEVS model (X, S, Y, dint, dext, lambda, ta). A subclass states `inputs`, `outputs`, perhaps `parameters` with
    their defaults, and its functions, in the letters below or by the names that PythonPDEVS has:

    start(t)                        once, at the beginning
    advance()             ta        how long it stays; by itself what `sigma` says     timeAdvance()
    output(t)             lambda    what it says as its time comes: ("port", value), several, or None   outputFnc()
    internal(t)           dint      then it moves                                      intTransition()
    external(t, e, port, value)  dext   what comes, e after its last transition        extTransition({port: [value]})

    It is called as its class is in lower case (or `type` says), `<tally in="customers"/>`."""

    inputs: Ports = ()
    outputs: Ports = ()
    parameters: dict[str, Any] = {}
    type: str | None = None
    sigma: float = float("inf")
    elapsed: float = 0.0
    state: Any = None

    def __init__(self, name: str = "") -> None:
        self.name = name

    # the names of PythonPDEVS

    def addInPort(self, name: str) -> Port:
        port = Port(name)
        self.inputs = (*ports_of(self.inputs), port)
        return port

    def addOutPort(self, name: str) -> Port:
        port = Port(name)
        self.outputs = (*ports_of(self.outputs), port)
        return port

    def timeAdvance(self) -> float:
        return self.sigma

    def outputFnc(self) -> Any:
        return None

    def intTransition(self) -> Any:
        return self.state

    def extTransition(self, inputs: Any) -> Any:
        return self.state

    # the textbooks'

    def start(self, t: float) -> None:
        pass

    def advance(self) -> float:
        return self.timeAdvance()

    def output(self, t: float) -> Any:
        return self.outputFnc()

    def internal(self, t: float) -> None:
        if type(self).intTransition is not Atomic.intTransition:
            self.state = self.intTransition()
        else:
            self.sigma = float("inf")

    def external(self, t: float, e: float, port: str, value: Any) -> None:
        if type(self).extTransition is not Atomic.extTransition:
            self.elapsed = e
            known = next(p for p in ports_of(self.inputs) if p.name == port)
            self.state = self.extTransition({known: [value]})
        elif self.sigma < float("inf"):
            self.sigma -= e

    def show(self) -> str:
        """The state, for traces."""
        return ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if k != "name" and k[0] != "_" and not isinstance(v, (Port, tuple)))


def ports_of(ports: Ports) -> tuple[Port, ...]:
    found: list[Port] = []
    if isinstance(ports, str) or not hasattr(ports, "__iter__") and not isinstance(ports, Port):
        raise UsageError(f"inputs and outputs are made by hydevs.events() and hydevs.signal(), and {ports!r} is not")
    for port in (ports,) if isinstance(ports, Port) else ports:
        found += (port,) if isinstance(port, Port) else ports_of(port)
    return tuple(found)


# What the library knows of a class: made once, and kept as long as the process, since simulations have its address.


class Table:
    """The class table of one Python class."""

    __slots__ = ("of", "inputs", "outputs", "names", "defaults", "kept", "what")

    def __init__(self, of: type[Atomic], name: str) -> None:
        trial = of(name)
        self.of, self.kept = of, Keep()
        self.inputs, self.outputs = ports_of(trial.inputs), ports_of(trial.outputs)
        self.names, self.defaults = list(of.parameters), dict(of.parameters)
        self.what = lib.python_class_new()
        self.what.name = self.kept.text(name)
        self.what.doc = self.kept.text((of.__doc__ or "a block in Python").strip().split("\n")[0])
        self.what.palette = self.kept.text("Python")
        setattr(self.what, "in", self._ports(self.inputs))
        self.what.out = self._ports(self.outputs)
        self.what.params = self._params()
        self.what.state_size = ffi.sizeof("PythonState") + 8 * len(self.names)
        if not self.inputs:
            self.what.dext = NULL

    def _ports(self, ports: tuple[Port, ...]) -> Any:
        made = ffi.new("HyPort[]", len(ports) + 1)
        self.kept.kept.append(made)
        for k, port in enumerate(ports):
            made[k].name, made[k].optional = self.kept.text(port.name), port.optional
            made[k].kind = lib.HY_SIGNAL if port.kind == "signal" else lib.HY_EVENT
        return made

    def _params(self) -> Any:
        made = ffi.new("HyParam[]", len(self.names) + 1)
        self.kept.kept.append(made)
        for k, name in enumerate(self.names):
            value, p = self.defaults[name], made[k]
            p.name, p.offset = self.kept.text(name), ffi.sizeof("PythonState") + 8 * k
            if isinstance(value, str):
                p.kind, p.text = lib.HY_TEXT, self.kept.text(value)
            elif isinstance(value, bool):
                p.kind, p.value = lib.HY_BOOLEAN, value
            elif isinstance(value, int):
                p.kind, p.value = lib.HY_INTEGER, value
            elif isinstance(value, float):
                p.kind, p.value = lib.HY_REAL, value
            else:
                raise UsageError(f"{self.of.__name__}: parameter {name} = {value!r} is no number, truth or text")
        return made

    def read(self, state: Any) -> dict[str, Any]:
        """The parameters as they stand in a state."""
        at, found = ffi.cast("char *", state) + ffi.sizeof("PythonState"), {}
        for k, name in enumerate(self.names):
            kind = self.what.params[k].kind
            word = {lib.HY_TEXT: "const char **", lib.HY_BOOLEAN: "gboolean *", lib.HY_INTEGER: "gint64 *"}.get(kind, "double *")
            value = ffi.cast(word, at + 8 * k)[0]
            found[name] = text(value) if kind == lib.HY_TEXT else bool(value) if kind == lib.HY_BOOLEAN else value
        return found


TABLES: dict[type[Atomic], Table] = {}
BY_ADDRESS: dict[int, Table] = {}


def table_for(of: type[Atomic]) -> Table:
    if not (isinstance(of, type) and issubclass(of, Atomic)):
        raise UsageError(f"{of!r} is no class of hydevs.Atomic")
    if of not in TABLES:
        made = TABLES[of] = Table(of, of.type or of.__name__.lower())
        BY_ADDRESS[int(ffi.cast("intptr_t", made.what))] = made
    return TABLES[of]


class Blocks:
    """Classes that models may place, beside the built-in ones."""

    __slots__ = ("handle", "classes")

    def __init__(self, classes: Iterable[type[Atomic]]) -> None:
        self.classes = tuple(classes)
        self.handle = Handle(lib.OWNED_BLOCKS, lib.hy_blocks_new())
        for of in self.classes:
            failure = Failure()
            if not lib.hy_blocks_add(self.handle.what, table_for(of).what, failure.where):
                raise UsageError(f"{failure.error()}; {of.__name__} has another by `type = \"my_{of.__name__.lower()}\"`")


# One block of a simulation


class Living:
    """One block: its object, words that wait to be said, and what it has raised."""

    __slots__ = ("table", "atomic", "words", "moved", "raised", "held")

    def __init__(self, table: Table, atomic: Atomic) -> None:
        self.table, self.atomic = table, atomic
        self.words: list[tuple[int, object]] = []
        self.moved = False  # and words are left
        self.raised: BaseException | None = None
        self.held: Any = None


LIVING: dict[int, Living] = {}
NUMBERS = itertools.count(1)


def living(state: Any) -> Living:
    return LIVING[ffi.cast("PythonState *", state).key]


def words_of(table: Table, said: Any) -> list[tuple[int, object]]:
    """What output() returns: ("port", value), a list of these, {port: value} or {port: [values]}, None."""
    if said is None:
        return []
    if isinstance(said, dict):
        pairs = [(port, v) for port, values in said.items() for v in (values if isinstance(values, list) else [values])]
    elif isinstance(said, tuple) and len(said) == 2 and isinstance(said[0], (str, Port)):
        pairs = [(said[0], said[1])]
    elif isinstance(said, list):
        pairs = said
    else:
        raise TypeError(f"output() returned {said!r}: (\"port\", value), a list of these, a dict or None")
    found = []
    for port, value in pairs:
        name = port.name if isinstance(port, Port) else port
        numbers = [k for k, known in enumerate(table.outputs) if known.name == name]
        if not numbers:
            raise ValueError(f"output() says {value!r} at {name!r}; there are {', '.join(p.name for p in table.outputs) or 'no outputs'}")
        found.append((numbers[0], value))
    return found


def init(state: Any, t: float, setup: Any, error: Any) -> int:
    table = BY_ADDRESS[int(ffi.cast("intptr_t", setup.klass))]
    made = Living(table, table.of(table.of.type or table.of.__name__.lower()))
    key = ffi.cast("PythonState *", state).key = next(NUMBERS)
    LIVING[key] = made
    for name, value in table.read(state).items():
        setattr(made.atomic, name, value)
    made.atomic.start(t)
    return 1


def init_raised(kind: Any, value: BaseException, trace: Any) -> int:
    raised_here(value)
    lib.python_refuse(trace.tb_frame.f_locals["error"], f"{type(value).__name__}: {value}".encode())
    return 0


def clear(state: Any) -> None:
    LIVING.pop(ffi.cast("PythonState *", state).key, None)


def advance(state: Any) -> float:
    l = living(state)
    if l.raised is not None:
        return float("nan")
    return 0.0 if l.words else float(l.atomic.advance())


def speak(state: Any, t: float, event: Any) -> None:
    l = living(state)
    if l.raised is None:
        if not l.words:
            l.words = words_of(l.table, l.atomic.output(t)) or [(-1, None)]
        port, value = l.words[0]
        if port >= 0:
            l.held = fill_value(ffi.addressof(event, "value"), value, l.table.outputs[port].kind == "signal")
        event.port = port


def internal(state: Any, t: float) -> None:
    """The first word has been said: it moves. Others that wait are said at once, one by one."""
    l = living(state)
    if l.raised is None:
        l.words.pop(0)
        if not l.moved:
            l.atomic.internal(t)
        l.moved = bool(l.words)


def external(state: Any, t: float, e: float, event: Any) -> None:
    l = living(state)
    if l.raised is None:
        l.atomic.external(t, e, l.table.inputs[event.port].name, from_value(event.value))


def show(state: Any, out: Any) -> None:
    lib.g_string_append(out, living(state).atomic.show().encode())


def fault(state: Any) -> Any:
    raised = living(state).raised
    said = "its time to the next event is not a number" if raised is None else f"{type(raised).__name__}: {raised}"
    return lib.g_strdup(said.encode())


def freeze(state: Any) -> None:
    """All that it remembers goes to state->bytes."""
    l = living(state)
    told = pickle.dumps((l.atomic.__dict__, l.words, l.moved))
    s = ffi.cast("PythonState *", state)
    lib.g_free(s.bytes)
    s.bytes, s.n = lib.g_malloc(len(told)), len(told)
    ffi.memmove(s.bytes, told, len(told))


def thaw(state: Any) -> None:
    s, l = ffi.cast("PythonState *", state), living(state)
    remembered, l.words, l.moved = pickle.loads(bytes(ffi.buffer(s.bytes, s.n)))
    l.atomic.__dict__.clear()
    l.atomic.__dict__.update(remembered)
    l.raised = None


def keeps(kind: Any, value: BaseException, trace: Any) -> None:
    """What a function of a block has raised ends the run as its next instant is asked for."""
    raised_here(value)
    found = LIVING.get(ffi.cast("PythonState *", trace.tb_frame.f_locals["state"]).key)
    if found is not None:
        found.raised = value


def not_frozen(kind: Any, value: BaseException, trace: Any) -> None:
    raised_here(value)
    s = ffi.cast("PythonState *", trace.tb_frame.f_locals["state"])
    lib.g_free(s.bytes)
    s.bytes, s.n = NULL, 0


def define() -> None:
    def_extern: Callable[..., Any] = ffi.def_extern
    def_extern("hydevs_atomic_init", error=0, onerror=init_raised)(init)
    def_extern("hydevs_atomic_clear")(clear)
    def_extern("hydevs_atomic_ta", error=float("nan"), onerror=keeps)(advance)
    def_extern("hydevs_atomic_lambda", onerror=keeps)(speak)
    def_extern("hydevs_atomic_dint", onerror=keeps)(internal)
    def_extern("hydevs_atomic_dext", onerror=keeps)(external)
    def_extern("hydevs_atomic_print", onerror=keeps)(show)
    def_extern("hydevs_atomic_fault", error=NULL, onerror=keeps)(fault)
    def_extern("hydevs_atomic_freeze", onerror=not_frozen)(freeze)
    def_extern("hydevs_atomic_thaw", onerror=keeps)(thaw)


define()
