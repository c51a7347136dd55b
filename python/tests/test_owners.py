"""Who holds whom: references are dropped in every order, in circles too. Under AddressSanitizer a mistake here ends the process."""
import gc
import itertools
import unittest

import hydevs
from common import DECAY, Case, model, needs_numpy, numpy
from hydevs._core import lib

KINDS = [lib.OWNED_DOCUMENTS, lib.OWNED_LOADED, lib.OWNED_RUN]


def alive():
    gc.collect()
    return [lib.owned_alive(kind) for kind in KINDS]


@needs_numpy
class Owners(Case):
    def test_references_may_be_dropped_in_every_order(self):
        before = alive()
        for order in itertools.permutations(range(6)):
            m = model(DECAY)
            r = m.run()
            table, column = r.table, r["x"]
            held = [m, r, table, column, column[1:], m.with_(a=2)]
            expected = column.copy()
            del m, r, table, column
            for k in order:
                held[k] = None
                for left in held:
                    if isinstance(left, numpy.ndarray):
                        self.assertTrue(numpy.array_equal(expected[-len(left):], left))
            held = None
        self.assertEqual(before, alive())

    def test_circles_are_freed_whatever_is_first(self):
        before = alive()
        for order in itertools.permutations(range(4)):
            m = model(DECAY)
            r = m.run()
            a = r["x"]
            parts = [m._handle, r._handle, a, r.table]
            circle = [parts[k] for k in order]
            circle.append(circle)
            for part in (m, r):
                circle.append(part)
            del m, r, a, parts, circle, part
            gc.collect()
        self.assertEqual(before, alive())

    def test_an_array_outlives_everything(self):
        a = model(DECAY).run()["x"]
        gc.collect()
        self.assertEqual(1.0, a[0])
        self.assertGreater(0.5, a[-1])

    def test_a_run_that_is_let_go_needs_no_collector(self):
        m, before = model(DECAY), alive()
        gc.disable()
        self.addCleanup(gc.enable)
        for _ in range(5):
            m.run()["x"]
            m.with_(a=2).run()
        self.assertEqual(before, [lib.owned_alive(kind) for kind in KINDS])
        self.assertEqual(0, gc.collect())

    def test_arrays_are_views_that_nobody_writes_to(self):
        r = model(DECAY).run()
        self.assertTrue(numpy.shares_memory(r["x"], r["time"]) or numpy.may_share_memory(r["x"], r.table.array))
        self.assertTrue(numpy.shares_memory(r["x"], r.table.array))
        self.assertFalse(r["x"].flags.writeable)
        with self.assertRaises(ValueError):
            r["x"][0] = 1
        with self.assertRaises(ValueError):
            r.table.array.flags.writeable = True
        again = numpy.asarray(r.table)
        self.assertTrue(numpy.shares_memory(again, r.table.array))

    def test_failures_leave_nothing_behind(self):
        before = alive()
        for k in range(20):
            with self.assertRaises(hydevs.ModelError):
                model(DECAY, a=-1)
            with self.assertRaises(hydevs.UsageError):
                model(DECAY).run(stop=-1)
            with self.assertRaises(hydevs.UsageError):
                model(DECAY).run(record="nothing")
        self.assertEqual(before, alive())


if __name__ == "__main__":
    unittest.main()
