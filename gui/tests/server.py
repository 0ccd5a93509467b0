"""A server of its own for each test, and requests to it. Python's standard library only."""
import http.client
import json
import os
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMAND = os.environ.get("RLS2_COMMAND", os.path.join(ROOT, "build", "rls2"))
# sanitizers and valgrind make everything slower
PATIENCE = float(os.environ.get("RLS2_PATIENCE", "1"))


def asked(wanted):
    """What a run is asked for: ids of tables, and all other members as settings."""
    tables = {"data", "test_data", "validation_data"} & set(wanted)
    settings = {name: value for name, value in wanted.items() if name not in tables}
    return {"settings": settings, **{name: wanted[name] for name in tables}}


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        return self.json()["error"]


class Server:
    def __init__(self, folder, *options, largest_file=None):
        def prepare():
            # a signal that was ignored where the test was started would be ignored by the server
            # too
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            if largest_file:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
        self.process = subprocess.Popen([
            COMMAND, "gui", "--no-browser", "--folder", folder, "--data",
            os.path.join(ROOT, "data"), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, preexec_fn=prepare)
        ready, _, _ = select.select([self.process.stdout], [], [], 60 * PATIENCE)
        line = self.process.stdout.readline() if ready else ""
        found = re.match(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{64})\n$", line)
        if not found:
            self.process.kill()
            raise RuntimeError(f"no address but {line!r}: {self.process.communicate()[1]}")
        self.port, self.token = int(found[1]), found[2]

    def connect(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout * PATIENCE)

    def ask(self, method, path, body=None, headers=None, token=True):
        headers = dict(headers or {})
        if token:
            headers.setdefault("X-RLS2-Token", self.token)
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        connection = self.connect()
        try:
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            return Answer(reply.status, reply.headers, reply.read())
        finally:
            connection.close()

    def status_of(self, method, path):
        """Without the body, which of a stream does not end."""
        connection = self.connect()
        try:
            connection.request(method, path, headers={"X-RLS2-Token": self.token})
            return connection.getresponse().status
        finally:
            connection.close()

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body=None):
        return self.ask("POST", path, body)

    def builtin(self, name):
        return self.post("/api/data/builtin", {"name": name}).json()["id"]

    def upload(self, name, body):
        return self.post(f"/api/data?name={name}", body)

    def check(self, wanted):
        return self.post("/api/check", asked(wanted))

    def start_run(self, wanted):
        answer = self.post("/api/runs", asked(wanted))
        if answer.status != 200:
            raise AssertionError(f"{wanted}: {answer.body.decode()}")
        return answer.json()["id"]

    def status(self, run):
        return self.get(f"/api/runs/{run}").json()["status"]

    def wait(self, run, seconds=120):
        end = time.monotonic() + seconds * PATIENCE
        while self.status(run) in ("queued", "running"):
            if time.monotonic() > end:
                raise AssertionError("the run takes too long")
            time.sleep(0.05)
        return self.get(f"/api/runs/{run}").json()

    def gone(self, path, seconds=120):
        """Waits until there is no such file or folder; whether that came about."""
        end = time.monotonic() + seconds * PATIENCE
        while os.path.exists(path) and time.monotonic() < end:
            time.sleep(0.02)
        return not os.path.exists(path)

    def run(self, settings):
        run = self.start_run(settings)
        about = self.wait(run)
        if about["status"] != "done":
            raise AssertionError(f"{settings}: {about['status']}: {about.get('error')}")
        return run

    def memory(self):
        """Bytes the process has in memory."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def stop(self, number=signal.SIGTERM):
        """The exit code, and what was said on stderr."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            said = self.process.communicate(timeout=120 * PATIENCE)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the server does not end")
        return self.process.returncode, said


class ServerTest(unittest.TestCase):
    """One server for all cases of a class."""

    @classmethod
    def setUpClass(cls):
        cls.room = tempfile.TemporaryDirectory()
        cls.folder = os.path.join(cls.room.name, "rls2")
        cls.server = Server(cls.folder)

    @classmethod
    def tearDownClass(cls):
        code, said = cls.server.stop()
        cls.room.cleanup()
        if code != 0 or "ERROR" in said or "runtime error" in said:
            raise AssertionError(f"the server ended with {code}: {said}")


def main():
    if not has_page():
        print("skipped: this build has no page (libmicrohttpd was not there)")
        sys.exit(77)
    unittest.main(verbosity=1)


def has_page():
    done = subprocess.run([COMMAND, "gui", "--port", "70000"], capture_output=True, text=True)
    return "no page" not in done.stderr
