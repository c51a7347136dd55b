"""What the page and the notebooks show is run, one after the other, in a folder that has their files."""
import contextlib
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from common import SOURCE, Case, example, needs_numpy

SHOP = ('<hydevs xmlns="urn:hydevs:1" name="shop"><generator name="g" first="1" period="1" values="1, 2, 3"/><tally name="t" in="g" by="2"/>'
        '<experiment stop="9" record="t"/></hydevs>')
NOTEBOOKS = os.path.join(SOURCE, "python", "notebooks")


@needs_numpy
@unittest.skipIf(shutil.which("gnuplot") is None, "no gnuplot (gnuplot-nox)")
class Shown(Case):
    def setUp(self) -> None:
        super().setUp()
        shutil.copy(example("thesis/buck"), self.path("buck.xml"))
        shutil.copy(example("arrivals"), self.path("arrivals.xml"))
        with open(self.path("shop.xml"), "w", encoding="utf-8") as file:
            file.write(SHOP)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)

    def run_all(self, texts):
        known, told = {"__name__": "shown"}, io.StringIO()
        with contextlib.redirect_stdout(told):
            for k, text in enumerate(texts):
                exec(compile(text, f"block {k + 1}", "exec"), known)
        return known, told.getvalue()

    @unittest.skipIf(importlib.util.find_spec("pandas") is None, "no pandas (python3-pandas)")
    def test_the_page_runs(self):
        with open(os.path.join(SOURCE, "docs", "howto", "python.md"), encoding="utf-8") as file:
            texts = re.findall(r"^```python\n(.*?)^```$", file.read(), re.M | re.S)
        self.assertGreater(len(texts), 5)
        known, told = self.run_all(texts)
        self.assertIn("customers", told)
        self.assertTrue(os.path.exists("uC.png") and os.path.exists("rc.xml"))
        self.assertEqual(16, len(known["rows"]))
        self.assertEqual(6.0, known["shop"].run()["t"][-1])

    def test_the_notebooks_run(self):
        found = sorted(name for name in os.listdir(NOTEBOOKS) if name.endswith(".ipynb"))
        self.assertEqual(["buck.ipynb", "devs-in-ten-cells.ipynb", "quickstart.ipynb", "tolerances.ipynb"], found)
        for name in found:
            with open(os.path.join(NOTEBOOKS, name), encoding="utf-8") as file:
                cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
            self.assertTrue(all(not cell["outputs"] for cell in cells), name)
            self.run_all("".join(cell["source"]) for cell in cells)  # they check their numbers by assert

    @unittest.skipIf(importlib.util.find_spec("nbconvert") is None, "no nbconvert (python3-nbconvert)")
    def test_nbconvert_runs_the_notebooks(self):
        for name in os.listdir(NOTEBOOKS):
            if name.endswith(".ipynb"):
                words = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "--output-dir", ".", os.path.join(NOTEBOOKS, name)]
                subprocess.run(words, check=True, capture_output=True)
                with open(name.replace(".ipynb", ".html"), encoding="utf-8") as file:
                    self.assertIn("<svg", file.read(), name)


if __name__ == "__main__":
    unittest.main()
