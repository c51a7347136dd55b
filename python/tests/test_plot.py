"""Measures that are asked for afterwards, and pictures."""
import math
import shutil
import unittest
import xml.etree.ElementTree

import hydevs
from common import DECAY, Case, example, model, needs_numpy


@needs_numpy
class Afterwards(Case):
    def test_measures_are_exact(self):
        r = model(DECAY).run(method="block_liqss2")
        self.assertAlmostEqual(1 - math.exp(-1), r.mean("x"), delta=1e-9)
        self.assertAlmostEqual(2 * (math.exp(-0.5) - math.exp(-1)), r.mean("x", window="500m"), delta=1e-9)
        self.assertAlmostEqual(math.exp(-0.25), r.at("x", 0.25), delta=1e-9)
        self.assertAlmostEqual(math.sqrt((1 - math.exp(-2)) / 2), r.rms("x"), delta=1e-9)
        self.assertAlmostEqual(1 - math.exp(-1), r.ripple("x"), delta=1e-9)
        self.assertAlmostEqual(math.log(2), r.measure("first(x < 0.5)"), delta=1e-9)
        self.assertAlmostEqual(r.final("x"), r.min("x"), delta=1e-12)
        with self.assertRaises((hydevs.ModelError, hydevs.UsageError)):
            r.mean("nothing")
        with self.assertWarns(hydevs.ModelWarning):
            self.assertTrue(math.isnan(r.measure("first(x > 2)")))
        asked = model(DECAY).run(method="block_liqss2", measure="mean(x)")
        self.assertEqual(asked.measures["mean(x)"], r.mean("x"))

    def test_a_measure_beside_one_that_is_out_of_its_bounds(self):
        text = DECAY.replace('method="qss2"/>', 'method="qss2"><measure name="top" value="max(x)" max="0.5"/></experiment>')
        with self.assertRaises(hydevs.AuditError) as caught:
            model(text).run()
        self.assertAlmostEqual(1 - math.exp(-1), caught.exception.result.mean("x"), delta=1e-2)


@needs_numpy
@unittest.skipIf(shutil.which("gnuplot") is None, "no gnuplot (gnuplot-nox)")
class Pictures(Case):
    def test_a_run_draws_itself(self):
        r = hydevs.load(example("thesis/buck")).run(stop="2m")
        r.plot("uC").save(self.path("u.png"))
        with open(self.path("u.png"), "rb") as file:
            self.assertEqual(b"\x89PNG", file.read(4))
        root = xml.etree.ElementTree.fromstring(r.plot("uC", "iL", start="1m").svg())
        self.assertTrue(root.tag.endswith("svg"))
        words = "".join(root.itertext())
        self.assertIn("output", words)  # its label
        self.assertIn("Buck converter", words)
        page = r._repr_html_()
        self.assertIn("<svg", page)
        self.assertIn("events", page)
        with self.assertRaises(KeyError):
            r.plot("nothing")
        with self.assertRaises(hydevs.Error):
            r.plot("uC").save(self.path("u.xyz"))

    def test_payloads_and_what_is_not_said_yet_are_no_numbers(self):
        m = model('<generator name="g" first="1" period="1" values="(\'a, &quot;b&quot;\', 1), 7"/><counter name="n" in="g"/><experiment stop="4" record="g n"/>')
        self.assertIn("<svg", m.run().plot().svg())

    def test_very_many_rows_are_drawn_when_asked_for(self):
        page = model(DECAY).run(grid="1u")._repr_html_()
        self.assertNotIn("<svg", page)
        self.assertIn("1000001 rows", page)

    def test_without_something_to_draw_a_run_shows_itself_too(self):
        r = model('<integrator name="x" in="1"/><experiment stop="1" method="qss2"/>').run()
        self.assertIn("events", r._repr_html_())
        self.assertNotIn("<svg", r._repr_html_())


if __name__ == "__main__":
    unittest.main()
