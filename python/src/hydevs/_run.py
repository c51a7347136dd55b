"""Runs: one simulation from start to stop, with what it has recorded and measured."""
from __future__ import annotations

from ._core import NULL, WATCH_PROGRESS, Failure, Handle, Keep, Look, Report, cause_of, collected, number, said, start_calls, taken, text, text_or_none, warn, whole
from ._errors import INTERRUPTED, Error, Message, ModelError, RunError, UsageError
from ._hydevs import ffi, lib
from ._table import Table, table_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._core import Number, Progress
    from ._load import Loaded
    from ._plot import Plot
    from ._table import Floats


class Settings:
    """What one run is asked for; None: as the experiment says."""

    __slots__ = ("stop", "engine", "partition", "seed", "limit")

    def __init__(self, stop: Number | None, engine: str | None, partition: str | None, seed: int | None, limit: int | None) -> None:
        self.stop = float("nan") if stop is None else number(stop, "stop")
        self.engine, self.partition = engine, partition
        self.seed, self.limit = whole(seed, "seed"), whole(limit, "limit")
        if stop is not None and self.stop != self.stop:  # the library takes that for what nobody has said
            raise UsageError(f"stop={stop!r} is not a time")

    def fill(self, keep: Keep) -> Any:
        s = ffi.new("HyRunSettings *")
        lib.settings_init(s)
        s.stop = self.stop
        if self.engine is not None:
            s.engine = keep.text(self.engine)
        if self.partition is not None:
            s.partition = keep.text(self.partition)
        if self.seed is not None:
            s.seed = self.seed
        if self.limit is not None:
            s.limit = self.limit
        return s


def blocks_error(model: Loaded, error: Error) -> Error:
    """Where blocks could not start, all that could not, with their places in the file."""
    report = Report()
    if isinstance(error, ModelError):
        lib.hy_report_blocks(report.what, model._handle.what)
    return report.error() if report.errors() else error


def new_run(model: Loaded, settings: Settings) -> Handle:
    """A simulation that has not begun."""
    keep, failure = Keep(), Failure()
    what = lib.hy_run_new(model._handle.what, settings.fill(keep), failure.where)
    if what == NULL:
        raise blocks_error(model, failure.error())
    return Handle(lib.OWNED_RUN, what, model._handle)


def run_warnings(what: Any) -> tuple[Message, ...]:
    report = Report()
    for tell in (lib.hy_report_groups, lib.hy_report_options, lib.hy_report_inputs, lib.hy_report_run, lib.hy_report_audit):
        tell(report.what, what)
    return report.messages()


def go(model: Loaded, settings: Settings, files: list[str], progress: Progress | None) -> Run:
    """From the start to the stop. What it raises has the run so far, with its tables, as `result`."""
    handle, failure, keep, look = new_run(model, settings), Failure(), Keep(), Look(progress)
    what = handle.what
    recorded = lib.hy_run_record_both(what, keep.texts(files), failure.where) if files else lib.hy_run_record(what, failure.where)
    if not recorded:
        raise failure.error()
    lib.hy_run_set_progress(what, WATCH_PROGRESS, look.watch)
    start_calls()
    ok = lib.hy_run_go(what, failure.where)
    lib.hy_run_set_progress(what, NULL, NULL)
    run = Run(model, settings, handle)
    finished = lib.hy_sim_finished(lib.hy_run_sim(what)) != NULL
    run.end = lib.hy_run_stop(what) if ok and not finished else lib.hy_sim_time(lib.hy_run_sim(what))
    if not ok:
        raise ended(run, failure, look) from cause_of()
    run.warnings = run_warnings(what)
    warn(run.warnings)
    return run


def ended(run: Run, failure: Failure, look: Look) -> BaseException:
    """Why a run has not come to its end."""
    interrupted = failure.where[0].code == INTERRUPTED
    error = blocks_error(run.model, failure.error(run.end, run))
    if look.raised is not None:  # KeyboardInterrupt, or what a handler of a signal or `progress` has raised
        raised: Any = look.raised
        raised.result = run
        return look.raised
    if interrupted and look.progress is None:
        return KeyboardInterrupt(str(error))
    return error


class Run:
    """One run that has ended, at the time `end`: its stop, unless a block has ended it or it has failed. `run["uC"]` is a column of
    its first table as a NumPy array, `run["time"]` its instants. `warnings`: what smells in it."""

    __slots__ = ("model", "end", "warnings", "_settings", "_handle", "_tables", "__weakref__")

    def __init__(self, model: Loaded, settings: Settings | None, handle: Handle) -> None:
        self.model = model
        self.end = float("nan")
        self.warnings: tuple[Message, ...] = ()
        self._settings = settings
        self._handle = handle
        self._tables: tuple[Table, ...] | None = None

    @property
    def tables(self) -> tuple[Table, ...]:
        """One for each grid that is asked for; mostly one."""
        if self._tables is None:
            made: list[Table] = []
            while True:
                recorder = lib.hy_run_kept(self._handle.what, len(made))
                if recorder == NULL:
                    break
                made.append(table_of(self._handle, recorder))
            self._tables = tuple(made)
        return self._tables

    @property
    def table(self) -> Table:
        """The first of them."""
        if not self.tables:
            raise UsageError("nothing is recorded; name a port: run(record=\"...\")")
        return self.tables[0]

    def __getitem__(self, name: str) -> Floats:
        for k, other in enumerate(self.tables[1:], 1):
            if name in other and name not in self.table:
                raise KeyError(f"{name!r} stands in tables[{k}], whose rows have instants of their own")
        return self.table[name]

    @property
    def start(self) -> float:
        return float(lib.hy_run_start(self._handle.what))

    @property
    def finished(self) -> str | None:
        """What has ended it before its stop, as a block `stop` does; None: nothing."""
        return text_or_none(lib.hy_sim_finished(lib.hy_run_sim(self._handle.what)))

    @property
    def engine(self) -> str:
        return text(lib.hy_engine_name(lib.hy_run_engine(self._handle.what)))

    @property
    def method(self) -> str | None:
        """"mliqss2, chosen for you: WHY", where nobody has stated one; None: all are stated."""
        return taken(lib.hy_run_chosen(self._handle.what)) or None

    @property
    def events(self) -> int:
        totals = ffi.new("HyTotals *")
        lib.hy_sim_totals(lib.hy_run_sim(self._handle.what), totals)
        return int(totals.cycles)

    @property
    def stats(self) -> dict[str, Any]:
        """What it has cost, as `hydevs run --stats=json` has it."""
        import json

        found: dict[str, Any] = json.loads(collected(lambda out: lib.hy_run_stats_json(self._handle.what, NULL, out)))
        return found

    @property
    def audit(self) -> str | None:
        """What its audit says, in a line; None: it was off."""
        return taken(lib.hy_run_audit_text(self._handle.what)) or None

    @property
    def measures(self) -> dict[str, float]:
        """What was to be measured: those of the experiment and of `measure=`. NaN: there is none, `measure_why()` says why."""
        what = self._handle.what
        n = lib.hy_run_n_measures(what)
        return {text(lib.hy_run_measure_name(what, k)): lib.hy_run_measure_value(what, k) for k in range(n)}

    def measure_why(self, name: str) -> str | None:
        what = self._handle.what
        for k in range(lib.hy_run_n_measures(what)):
            if text(lib.hy_run_measure_name(what, k)) == name:
                return text_or_none(lib.hy_run_measure_why(what, k))
        raise KeyError(name)

    # Measures that nobody asked for before: of a second run, which is the same, with the measure

    def measure(self, told: str) -> float:
        """What a measure says: measure("mean(uC*iL, 5m)"). Of pieces, so it needs a run of its own: state in `run(measure=...)` what
        is wanted of long ones. NaN, with a warning: there is none."""
        known = self.measures
        if told in known:
            return known[told]
        if self._settings is None:
            raise UsageError("ask for measures of a sweep by sweep(measure=...)")
        again = new_run(self.model.with_(measure="asked=" + told), self._settings)
        failure, look = Failure(), Look()
        lib.hy_run_record(again.what, failure.where)  # as before, so that it has the same bits
        lib.hy_run_set_progress(again.what, WATCH_PROGRESS, look.watch)
        start_calls()
        if not lib.hy_run_go(again.what, failure.where):
            again_run = Run(self.model, self._settings, again)
            error = ended(again_run, failure, look)
            if not isinstance(error, RunError) or again_run.measures["asked"] != again_run.measures["asked"]:
                raise error from cause_of()
        k = lib.hy_run_n_measures(again.what) - 1
        why = lib.hy_run_measure_why(again.what, k)
        if why != NULL:
            warn([Message("", 0, text(why), True)])
        return float(lib.hy_run_measure_value(again.what, k))

    def _of(self, what: str, x: str, *more: Number | None) -> float:
        return self.measure(f"{what}({', '.join([x, *(said(part) for part in more if part is not None)])})")

    def final(self, x: str) -> float:
        return self._of("final", x)

    def mean(self, x: str, window: Number | None = None) -> float:
        """Over the last WINDOW seconds, or "1m..2m"; None: the whole run."""
        return self._of("mean", x, window)

    def rms(self, x: str, window: Number | None = None) -> float:
        return self._of("rms", x, window)

    def min(self, x: str, window: Number | None = None) -> float:
        return self._of("min", x, window)

    def max(self, x: str, window: Number | None = None) -> float:
        return self._of("max", x, window)

    def peak(self, x: str, window: Number | None = None) -> float:
        return self._of("peak", x, window)

    def ripple(self, x: str, window: Number | None = None) -> float:
        return self._of("ripple", x, window)

    def integral(self, x: str, window: Number | None = None) -> float:
        return self._of("integral", x, window)

    def at(self, x: str, t: Number) -> float:
        """What a signal is at an instant, also between rows."""
        return self._of("at", x, t)

    def settle(self, x: str, within: Number = "2%") -> float:
        return self._of("settle", x, within)

    # Pictures

    def plot(self, *columns: str, table: int = 0, over: str | None = None, title: str | None = None, log: str | None = None,
             start: Number | None = None, stop: Number | None = None, width: float | None = None, height: float | None = None) -> Plot:
        """Curves of COLUMNS (paths or patterns; none: all), as `hydevs plot` draws them: `.save("x.png")`; in a notebook it shows itself."""
        from ._plot import plot

        return plot(self, columns, table, over, title, log, start, stop, width, height)

    def _repr_html_(self) -> str:
        from ._plot import run_html

        return run_html(self)

    def __repr__(self) -> str:
        n = f", {len(self.table)} rows" if self.tables else ""
        return f"<Run of {self.model.name} to t = {self.end:.6g} on {self.engine}, {self.events} events{n}>"

    def __reduce__(self) -> Any:
        raise TypeError("a run is memory of the library and cannot be pickled; its tables can: pickle.dumps(run.table)")


__all__ = ["Run", "RunError", "Settings", "go", "new_run"]
