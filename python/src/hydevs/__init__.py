"""hydevs: hybrid systems simulated by discrete events.

    import hydevs
    m = hydevs.load("buck.xml", R=12, f="20k")
    r = m.run(stop="20m")
    t, u = r["time"], r["uC"]

What is computed has the bits of the command `hydevs run`.
"""
from __future__ import annotations

from ._core import text
from ._errors import AuditError, Error, IllegitimateError, Message, ModelError, ModelWarning, RunError, UsageError
from ._hydevs import lib
from ._load import Loaded, Parameter, load
from ._model import Element, Model
from ._run import Run
from ._table import Column, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._analyses import Bode, Mode, Steady
    from ._atomic import Atomic, Port, events, signal
    from ._plot import Plot
    from ._simulation import Lever, Simulation, Snapshot, Told
    from ._sweep import Range, Sweep, linspace, logspace

inf = float("inf")
__version__ = text(lib.hy_version())  # of the library that runs

LATER = {"_analyses": ("Bode", "Mode", "Steady"), "_atomic": ("Atomic", "Port", "events", "signal"),
         "_plot": ("Plot",), "_simulation": ("Lever", "Simulation", "Snapshot", "Told"), "_sweep": ("Range", "Sweep", "linspace", "logspace")}


def __getattr__(name: str) -> object:
    """What not every program needs is loaded when it is asked for."""
    from importlib import import_module

    for module, names in LATER.items():
        if name in names:
            return getattr(import_module("." + module, __name__), name)
    raise AttributeError(f"module 'hydevs' has no attribute {name!r}")


__all__ = ["Atomic", "AuditError", "Bode", "Column", "Element", "Error", "IllegitimateError", "Lever", "Loaded", "Message", "Mode", "Model", "ModelError",
           "ModelWarning", "Parameter", "Plot", "Port", "Range", "Run", "RunError", "Simulation", "Snapshot", "Steady", "Sweep", "Table", "Told",
           "UsageError", "events", "inf", "linspace", "load", "logspace", "signal"]
