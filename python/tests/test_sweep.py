"""Many runs: beside the command, closed forms, threads, and what goes wrong."""
import csv
import math
import subprocess
import threading
import unittest

import hydevs
from common import PROGRAM, Case, example, model, needs_numpy, numpy

RC = ('<param name="R" value="1" min="0.1"/><param name="C" value="1"/><integrator name="v" in="(1 - v)/(R*C)"/>'
      '<experiment stop="1" method="block_liqss2" record="v"/>')


@needs_numpy
class Sweeps(Case):
    def test_a_sweep_has_the_rows_of_the_command(self):
        out = self.path("t.csv")
        subprocess.run([PROGRAM, "sweep", example("thesis/buck"), "--vary", "R=-5:20:6", "--vary", "f=8k,10k", "--measure", "mean(uC, 5m)",
                        "--measure", "top=max(iL)", "-o", out], capture_output=True, check=True)
        with open(out, newline="", encoding="utf-8") as file:
            told = list(csv.DictReader(file))
        s = hydevs.load(example("thesis/buck")).sweep(R=hydevs.linspace(-5, 20, 6), f=["8k", "10k"], measure=["mean(uC, 5m)", "top=max(iL)"])
        self.assertEqual(list(told[0]), list(s.names))
        self.assertEqual([row["status"] for row in told], list(s["status"]))
        self.assertEqual([row["why"] for row in told], list(s["why"]))
        self.assertTrue(numpy.array_equal([float(row["top"] or "nan") for row in told], s["top"], equal_nan=True))
        self.assertTrue(math.isnan(s["top"][0]))
        self.assertEqual([float(row["events"] or 0) for row in told], list(s["events"]))
        self.assertEqual(sum(row["status"] not in ("0", "5") for row in told), s.failed)
        self.assertGreater(s.failed, 0)

    def test_closed_forms(self):
        s = model(RC).sweep(R=hydevs.linspace(0.5, 2, 4), C=hydevs.logspace("100m", 10, 3), measure={"at": "final(v)", "tau": "first(v > 0.1)"})
        tau = s["R"] * s["C"]
        self.assertLess(numpy.max(numpy.abs(s["at"] - (1 - numpy.exp(-1 / tau)))), 1e-9)
        reached = tau * math.log(1 / 0.9) < 1
        self.assertLess(numpy.max(numpy.abs(s["tau"] + tau * math.log(0.9))[reached]), 1e-9)
        self.assertTrue(numpy.all(numpy.isnan(s["tau"][~reached])))

    def test_threads_and_parts_make_no_difference(self):
        m = model(RC)
        asked = {"R": [1, 2, 3], "C": "1:5:5", "measure": "mean(v)"}
        whole = m.sweep(**asked)["mean(v)"]
        for threads in (1, 2, 3):
            self.assertTrue(numpy.array_equal(whole, m.sweep(**asked, threads=threads)["mean(v)"]))
        parts = [m.sweep(**asked, rows=range(k, min(k + 4, 15)))["mean(v)"] for k in range(0, 15, 4)]
        self.assertTrue(numpy.array_equal(whole, numpy.concatenate(parts)))
        with self.assertRaises(hydevs.UsageError):
            m.sweep(**asked, rows=range(14, 16))

    def test_a_run_of_it_can_be_had_again(self):
        s = model(RC).sweep(R=[1, 2], measure="final(v)")
        r = s.run(1)
        self.assertEqual(s["final(v)"][1], r.measures["final(v)"])
        self.assertAlmostEqual(1 - math.exp(-0.5), r["v"][-1], delta=1e-5)
        self.assertEqual(2.0, r.model.parameters["R"].value)
        a = r["v"]
        del s, r
        self.assertEqual(0.0, a[0])

    def test_draws_and_which_matters(self):
        m = model('<param name="a" value="1"/><param name="b" value="1"/><integrator name="y" in="a + 2*b"/><experiment stop="1" method="qss2"/>')
        s = m.sweep(random={"a": "uniform 0 1", "b": "uniform 0 1"}, n=512, sampling="saltelli", seed=3, measure="final(y)")
        found = s.indices("final(y)")
        for name, truth in (("a", 0.2), ("b", 0.8)):  # variances of a and 2 b
            value, low, high = found[name]["first"]
            self.assertTrue(low <= value <= high)
            self.assertAlmostEqual(truth, value, delta=0.02)
        with self.assertRaises(KeyError):
            s.indices("nothing")

    def test_what_is_wrong_is_told_at_once(self):
        with self.assertRaises(hydevs.ModelError) as caught:
            model(RC).sweep(Q=[1, 2], random={"R": "gauss 1 2"}, n=2)
        self.assertGreaterEqual(len(caught.exception.messages), 2)

    def test_progress_may_end_it(self):
        m = hydevs.load(example("arrivals"), experiment="long")
        with self.assertRaises(hydevs.RunError):
            m.sweep(n=100000, random={"rate": "uniform 0.7 0.8"}, measure="max(left)", progress=lambda done, of: False)
        with self.assertRaises(ZeroDivisionError):
            m.sweep(n=100000, random={"rate": "uniform 0.7 0.8"}, measure="max(left)", progress=lambda done, of: 1 / 0)

    def test_sweeps_in_threads(self):
        m, found = model(RC), []
        threads = [threading.Thread(target=lambda: found.append(m.sweep(R=[1, 2, 3], measure="final(v)")["final(v)"])) for _ in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertTrue(all(numpy.array_equal(found[0], f) for f in found) and len(found) == 3)


if __name__ == "__main__":
    unittest.main()
