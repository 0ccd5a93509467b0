"""The package is typed: mypy --strict has nothing to say, and a user's wrong call is noticed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rls2

PACKAGE = Path(rls2.__file__).parent


@pytest.fixture
def folder(tmp_path):
    """A copy of the sources, so that it makes no difference where the package is installed."""
    pytest.importorskip("mypy")
    ignored = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "rls2", ignore=ignored)
    return tmp_path


# Python 3.12 is the first for which numpy says that its arrays have the buffer protocol.
VERSIONS = ["3.11", "3.12"]


def mypy(folder: Path, version: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-P",
        "-m",
        "mypy",
        "--strict",
        "--python-version",
        version,
        *arguments,
    ]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


@pytest.mark.parametrize("version", VERSIONS)
def test_package_passes_strict_checks(folder, version):
    assert (PACKAGE / "py.typed").is_file()
    done = mypy(folder, version, "-p", "rls2")
    assert done.returncode == 0, done.stdout + done.stderr


def test_users_mistakes_are_noticed(folder):
    (folder / "user.py").write_text(
        "import rls2\n"
        "model = rls2.RLS2Regressor(alpha=0.1, kernels=['linear', 'rbf(1)'])\n"
        "fitted: rls2.RLS2Regressor = model.fit([[0.0], [1.0]], [0.0, 1.0])\n"
        "rls2.RLS2Regressor(solver='sag')\n"
        "rls2.RLS2Regressor(lamda=1.0)\n"
    )
    done = mypy(folder, "3.12", "user.py")
    lines = [
        line
        for line in done.stdout.splitlines()
        if line.startswith("user.py:") and ": error:" in line
    ]
    assert sorted({line.split(":")[1] for line in lines}) == ["4", "5"], done.stdout + done.stderr
