"""Tables of what has been recorded: rows as NumPy arrays that are views of the library's memory."""
from __future__ import annotations

from ._core import NULL, Keep, taken, text, text_or_none
from ._hydevs import ffi, lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    import numpy
    import pandas  # type: ignore[import]
    from numpy.typing import NDArray

    from ._core import Handle

    Floats = NDArray[numpy.float64]


class Column:
    """What a column is: `path`, `unit` and `label` (None: not stated), `kind`: "signal" or "event", and the highest power of the
    time in it, `order`."""

    __slots__ = ("path", "unit", "label", "kind", "order")

    def __init__(self, path: str, unit: str | None, label: str | None, kind: str, order: int = 0) -> None:
        self.path = path
        self.unit = unit
        self.label = label
        self.kind = kind
        self.order = order

    def __repr__(self) -> str:
        return self.path + (f" [{self.unit}]" if self.unit else "")


def array_of(handle: Handle, recorder: Any) -> Floats:
    """All rows of a recorder that has ended, a view that nobody can write to and that holds the run."""
    import numpy

    rows, stride = ffi.new("guint64 *"), ffi.new("guint *")
    data = lib.hy_recorder_data(recorder, rows, stride)
    if data == NULL:
        return numpy.empty((0, stride[0]))
    block = ffi.buffer(handle.hold(data), 8 * rows[0] * stride[0])
    return numpy.frombuffer(memoryview(block).toreadonly(), numpy.float64).reshape(rows[0], stride[0])


def payload_value(v: Any) -> object:
    """A GVariant as Python has it: numbers, texts, tuples, lists; what is none of these as text."""
    kind = text(lib.g_variant_get_type_string(v))
    if kind in ("s", "o", "g"):
        return text(lib.g_variant_get_string(v, NULL))
    if kind[0] in "(a" and not kind.startswith("a{"):
        parts = []
        for k in range(lib.g_variant_n_children(v)):
            child = lib.g_variant_get_child_value(v, k)
            parts.append(payload_value(child))
            lib.g_variant_unref(child)
        return tuple(parts) if kind[0] == "(" else parts
    said = taken(lib.g_variant_print(v, 0))
    if kind == "b":
        return said == "true"
    if kind == "d":
        return float(said)
    return int(said, 0) if kind in "ynqiuxth" else said


def payloads_of(recorder: Any) -> list[dict[int, object]]:
    """Of each column the rows that hold something else than a number."""
    found = []
    for k in range(lib.hy_recorder_n(recorder)):
        n = lib.hy_recorder_payload_rows(recorder, k, NULL)
        rows = ffi.new("guint64[]", n)
        lib.hy_recorder_payload_rows(recorder, k, rows)
        found.append({row: payload_value(lib.hy_recorder_payload(recorder, row, k)) for row in rows})
    return found


def restored(columns: tuple[Column, ...], grid: float, array: Floats, payloads: list[dict[int, object]]) -> Table:
    array.flags.writeable = False
    return Table(columns, grid, len(array), lambda: array, lambda: payloads)


class Table:
    """Rows of time and columns. `table["uC"]` is a column, `table["time"]` its instants; jumps have two rows, what was before
    and what is after. It may be pickled, which copies it."""

    __slots__ = ("columns", "grid", "_n", "_make", "_array", "_make_payloads", "_payloads")

    def __init__(self, columns: tuple[Column, ...], grid: float, n: int, make: Callable[[], Floats],
                 make_payloads: Callable[[], list[dict[int, object]]]) -> None:
        self.columns = columns
        self.grid = grid
        self._n = n
        self._make = make
        self._array: Floats | None = None
        self._make_payloads = make_payloads
        self._payloads: list[dict[int, object]] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return ("time",) + tuple(column.path for column in self.columns)

    @property
    def array(self) -> Floats:
        """All of it, [rows, 1 + columns]; no copy, and not to be written to."""
        if self._array is None:
            self._array = self._make()
        return self._array

    def _number(self, name: str) -> int:
        for k, known in enumerate(self.names):
            if known == name:
                return k
        keep = Keep()
        near = lib.hy_nearest(keep.text(name), keep.texts(self.names))
        hint = f"; did you mean {text(near)!r}?" if near != NULL else f"; there are {', '.join(self.names)}"
        raise KeyError(f"nothing recorded is called {name!r}{hint}")

    def __getitem__(self, name: str) -> Floats:
        return self.array[:, self._number(name)]

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return self._n

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.array if dtype is None and not copy else self.array.astype(dtype or float)

    def column(self, name: str) -> Column:
        """Unit, label and kind of a column."""
        k = self._number(name)
        return Column("time", "s", None, "signal", 1) if k == 0 else self.columns[k - 1]

    def unit(self, name: str) -> str | None:
        return self.column(name).unit

    def payloads(self, name: str) -> dict[int, object]:
        """Where a column of events holds something else than a number, which is NaN in its array: {row: value}."""
        if self._payloads is None:
            self._payloads = self._make_payloads()
        k = self._number(name)
        return {} if k == 0 else self._payloads[k - 1]

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with the time as its index; units stand in `.attrs["units"]`."""
        import pandas

        frame = pandas.DataFrame(self.array[:, 1:], columns=[column.path for column in self.columns], copy=False,
                                 index=pandas.Index(self["time"], name="time"))
        frame.attrs["units"] = {column.path: column.unit for column in self.columns if column.unit}
        return frame

    def to_xarray(self) -> Any:
        """A Dataset of xarray with the dimension time."""
        import xarray  # type: ignore[import]

        made = {c.path: ("time", self[c.path], {"units": c.unit} if c.unit else {}) for c in self.columns}
        return xarray.Dataset(made, coords={"time": self["time"]})

    def __repr__(self) -> str:
        n = len(self.columns) + 1
        return f"<Table {len(self)} rows x {n}: {', '.join(['time', *map(repr, self.columns)])}>"

    def __reduce__(self) -> Any:
        payloads = self._make_payloads() if self._payloads is None else self._payloads
        columns = tuple((c.path, c.unit, c.label, c.kind, c.order) for c in self.columns)
        return unpickled, (columns, self.grid, self.array.copy(), payloads)


def unpickled(columns: Any, grid: float, array: Floats, payloads: list[dict[int, object]]) -> Table:
    return restored(tuple(Column(*c) for c in columns), grid, array, payloads)


def table_of(handle: Handle, recorder: Any) -> Table:
    """Of a run that has ended."""
    columns = []
    for k in range(lib.hy_recorder_n(recorder)):
        c = lib.hy_recorder_column(recorder, k)
        columns.append(Column(text(c.path), text_or_none(c.unit), text_or_none(c.label), "event" if c.holds == lib.HY_EVENT else "signal",
                              lib.hy_recorder_order(recorder, k)))
    held = handle
    n = int(lib.hy_recorder_rows(recorder))
    return Table(tuple(columns), lib.hy_recorder_grid(recorder), n, lambda: array_of(held, recorder), lambda: payloads_of(recorder))
