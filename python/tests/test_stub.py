"""The contract _core.pyi says of the extension what the extension is."""

import subprocess
import sys

import pytest


def test_stub_is_that_of_the_extension(tmp_path):
    pytest.importorskip("mypy")
    allowed = tmp_path / "allowed.txt"
    # names for type checkers alone; before Python 3.12 the buffer protocol has no name
    names = ["Buffer", "Progress", "Piece", "Array.__buffer__"]
    allowed.write_text("".join(f"rls2._core.{name}\n" for name in names))
    command = [sys.executable, "-m", "mypy.stubtest", "rls2._core", "--concise"]
    command += ["--allowlist", allowed, "--ignore-unused-allowlist"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
