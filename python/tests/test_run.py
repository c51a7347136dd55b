"""Loading and running: numbers, errors, warnings, tables; beside the command, closed forms and other solvers."""
import csv
import importlib.util
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import unittest
import warnings

import hydevs
from common import DECAY, PROGRAM, Case, example, model, needs_numpy, numpy


class Loading(Case):
    def test_every_mistake_is_told_at_once_as_the_command_tells_it(self):
        words = ["--set", "Q=1", "--set", "R=-1"]
        told = subprocess.run([PROGRAM, "run", example("thesis/buck"), *words], capture_output=True, text=True, check=False)
        with self.assertRaises(hydevs.ModelError) as caught:
            hydevs.load(example("thesis/buck"), Q=1, R=-1)
        self.assertEqual(told.stderr.strip(), str(caught.exception))
        self.assertEqual(1, caught.exception.code)
        self.assertEqual(["--set R=-1", "--set Q=1"], [m.file for m in caught.exception.messages])
        self.assertFalse(any(m.warning for m in caught.exception.messages))

    def test_a_file_that_is_not_there_is_an_error_of_the_model(self):
        with self.assertRaisesRegex(hydevs.ModelError, "nowhere.xml"):
            hydevs.load(self.path("nowhere.xml"))
        with self.assertRaises(hydevs.ModelError):
            hydevs.load(self.folder)

    def test_numbers_are_text_with_suffixes_or_numbers(self):
        for value in ("20k", 20000, 2e4, "2e4"):
            self.assertEqual(20000.0, hydevs.load(example("thesis/buck"), f=value).parameters["f"].value)
        m = hydevs.load(example("thesis/buck"), set={"uC.x0": "1m"}, L="10m")
        self.assertEqual((0.01, "H"), (m.parameters["L"].value, m.parameters["L"].unit))
        with self.assertRaises(hydevs.ModelError):
            hydevs.load(example("thesis/buck"), f="20 k")
        with self.assertRaises(TypeError):
            hydevs.load(example("thesis/buck"), f=None)

    def test_more_is_set_by_another_model(self):
        m = model(DECAY)
        fast = m.with_(a=2)
        self.assertEqual(1.0, m.parameters["a"].value)
        self.assertEqual(2.0, fast.parameters["a"].value)
        self.assertEqual(1.0, fast.with_(a=1).parameters["a"].value)
        self.assertIn("a=2", repr(fast))

    def test_a_text_with_a_zero_in_it_is_refused(self):
        with self.assertRaises(hydevs.UsageError):
            hydevs.load("a\0b")
        with self.assertRaises(hydevs.UsageError):
            model(DECAY, set={"a": "1\0"})

    def test_a_model_that_is_edited_meanwhile_is_as_it_was_read(self):
        path = self.path("m.xml")
        text = '<hydevs xmlns="urn:hydevs:1" name="m"><param name="k" value="%s"/><integrator name="x" in="k"/><experiment stop="1" record="x"/></hydevs>'
        with open(path, "w", encoding="utf-8") as file:
            file.write(text % 1)
        m = hydevs.load(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text % 7)
        self.assertEqual(1.0, m.with_(method="qss1").parameters["k"].value)
        os.unlink(path)
        self.assertEqual(1.0, m.run(method="qss2").model.parameters["k"].value)

    def test_warnings_come_once_and_at_the_line_of_the_caller(self):
        inside = DECAY + '<function name="unused_one" formula="x^2"/><integrator name="lost" in="p"/><in name="p"/>'
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", hydevs.ModelWarning)
            model(inside).run()
        told = [str(w.message) for w in caught]
        self.assertEqual(len(set(told)), len(told))
        self.assertTrue(told)
        self.assertTrue(all(os.path.basename(w.filename) in ("common.py", "test_run.py") for w in caught))
        counted = DECAY + '<counter name="n" in="x"/>'  # pieces of a signal
        with self.assertWarnsRegex(hydevs.ModelWarning, "counter|pieces|events"):
            self.assertTrue(model(counted).warnings)
        with self.assertRaisesRegex(hydevs.ModelError, "n:in|\"n\"|counter|events"):
            model(counted, strict=True)


@needs_numpy
class Running(Case):
    def test_what_is_recorded_has_the_bits_of_the_command(self):
        for name in ("thesis/buck", "arrivals", "bouncing-ball", "power/flyback"):
            out = self.path("out.csv")
            stop = {"power/flyback": ["-t", "1m"]}.get(name, [])
            subprocess.run([PROGRAM, "run", example(name), "-o", out, *stop], capture_output=True, check=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", hydevs.ModelWarning)
                r = hydevs.load(example(name)).run(stop=stop[1] if stop else None)
            with open(out, newline="", encoding="utf-8") as file:
                head, *rows = list(csv.reader(file))
            self.assertEqual(tuple(head), r.table.names, name)
            told = numpy.array([[float(v) if v else math.nan for v in row] for row in rows])
            self.assertTrue(numpy.array_equal(told, r.table.array, equal_nan=True), name)

    def test_files_are_written_beside(self):
        out = self.path("x.csv")
        r = model(DECAY).run(files=out)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(len(r.table) + 1, len(file.readlines()))
        with open(out + ".json", encoding="utf-8") as file:
            self.assertEqual("m", json.load(file)["model"])

    def test_options_are_those_of_the_command(self):
        m = model(DECAY)
        coarse, fine = m.run(tol=1e-2), m.run(tol="1u", method="qss3")
        error = [abs(r["x"][-1] - math.exp(-1)) for r in (coarse, fine)]
        self.assertLess(error[1], 2e-6)
        self.assertLess(error[1], error[0] / 100)
        self.assertEqual("flat", m.run(engine="flat").engine)
        self.assertEqual(0.5, m.run(stop="500m")["time"][-1])
        self.assertEqual(11, len(m.run(grid=0.1).table))
        self.assertEqual(("time", "x", "x.out"), m.run(record="x.out").table.names)
        a, b = hydevs.load(example("arrivals")), hydevs.load(example("arrivals"))
        self.assertTrue(numpy.array_equal(a.run(seed=7).table.array, b.run(seed=7).table.array, equal_nan=True))
        self.assertFalse(numpy.array_equal(a.run(seed=7)["time"], b.run(seed=8)["time"]))

    def test_measures_are_those_of_the_pieces(self):
        r = model(DECAY).run(method="qss3", tol=1e-9, measure={"area": "integral(x)", "half": "first(x < 0.5)"})
        self.assertAlmostEqual(1 - math.exp(-1), r.measures["area"], delta=1e-8)
        self.assertAlmostEqual(math.log(2), r.measures["half"], delta=1e-8)
        r = model(DECAY).run(measure="first(x > 2)")
        (name, value), = r.measures.items()
        self.assertTrue(math.isnan(value))
        self.assertTrue(r.measure_why(name))

    def test_calls_without_sense_are_refused(self):
        m = model(DECAY)
        for wrong in ({"stop": -1}, {"engine": "x"}, {"method": "qss9"}, {"tol": 0}, {"tol": "a"}, {"seed": -1}, {"stop": "1_0"},
                      {"record": "nothing"}, {"measure": "mean(nothing)"}, {"tol": math.inf}, {"partition": "x"}):
            with self.assertRaises((hydevs.UsageError, hydevs.ModelError), msg=wrong):
                m.run(**wrong)
        self.assertTrue(issubclass(hydevs.UsageError, ValueError))

    def test_a_run_that_fails_has_what_it_recorded(self):
        m = model('<integrator name="x" in="1"/><function name="y" formula="sqrt(0.5 - x)"/><integrator name="z" in="y"/>'
                  '<experiment stop="1" record="x z" method="qss2"/>')
        with self.assertRaises(hydevs.RunError) as caught:
            m.run()
        e = caught.exception
        self.assertEqual(3, e.code)
        self.assertTrue(0.4 < e.time <= 0.6, e.time)
        self.assertEqual(e.time, e.result["time"][-1])
        self.assertIn("y", str(e))
        self.assertIsNone(pickle.loads(pickle.dumps(e)).result)

    def test_endless_events_at_an_instant_have_an_error_of_their_own(self):
        m = model('<relay name="a" in="b g"/><relay name="b" in="a"/><generator name="g" first="0" period="9" values="1"/>'
                  '<experiment stop="1" record="a"/>')
        with self.assertRaises(hydevs.IllegitimateError) as caught:
            m.run(limit=100)
        self.assertEqual(4, caught.exception.code)
        self.assertEqual(0.0, caught.exception.time)

    def test_a_measure_out_of_its_bounds_is_an_error_of_its_own(self):
        with self.assertRaises(hydevs.AuditError) as caught:
            model(DECAY.replace('method="qss2"/>', 'method="qss2"><measure name="top" value="max(x)" max="0.5"/></experiment>')).run()
        self.assertEqual(1.0, caught.exception.result.measures["top"])

    def test_a_block_may_end_a_run(self):
        r = model(DECAY + '<stop name="enough" in="0.5 - x"/>').run(stop=math.inf)
        self.assertIn("enough", r.finished)
        self.assertAlmostEqual(math.log(2), r.end, delta=1e-2)

    def test_events_that_are_no_numbers_are_payloads(self):
        m = model('<generator name="g" first="1" period="1" values="(\'job\', 1), 7, true, [1.5, 2]"/><experiment stop="9" record="g"/>')
        t = m.run().table
        self.assertEqual([("job", 1), True, [1.5, 2.0]], list(t.payloads("g").values())[:3])
        self.assertEqual({1.0, 3.0, 4.0}, {float(t["time"][row]) for row in t.payloads("g") if t["time"][row] < 5})
        self.assertTrue(all(math.isnan(t["g"][row]) for row in t.payloads("g")))
        self.assertEqual(t.payloads("g"), pickle.loads(pickle.dumps(t)).payloads("g"))

    def test_a_table_tells_units_and_is_copied_by_pickle(self):
        t = hydevs.load(example("thesis/buck")).run().table
        self.assertEqual(("s", "A", "V"), tuple(t.unit(name) for name in t.names))
        self.assertEqual("coil", t.column("iL").label)
        copy = pickle.loads(pickle.dumps(t))
        self.assertEqual(repr(t), repr(copy))
        self.assertTrue(numpy.array_equal(t.array, copy.array))
        self.assertFalse(numpy.shares_memory(t.array, copy.array))
        with self.assertRaisesRegex(KeyError, "did you mean 'uC'"):
            t["uc"]
        with self.assertRaises(TypeError):
            pickle.dumps(hydevs.load(example("thesis/buck")))
        with self.assertRaisesRegex(TypeError, "table"):
            pickle.dumps(model(DECAY).run())

    def test_tables_of_several_grids_stand_apart(self):
        m = model('<integrator name="x" in="1"/><experiment stop="1" method="qss2"><record path="x"/><record path="x.out" grid="0.5"/></experiment>')
        r = m.run()
        self.assertEqual(2, len(r.tables))
        with self.assertRaisesRegex(KeyError, r"tables\[1\]"):
            r["x.out"]
        self.assertEqual(3, len(r.tables[1]["x.out"]))

    def test_nothing_recorded_is_said(self):
        r = model('<integrator name="x" in="1"/><experiment stop="1" method="qss2"/>').run()
        self.assertEqual((), r.tables)
        with self.assertRaises(hydevs.UsageError):
            r["x"]

    def test_to_pandas(self):
        if importlib.util.find_spec("pandas") is None:
            self.skipTest("no pandas (python3-pandas)")
        t = hydevs.load(example("thesis/buck")).run().table
        frame = t.to_pandas()
        self.assertEqual({"iL": "A", "uC": "V"}, frame.attrs["units"])
        self.assertEqual(t["uC"][-1], frame["uC"].iloc[-1])
        self.assertEqual("time", frame.index.name)


@needs_numpy
class Beside(Case):
    """Other people's solvers."""

    def setUp(self) -> None:
        super().setUp()
        try:
            from scipy import integrate, signal as filters
        except ImportError:
            self.skipTest("no SciPy (python3-scipy)")
        self.solve, self.filters = integrate.solve_ivp, filters

    def truth(self, f, x0, times):
        return self.solve(f, (0, times[-1]), x0, "Radau", times, rtol=1e-10, atol=1e-13).y

    def close(self, r, truth, names, most):
        """The error of each state, over its range; errors of steps add up, and the model carries them on, so `most` is a multiple
        of the tolerance."""
        for k, name in enumerate(names):
            error = numpy.max(numpy.abs(r[name] - truth[k])) / numpy.ptp(truth[k])
            self.assertLess(error, most, (name, r))

    def test_smooth_examples_against_radau(self):
        def hunters(t, x, a=0.1, b=0.1):
            return [a * x[0] - b * x[0] * x[1], b * x[0] * x[1] - a * x[1]]

        def tanks(t, c):
            e = 0.1 - c[2]
            feed = 0.2 + 0.8 + 30 * (e + c[3] / 5)
            return [feed / 2 - c[0], c[0] / 2 - c[1], c[1] / 2 - c[2], e]

        for name, f, x0, names in (("lotka-volterra", hunters, [0.5, 0.5], ["prey", "hunters"]),
                                   ("tanks", tanks, [0.4, 0.2, 0.1, 0], ["c1", "c2", "c3", "sum_e"])):
            m = hydevs.load(example(name))
            truth = self.truth(f, x0, m.run()["time"])
            for method, tol in (("qss3", 1e-6), ("liqss3", 1e-5), ("cvode_bdf", 1e-8), ("cvode_adams", 1e-8)):
                self.close(m.run(method=method, tol=tol), truth, names, 3000 * tol)

    def test_a_stiff_example_against_radau(self):
        def cell(t, s):
            c2, cp, pm, m, y, yp = s
            f = 0.018 + 180 * (m / (c2 + cp + pm + m)) ** 2
            return [m - 1e6 * c2 + 1e3 * cp, -200 * cp * y + 1e6 * c2 - 1e3 * cp, 200 * cp * y - pm * f, pm * f - m,
                    0.015 - 200 * cp * y, m - 0.6 * yp]

        names = [f"cell[1]/{name}" for name in ("C2", "CP", "pM", "M", "Y", "YP")]
        m = hydevs.load(example("thesis/tyson"), N=2, record=names)
        r = m.run(method="cvode_bdf", tol=1e-9)
        self.close(r, self.truth(cell, [0, 0.75, 0.25, 0, 0, 0], r["time"]), names, 1e-4)

    def test_a_linear_circuit_against_lsim(self):
        m = model('<circuit name="c"><voltage name="U" nodes="in 0" value="1"/><resistor name="R" nodes="in a" R="0.5"/>'
                  '<inductor name="L" nodes="a b" L="0.2"/><capacitor name="C" nodes="b 0" C="0.3"/><out name="v" from="b.v"/></circuit>'
                  '<experiment stop="5" record="c.v"/>')
        for method, tol in (("qss3", 1e-5), ("liqss2", 1e-3), ("block_liqss2", 1e-9), ("cvode_bdf", 1e-6)):
            r = m.run(grid=0.05, method=method, tol=tol)
            _, y, _ = self.filters.lsim(([[-0.5 / 0.2, -1 / 0.2], [1 / 0.3, 0]], [[1 / 0.2], [0]], [[0, 1]], [[0]]),
                                        numpy.ones(len(r.table)), r["time"])
            self.assertLess(numpy.max(numpy.abs(y - r["c.v"])), 20 * tol, method)


@needs_numpy
class Interrupts(Case):
    ENDLESS = '<integrator name="x" in="y"/><integrator name="y" in="-x" x0="1"/><experiment stop="1e9" record="x" grid="10" method="qss3" dqrel="1e-6" dqmin="1e-6"/>'

    def test_an_interrupt_ends_a_run_and_leaves_it_readable(self):
        m, main = model(self.ENDLESS), threading.main_thread().ident
        timer = threading.Timer(0.05, signal.pthread_kill, (main, signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt) as caught:
            m.run()
        timer.join()
        r = caught.exception.result
        self.assertGreater(r.end, 10)
        self.assertEqual(10 * math.floor(r.end / 10), r["time"][-1])

    def test_what_a_handler_raises_ends_a_run(self):
        class Enough(Exception):
            pass

        def handler(number, frame):
            raise Enough

        old = signal.signal(signal.SIGALRM, handler)
        self.addCleanup(signal.signal, signal.SIGALRM, old)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with self.assertRaises(Enough):
            model(self.ENDLESS).run()

    def test_progress_is_told_and_may_stop_a_run(self):
        seen = []
        with self.assertRaises(hydevs.RunError) as caught:
            model(self.ENDLESS).run(progress=lambda t, n: seen.append((t, n)) or len(seen) < 3)
        self.assertEqual(3, len(seen))
        self.assertEqual(sorted(seen), seen)
        self.assertIn("interrupted", str(caught.exception))
        with self.assertRaises(ZeroDivisionError):
            model(self.ENDLESS).run(progress=lambda t, n: 1 / 0)

    def test_threads_run_beside_each_other_with_equal_bits(self):
        m = hydevs.load(example("thesis/buck"))
        alone, found = m.run().table.array, []
        threads = [threading.Thread(target=lambda: found.extend(m.run().table.array for _ in range(5))) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(20, len(found))
        self.assertTrue(all(numpy.array_equal(alone, a) for a in found))

    def test_the_interpreter_is_free_while_a_run_goes_on(self):
        counted, over = 0, threading.Event()
        m = model(self.ENDLESS)

        def run():
            try:
                m.run(progress=lambda t, n: not over.is_set())
            except hydevs.RunError:
                pass

        t = threading.Thread(target=run)
        t.start()
        while counted < 1000:  # never, if the run held the interpreter
            counted += 1
        over.set()
        t.join()


class Importing(Case):
    def test_numpy_is_not_loaded_by_the_import(self):
        code = "import sys, hydevs; sys.exit('numpy' in sys.modules or 'typing' in sys.modules)"
        self.assertEqual(0, subprocess.run([sys.executable, "-S", "-c", code], check=False, env={**os.environ, "PYTHONPATH":
                         os.pathsep.join(p for p in sys.path if p)}).returncode)


if __name__ == "__main__":
    unittest.main()
