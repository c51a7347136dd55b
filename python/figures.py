"""What the package costs, on this machine: python3 python/figures.py, with PYTHONPATH=build/release/python. CPU time, best of several."""
import os
import subprocess
import sys
import threading
import time

import hydevs
from hydevs._core import NULL, Failure, Keep, lib
from hydevs._run import Settings, run_warnings

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)


def best(f, n, repeat=7):
    """Seconds of CPU for each of N calls."""
    found = float("inf")
    for _ in range(repeat):
        begun = time.process_time()
        for _ in range(n):
            f()
        found = min(found, (time.process_time() - begun) / n)
    return found


def in_c(m, reports):
    """The calls of a run, and nothing else."""
    settings, keep, failure = Settings(None, None, None, None, None), Keep(), Failure()
    filled = settings.fill(keep)

    def run():
        what = lib.hy_run_new(m._handle.what, filled, failure.where)
        lib.hy_run_record(what, failure.where)
        lib.hy_run_go(what, failure.where)
        if reports:
            run_warnings(what)
        lib.owned_release(lib.owned_new(lib.OWNED_RUN, what, NULL))

    return run


def resident():
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def imports():
    code = "import time; t = time.process_time(); import hydevs; print(time.process_time() - t)"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout) for _ in range(9))


def main():
    m = hydevs.load(os.path.join(SOURCE, "examples", "thesis", "buck", "model.xml"))
    python, bare, told = best(m.run, 200), best(in_c(m, False), 200), best(in_c(m, True), 200)
    print(f"run of a loaded buck: {1e6 * python:.1f} us; its calls in C {1e6 * bare:.1f}, with what smells {1e6 * told:.1f}")
    print(f"import hydevs: {1e3 * imports():.1f} ms of CPU")
    fine = m.with_(grid="10n").run(stop="10m")
    import numpy

    def view():
        fine.tables[0]._array = None
        return fine["uC"]

    print(f"{len(fine.table)} points to NumPy: {1e6 * best(view, 100):.1f} us; shared: {numpy.shares_memory(view(), fine.table.array)}, "
          f"writable: {view().flags.writeable}; their mean {1e6 * best(lambda: view().mean(), 20):.0f} us")
    small = m.with_(record=[])
    for _ in range(1000):
        small.run(stop="100u")["uC"]
    before = resident()
    for _ in range(99_000):
        small.run(stop="100u")["uC"]
    print(f"memory after 100,000 runs: {resident() - before:+d} kB beside that after 1,000")
    serial = best(m.run, 100)

    def both():
        threads = [threading.Thread(target=lambda: [m.run() for _ in range(50)]) for _ in range(2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()

    print(f"two threads: {best(both, 1) / (100 * serial):.3f} of the CPU of one")


if __name__ == "__main__":
    main()
