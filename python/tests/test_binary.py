"""The extension as it was linked: where it looks for libraries, hardening, names seen from outside.
"""

import pathlib
import subprocess
import sys

import pytest

import rls2._core

SCRIPT = pathlib.Path(__file__).parents[2] / "tools" / "check-binaries.sh"


@pytest.mark.skipif(sys.platform != "linux", reason="reads ELF files")
@pytest.mark.parametrize("what", ["paths", "hardened", "exports"])
def test_extension(what):
    names = ["PyInit__core"] if what == "exports" else []
    run = subprocess.run(
        [SCRIPT, what, rls2._core.__file__, *names], capture_output=True, text=True
    )
    if run.returncode == 77:
        pytest.skip(run.stdout)
    assert run.returncode == 0, run.stdout + run.stderr
