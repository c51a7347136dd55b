"""What can go wrong, as exceptions: one class for each code of HyErrorCode, which is also the exit status of the command."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Message:
    """One line that a load or a run has to tell: `file` and `line` (0: the file as a whole), `text`, whether it is a `warning`."""

    __slots__ = ("file", "line", "text", "warning")

    def __init__(self, file: str, line: int, text: str, warning: bool) -> None:
        self.file = file
        self.line = line
        self.text = text
        self.warning = warning

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return place + ("warning: " if self.warning else "") + self.text

    def __repr__(self) -> str:
        return f"<Message {self}>"


class Error(Exception):
    """All failures of hydevs; `code` is the exit status that the command would have."""

    code = 3

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.text = text


class ModelError(Error):
    """The model is wrong. `messages` has every mistake and warning, not only the first."""

    code = 1

    def __init__(self, text: str = "", messages: tuple[Message, ...] = ()) -> None:
        super().__init__(text)
        self.messages = messages

    def __reduce__(self) -> Any:
        return type(self), (self.text, self.messages)


class UsageError(Error, ValueError):
    """A call that makes no sense: an unknown word, a time before the start."""

    code = 2


class RunError(Error):
    """A run could not go on. `time`: how far it has come; `result`: the run with all that it recorded until then; what it
    was raised from is what a block in Python has raised."""

    code = 3

    def __init__(self, text: str = "", time: float = float("nan"), result: Any = None) -> None:
        super().__init__(text)
        self.time = time
        self.result = result

    def __reduce__(self) -> Any:  # the result belongs to this process
        return type(self), (self.text, self.time)


class IllegitimateError(RunError):
    """Endless events at one instant, or nearer and nearer to one."""

    code = 4


class AuditError(RunError):
    """The run has ended, and is not what it should be: its strict audit has found something, or a measure is out of its bounds."""

    code = 5


class ModelWarning(UserWarning):
    """What hydevs says of a model or a run that is not wrong, but may not be meant."""


BY_CODE: dict[int, type[Error]] = {1: ModelError, 2: UsageError, 3: RunError, 4: IllegitimateError, 5: AuditError}
INTERRUPTED = 130
