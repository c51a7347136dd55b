"""What is known of a model beside its runs: its periodic steady state, frequency responses, modes; and a unit of FMI."""
from __future__ import annotations

from ._core import NULL, Failure, Handle, Keep, Look, Report, look_raised, number, taken, text, warn
from ._errors import INTERRUPTED, UsageError
from ._hydevs import ffi, lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._core import Number
    from ._load import Loaded
    from ._run import Settings
    from ._table import Floats


class Steady:
    """The periodic steady state of a model: one `period` leads from `states` back to them."""

    def __init__(self, model: Loaded, handle: Handle, look: Look) -> None:
        self.model = model
        self._handle = handle
        self._look = look  # the library goes on asking it, as for a frequency response

    @property
    def period(self) -> float:
        return float(lib.hy_steady_period(self._handle.what))

    @property
    def periods(self) -> int:
        """So many were simulated to find it."""
        return int(lib.hy_steady_periods(self._handle.what))

    @property
    def residual(self) -> float:
        return float(lib.hy_steady_residual(self._handle.what))

    @property
    def exact(self) -> bool:
        """Sensitivities are known exactly, and are no differences of runs."""
        return bool(lib.hy_steady_is_exact(self._handle.what))

    @property
    def states(self) -> dict[str, float]:
        """At the start of the experiment, and every period later."""
        what = self._handle.what
        return {taken(lib.hy_steady_state(what, k)): lib.hy_steady_value(what, k) for k in range(lib.hy_steady_n(what))}

    @property
    def multipliers(self) -> list[complex]:
        """Of Floquet, the largest first."""
        re, im = ffi.new("double *"), ffi.new("double *")
        found = []
        for k in range(lib.hy_steady_n(self._handle.what)):
            lib.hy_steady_multiplier(self._handle.what, k, re, im)
            found.append(complex(re[0], im[0]))
        return found

    @property
    def verdict(self) -> str:
        """What they mean."""
        return taken(lib.hy_steady_verdict(self._handle.what))

    @property
    def monodromy(self) -> Floats:
        """d (a period later)/d (now), a copy."""
        import numpy

        n = lib.hy_steady_n(self._handle.what)
        data = lib.hy_steady_monodromy(self._handle.what)
        return numpy.array(ffi.unpack(data, n * n)).reshape(n, n)

    @property
    def outputs(self) -> list[str]:
        return [text(lib.hy_steady_output(self._handle.what, k)) for k in range(lib.hy_steady_n_outputs(self._handle.what))]

    def _output(self, path: str) -> int:
        if path not in self.outputs:
            raise KeyError(f"{path!r}; there are {', '.join(self.outputs)}")
        return self.outputs.index(path)

    def mean(self, path: str) -> float:
        return float(lib.hy_steady_mean(self._handle.what, self._output(path)))

    def rms(self, path: str) -> float:
        return float(lib.hy_steady_rms(self._handle.what, self._output(path)))

    def harmonic(self, path: str, k: int) -> tuple[float, float]:
        """Amplitude and phase of a cosine, in radians, from the start on; as many as steady(harmonics=) has asked for."""
        amplitude, phase = ffi.new("double *"), ffi.new("double *")
        if k < 1 or not lib.hy_steady_harmonic(self._handle.what, self._output(path), k, amplitude, phase):
            raise UsageError(f"harmonic {k} was not computed: steady(harmonics={k})")
        return amplitude[0], phase[0]

    def __repr__(self) -> str:
        return f"<Steady state of {self.model.name}, period {self.period:.6g}: {self.verdict}>"


def precise(model: Loaded, **more: Any) -> Loaded:
    """With the tolerances of `hydevs steady`, unless some are said."""
    o = model._options
    return model.with_(**more) if o.tol or o.dqrel or o.dqmin else model.with_(tol=1e-9, **more)


def steady(model: Loaded, period: Number | None, harmonics: int) -> Steady:
    failure, look, s = Failure(), Look(), ffi.new("HySteadySettings *")
    lib.steady_settings_init(s)
    if period is not None:
        s.period = number(period, "period")
        if not 0 < s.period < float("inf"):
            raise UsageError(f"period={period!r} must be a time above 0")
    s.harmonics, s.progress, s.user = harmonics, lib.hydevs_stage, look.user
    what = lib.hy_steady_new(model._handle.what, s, failure.where)
    if what == NULL:
        if look.raised is not None:
            raise look.raised
        interrupted = failure.where[0].code == INTERRUPTED
        error = failure.error()
        raise KeyboardInterrupt(str(error)) if interrupted else error
    return Steady(model, Handle(lib.OWNED_STEADY, what, model._handle), look)


def stage_now(user: Any, stage: Any) -> bool:
    ffi.from_handle(user)
    return True


ffi.def_extern("hydevs_stage", error=0, onerror=look_raised)(stage_now)


class Bode:
    """How a model in its periodic steady state answers to a small oscillation: `frequency` in Hz, `gain` in dB, `phase` in
    degrees, as NumPy arrays; `bode.at(f)` is the complex answer at one frequency."""

    def __init__(self, steady: Steady, handle: Handle) -> None:
        import numpy

        self.steady = steady
        self._handle = handle
        f, g, p = ffi.new("double *"), ffi.new("double *"), ffi.new("double *")
        rows = []
        for k in range(lib.hy_bode_n(handle.what)):
            lib.hy_bode_point(handle.what, k, f, g, p)
            rows.append((f[0], g[0], p[0]))
        self.frequency, self.gain, self.phase = numpy.array(rows).reshape(-1, 3).T

    def at(self, frequency: Number) -> complex:
        re, im, f = ffi.new("double *"), ffi.new("double *"), number(frequency, "frequency")
        if not lib.hy_bode_at(self._handle.what, f, re, im):
            raise UsageError(f"there is no answer at {f!r} Hz: the model is at resonance, or it is no frequency")
        return complex(re[0], im[0])

    @property
    def margins(self) -> dict[str, float]:
        """Of a loop: "crossover" (Hz) and "phase" (degrees), "reversal" (Hz) and "gain" (dB); NaN: there is none."""
        m = lib.hy_bode_margins(self._handle.what)
        return {"crossover": m.crossover, "phase": m.phase, "reversal": m.reversal, "gain": m.gain}


def bode(model: Loaded, source: str, output: str, loop: bool, low: Number | None, high: Number | None, points: int,
         period: Number | None) -> Bode:
    keep, failure, s = Keep(), Failure(), ffi.new("HyBodeSettings *")
    lib.bode_settings_init(s)
    fine = precise(model, record=output)
    setattr(s, "from", keep.text(source))
    s.to, s.loop, s.points = keep.text(output), loop, points
    for name, v in (("low", low), ("high", high)):
        if v is not None:
            setattr(s, name, number(v, name))
    value = fine.parameters[source].value if source in fine.parameters else None
    if isinstance(value, float):
        s.step = 1e-6 * (abs(value) or 1.0)
        more, less = fine.with_(set={source: value + s.step}), fine.with_(set={source: value - s.step})
        s.more, s.less = more._handle.what, less._handle.what
        keep.kept += [more, less]
    found = steady(fine, period, 0)
    what = lib.hy_bode_new(found._handle.what, s, failure.where)
    if what == NULL:
        error = failure.error()
        raise found._look.raised or error
    return Bode(found, Handle(lib.OWNED_BODE, what, found._handle))


class Mode:
    """One eigenvalue of the equations at an instant; what it has not is NaN."""

    __slots__ = ("value", "time_constant", "frequency", "damping")

    def __init__(self, e: Any) -> None:
        self.value = complex(e.real, e.imaginary)
        self.time_constant, self.frequency, self.damping = e.time_constant, e.frequency, e.damping

    def __repr__(self) -> str:
        return f"<Mode {self.value}>"


def modes(model: Loaded, settings: Settings, at: Number | None) -> tuple[list[Mode], list[str], Floats]:
    """Modes, the fastest first; the states; the Jacobian."""
    import numpy

    from ._run import blocks_error, new_run

    handle, failure = new_run(model, settings), Failure()
    sim, start = lib.hy_run_sim(handle.what), lib.hy_run_start(handle.what)
    t = start if at is None else number(at, "at")
    if not start <= t < float("inf"):
        raise UsageError(f"at={at!r} is before the start, t = {start!r}, or no time")
    equations = lib.hy_equations_new(sim, start, failure.where)
    if equations == NULL:
        raise blocks_error(model, failure.error())
    spectrum = NULL
    try:
        if not lib.hy_spectrum_can(equations, failure.where) or not lib.hy_sim_run(sim, t, failure.where):
            raise failure.error()
        spectrum = lib.hy_spectrum_new(equations, t, failure.where)
        if spectrum == NULL:
            raise failure.error()
        n = lib.hy_equations_n(equations)
        a = ffi.new("double[]", n * n)
        if not lib.hy_equations_jacobian(equations, t, a, failure.where):
            raise failure.error()
        return ([Mode(lib.hy_spectrum_get(spectrum, k)) for k in range(n)], [taken(lib.hy_equations_state(equations, k)) for k in range(n)],
                numpy.array(ffi.unpack(a, n * n)).reshape(n, n))
    finally:
        lib.hy_spectrum_free(spectrum)
        lib.hy_equations_free(equations)


def export_fmu(model: Loaded, file: str, settings: Settings) -> None:
    """MODEL as a unit of FMI 3.0."""
    keep, failure, report, out = Keep(), Failure(), Report(), lib.g_string_new(NULL)
    library = model._options.library
    try:
        if not lib.hy_fmu_write(model._handle.what, keep.texts(library) if library else NULL, settings.fill(keep), NULL, out,
                                report.what, failure.where):
            raise failure.error()
        told = bytes(ffi.buffer(out.str, out.len))
    finally:
        lib.g_string_free(out, 1)
    warn(report.messages())
    with open(file, "wb") as made:
        made.write(told)
