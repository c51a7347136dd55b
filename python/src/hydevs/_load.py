"""Models: a file, read and checked, with parameters and options."""
from __future__ import annotations

import os

from ._core import NULL, Handle, Keep, Look, Report, name_of, names, number, said, text, text_or_none, warn
from ._hydevs import ffi, lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Union

    from ._analyses import Bode, Mode, Steady
    from ._atomic import Atomic
    from ._core import Number, Progress
    from ._run import Run
    from ._simulation import Simulation, Told
    from ._sweep import Sweep, Values
    from ._table import Floats

    Names = Union[str, Iterable[str]]
    Value = Union[float, int, str, bool, Iterable[Union[float, int, str]]]


class Parameter:
    """A parameter of the model as it is in force: `name`, `value` (a number, a list of numbers or a text), `unit`, `doc`."""

    __slots__ = ("name", "value", "unit", "doc")

    def __init__(self, name: str, value: float | list[float] | str, unit: str | None, doc: str | None) -> None:
        self.name = name
        self.value = value
        self.unit = unit
        self.doc = doc

    def __repr__(self) -> str:
        return f"{self.name} = {self.value!r}" + (f" {self.unit}" if self.unit else "")


class Options:
    """All that a load is asked for; not changed once made."""

    __slots__ = ("set", "record", "measure", "experiment", "method", "grid", "audit", "tol", "dqrel", "dqmin", "hstep",
                 "library", "strict", "blocks", "fed")

    def __init__(self) -> None:
        self.set: dict[str, str] = {}
        self.record: list[str] = []
        self.measure: list[str] = []
        self.experiment: str | None = None
        self.method: str | None = None
        self.grid: str | None = None
        self.audit: str | None = None
        self.tol = self.dqrel = self.dqmin = self.hstep = 0.0
        self.library: list[str] = []
        self.strict = False
        self.blocks: Any = None
        self.fed = False

    def copy(self) -> Options:
        made = Options()
        for name in Options.__slots__:
            value = getattr(self, name)
            setattr(made, name, value.copy() if isinstance(value, (dict, list)) else value)
        return made

    def fill(self, keep: Keep, documents: Handle | None) -> Any:
        """As HyLoadOptions; KEEP has its texts."""
        o = ffi.new("HyLoadOptions *")
        o.experiment, o.method = keep.text(self.experiment), keep.text(self.method)
        o.grid, o.audit = keep.text(self.grid), keep.text(self.audit)
        o.set = keep.texts(f"{path}={value}" for path, value in self.set.items()) if self.set else NULL
        o.record = keep.texts(self.record) if self.record else NULL
        o.measure = keep.texts(self.measure) if self.measure else NULL
        o.library = keep.texts(self.library) if self.library else NULL
        o.dqrel, o.dqmin = self.dqrel or self.tol, self.dqmin or self.tol
        o.tol, o.hstep = self.tol, self.hstep
        o.formats = lib.hy_formats()
        o.blocks = NULL if self.blocks is None else self.blocks.handle.what
        o.strict, o.fed = self.strict, self.fed
        o.max_blocks = most_blocks()
        o.documents = NULL if documents is None else documents.what
        keep.kept.append(o)
        return o


def most_blocks() -> int:
    """As many as memory takes, a thousand bytes each."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE") // 1000
    return min(20_000_000, max(pages - pages % 100_000, 100_000))


def positive(value: Number | None, what: str) -> float:
    from ._errors import UsageError

    made = 0.0 if value is None else number(value, what)
    if value is not None and not 0.0 < made < float("inf"):
        raise UsageError(f"{what} = {value} must be above 0, and finite")
    return made


def measures(value: Names | Mapping[str, str] | None) -> list[str]:
    """{"vo": "mean(uC)"} or ["mean(uC)"] as the options of a load have them."""
    if value is not None and not isinstance(value, str) and hasattr(value, "items"):
        return [f"{name}={told}" for name, told in value.items()]
    return names(value)


class Loaded:
    """A model, read and checked; runs do not change it. `load()` makes one, `with_()` another one with more set."""

    __slots__ = ("file", "_options", "_documents", "_handle", "warnings", "__weakref__")

    def __init__(self, file: str, options: Options, documents: Handle) -> None:
        self.file = file
        self._options = options
        self._documents = documents
        keep, report = Keep(), Report(options.strict)
        what = lib.hy_load_file(keep.text(file), options.fill(keep, documents), report.what)
        if what == NULL:
            raise report.error()
        self._handle = Handle(lib.OWNED_LOADED, what, None if options.blocks is None else options.blocks.handle)
        self.warnings = report.messages()

    @property
    def name(self) -> str:
        return text(lib.hy_model_name(lib.hy_loaded_model(self._handle.what)))

    @property
    def title(self) -> str | None:
        """The label of its experiment."""
        return text_or_none(lib.hy_loaded_experiment(self._handle.what).label)

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Those of the model itself, as they are in force."""
        found = {}
        for k in range(lib.hy_loaded_n_parameters(self._handle.what)):
            p = lib.hy_loaded_parameter(self._handle.what, k)
            value: float | list[float] | str
            value = text(p.text) if p.text != NULL else [p.numbers[i] for i in range(p.n)] if p.array else p.numbers[0]
            found[text(p.name)] = Parameter(text(p.name), value, text_or_none(p.unit), text_or_none(p.doc))
        return found

    @property
    def experiments(self) -> list[str]:
        """The names of the experiments of the file; one without a name is ""."""
        found = lib.hy_loaded_experiments(self._handle.what)
        made: list[str] = []
        while found[len(made)] != NULL:
            made.append(text(found[len(made)]))
        return made

    def with_(self, *, set: Mapping[str, Value] | None = None, record: Names | None = None,
              measure: Names | Mapping[str, str] | None = None, experiment: str | None = None, method: str | None = None,
              tol: Number | None = None, dqrel: Number | None = None, dqmin: Number | None = None, hstep: Number | None = None,
              grid: Number | None = None, audit: str | None = None, strict: bool | None = None, **parameters: Value) -> Loaded:
        """This model with more set; files are taken as they were when it was read first. What `record` and `measure` name is
        added to what they named before."""
        o = self._options.copy()
        for path, value in {**parameters, **(set or {})}.items():
            o.set[path] = said(value)
        o.record += names(record)
        o.measure += measures(measure)
        for name, word in (("experiment", experiment), ("method", method), ("audit", audit)):
            if word is not None:
                setattr(o, name, word)
        for name, v in (("tol", tol), ("dqrel", dqrel), ("dqmin", dqmin), ("hstep", hstep)):
            if v is not None:
                setattr(o, name, positive(v, name))
        o.grid = o.grid if grid is None else said(grid)
        o.strict = o.strict if strict is None else strict
        return Loaded(self.file, o, self._documents)

    def run(self, *, stop: Number | None = None, method: str | None = None, tol: Number | None = None, engine: str | None = None,
            seed: int | None = None, record: Names | None = None, measure: Names | Mapping[str, str] | None = None,
            grid: Number | None = None, experiment: str | None = None, partition: str | None = None, limit: int | None = None,
            dqrel: Number | None = None, dqmin: Number | None = None, hstep: Number | None = None, audit: str | None = None,
            files: Names | None = None, progress: Progress | None = None) -> Run:
        """One run, up to `stop`. What is not said is as the experiment of the file says; `method` to `hstep` are those of
        `with_()`. `files`: names of recordings to be written, too, as by `hydevs run -o`. `progress(t, events)` is called every
        few milliseconds, and stops the run with False."""
        from ._run import Settings, go

        asked: dict[str, Any] = {"method": method, "tol": tol, "record": record, "measure": measure, "grid": grid, "experiment":
                                 experiment, "dqrel": dqrel, "dqmin": dqmin, "hstep": hstep, "audit": audit}
        asked = {name: value for name, value in asked.items() if value is not None}
        model = self.with_(**asked) if asked else self
        if model is not self:
            warn([m for m in model.warnings if m.text not in {known.text for known in self.warnings}])
        return go(model, Settings(stop, engine, partition, seed, limit), names(files), progress)

    def sweep(self, *, set: Mapping[str, Values] | None = None, random: Mapping[str, str] | None = None, n: int | None = None,
              measure: Names | Mapping[str, str] | None = None, together: bool = False, sampling: str | None = None,
              corners: str | None = None, plan: str | None = None, sweep: str | None = None, stop: Number | None = None,
              engine: str | None = None, seed: int | None = None, limit_events: int | None = None, limit_time: float | None = None,
              rows: range | None = None, threads: int = 0, out: str | None = None, fresh: bool = False,
              progress: Callable[[int, int], object] | None = None, **vary: Values) -> Sweep:
        """Many runs, on the threads of the library; what is said here is as `hydevs sweep` has it. `R=linspace(5, 20, 100)`,
        a list, or "5:20:100": all combinations, unless `together`; `random={"L": "normal 10m 5%"}` with `n` draws; `plan` and `out`
        are files. `rows=range(100, 200)`: these alone, here. `progress(done, of)` may return False."""
        from ._run import Settings
        from ._sweep import Asked, Sweep, all_rows, new_plan, some_rows

        words = {"sweep": sweep, "sampling": sampling, "file": plan, "corners": corners, "together": together, "n": n,
                 "limit_events": limit_events, "limit_time": limit_time}
        settings = Settings(stop, engine, None, seed, None)
        asked = Asked(self, settings, {**vary, **(set or {})}, random or {}, measures(measure), words)
        made = new_plan(self, asked)
        if rows is not None:
            return Sweep(self, made, asked, some_rows(made, rows), None)
        done, handle = all_rows(made, asked, threads, out, fresh, Look(progress))  # type: ignore[arg-type]
        return Sweep(self, made, asked, done, handle)

    def start(self, *, stop: Number | None = None, engine: str | None = None, seed: int | None = None, limit: int | None = None,
              partition: str | None = None, from_: str | os.PathLike[str] | None = None) -> Simulation:
        """A simulation that is steered: run(until), step(), input(), save() and load(), write() and read(). `from_`: a file of
        write(), from which it goes on."""
        from ._run import Settings
        from ._simulation import Simulation

        root = lib.hy_loaded_model(self._handle.what)
        model = self
        if lib.hy_model_n_in(root, lib.HY_SELF) > 0 and not self._options.fed:
            o = self._options.copy()
            o.fed = True
            model = Loaded(self.file, o, self._documents)
        made = Simulation(model, Settings(1e308 if stop is None else stop, engine, partition, seed, limit))
        if from_ is not None:
            made.read(from_)
        return made

    def steps(self, *, until: Number | None = None, seed: int | None = None, limit: int | None = None) -> Iterator[Told]:
        """One event after the other, as `hydevs step` tells them, on the tree."""
        from ._run import Settings
        from ._simulation import steps

        return steps(self, Settings(until, "tree", None, seed, limit))

    def steady(self, *, period: Number | None = None, harmonics: int = 0) -> Steady:
        """The periodic steady state, as `hydevs steady` finds it."""
        from ._analyses import precise, steady

        return steady(precise(self), period, harmonics)

    def bode(self, source: str, output: str, *, loop: bool = False, low: Number | None = None, high: Number | None = None,
             points: int = 400, period: Number | None = None) -> Bode:
        """How OUTPUT answers where SOURCE (a parameter, a source, a state) oscillates; `loop`: the gain of a loop."""
        from ._analyses import bode

        return bode(self, source, output, loop, low, high, points, period)

    def modes(self, at: Number | None = None) -> tuple[list[Mode], list[str], Floats]:
        """At an instant: the eigenvalues, the fastest first; the states; the Jacobian."""
        from ._analyses import modes
        from ._run import Settings

        return modes(self, Settings(1e308, None, None, None, None), at)

    def export_fmu(self, file: str, *, stop: Number | None = None, seed: int | None = None) -> None:
        """The model as a unit (FMU) of FMI 3.0 for co-simulation."""
        from ._analyses import export_fmu
        from ._run import Settings

        export_fmu(self, name_of(file), Settings(stop, None, None, seed, None))

    def _like(self, handle: Handle, set: Mapping[str, str]) -> Loaded:
        """What has been loaded already, with these parameters."""
        made = Loaded.__new__(Loaded)
        made.file, made._documents, made._handle, made.warnings = self.file, self._documents, handle, ()
        made._options = self._options.copy()
        made._options.set.update(set)
        return made

    def __repr__(self) -> str:
        changed = "".join(f", {path}={value}" for path, value in self._options.set.items())
        return f"<Loaded {self.name} of {self.file}{changed}>"

    def __reduce__(self) -> Any:
        raise TypeError("a model is memory of the library and cannot be pickled; send the name of its file and load() it there")


def documents_with(file: str, text: str | None) -> Handle:
    """Files as they are when they are first read; FILE has this text, if there is one."""
    documents, report, keep = Handle(lib.OWNED_DOCUMENTS, lib.hy_documents_new()), Report(), Keep()
    if text is not None:
        if not isinstance(text, str):
            raise TypeError(f"text= is the model as a text, and not {type(text).__name__}")
        told = text.encode()
        if not lib.hy_documents_add(documents.what, keep.text(file), told, len(told), lib.hy_formats(), report.what):
            raise report.error()
    return documents


def load(file: str | os.PathLike[str], *, set: Mapping[str, Value] | None = None, record: Names | None = None,
         measure: Names | Mapping[str, str] | None = None, experiment: str | None = None, method: str | None = None,
         tol: Number | None = None, dqrel: Number | None = None, dqmin: Number | None = None, hstep: Number | None = None,
         grid: Number | None = None, audit: str | None = None, library: Names | None = None, strict: bool = False,
         blocks: Iterable[type[Atomic]] | None = None, text: str | None = None, **parameters: Value) -> Loaded:
    """Reads and checks a model file (XML, or another format that hydevs reads). Parameters may be numbers or text as in the
    file ("20k"); those whose names are no identifiers, or are taken here, go into `set`: {"stage[2].L1": "120u"}.
    `blocks`: classes of hydevs.Atomic that it may place. `text`: the model itself; `file` is then its name in messages. ModelError has all that is wrong."""
    o = Options()
    for path, value in {**parameters, **(set or {})}.items():
        o.set[path] = said(value)
    o.record, o.measure, o.library = names(record), measures(measure), names(library)
    o.experiment, o.method, o.audit, o.strict = experiment, method, audit, strict
    o.tol, o.dqrel = positive(tol, "tol"), positive(dqrel, "dqrel")
    o.dqmin, o.hstep = positive(dqmin, "dqmin"), positive(hstep, "hstep")
    o.grid = None if grid is None else said(grid)
    if blocks is not None:
        from ._atomic import Blocks

        o.blocks = Blocks(blocks)
    model = Loaded(name_of(file), o, documents_with(name_of(file), text))
    warn(model.warnings)
    return model


__all__ = ["Loaded", "Parameter", "load"]
