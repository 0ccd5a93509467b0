"""The OpenBLAS of the extension, of the system or beside it in the wheel, and those of others."""

import os
import pathlib
import re
import subprocess
import sys
import threading

import numpy as np
import pytest
import scipy.linalg  # noqa: F401  (its OpenBLAS has the same names as that of the wheel)
from threadpoolctl import ThreadpoolController

import rls2._core
from rls2 import RLS2Regressor

HERE = pathlib.Path(rls2._core.__file__).parent
BUNDLED = HERE / "libscipy_openblas-rls2.so"
OTHERS = re.compile(r"/(numpy|scipy)\.libs/")


def openblas(ours):
    """Those in this process which belong to NumPy and SciPy, or the one that does not."""
    every = ThreadpoolController().select(internal_api="openblas").lib_controllers
    return [one for one in every if bool(OTHERS.search(one.filepath)) != ours]


def test_threads_of_others_are_left_alone():
    others = openblas(ours=False)
    if not others:
        pytest.skip("NumPy and SciPy bring no OpenBLAS of their own")
    before = [one.num_threads for one in others]
    own = [one.num_threads for one in openblas(ours=True)]
    random = np.random.default_rng(1)
    X = random.normal(size=(400, 4))
    seen = set()

    def watch():
        while not done.is_set():
            seen.add(tuple(one.get_num_threads() for one in others))

    done = threading.Event()
    watcher = threading.Thread(target=watch)
    try:
        for one in others:
            one.set_num_threads(2)
        wanted = tuple(one.get_num_threads() for one in others)
        watcher.start()
        RLS2Regressor(alpha=1e-3).fit(X, np.sin(3 * X[:, 0]) + X[:, 1])
    finally:
        done.set()
        watcher.join()
        for one, count in zip(others, before, strict=True):
            one.set_num_threads(count)
    assert seen <= {wanted}
    assert [one.num_threads for one in openblas(ours=True)] == own


LITTLE_ROOM = """
import resource
import numpy as np
from rls2 import RLS2Regressor
status = open("/proc/self/status").read()
used = 1024 * int(status.split("VmSize:")[1].split()[0])
resource.setrlimit(resource.RLIMIT_AS, (used + 10 * 2**20,) * 2)
X = np.random.default_rng(1).normal(size=(400, 4))
try:
    RLS2Regressor(alpha=1e-3, n_jobs=1).fit(X, X[:, 0])
except MemoryError as error:
    print("MemoryError:", error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_too_little_address_space_is_an_error():
    run = subprocess.run(
        [sys.executable, "-P", "-c", LITTLE_ROOM], capture_output=True, text=True, timeout=120,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.startswith("MemoryError: "), run.stdout


@pytest.mark.skipif(not BUNDLED.exists(), reason="the package was built with the system's BLAS")
def test_a_wheel_with_openblas_needs_none_of_the_system():
    run = subprocess.run(["ldd", rls2._core.__file__], capture_output=True, text=True, check=True)
    assert str(BUNDLED) in run.stdout
    assert "not found" not in run.stdout
    assert not re.search(r"lib(openblas|blas|lapack|lapacke|gfortran)\.so", run.stdout)
    maps = subprocess.run(
        [sys.executable, "-c", "import rls2; print(open('/proc/self/maps').read())"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert str(BUNDLED) in maps
    assert not re.search(r"/usr/.*/lib(openblas|lapack)", maps)
