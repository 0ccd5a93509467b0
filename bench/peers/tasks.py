"""Running programs under measurement, and keeping what they gave: a run that is stopped at any
moment goes on where it was.
"""
import hashlib
import json
import os
import pathlib
import platform
import subprocess
import threading
import time


ONE_THREAD = {
    name: "1"
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}
ENVIRONMENT = os.environ | ONE_THREAD | {"PYTHONDONTWRITEBYTECODE": "1"}


class Outcome:
    """Output, exit status (None: past the limit) and cost of a program: wall and processor seconds,
    peak MB.
    """

    def __init__(self, output, status, cost):
        self.output, self.status, self.cost = output, status, cost


def start(command, log):
    """The running program, or None where there is none of that name; `log` says so."""
    with open(log, "wb") as messages:
        try:
            return subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=messages, env=ENVIRONMENT)
        except OSError as error:
            messages.write(f"{error}\n".encode())
            return None


def measured(command, limit, given="", log=os.devnull):
    """Runs a command, its messages into `log`; past `limit` seconds it is ended."""
    late = threading.Event()
    started = time.perf_counter()
    child = start(command, log)
    if not child:
        return Outcome("", 127, {})
    clock = threading.Timer(limit, lambda: (late.set(), child.kill()))
    clock.start()
    try:
        try:
            child.stdin.write(given.encode())
            child.stdin.close()
        except BrokenPipeError:
            pass  # it ended without reading; its status tells
        output = child.stdout.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    finally:
        clock.cancel()
        if child.returncode is None:
            child.kill()
            child.wait()
    cost = {
        "wall": time.perf_counter() - started, "cpu": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss / 1024}
    return Outcome(output, None if late.is_set() else child.returncode, cost)


def last_words(log):
    lines = [
        line for line in pathlib.Path(log).read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1].strip()[:120] if lines else "no message"


def failure(outcome, limit, log):
    """What is kept of a program that gave no result."""
    if outcome.status is None:
        return {"failed": f"no result within {limit:g} s", "limit": limit}
    return {"failed": f"ended with status {outcome.status}: {last_words(log)}"}


def processor():
    for line in open("/proc/cpuinfo") if os.path.exists("/proc/cpuinfo") else []:
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor()


_digests = {}


def digest_of(path):
    key = (str(path), os.stat(path).st_mtime_ns)
    if key not in _digests:
        _digests[key] = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    return _digests[key]


def fingerprint(files, *words):
    """Of all that a result depends on: when it changes the result is computed again."""
    parts = [digest_of(path) for path in files] + [str(word) for word in (processor(), *words)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def write_whole(path, text):
    """All of it or nothing."""
    unfinished = pathlib.Path(f"{path}.part")
    unfinished.write_text(text)
    os.replace(unfinished, path)


def recall(path, mark, limit):
    """What is kept of the same question, or None. Of failures only a time limit as long as this one
    is an answer.
    """
    try:
        kept = json.loads(pathlib.Path(path).read_text())
    except (OSError, ValueError):
        return None
    if kept.get("mark") != mark:
        return None
    result = kept["result"]
    return None if "failed" in result and result.get("limit", 0) < limit else result


def keep(path, mark, result):
    write_whole(path, json.dumps({"mark": mark, "result": result}) + "\n")
