"""Atomics in Python: beside the built-in block, on all engines, and everything that such a class may do wrong."""
import gc
import os
import signal
import unittest

import hydevs
from common import Case, model, needs_numpy, numpy
from hydevs import _atomic

ENGINES = ("tree", "flat", "fused")


class Desk(hydevs.Atomic):
    """First in, first out, as the block `server` has it."""

    inputs, outputs = hydevs.events("in"), hydevs.events("out")
    parameters = {"time": 1.0}

    def start(self, t):
        self.line = []

    def external(self, t, e, port, value):
        self.sigma -= e
        self.line.append(value)
        if len(self.line) == 1:
            self.sigma = self.time

    def output(self, t):
        return "out", self.line[0]

    def internal(self, t):
        self.line.pop(0)
        self.sigma = self.time if self.line else hydevs.inf


class Light(hydevs.Atomic):
    """As users of PythonPDEVS write it: state, ports in the constructor, functions by their names there."""

    def __init__(self, name):
        hydevs.Atomic.__init__(self, name)
        self.state = "red"
        self.interrupt = self.addInPort("interrupt")
        self.observed = self.addOutPort("observed")

    def timeAdvance(self):
        return {"red": 3, "green": 2, "manual": hydevs.inf}[self.state]

    def outputFnc(self):
        return {self.observed: ["green" if self.state == "red" else "red"]}

    def intTransition(self):
        return {"red": "green", "green": "red"}[self.state]

    def extTransition(self, inputs):
        assert inputs[self.interrupt] == ["police"] and self.elapsed >= 0
        return "manual"


class Wrong(hydevs.Atomic):
    """Does in one of its functions what is asked for."""

    inputs, outputs = hydevs.events("in", optional=True), hydevs.events("out")
    parameters = {"where": "nowhere"}
    do = staticmethod(lambda: None)

    def here(self, where):
        return type(self).do() if self.where == where else None

    def start(self, t):
        self.sigma = 1.0
        self.here("start")

    def advance(self):
        found = self.here("advance")
        return self.sigma if found is None else found

    def output(self, t):
        return self.here("output")

    def internal(self, t):
        self.sigma = 1.0
        self.here("internal")

    def external(self, t, e, port, value):
        self.sigma -= e
        self.here("external")


SHOP = '<random_generator name="g" mean="1"/>{}<experiment stop="50" seed="5" record="d g"/>'


@needs_numpy
class Atomics(Case):
    def test_a_server_in_python_is_the_built_in_one(self):
        truth = model(SHOP.format('<server name="d" time="0.9" in="g"/>')).run()
        for engine in ENGINES:
            r = model(SHOP.format('<desk name="d" time="0.9" in="g"/>'), blocks=[Desk]).run(engine=engine)
            self.assertTrue(numpy.array_equal(truth.table.array, r.table.array, equal_nan=True), engine)
        self.assertGreater(len(truth.table), 80)

    def test_names_of_pythonpdevs(self):
        m = model('<light name="l" interrupt="g"/><generator name="g" first="9" period="99" values="\'police\'"/><experiment stop="20" record="l"/>', blocks=[Light])
        t = m.run().table
        said = [(float(t["time"][row]), v) for row, v in t.payloads("l").items()]
        self.assertEqual([(3.0, "green"), (5.0, "red"), (8.0, "green")], said[:3])
        self.assertEqual({"green"}, {v for when, v in said[3:]})  # what stands there at the end

    def test_a_signal_moves_and_an_event_may_hold_anything(self):
        class Sender(hydevs.Atomic):
            outputs = (*hydevs.signal("x"), *hydevs.events("y"))

            def start(self, t):
                self.sigma, self.k = 1.0, 0

            def output(self, t):
                return [("x", (t, 2.0)), ("y", ("job", 7, 1.5, True, [1, 2])), ("y", 4)]

            def internal(self, t):
                self.k, self.sigma = self.k + 1, hydevs.inf

        m = model('<sender name="s"/><integrator name="i" in="s.x"/><counter name="n" in="s.y"/>'
                  '<experiment stop="3" record="s.x s.y i n" method="qss3"/>', blocks=[Sender])
        for engine in ENGINES:
            r = m.run(engine=engine)
            self.assertIn(("job", 7, 1.5, True, [1, 2]), r.table.payloads("s.y").values())
            self.assertAlmostEqual(5.0, r["s.x"][-1], delta=1e-12)  # 1 + 2 (t - 1)
            self.assertAlmostEqual(6.0, r["i"][-1], delta=1e-9)
            self.assertEqual(2.0, r["n"][-1])

    def test_what_a_function_raises_is_the_cause(self):
        m = model('<wrong name="w" in="g"/><generator name="g" first="0.5" period="1" values="1, 2"/><experiment stop="3" record="g"/>', blocks=[Wrong])
        for engine in ENGINES:
            for where in ("start", "advance", "output", "internal", "external"):
                Wrong.do = staticmethod(lambda: {}["missing"])
                kind = hydevs.ModelError if where == "start" else hydevs.RunError  # what cannot start is no model
                with self.assertRaises(kind, msg=where) as caught:
                    m.with_(set={"w.where": where}).run(engine=engine)
                self.assertIsInstance(caught.exception.__cause__, KeyError, where)
                self.assertIn("w", str(caught.exception))
                self.assertIn("KeyError", str(caught.exception))
        self.assertEqual(3.0, m.run().end)  # the class is as good as it was

    def test_nonsense_ends_the_run_with_the_name_of_the_block(self):
        m = model('<wrong name="w" in="g"/><generator name="g" first="0.5" period="1" values="1"/><experiment stop="3"/>', blocks=[Wrong])
        nonsense = {"advance": [-1.0, float("nan"), "soon", [], object()],
                    "output": [7, "out", ("nowhere", 1), ("out", object()), ("out", [1, "a"]), {"out": {}}, [("out",)], ("out", ())]}
        for where, values in nonsense.items():
            for value in values:
                Wrong.do = staticmethod(lambda value=value: value)
                with self.assertRaises(hydevs.RunError, msg=(where, value)) as caught:
                    m.with_(set={"w.where": where}).run()
                self.assertIn("w", str(caught.exception), (where, value))
                self.assertEqual(3, caught.exception.code)

    def test_a_signal_that_is_no_number_is_found(self):
        class Nan(hydevs.Atomic):
            outputs = hydevs.signal("x")
            sigma = 1.0

            def output(self, t):
                return "x", float("nan")

        with self.assertRaisesRegex(hydevs.RunError, "nan|NaN"):
            model('<nan name="s"/><gain name="y" k="2" in="s"/><experiment stop="3" record="y"/>', blocks=[Nan]).run()

    def test_an_interrupt_in_a_function_is_one(self):
        Wrong.do = staticmethod(lambda: os.kill(os.getpid(), signal.SIGINT))
        with self.assertRaises(KeyboardInterrupt):
            model('<wrong name="w" where="output"/><experiment stop="1e9"/>', blocks=[Wrong]).run()

    def test_classes_that_cannot_be_placed_are_refused(self):
        class Integrator(hydevs.Atomic):
            outputs = hydevs.events("out")

        class Odd(hydevs.Atomic):
            parameters = {"a": object()}

        for wrong in ([Integrator], [Odd], [Desk, Desk], [int], [Desk()]):
            with self.assertRaises(hydevs.Error, msg=wrong):
                model('<integrator name="x" in="1"/>', blocks=wrong)
        with self.assertRaisesRegex(hydevs.ModelError, "desk"):
            model('<desk name="d" in="1"/>')

    def test_parameters_have_the_kinds_of_their_defaults(self):
        seen = {}

        class Kinds(hydevs.Atomic):
            parameters = {"a": 1.5, "b": 2, "c": True, "d": "x"}

            def start(self, t):
                seen.update({name: getattr(self, name) for name in self.parameters})

        text = '<kinds name="k" {}/><experiment stop="1"/>'
        model(text.format(""), blocks=[Kinds]).run()
        self.assertEqual({"a": 1.5, "b": 2, "c": True, "d": "x"}, seen)
        model(text.format('a="2k" b="7" c="false" d="word"'), blocks=[Kinds]).run()
        self.assertEqual({"a": 2000.0, "b": 7, "c": False, "d": "word"}, seen)
        with self.assertRaises(hydevs.ModelError):
            model(text.format('b="1.5"'), blocks=[Kinds])

    def test_blocks_are_let_go_with_their_runs(self):
        before = len(_atomic.LIVING)
        m = model(SHOP.format('<desk name="d" time="0.9" in="g"/>'), blocks=[Desk])
        a = m.run()["d"]
        self.assertEqual(before + 1, len(_atomic.LIVING))
        del m
        gc.collect()
        self.assertEqual(before + 1, len(_atomic.LIVING))
        del a
        gc.collect()
        self.assertEqual(before, len(_atomic.LIVING))

    def test_sweeps_run_them_on_threads(self):
        m = model(SHOP.format('<param name="w" value="0.5"/><desk name="d" time="w" in="g"/><counter name="n" in="d"/>'), blocks=[Desk])
        built_in = model(SHOP.format('<param name="w" value="0.5"/><server name="d" time="w" in="g"/><counter name="n" in="d"/>'))
        asked = {"w": [0.3, 0.6, 0.9, 3], "measure": "final(n)", "seed": 5}
        self.assertEqual(list(built_in.sweep(**asked)["final(n)"]), list(m.sweep(**asked, threads=3)["final(n)"]))


if __name__ == "__main__":
    unittest.main()
