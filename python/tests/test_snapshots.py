"""Simulations that go on from files, in other processes; what cannot be in a file, or does not fit, says why and changes nothing."""
import gc
import os
import subprocess
import sys
import unittest

import hydevs
from common import DECAY, PROGRAM, Case, example, model

TANK = ('<param name="leak" value="0.1"/><in name="u"/><lever name="valve" value="0.8" lower="0" upper="1"/><random_generator name="jobs" mean="0.4"/>'
        '<server name="desk" time="0.3" in="jobs"/><counter name="done" in="desk"/><integrator name="h" in="valve + u - leak*h"/>'
        '<experiment stop="9" method="qss3" seed="5"/>')
SAYS = ("h.x", "valve", "done")

GOES_ON = '''
import sys, hydevs
s = hydevs.load(sys.argv[1]).start(from_=sys.argv[2], engine=sys.argv[3])
print(s.time.hex(), s.next.hex())
s.set("valve", 0.3, ramp=2)
s.run(7.5)
print(*(s[name].hex() for name in sys.argv[4:]), s.next.hex())
'''


def told(s):
    return " ".join([*(s[name].hex() for name in SAYS), s.next.hex()])


class Files(Case):
    def setUp(self) -> None:
        super().setUp()
        self.model, self.file = self.path("tank.xml"), self.path("x.hysnap")
        with open(self.model, "w", encoding="utf-8") as out:
            out.write(f'<hydevs xmlns="urn:hydevs:1" name="tank">{TANK}</hydevs>')

    def at_five(self, engine="auto"):
        s = hydevs.load(self.model).start(engine=engine)
        s.input("u", 0.25)
        s.run(2)
        s.set("valve", 0.1, ramp=5)  # which is on its way at 5
        s.run(5.001)
        return s

    def test_another_process_goes_on_to_the_same_bits(self):
        for engine, other in (("tree", "fused"), ("fused", "flat"), ("flat", "tree")):
            s = self.at_five(engine)
            s.write(self.file)
            stood = f"{s.time.hex()} {s.next.hex()}"
            s.set("valve", 0.3, ramp=2)
            s.run(7.5)
            words = [sys.executable, "-c", GOES_ON, self.model, self.file, other, *SAYS]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            self.assertEqual((0, ""), (done.returncode, done.stderr))
            self.assertEqual([stood, told(s)], done.stdout.splitlines())
            self.assertEqual((5.001).hex(), stood.split()[0])

    def test_one_is_put_back_at_any_time(self):
        s = self.at_five()
        s.write(self.file)
        s.run(7)
        expected = told(s)
        for until in (7, 8):
            s.run(until)
            s.read(self.file)
            gc.collect()
            self.assertEqual(5.001, s.time)
            s.run(7)
            self.assertEqual(expected, told(s))
        kept = s.save()
        s.read(self.file)
        s.load(kept)
        self.assertEqual(expected, told(s))

    def test_what_does_not_fit_changes_nothing(self):
        s = self.at_five()
        s.write(self.file)
        other, torn, csv = self.path("other.hysnap"), self.path("torn.hysnap"), self.path("o.csv")
        model(DECAY).start().write(other)
        with open(self.file, "rb") as whole, open(torn, "wb") as file:
            file.write(whole.read()[:-3])
        recorded = self.path("recorded.hysnap")
        subprocess.run([PROGRAM, "run", example("arrivals"), "-o", csv, "--snapshot", recorded + "@2"], capture_output=True, check=True)
        for file, why in ((other, "of another model"), (torn, "torn.hysnap"), (self.model, "no snapshot"), (self.path("none"), "cannot be read")):
            before = told(s)
            with self.assertRaisesRegex(hydevs.UsageError, why):
                s.read(file)
            self.assertEqual((5.001, before), (s.time, told(s)))
        with self.assertRaisesRegex(hydevs.UsageError, "other parameters"):
            hydevs.load(self.model, leak=0.2).start(from_=self.file)
        with self.assertRaisesRegex(hydevs.UsageError, "has recorded into .*o.csv"):
            hydevs.load(example("arrivals")).start(from_=recorded)
        with self.assertRaisesRegex(hydevs.RunError, "nowhere"):
            s.write(self.path("nowhere/x.hysnap"))
        for wrong in (3, b"x.hysnap", None):
            with self.assertRaises(TypeError, msg=wrong):
                s.write(wrong)
            with self.assertRaises(TypeError, msg=wrong):
                s.read(wrong)
        s.run(7.5)

    def test_a_block_in_python_is_in_no_file(self):
        class Ticks(hydevs.Atomic):
            outputs = hydevs.signal("out")

            def start(self, t):
                self.sigma = 1.0

            def output(self, t):
                return "out", t

            def internal(self, t):
                self.sigma = 1.0

        text = '<ticks name="c"/><experiment stop="9"/>'
        s = model(text, blocks=[Ticks]).start()
        s.run(2.5)
        with self.assertRaisesRegex(hydevs.UsageError, "block c: .*pickled"):
            s.write(self.file)
        self.assertFalse(os.path.exists(self.file))
        snap = s.save()
        s.run(4)
        s.load(snap)
        self.assertEqual((2.0, 3.0), (s["c"], s.next))


if __name__ == "__main__":
    unittest.main()
