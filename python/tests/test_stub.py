"""The contract _core.pyi says of the extension what the extension is."""

import subprocess
import sys

import pytest


def test_stub_is_that_of_the_extension(tmp_path):
    pytest.importorskip("mypy")
    allowed = tmp_path / "allowed.txt"
    # names for type checkers alone; before Python 3.12 the buffer protocol has no name
    allowed.write_text("rls2._core.Buffer\nrls2._core.Progress\nrls2._core.Array.__buffer__\n")
    command = [sys.executable, "-m", "mypy.stubtest", "rls2._core", "--concise"]
    command += ["--allowlist", allowed, "--ignore-unused-allowlist"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
