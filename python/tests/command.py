"""The command, for tests that hold the package against it."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "data"


def command() -> str:
    """The command's file; skips the test where there is none."""
    path = os.environ.get("RLS2_COMMAND") or str(ROOT / "build" / "rls2")
    if not os.access(path, os.X_OK):
        pytest.skip(f"no command at {path}: run make, or set RLS2_COMMAND")
    return path


def run(*arguments: object) -> str:
    """Standard output of the command, which must succeed."""
    done = subprocess.run([command(), *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
