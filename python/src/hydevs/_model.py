"""Composing a model: what is put together here is a document of the language, to be saved or loaded."""
from __future__ import annotations

import os

from ._core import said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._load import Loaded, Value
    from ._run import Run


def quoted(value: str) -> str:
    for letter, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\n", "&#10;"), ("\t", "&#9;"), ("\r", "&#13;")):
        value = value.replace(letter, name)
    return f'"{value}"'


class Element:
    """An element of the document; what is put into it stands in the order in which it came."""

    def __init__(self, tag: str, attributes: dict[str, Any]) -> None:
        self.tag = tag
        self.attributes = {name.rstrip("_"): said(value) for name, value in attributes.items() if value is not None}
        self.inside: list[Element] = []

    def element(self, tag: str, name: str | None = None, **attributes: Value | None) -> Element:
        """Any element of the language. What is a word of Python has a _ behind it: in_="u - v"."""
        made = Element(tag, {"name": name, **attributes})
        self.inside.append(made)
        return made

    def add(self, type: str, name: str, **attributes: Value) -> Element:
        """A block: its type, its name, its parameters and inputs; an input is a formula: in_="(u - v)/tau"."""
        return self.element(type, name, **attributes)

    def wire(self, source: str, *targets: str) -> Element:
        """From an output ("v", "v.out") to inputs ("sum.in[2]")."""
        return self.element("wire", from_=source, to=" ".join(targets))

    def parameter(self, name: str, value: Value | None = None, **attributes: Value) -> Element:
        return self.element("param", name, value=value, **attributes)

    def coupled(self, name: str, **attributes: Value) -> Element:
        """A coupled model inside; it is put together in the same way."""
        return self.element("coupled", name, **attributes)

    def input(self, name: str, **attributes: Value) -> Element:
        return self.element("in", name, **attributes)

    def output(self, name: str, source: str | None = None, **attributes: Value) -> Element:
        return self.element("out", name, from_=source, **attributes)

    def text(self, depth: int = 0) -> str:
        head = "  " * depth + "<" + self.tag + "".join(f" {name}={quoted(value)}" for name, value in self.attributes.items())
        if not self.inside:
            return head + "/>\n"
        return head + ">\n" + "".join(element.text(depth + 1) for element in self.inside) + "  " * depth + f"</{self.tag}>\n"


class Model(Element):
    """A model that is put together: b = Model("rc"); b.add("integrator", "v", in_="(1 - v)/tau"); b.save("rc.xml")."""

    def __init__(self, name: str, doc: str | None = None) -> None:
        super().__init__("hydevs", {"xmlns": "urn:hydevs:1", "name": name, "doc": doc})

    def experiment(self, stop: Value | None = None, record: str | list[str] | None = None, **attributes: Value) -> Element:
        """What `run` does by itself: how long, what is recorded, the method."""
        paths = record if record is None or isinstance(record, str) else " ".join(record)
        return self.element("experiment", None, stop=stop, record=paths, **attributes)

    def xml(self) -> str:
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + self.text()

    def save(self, file: str | os.PathLike[str]) -> None:
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.xml())

    def load(self, **options: Any) -> Loaded:
        """As hydevs.load(), without a file."""
        from ._load import load

        return load(self.attributes["name"] + ".xml", text=self.xml(), **options)

    def run(self, **options: Any) -> Run:
        return self.load().run(**options)
