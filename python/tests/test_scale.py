"""docs/scale.md as it is written: each section is run in a folder of its own, its blocks one after
the other, and prints what stands below them. For `make engines-check`."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from command import ROOT, command

PAGE = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, flags=re.M | re.S))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.M | re.S)
RUN = [title for title, text in SECTIONS.items() if re.search(r"^```(python|sh)$", text, re.M)]


def blocks(title):
    """Language, code and what it prints."""
    found = BLOCK.findall(SECTIONS[title])
    for (language, code), (after, printed) in zip(found, [*found[1:], ("", "")]):
        if language in ("python", "sh"):
            yield language, code, printed if after == "text" else ""


def words(text):
    """Numbers may differ in the last digit on another machine, and tables are aligned by them."""
    told = re.sub(r"-?\d[\d.]*(e[-+]?\d+)?", "#", text).split()
    return [word for word in told if set(word) - set("-+|")]


def settings(folder):
    """Spark's workers, mpirun as root, and `rls2` on the path, built with MPI where it is."""
    tools = folder / "bin"
    tools.mkdir()
    with_mpi = ROOT / "build" / "mpi-openmpi" / "rls2"
    os.symlink(with_mpi if with_mpi.exists() else command(), tools / "rls2")
    if shutil.which("mpirun.openmpi"):
        os.symlink(shutil.which("mpirun.openmpi"), tools / "mpirun")
    return {
        **os.environ,
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONWARNINGS": "ignore",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }


def started(language, code, folder, number):
    """The command that runs a block; one for Slurm gets one."""
    if language == "python":
        file = folder / f"block{number}.py"
        file.write_text(code)
        return [sys.executable, "-P", str(file)]
    words = ["bash", "-euo", "pipefail", "-c", code]
    if "sbatch" not in code or "SLURM_CONF" in os.environ:
        return words
    return [str(ROOT / "tools" / "slurm-here.sh"), *words]


@pytest.mark.skipif(os.environ.get("RLS2_ENGINES") != "1", reason="for 'make engines-check'")
@pytest.mark.parametrize("title", RUN)
def test_examples_run_as_written(title, tmp_path):
    folder, environment = tmp_path / "rows", settings(tmp_path)
    folder.mkdir()
    for number, (language, code, printed) in enumerate(blocks(title)):
        done = subprocess.run(started(language, code, folder, number), cwd=folder, env=environment,
                              capture_output=True, text=True, timeout=300)  # fmt: skip
        assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr[-3000:]}"
        if printed:
            assert words(done.stdout) == words(printed), code


def test_every_engine_has_an_example():
    run = "\n".join(code for title in RUN for _, code, _ in blocks(title))
    for word in ("duckdb", "rls2.dask", "rls2.spark", "mpirun", "sbatch", "xargs", "joblib"):
        assert word in run, word
