"""Makes the module hydevs._hydevs of src/declarations.cdef and src/glue.c, by cffi in API mode.

Called by setuptools (pip install .), which finds libhydevs by pkg-config; and by CMake, as
`build_hydevs.py OUT.c`, which compiles that itself.
"""
import os
import subprocess
import sys

import cffi

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "src")


def pkg_config(flag):
    try:
        words = subprocess.run(["pkg-config", flag, "hydevs"], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as why:
        sys.exit(f"hydevs: {why}\nlibhydevs and its headers are needed: libhydevs-dev, pkg-config, gcc, python3-dev, python3-cffi")
    return words.stdout.split()


def declare():
    ffi = cffi.FFI()
    with open(os.path.join(SOURCE, "declarations.cdef"), encoding="utf-8") as file:
        ffi.cdef(file.read())
    return ffi


def for_setuptools():
    ffi = declare()
    ffi.set_source("hydevs._hydevs", '#include "glue.h"', sources=[os.path.join("src", "glue.c")], include_dirs=[SOURCE],
                   extra_compile_args=pkg_config("--cflags"), extra_link_args=pkg_config("--libs"), py_limited_api=True)
    return ffi


def for_cmake(out):
    ffi = declare()
    ffi.set_source("hydevs._hydevs", '#include "glue.h"')
    ffi.emit_c_code(out)


if __name__ == "__main__":
    for_cmake(sys.argv[1])
