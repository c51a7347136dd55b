"""What tests share: where examples are, small models, and a skip where NumPy is missing."""
import os
import tempfile
import unittest

import hydevs

SOURCE = os.environ["HY_SOURCE_DIR"]
PROGRAM = os.environ["HY_PROGRAM"]

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]


def example(name: str) -> str:
    return os.path.join(SOURCE, "examples", name, "model.xml")


def model(inside: str, name: str = "m", **options):
    """A model of one text."""
    return hydevs.load(name + ".xml", text=f'<hydevs xmlns="urn:hydevs:1" name="{name}">{inside}</hydevs>', **options)


DECAY = '<param name="a" value="1" min="0"/><integrator name="x" in="-a*x" x0="1"/><experiment stop="1" record="x" method="qss2"/>'


class Case(unittest.TestCase):
    """A test with a folder of its own, and with warnings as errors: where one is meant, the test says so."""

    def setUp(self) -> None:
        import warnings

        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("error", hydevs.ModelWarning)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)


def needs_numpy(case):
    return unittest.skipIf(numpy is None, "no NumPy (python3-numpy)")(case)
