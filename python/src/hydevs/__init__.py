"""hydevs: hybrid systems simulated by discrete events.

    import hydevs
    m = hydevs.load("buck.xml", R=12, f="20k")
    r = m.run(stop="20m")
    t, u = r["time"], r["uC"]

What is computed has the bits of the command `hydevs run`.
"""
from __future__ import annotations

from ._errors import AuditError, Error, IllegitimateError, Message, ModelError, ModelWarning, RunError, UsageError
from ._load import Model, Parameter, load
from ._run import Run
from ._table import Column, Table

inf = float("inf")

__all__ = ["AuditError", "Column", "Error", "IllegitimateError", "Message", "Model", "ModelError", "ModelWarning", "Parameter", "Run",
           "RunError", "Table", "UsageError", "inf", "load"]
