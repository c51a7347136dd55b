"""What nobody should do, and some do."""
import os
import subprocess
import sys
import threading
import unittest

import hydevs
from common import DECAY, Case, model, needs_numpy
from hydevs._core import lib

ENDLESS = '<integrator name="x" in="y"/><integrator name="y" in="-x" x0="1"/><experiment stop="1e9" method="qss3" dqrel="1e-6" dqmin="1e-6"/>'


class Wrong(Case):
    """What is not meant says what it is about, and no number comes of it."""

    def check(self, kind, why, call):
        with self.assertRaisesRegex(kind, why):
            call()

    def test_arguments_that_make_no_sense_are_named(self):
        m = model(DECAY)
        for name in ("seed", "limit"):
            for wrong in (1.5, "x", -1, 1 << 63):
                self.check(hydevs.UsageError, name, lambda n=name, v=wrong: m.run(**{n: v}))
        for call in (m.run, m.start, m.sweep):
            self.check(hydevs.UsageError, "stop=nan", lambda c=call: c(stop=float("nan")))
            self.check(TypeError, "stop=", lambda c=call: c(stop=[1]))
        self.check(hydevs.UsageError, "stop=nan", lambda: next(m.steps(until=float("nan"))))
        self.check(TypeError, "3 is no text", lambda: m.run(engine=3))
        self.check(TypeError, "3 is no name", lambda: m.run(record=3))
        self.check(TypeError, "progress=3", lambda: m.run(progress=3))
        self.check(TypeError, "progress=3", lambda: m.sweep(a=[1, 2], progress=3))
        self.check(hydevs.UsageError, "threads=-1", lambda: m.sweep(a=[1, 2], threads=-1))
        self.check(IndexError, "no row 2: the sweep has 2", lambda: m.sweep(a=[1, 2]).run(2))
        self.check(TypeError, "name of a file", lambda: hydevs.load(b"m.xml"))
        self.check(TypeError, "bytes", lambda: hydevs.load("m.xml", text=b"<hydevs/>"))
        self.check(hydevs.UsageError, "no table 1", lambda: m.run().plot(table=1))
        self.check(TypeError, "no Snapshot", lambda: m.start().load("x.hysnap"))

    def test_classes_that_are_wrong_are_named(self):
        for ports in ("out", 3, ("out",)):
            wrong = type("Wrong", (hydevs.Atomic,), {"outputs": ports})
            self.check(hydevs.UsageError, r"hydevs.events\(\)", lambda w=wrong: model(DECAY, blocks=[w]))
        ramp = type("Ramp", (hydevs.Atomic,), {"outputs": hydevs.signal("out")})
        self.check(hydevs.UsageError, 'built-in block; Ramp has another by `type = "my_ramp"`', lambda: model(DECAY, blocks=[ramp]))

    def test_a_run_says_what_it_is_without_numpy(self):
        code = f'''
import sys
sys.modules["numpy"] = None
import hydevs
r = hydevs.load("m.xml", text='<hydevs xmlns="urn:hydevs:1" name="m">{DECAY}</hydevs>').run(grid=0.125)
print(len(r.table), "9 rows" in repr(r), "9 rows" in repr(r.table))
'''
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual(("9 True True\n", ""), (done.stdout, done.stderr))

    def test_a_simulation_at_work_is_left_alone(self):
        class Meddles(hydevs.Atomic):
            outputs = hydevs.signal("out")

            def start(self, t):
                self.sigma = 1.0

            def output(self, t):
                return "out", 1.0 if s is None else float(what(s) is not None)

        for what in (lambda s: s.save(), lambda s: s.run(5), lambda s: s.write(self.path("x.hysnap")), lambda s: s["b"], lambda s: s.next, lambda s: s.levers):
            s = None
            s = model('<meddles name="b"/><experiment stop="5"/>', blocks=[Meddles]).start()
            with self.assertRaisesRegex(hydevs.RunError, "another one is at work"):
                s.run(2)


@needs_numpy
class Hostile(Case):
    def test_a_process_that_forks_during_a_run_has_two_that_work(self):
        m, over = model(ENDLESS), threading.Event()
        short = model(DECAY)
        begun = threading.Event()

        def look(t, n):
            begun.set()
            return not over.is_set()

        thread = threading.Thread(target=lambda: self.assertRaises(hydevs.RunError, lambda: m.run(progress=look)))
        thread.start()
        begun.wait()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                again = m.with_(set={"x.x0": 2}).run(stop=1, record="x")["x"][0]
                status = 0 if again == 2 and model(DECAY).run()["x"][-1] == short.run()["x"][-1] else 2
            finally:
                os._exit(status)
        self.assertEqual(0, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        over.set()
        thread.join()

    def test_an_interpreter_may_end_with_a_run_under_way(self):
        code = f'''
import threading, time, hydevs
m = hydevs.load("m.xml", text='<hydevs xmlns="urn:hydevs:1" name="m">{ENDLESS}</hydevs>')
begun = threading.Event()
t = threading.Thread(target=lambda: m.run(progress=lambda t, n: begun.set() or True), daemon=True)
t.start()
begun.wait()
kept = hydevs.load("m.xml", text='<hydevs xmlns="urn:hydevs:1" name="m">{DECAY}</hydevs>').run()["x"]
'''
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=600)
        self.assertEqual((0, ""), (done.returncode, done.stderr))

    def test_ten_thousand_models_may_be_alive(self):
        before, n = lib.owned_alive(lib.OWNED_LOADED), 10_000 if "HY_PRELOAD" not in os.environ else 500
        base = model(DECAY)
        alive = [base.with_(a=k + 1) for k in range(n)]
        self.assertEqual(before + n + 1, lib.owned_alive(lib.OWNED_LOADED))
        self.assertEqual(float(n), alive[-1].parameters["a"].value)
        del alive, base
        self.assertEqual(before, lib.owned_alive(lib.OWNED_LOADED))

    @unittest.skipIf("HY_PRELOAD" in os.environ, "AddressSanitizer keeps what is freed")
    def test_memory_of_runs_is_given_back(self):
        m = model(DECAY)

        def resident():
            with open("/proc/self/status", encoding="ascii") as file:
                return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

        def runs(n):
            for _ in range(n):
                m.run(stop=0.1)["x"]

        runs(1000)
        before = resident()
        runs(3000)
        self.assertLess(resident() - before, 1024)


if __name__ == "__main__":
    unittest.main()
