#!/usr/bin/env python3
"""The numbers of examples/exercises/*/expected.csv: their equations, written down once more, with the instructor's script, by
Dormand and Prince's method with a tolerance of 1e-12 and steps that end where the script says something. Nothing of hydevs is in it.

    bench/exercises.py           compares what is there
    bench/exercises.py --write   writes it anew
"""
import math
import os
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "exercises")
A = [[], [1 / 5], [3 / 40, 9 / 40], [44 / 45, -56 / 15, 32 / 9],
     [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
     [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
     [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]]
C = [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]
E = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]


def integrate(f, t, x, end):
    """From T to END. A kink of F costs small steps, no more."""
    h = (end - t) / 100
    while t < end:
        h = min(h, end - t)
        k = []
        for a, c in zip(A, C):
            k.append(f(t + c * h, [x[i] + h * sum(a[j] * k[j][i] for j in range(len(a))) for i in range(len(x))]))
        new = [x[i] + h * sum(A[6][j] * k[j][i] for j in range(6)) for i in range(len(x))]
        error = max(abs(h * sum(e * k[j][i] for j, e in enumerate(E))) / (1e-12 * (1 + abs(new[i]))) for i in range(len(x)))
        if error <= 1 or h < 1e-9 * max(1, abs(end)):
            t = end if h == end - t else t + h
            x = new
        h *= min(5, max(0.2, 0.9 * (1 / error) ** 0.2 if error > 0 else 5))
    return x


class Levers:
    """What is set, and the lines that lead there."""

    def __init__(self, values, rates):
        self.line = {name: (0.0, 0.0, v, v) for name, v in values.items()}
        self.rates = rates

    def at(self, name, t):
        t0, t1, y0, y1 = self.line[name]
        return y1 if t >= t1 else y0 if t <= t0 else y0 + (y1 - y0) * (t - t0) / (t1 - t0)

    def set(self, t, name, to, ramp):
        y = self.at(name, t)
        time = max(ramp, abs(to - y) / self.rates.get(name, math.inf))
        self.line[name] = (t, t + time, y, to)

    def corners(self, t):
        return [x for line in self.line.values() for x in line[:2] if x > t]


def limit(x, low, high):
    return min(max(x, low), high)


def root(x):
    return math.sqrt(max(x, 0.0))


def stopped(slope, x, low, high):
    return min(slope, 0.0) if x >= high else max(slope, 0.0) if x <= low else slope


def tanks(at):
    def slopes(t, x):
        l1, l2, l3, i = x
        e = at("goal", t) - l3
        wanted = 0.3 * e + i
        u = limit(wanted, 0, 1) if at("auto", t) > 0.5 else at("speed", t)
        q0, q1, q2, q3 = 0.02 * u, 0.01 * root(l1), 0.01 * root(l2), 0.01 * (1 - at("blocked", t)) * root(l3)
        return [stopped((q0 - q1 - (at("draw", t) if l1 > 0.01 else 0)) / 0.5, l1, 0, 2),
                stopped((q1 - q2 * (1 + at("leak", t))) / 0.5, l2, 0, 2), stopped((q2 - q3) / 0.5, l3, 0, 2),
                0.001 * e + 0.001 / 0.3 * (u - wanted)]

    return {"start": [1, 1, 1, 0.5], "slopes": slopes, "levers": dict(goal=1, auto=1, speed=0.5, draw=0, leak=0, blocked=0),
            "rates": dict(goal=0.02, speed=0.1), "stop": 3600, "grid": 30, "names": ["level1", "level2", "level3"],
            "row": lambda t, x: [limit(v, 0, 2) for v in x[:3]]}


def pipe(at):
    def slopes(t, x):
        i, p, v, y, z = x
        e = at("goal", t) - z * (1 - 0.3 * at("transmitter", t))
        u = at("kc", t) * (e + i / 0.06)
        return [e, v, (u - p) / 0.01 ** 2 - 2 * 0.7 / 0.01 * v,
                (limit(p, 0, 1) * at("supply", t) - y * (1 + at("leak", t))) / 0.05, (y - z) / 0.02]

    return {"start": [0, 0, 0, 0, 0], "slopes": slopes, "levers": dict(kc=1, goal=0.5, supply=1, leak=0, transmitter=0),
            "rates": dict(supply=2), "stop": 6, "grid": 0.05, "names": ["I", "x", "y", "z"],
            "row": lambda t, x: [x[0], x[1], x[3], x[4]]}


def superheater(at):
    def pressure(x):
        return -291.36 - 964.04 * x[0] + 0.2178 * x[1] + 1.1815 * x[0] * x[1]

    def temperature(x):
        return -1285.4 + 129.1 * x[0] + 1.811 * x[1] - 0.06631 * x[0] * x[1]

    def slopes(t, x):
        rho, h, i = x
        e = temperature(x) - at("goal", t)
        wanted = 0.4 * e + i
        spray = limit(wanted, 0, 60) if at("auto", t) > 0.5 else at("spray", t)
        w = 780 / 2435.18134 * pressure(x) * (at("valve", t) + 0.1 * at("rupture", t))
        q, steam = 295180 * (1 - 0.2 * at("fouling", t)), at("steam", t)
        return [(steam + spray - w) / 3000, (1100 * steam + 420 * spray + q - h * w) / 20000, 0.02 * e + 0.05 * (spray - wanted)]

    return {"start": [3.16, 1461, 20], "slopes": slopes,
            "levers": dict(valve=1, goal=1462.29, auto=1, spray=20, steam=760, fouling=0, rupture=0),
            "rates": dict(valve=0.2, goal=2, steam=20), "stop": 900, "grid": 5, "names": ["rho", "h", "P", "T"],
            "row": lambda t, x: [x[0], x[1], pressure(x), temperature(x)]}


def script(name):
    with open(os.path.join(HERE, name, "script.txt"), encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words and words[0] == "at":
                yield float(words[1]), words[3], float(words[4]), float(words[5].split("=")[1]) if len(words) > 5 else 0.0


def play(name, make):
    levers = Levers({}, {})
    model = make(lambda lever, t: levers.at(lever, t))
    levers.__init__(model["levers"], model["rates"])
    todo, x, t, rows = list(script(name)), model["start"], 0.0, []
    for k in range(round(model["stop"] / model["grid"]) + 1):
        end = k * model["grid"]
        while t < end or (todo and todo[0][0] <= end):
            next_word = todo[0][0] if todo else math.inf
            stop = min([end, next_word] + levers.corners(t))
            if stop > t:
                x, t = integrate(model["slopes"], t, x, stop), stop
            while todo and todo[0][0] <= t:
                levers.set(*todo.pop(0))
        rows.append([end] + model["row"](t, x))
    return "time," + ",".join(model["names"]) + "\n" + "".join(",".join("%.10g" % v for v in row) + "\n" for row in rows)


def main():
    wrong = 0
    for name, make in (("tanks", tanks), ("pipe", pipe), ("superheater", superheater)):
        file, text = os.path.join(HERE, name, "expected.csv"), play(name, make)
        if "--write" in sys.argv:
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
        else:
            with open(file, encoding="utf-8") as there:
                same = there.read() == text
            print(name, "as it is" if same else "another one")
            wrong += not same
    return wrong


sys.exit(main())
