"""Simulations that are steered, runs that are told, models that are composed, and what is known of a model beside its runs."""
import cmath
import gc
import itertools
import math
import os
import signal
import subprocess
import threading
import unittest
import zipfile

import hydevs
from common import DECAY, PROGRAM, Case, example, model, needs_numpy, numpy

ENDLESS = '<integrator name="x" in="y"/><integrator name="y" in="-x" x0="1"/><experiment method="qss3" dqrel="1e-6" dqmin="1e-6"/>'


class Steered(Case):
    def test_it_goes_on_from_a_snapshot_bit_for_bit(self):
        s = hydevs.load(example("thesis/buck")).start()
        s.run("1m")
        snap = s.save()
        instants = []
        for _ in range(2):
            while s.step(2e-3):
                instants.append(s.time)
            s.load(snap)
            self.assertEqual(1e-3, s.time)
        n = len(instants) // 2
        self.assertGreater(n, 100)
        self.assertEqual(instants[:n], instants[n:])
        with self.assertRaises(hydevs.UsageError):
            hydevs.load(example("thesis/buck")).start().load(snap)

    def test_python_blocks_are_in_a_snapshot(self):
        class Count(hydevs.Atomic):
            inputs, outputs = hydevs.events("in"), hydevs.signal("out")

            def start(self, t):
                self.seen = []

            def external(self, t, e, port, value):
                self.seen.append(value)
                self.sigma = 0.25

            def output(self, t):
                return [("out", len(self.seen)), ("out", sum(self.seen))]

        m = model('<generator name="g" first="1" period="1" values="1, 2, 3, 4, 5"/><count name="c" in="g"/><experiment/>', blocks=[Count])
        for engine in ("tree", "flat", "fused"):
            s = m.start(engine=engine)
            s.run(2.125)
            snap = s.save()
            self.assertEqual(1.0, s["c"])
            for _ in range(2):
                s.run(3.5)
                self.assertEqual((6.0, 4.0), (s["c"], s.next))
                s.load(snap)
                self.assertEqual((1.0, 2.25), (s["c"], s.next))
        s.model._options.blocks.classes[0].start = lambda self, t: setattr(self, "held", lambda: 0)
        with self.assertRaisesRegex(hydevs.UsageError, "pickle"):
            m.start().save()

    def test_inputs_are_fed(self):
        m = model('<in name="u"/><in name="e" kind="event"/><integrator name="x" in="u"/><counter name="n" in="e"/>'
                  '<stop name="s" in="x - 3"/><stop name="many" in="n - 2.5"/><experiment method="qss3"/>')
        s = m.start()
        s.input("u", 1)
        s.run(1)
        s.input("u", (0, 2.0))  # x = 1 + (t - 1)^2, so 3 at 1 + sqrt(2)
        s.run(10)
        self.assertAlmostEqual(1 + math.sqrt(2), s.time, delta=1e-6)
        self.assertIn("s", s.finished)
        s = m.start()
        for t in (1, 2, 3):
            s.input("u", 0)
            s.input("e", ("job", t))
            s.run(t)
        self.assertIn("many", s.finished)
        with self.assertRaisesRegex(KeyError, "there are u, e"):
            s.input("v", 1)

    def test_levers_are_moved(self):
        s = model('<lever name="valve" value="0.8" lower="0" upper="1" unit="1"/><integrator name="h" in="valve"/><experiment method="qss3"/>').start()
        self.assertEqual(("setting", 0.8, 0.0, 1.0), tuple(getattr(s.levers["valve"], n) for n in ("kind", "value", "lower", "upper")))
        s.run(1)
        s.set("valve", 0.4, ramp=2)
        s.run(2)
        self.assertAlmostEqual(0.6, s["valve"], delta=1e-12)
        self.assertEqual(0.4, s.levers["valve"].target)
        s.run(5)
        self.assertAlmostEqual(0.8 + 0.6 * 2 + 0.4 * 2, s["h.x"], delta=1e-9)
        for wrong in (1.5, -1, float("nan")):
            with self.assertRaises(hydevs.Error, msg=wrong):
                s.set("valve", wrong)
        s.run(6)
        self.assertAlmostEqual(3.2, s["h.x"], delta=1e-9)
        with self.assertRaisesRegex(KeyError, "valve"):
            s.set("valv", 1)
        with self.assertRaises(KeyError):
            s["nothing"]

    def test_time_goes_on(self):
        s = model(DECAY).start()
        s.run(0.5)
        for wrong in (0.4, -1, float("nan"), "x"):
            with self.assertRaises(hydevs.UsageError, msg=wrong):
                s.run(wrong)
        self.assertEqual(0.5, s.time)
        self.assertGreater(s.next, 0.5)
        self.assertFalse(s.step(0.5))

    def test_one_thread_at_a_time(self):
        s = model(ENDLESS).start()
        with s._lock, self.assertRaisesRegex(hydevs.UsageError, "another one is at work"):  # as another thread would have it
            s.run(1)
        main = threading.main_thread().ident
        timer = threading.Timer(0.05, signal.pthread_kill, (main, signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            s.run(1e9)
        timer.join()
        t = s.time
        s.run(t + 1)
        self.assertEqual(t + 1, s.time)

    def test_references_may_be_dropped_in_every_order(self):
        for order in itertools.permutations(range(3)):
            m = model(DECAY)
            s = m.start()
            s.run(0.5)
            held = [m, s, s.save()]
            del m, s
            for k in order:
                held[k] = None


class Told(Case):
    def test_events_are_those_of_the_command(self):
        for name in ("queue", "arrivals"):
            told = subprocess.run([PROGRAM, "step", example(name), "-t", "9", "-n", "1000"], capture_output=True, text=True, check=True).stdout
            found = list(hydevs.load(example(name)).steps(until=9))
            self.assertEqual(told.count("     says "), sum(len(e.says) for e in found), name)
            self.assertEqual(sorted(e.time for e in found), [e.time for e in found])
        e = found[0]
        self.assertEqual("customers", e.block)
        self.assertEqual([("out", 1.0)], e.says)
        self.assertEqual({"desk", "came"}, {to[0] for to in e.to})

    def test_a_story_may_be_left(self):
        story = hydevs.load(example("arrivals")).steps()
        next(story)
        del story


@needs_numpy
class Composed(Case):
    def test_what_is_saved_is_the_language(self):
        b = hydevs.Model("rc", doc='charging, "slowly" & <well>')
        b.parameter("tau", "500m", unit="s", min=0)
        inner = b.coupled("stage", u="1")
        inner.input("u")
        inner.add("integrator", "v", in_="(u - v)/tau", x0=0)
        inner.output("y", "v")
        b.add("gain", "twice", k=2.0)
        b.wire("stage.y", "twice.in")
        b.experiment(1, ["stage/v", "twice"], method="qss3", dqrel=1e-8, dqmin=1e-8)
        path = self.path("rc.xml")
        b.save(path)
        r = b.run()
        self.assertTrue(numpy.array_equal(r.table.array, hydevs.load(path).run().table.array))
        self.assertAlmostEqual(2 * (1 - math.exp(-2)), r["twice"][-1], delta=1e-6)
        self.assertEqual(0, subprocess.run([PROGRAM, "check", path], capture_output=True, check=False).returncode)
        self.assertEqual(b.load(tau=1).parameters["tau"].value, 1.0)

    def test_what_is_wrong_is_told_of_its_lines(self):
        b = hydevs.Model("m")
        b.add("integratr", "x")
        with self.assertRaisesRegex(hydevs.ModelError, "m.xml:3: .*integrator"):
            b.load()


@needs_numpy
class Known(Case):
    """An RC filter driven by a pwm: everything has a closed form."""

    FILTER = ('<param name="duty" value="0.3"/><param name="tau" value="2"/><pwm name="g" period="1" duty="duty"/>'
              '<integrator name="v" in="(g - v)/tau"/><experiment stop="1" record="v"/>')

    def test_the_steady_state(self):
        s = model(self.FILTER).steady(harmonics=2)
        self.assertEqual(1.0, s.period)
        self.assertAlmostEqual(0.3, s.mean("v"), delta=1e-10)
        self.assertAlmostEqual(math.exp(-0.5), abs(s.multipliers[0]), delta=1e-9)
        self.assertAlmostEqual(math.exp(-0.5), s.monodromy[0, 0], delta=1e-9)
        falls = math.exp(-0.7 / 2)
        top = (1 - math.exp(-0.3 / 2)) / (1 - math.exp(-0.5))
        self.assertAlmostEqual(top * falls, s.states["v"], delta=1e-9)
        harmonic = 2 / math.pi * abs(math.sin(math.pi * 0.3)) / abs(1 + 2j * math.pi * 2)
        self.assertAlmostEqual(harmonic, s.harmonic("v", 1)[0], delta=1e-9)
        with self.assertRaises(hydevs.UsageError):
            s.harmonic("v", 3)
        with self.assertRaises(KeyError):
            s.mean("w")
        with self.assertRaises(hydevs.Error):
            model(DECAY).steady()

    def test_a_frequency_response(self):
        m = model('<param name="u" value="1"/><param name="tau" value="2"/><pwm name="g" period="1" duty="0.5"/>'
                  '<integrator name="v" in="(u - v)/tau + 0*g"/><experiment stop="1" record="v"/>')
        gc.disable()  # who is asked on the way must not hang on the collector
        self.addCleanup(gc.enable)
        b = m.bode("u", "v", points=50)
        truth = 1 / (1 + 2j * math.pi * 0.1 * 2)
        self.assertAlmostEqual(0, abs(b.at(0.1) - truth), delta=1e-6)
        expected = 20 * numpy.log10(numpy.abs(1 / (1 + 2j * math.pi * b.frequency * 2)))
        self.assertLess(numpy.max(numpy.abs(b.gain - expected)), 1e-4)
        self.assertAlmostEqual(math.degrees(cmath.phase(1 / (1 + 2j * math.pi * b.frequency[-1] * 2))), b.phase[-1], delta=0.01)

    def test_modes(self):
        m = model('<integrator name="x" in="y"/><integrator name="y" in="-4*x - 2*y" x0="1"/><experiment stop="1" method="qss2"/>')
        modes, states, jacobian = m.modes()
        self.assertEqual({"x", "y"}, set(states))
        self.assertAlmostEqual(0, abs(modes[0].value - complex(-1, math.sqrt(3))), delta=1e-9)
        self.assertTrue(numpy.array_equal([[0, 1], [-4, -2]], jacobian))

    def test_a_unit_of_fmi(self):
        path, file = self.path("m.fmu"), self.path("m.xml")
        with open(file, "w", encoding="utf-8") as out:
            out.write(f'<hydevs xmlns="urn:hydevs:1" name="m">{self.FILTER}</hydevs>')
        try:
            hydevs.load(file).export_fmu(path)
        except hydevs.Error as why:
            if "hydevs-fmi3" not in str(why):
                raise
            self.skipTest(f"no shared object for units here: {why}")
        with zipfile.ZipFile(path) as unit:
            self.assertIn("modelDescription.xml", unit.namelist())
        self.assertGreater(os.path.getsize(path), 1000)


if __name__ == "__main__":
    unittest.main()
