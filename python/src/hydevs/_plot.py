"""Pictures of a run, drawn by `hydevs plot`, which takes gnuplot."""
from __future__ import annotations

import os
import tempfile

from ._core import Failure, Keep, name_of, number
from ._errors import UsageError
from ._hydevs import ffi, lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._core import Number
    from ._run import Run
    from ._table import Table


def field(value: str) -> str:
    return '"' + value.replace('"', '""') + '"' if any(letter in value for letter in ',"\n') else value


def write_csv(table: Table, path: str) -> None:
    """As a recording that `hydevs plot` reads: rows, and beside them what is known of the columns."""
    import json

    payloads = [table.payloads(name) for name in table.names]
    with open(path, "w", encoding="utf-8", newline="") as out:
        out.write(",".join(map(field, table.names)) + "\n")
        for k, row in enumerate(table.array.tolist()):
            out.write(",".join(field(str(p[k])) if k in p else "" if v != v else repr(v) for v, p in zip(row, payloads)) + "\n")
    columns = [{"path": c.path, "kind": c.kind, "order": c.order, "unit": c.unit, "label": c.label} for c in table.columns]
    told = {"columns": [{name: v for name, v in c.items() if v is not None} for c in columns]}
    with open(path + ".json", "w", encoding="utf-8") as out:
        json.dump(told, out)


class Plot:
    """Curves of a run; in a notebook it shows itself."""

    def __init__(self, run: Run, columns: tuple[str, ...], table: int, options: dict[str, Any]) -> None:
        self.run = run
        self.columns = columns
        self._table = table
        self._options = options

    def save(self, file: str | os.PathLike[str]) -> None:
        """As .png, .svg or .pdf."""
        name = self.run.model.name
        with tempfile.TemporaryDirectory(prefix="hydevs-") as folder:
            csv = os.path.join(folder, "run.csv")
            write_csv(self.run.tables[self._table], csv)
            keep, failure, o = Keep(), Failure(), ffi.new("HyPlotOptions *")
            o.csv, o.name, o.out = keep.text(csv), keep.text(name), keep.text(name_of(file))
            o.columns = keep.text(",".join(self.columns) or None)
            o.title = keep.text(self._options["title"] or self.run.model.title or name)
            o.over, o.log = keep.text(self._options["over"]), keep.text(self._options["log"])
            o.width, o.height = self._options["width"] or 0.0, self._options["height"] or 0.0
            start, stop = self._options["start"], self._options["stop"]
            if start is not None or stop is not None:
                setattr(o, "from", float("-inf") if start is None else number(start, "start"))
                o.to = float("inf") if stop is None else number(stop, "stop")
            if not lib.hy_plot_csv(o, failure.where):
                raise failure.error()

    def svg(self) -> str:
        with tempfile.TemporaryDirectory(prefix="hydevs-") as folder:
            path = os.path.join(folder, "plot.svg")
            self.save(path)
            with open(path, encoding="utf-8") as file:
                text = file.read()
        return text[text.index("<svg"):]

    def _repr_svg_(self) -> str:
        return self.svg()


def plot(run: Run, columns: tuple[str, ...], table: int, over: str | None, title: str | None, log: str | None, start: Number | None,
         stop: Number | None, width: float | None, height: float | None) -> Plot:
    if run.tables and not 0 <= table < len(run.tables):
        raise UsageError(f"there is no table {table}: the run has {len(run.tables)}, from 0 on")
    found = run.tables[table] if run.tables else run.table
    for name in columns:
        if not any(letter in name for letter in "*?[{,"):
            found.column(name)
    return Plot(run, columns, table, {"over": over, "title": title, "log": log, "start": start, "stop": stop, "width": width, "height": height})


def html_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


MOST = 200_000  # rows that are drawn without being asked for


def run_html(run: Run) -> str:
    """What a run is in a notebook: its curves, how it ended, what smells."""
    from ._errors import Error

    said = [f"<p><b>{html_text(run.model.name)}</b> to t = {run.end:.6g} on {run.engine}, {run.events} events"
            + (f"; {html_text(run.method)}" if run.method else "") + "</p>"]
    if run.finished:
        said.append(f"<p>{html_text(run.finished)}</p>")
    measured = run.measures
    if measured:
        rows = "".join(f"<tr><td>{html_text(name)}</td><td>{value:.6g}</td></tr>" for name, value in measured.items())
        said.append(f"<table>{rows}</table>")
    said += [f"<p>{html_text(str(message))}</p>" for message in run.warnings]
    picture = ""
    if run.tables and len(run.table) <= MOST:
        try:
            picture = Plot(run, (), 0, dict.fromkeys(("over", "title", "log", "start", "stop", "width", "height"))).svg()
        except Error as why:  # no gnuplot, nothing to draw
            said.append(f"<p>{html_text(str(why))}</p>")
    elif run.tables:
        said.append(f"<p>{len(run.table)} rows; plot() draws them</p>")
    return picture + "".join(said)
