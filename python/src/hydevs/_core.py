"""The seam to C: owned objects, texts, messages, failures, and the look for signals while the library computes."""
from __future__ import annotations

import _thread
import os
import warnings

from ._errors import BY_CODE, INTERRUPTED, Error, Message, ModelError, ModelWarning, RunError, UsageError
from ._hydevs import ffi, lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Union

    Number = Union[float, int, str]
    Progress = Callable[[float, int], object]

NULL = ffi.NULL


class Handle:
    """An object of the library that is counted there (glue.h): it holds its parent, whoever Python frees first."""

    __slots__ = ("what", "owned", "__weakref__")

    def __init__(self, kind: int, what: Any, parent: Handle | None = None) -> None:
        self.what = what
        self.owned: Any = ffi.gc(lib.owned_new(kind, what, NULL if parent is None else parent.owned), lib.owned_release)

    def hold(self, data: Any) -> Any:
        """DATA, memory of the object, as a pointer that holds it."""
        owned = lib.owned_hold(self.owned)
        return ffi.gc(data, lambda _: lib.owned_release(owned))


# Texts


def text(pointer: Any) -> str:
    return "" if pointer == NULL else str(ffi.string(pointer), "utf-8", "replace")


def text_or_none(pointer: Any) -> str | None:
    return None if pointer == NULL else text(pointer)


def taken(pointer: Any) -> str:
    """A text that is ours to free."""
    if pointer == NULL:
        return ""
    try:
        return text(pointer)
    finally:
        lib.g_free(pointer)


def collected(write: Callable[[Any], Any]) -> str:
    """What WRITE appends to a GString."""
    out = lib.g_string_new(NULL)
    try:
        write(out)
        return bytes(ffi.buffer(out.str, out.len)).decode("utf-8", "replace")
    finally:
        lib.g_string_free(out, 1)


class Keep:
    """Memory for arguments, alive as long as this."""

    __slots__ = ("kept",)

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def text(self, value: str | None) -> Any:
        if value is None:
            return NULL
        if not isinstance(value, str):
            raise TypeError(f"{value!r} is no text")
        if "\0" in value:
            raise UsageError(f"a text with a zero in it: {value!r}")
        made = ffi.new("char[]", value.encode("utf-8", "surrogateescape"))
        self.kept.append(made)
        return made

    def texts(self, values: Iterable[str] | None) -> Any:
        if values is None:
            return NULL
        made = ffi.new("char *[]", [self.text(value) for value in values] + [NULL])
        self.kept.append(made)
        return made


def names(value: str | Iterable[str] | None) -> list[str]:
    """One name or several, as a list."""
    if value is not None and not hasattr(value, "__iter__"):
        raise TypeError(f"{value!r} is no name, nor a list of names")
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def name_of(file: str | os.PathLike[str]) -> str:
    name = os.fspath(file)
    if not isinstance(name, str):
        raise TypeError(f"the name of a file is a text, and not {name!r}")
    return name


def said(value: object) -> str:
    """A value as a model file would say it: a text as it is, numbers, lists of them."""
    if isinstance(value, str):
        return value
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if hasattr(value, "__float__") and not getattr(value, "ndim", 0):
        return repr(float(value))
    if hasattr(value, "__iter__"):
        return ", ".join(said(part) for part in value)
    raise TypeError(f"{value!r} is no number, text or list of them")


EXPONENTS = {"f": "e-15", "p": "e-12", "n": "e-9", "u": "e-6", "m": "e-3", "k": "e3", "M": "e6", "G": "e9", "T": "e12"}


def number(value: Number, what: str) -> float:
    """"20m" is 0.02, rounded once, as in a model file."""
    if not isinstance(value, str):
        try:
            return float(value)
        except TypeError:
            raise TypeError(f"{what}={value!r} is not a number") from None
    plain = value.strip()
    if len(plain) > 1 and plain[-1] in EXPONENTS and plain[-2].isdigit():
        plain = plain[:-1] + EXPONENTS[plain[-1]]
    try:
        if "_" in plain:
            raise ValueError
        return float(plain)
    except ValueError:
        raise UsageError(f"{what}={value!r} is not a number") from None


def whole(value: int | None, what: str) -> int | None:
    """A whole number that the library has room for; None stays."""
    if value is None:
        return None
    if not hasattr(value, "__index__"):
        raise UsageError(f"{what}={value!r} is not a whole number")
    made = value.__index__()
    if not 0 <= made < 1 << 63:
        raise UsageError(f"{what}={made} must be 0 or more, and below 2^63")
    return made


# Messages


def messages_of(report: Any) -> tuple[Message, ...]:
    found: list[Message] = []
    while True:
        m = lib.hy_report_get(report, len(found))
        if m == NULL:
            return tuple(found)
        found.append(Message(text(m.file), m.line, text(m.text), bool(m.warning)))


class Report:
    """Collects messages: `with Report() as report`."""

    __slots__ = ("what",)

    def __init__(self, strict: bool = False) -> None:
        self.what = ffi.gc(lib.hy_report_new(), lib.hy_report_free)
        lib.hy_report_set_strict(self.what, strict)

    def messages(self) -> tuple[Message, ...]:
        return messages_of(self.what)

    def errors(self) -> int:
        return int(lib.hy_report_errors(self.what))

    def error(self) -> ModelError:
        return ModelError(taken(lib.hy_report_text(self.what)).rstrip("\n"), self.messages())


def warn(messages: Sequence[Message]) -> None:
    """Each once, at the line of the user's that has called hydevs."""
    if not messages:
        return
    import sys

    level, frame = 1, sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "hydevs":
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    for message in messages:
        warnings.warn(str(message), ModelWarning, stacklevel=level)


# Failures


HY_ERROR = lib.hy_error_quark()


class Failure:
    """The GError ** of a call: `call(..., failure.where)`, then `raise failure.error()`."""

    __slots__ = ("where",)

    def __init__(self) -> None:
        self.where = ffi.new("GError **")

    def take(self) -> tuple[int, str]:
        error = self.where[0]
        if error == NULL:
            return 3, "hydevs could not do it, and does not say why"
        code = error.code if error.domain == HY_ERROR else 3
        message = text(error.message)
        lib.g_error_free(error)
        self.where[0] = NULL
        return code, message

    def error(self, time: float = float("nan"), result: Any = None) -> Error:
        code, message = self.take()
        if code == INTERRUPTED:
            code = 3
        kind = BY_CODE.get(code, RunError)
        return kind(message, time, result) if issubclass(kind, RunError) else kind(message)


# What blocks in Python raise, by the thread that runs them


RAISED: Any = _thread._local()  # type: ignore[attr-defined]


def start_calls() -> None:
    RAISED.value = None


def raised_here(value: BaseException) -> None:
    if getattr(RAISED, "value", None) is None:
        RAISED.value = value


def cause_of() -> Exception | None:
    """What a block has raised since start_calls(). KeyboardInterrupt and its like go on as they are."""
    value = getattr(RAISED, "value", None)
    start_calls()
    if value is not None and not isinstance(value, Exception):
        raise value
    return value


# While the library computes


class Looked:
    """Who is asked, and what he has raised."""

    __slots__ = ("progress", "raised")

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.raised: BaseException | None = None


class Look:
    """What a run asks every few milliseconds: Python takes its signals then, and PROGRESS (None: nobody) may say False."""

    __slots__ = ("state", "watch", "user")

    def __init__(self, progress: Progress | None = None) -> None:
        if progress is not None and not callable(progress):
            raise TypeError(f"progress={progress!r} cannot be called")
        self.state = Looked(progress)
        self.watch = ffi.new("Watch *")
        self.user = ffi.new_handle(self.state)  # which holds that, and not this: no circle
        lib.watch_start(self.watch, lib.hydevs_look, self.user)

    @property
    def raised(self) -> BaseException | None:
        return self.state.raised

    @property
    def progress(self) -> Progress | None:
        return self.state.progress


WATCH_PROGRESS = ffi.addressof(lib, "watch_progress")


def look_raised(kind: object, value: BaseException, trace: Any) -> int:
    ffi.from_handle(trace.tb_frame.f_locals["user"]).raised = value
    return 0


def look_now(user: Any, t: float, cycles: int) -> bool:
    look = ffi.from_handle(user)
    return look.progress is None or look.progress(t, cycles) is not False


ffi.def_extern("hydevs_look", error=0, onerror=look_raised)(look_now)
