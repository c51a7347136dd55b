"""Many runs of one model: a plan says which, the library runs them on its threads, and each is a row of measures."""
from __future__ import annotations

from ._core import NULL, Failure, Handle, Keep, Look, Report, look_raised, said, text, text_or_none, warn
from ._errors import INTERRUPTED, UsageError
from ._hydevs import ffi, lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, Union

    import pandas  # type: ignore[import]

    from ._load import Loaded
    from ._run import Run, Settings
    from ._table import Floats

    Values = Union["Range", str, float, list[Any], tuple[Any, ...], Floats]


class Range:
    """N values from LOW to HIGH, both included, evenly spaced, or by their logarithms."""

    __slots__ = ("low", "high", "n", "log")

    def __init__(self, low: object, high: object, n: int, log: bool = False) -> None:
        self.low, self.high, self.n, self.log = low, high, n, log

    def __str__(self) -> str:
        return f"{'log ' if self.log else ''}{said(self.low)}:{said(self.high)}:{self.n}"


def linspace(low: float | str, high: float | str, n: int) -> Range:
    """N values of a parameter from LOW to HIGH, both included."""
    return Range(low, high, n)


def logspace(low: float | str, high: float | str, n: int) -> Range:
    """The same, evenly spaced by their logarithms; LOW and HIGH are values, not exponents."""
    return Range(low, high, n, True)


def values_text(values: Values) -> str:
    """As `hydevs sweep --vary` has them."""
    return str(values) if isinstance(values, Range) else said(values).replace(", ", ",")


class Asked:
    """What a sweep is asked for, as HyPlanOptions."""

    def __init__(self, model: Loaded, settings: Settings, vary: Mapping[str, Values], random: Mapping[str, str], measures: list[str],
                 words: dict[str, Any]) -> None:
        self.keep = keep = Keep()
        self.options = o = ffi.new("HyPlanOptions *")
        lib.plan_options_init(o)
        load = model._options.copy()
        keep.kept.append(settings)
        o.load, run = load.fill(keep, model._documents), settings.fill(keep)
        keep.kept.append(run)
        o.run = run
        o.measures = keep.texts(load.measure + measures) if load.measure + measures else NULL
        o.load.measure = NULL
        o.vary = keep.texts(f"{path}={values_text(v)}" for path, v in vary.items()) if vary else NULL
        o.random = keep.texts(f"{path}={how}" for path, how in random.items()) if random else NULL
        for name in ("sweep", "sampling", "file", "corners"):
            setattr(o, name, keep.text(words[name]))
        o.together, o.each = words["together"], load.method == "auto-each"
        if o.each:
            o.load.method = NULL
        o.n, o.limit_events, o.limit_time = words["n"] or 0, words["limit_events"] or 0, words["limit_time"] or 0.0


def new_plan(model: Loaded, asked: Asked) -> Handle:
    report = Report()
    what = lib.hy_plan_new(asked.keep.text(model.file), asked.options, report.what)
    if what == NULL:
        raise report.error()
    known = {m.text for m in model.warnings}
    warn([m for m in report.messages() if m.text not in known])
    return Handle(lib.OWNED_PLAN, what, None if model._options.blocks is None else model._options.blocks.handle)


def row_texts(plan: Any, k: int) -> list[str]:
    row = lib.hy_plan_row(plan, k)
    try:
        return [text(row[c]) for c in range(lib.hy_plan_n_columns(plan))]
    finally:
        lib.g_strfreev(row)


def status_text(status: int) -> str:
    return text(lib.hy_sweep_status_text(ffi.new("char[]", 32), status))


class Row:
    """What has become of one run."""

    __slots__ = ("k", "status", "events", "measures", "why")

    def __init__(self, k: int, status: int, events: int, measures: list[float], why: str) -> None:
        self.k, self.status, self.events, self.measures, self.why = k, status, events, measures, why


def all_rows(plan: Handle, asked: Asked, threads: int, out: str | None, fresh: bool, look: Look) -> tuple[list[Row], Handle | None]:
    failure, o = Failure(), ffi.new("HySweepOptions *")
    lib.sweep_options_init(o)
    if not 0 <= threads < 1 << 31:
        raise UsageError(f"threads={threads} must be 0 (one for each processor) or more")
    o.threads, o.out, o.fresh = threads, asked.keep.text(out), fresh
    o.progress, o.user = lib.hydevs_rows, look.user
    what = lib.hy_sweep_new(plan.what, o, failure.where)
    if what == NULL:
        raise failure.error()
    sweep = Handle(lib.OWNED_SWEEP, what, plan)
    if not lib.hy_sweep_go(what, failure.where):
        if look.raised is not None:
            raise look.raised
        interrupted = failure.where[0].code == INTERRUPTED
        error = failure.error()
        raise KeyboardInterrupt(str(error)) if interrupted and look.progress is None else error
    n = range(lib.hy_plan_n_measures(plan.what))
    return [Row(k, lib.hy_sweep_status(what, k), lib.hy_sweep_events(what, k), [lib.hy_sweep_value(what, k, i) for i in n],
                text(lib.hy_sweep_why(what, k))) for k in range(lib.hy_plan_n(plan.what))], sweep


def some_rows(plan: Handle, rows: range) -> list[Row]:
    """Those of ROWS, one after the other, in this thread."""
    made: list[Row] = []
    n = lib.hy_plan_n_measures(plan.what)
    for k in rows:
        if not 0 <= k < lib.hy_plan_n(plan.what):
            raise UsageError(f"there is no run {k}: the plan has {lib.hy_plan_n(plan.what)}")
        row = ffi.new("HySweepRow *")
        if lib.hy_sweep_run(plan.what, k, NULL, row):
            made.append(Row(k, row.status, row.events, [row.measures[i] for i in range(n)], text(row.why)))
        lib.hy_sweep_row_clear(row)
    return made


class Sweep:
    """The table of a sweep. `sweep["R"]` is what a parameter was set to, `sweep["vo"]` a measure (NaN: there is none),
    `sweep["status"]` how each run ended ("0": well), `sweep["why"]` what was wrong."""

    def __init__(self, model: Loaded, plan: Handle, asked: Asked, rows: list[Row], sweep: Handle | None) -> None:
        self.model = model
        self._plan, self._asked, self._sweep = plan, asked, sweep
        self._rows = rows
        self.parameters = [text(lib.hy_plan_column(plan.what, c)) for c in range(lib.hy_plan_n_columns(plan.what))]
        self.measures = [text(lib.hy_plan_measure(plan.what, i)) for i in range(lib.hy_plan_n_measures(plan.what))]

    @property
    def names(self) -> tuple[str, ...]:
        return ("run", *self.parameters, "status", *self.measures, "events", "why")

    @property
    def method(self) -> str | None:
        """The one that was chosen for all runs, and why; None: the model states methods."""
        return text_or_none(lib.hy_plan_method(self._plan.what))

    @property
    def failed(self) -> int:
        """So many runs that did not come to their end; a run that is out of its bounds (status 5) did."""
        return sum(row.status not in (0, 5) for row in self._rows)

    def column(self, name: str) -> list[Any]:
        if name in self.parameters:
            c = self.parameters.index(name)
            return [parameter_value(row_texts(self._plan.what, row.k)[c]) for row in self._rows]
        if name in self.measures:
            i = self.measures.index(name)
            return [row.measures[i] for row in self._rows]
        if name == "status":
            return [status_text(row.status) for row in self._rows]
        if name in ("run", "events", "why"):
            return [getattr(row, "k" if name == "run" else name) for row in self._rows]
        raise KeyError(f"{name!r}; there are {', '.join(self.names)}")

    def __getitem__(self, name: str) -> Any:
        import numpy

        return numpy.array(self.column(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self._rows)

    def run(self, place: int) -> Run:
        """The run of one row once more, with what the experiment records."""
        from ._run import Run as Made

        if not -len(self._rows) <= place < len(self._rows):
            raise IndexError(f"there is no row {place}: the sweep has {len(self._rows)}, from 0 on")
        loaded, failure = ffi.new("HyLoaded **"), Failure()
        k = self._rows[place].k
        what = lib.hy_sweep_again(self._plan.what, k, loaded, failure.where)
        if what == NULL:
            raise failure.error()
        blocks = self.model._options.blocks
        owner = Handle(lib.OWNED_LOADED, loaded[0], None if blocks is None else blocks.handle)
        made = Made(self.model._like(owner, dict(zip(self.parameters, row_texts(self._plan.what, k)))), None, Handle(lib.OWNED_RUN, what, owner))
        made.end = lib.hy_sim_time(lib.hy_run_sim(what))
        if lib.hy_sim_finished(lib.hy_run_sim(what)) == NULL:
            made.end = lib.hy_run_stop(what)
        return made

    def indices(self, measure: str) -> dict[str, dict[str, tuple[float, float, float]]]:
        """Which parameter matters, of a sweep with sampling="saltelli": {"R": {"first": (value, low, high), "total": ...}}."""
        failure = Failure()
        if self._sweep is None:
            raise UsageError("indices need all rows of a plan")
        if measure not in self.measures:
            raise KeyError(measure)
        found = lib.hy_sweep_indices(self._sweep.what, self.measures.index(measure), failure.where)
        if found == NULL:
            raise failure.error()
        made = {name: {"first": (found[c].first.value, found[c].first.low, found[c].first.high),
                       "total": (found[c].total.value, found[c].total.low, found[c].total.high)} for c, name in enumerate(self.parameters)}
        lib.g_free(found)
        return made

    def to_pandas(self) -> pandas.DataFrame:
        import pandas

        return pandas.DataFrame({name: self.column(name) for name in self.names}).set_index("run")

    def __repr__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        return f"<Sweep of {self.model.name}: {len(self)} runs{failed}; {', '.join(self.names[1:-2])}>"

    def __reduce__(self) -> Any:
        raise TypeError("a sweep is memory of the library and cannot be pickled; its table can: pickle.dumps(sweep.to_pandas())")


def parameter_value(told: str) -> float | str:
    from ._core import number

    try:
        return number(told, "value")
    except UsageError:
        return told


def rows_now(user: Any, so_far: Any) -> bool:
    look = ffi.from_handle(user)
    return look.progress is None or look.progress(so_far.done, so_far.n) is not False


ffi.def_extern("hydevs_rows", error=0, onerror=look_raised)(rows_now)
