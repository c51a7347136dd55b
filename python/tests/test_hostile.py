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
