"""Programs of users are checked by mypy --strict, with what the package says of its types; and the package itself."""
import os
import shutil
import subprocess
import unittest

from common import SOURCE, Case

PROGRAM = """
import hydevs
import numpy
from numpy.typing import NDArray

m = hydevs.load("buck.xml", R=12, f="20k", set={"stage[2].L1": [1, 2.5, "120u"]})
r: hydevs.Run = m.run(stop="20m", measure={"vo": "mean(uC, 5m)"}, progress=lambda t, n: t < 1)
u: NDArray[numpy.float64] = r["uC"]
mean: float = r.mean("uC", window="5m") + r.measures["vo"]
unit: str | None = r.table.unit("uC")
rows: hydevs.Sweep = m.sweep(R=hydevs.linspace(5, 20, 10), random={"L": "normal 10m 5%"}, n=3, measure=["max(iL)"])
for e in m.steps(until=1):
    print(e.time, e.block, e.says)
s = m.start()
s.set("valve", 0.3, ramp=2)
snap: hydevs.Snapshot = s.save()


class Tally(hydevs.Atomic):
    inputs, outputs = hydevs.events("in"), hydevs.signal("out")

    def start(self, t: float) -> None:
        self.n = 0

    def output(self, t: float) -> tuple[str, int]:
        return "out", self.n


b = hydevs.Model("rc")
b.add("integrator", "v", in_="1 - v", x0=0)
again: hydevs.Loaded = b.load(blocks=[Tally])
try:
    again.run()
except hydevs.ModelError as wrong:
    print([m.line + 1 for m in wrong.messages])
except hydevs.RunError as wrong_run:
    print(wrong_run.time + 1)
"""


@unittest.skipIf(shutil.which("mypy") is None, "no mypy (mypy)")
class Types(Case):
    def check(self, *words):
        source = os.path.join(SOURCE, "python", "src")
        environment = {**os.environ, "MYPYPATH": source}
        environment.pop("PYTHONPATH")
        return subprocess.run(["mypy", "--strict", "--cache-dir", self.path("cache"), *words], capture_output=True, text=True, env=environment,
                              check=False)

    def test_users_programs_and_the_package(self):
        with open(self.path("right.py"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        done = self.check(self.path("right.py"), os.path.join(SOURCE, "python", "src", "hydevs"))
        self.assertEqual(0, done.returncode, done.stdout)
        with open(self.path("wrong.py"), "w", encoding="utf-8") as file:
            file.write('import hydevs\nm = hydevs.load("a.xml")\nm.run(stop=[1])\nm.rum()\nx: int = m.run().mean("a")\n')
        done = self.check(self.path("wrong.py"))
        self.assertEqual(3, done.stdout.count("error:"), done.stdout)


if __name__ == "__main__":
    unittest.main()
