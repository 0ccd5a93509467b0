"""Open tabs: they are told of each other's tables and runs, and find a server that was started
again, which proves to be the one before they send it the token."""
import hashlib
import hmac
import json
import os
import stat
import tempfile
import time
import unittest

from server import PATIENCE, Server, main

ROWS = "\n".join(["x,y"] + [f"{i},{i * i % 7}" for i in range(40)]) + "\n"
CHALLENGE = "0123456789abcdef" * 4


class Tabs(unittest.TestCase):
    def setUp(self):
        self.room = tempfile.TemporaryDirectory()
        self.addCleanup(self.room.cleanup)
        self.folder = os.path.join(self.room.name, "kept")
        self.file = os.path.join(self.folder, "token")

    def start(self, *options):
        server = Server(self.folder, *options)
        self.addCleanup(server.stop)
        return server

    # ---- started again ----

    def test_token_and_port_are_kept(self):
        first = self.start()
        about = os.stat(self.file)
        self.assertEqual(stat.S_IMODE(about.st_mode), 0o600)
        self.assertEqual(about.st_uid, os.geteuid())
        first.stop()
        second = self.start()
        self.assertEqual((second.port, second.token), (first.port, first.token))
        second.stop()
        third = self.start("--port", str(second.port))
        self.assertEqual(third.token, first.token)

    def test_port_that_is_taken(self):
        first = self.start()
        first.stop()
        other = Server(os.path.join(self.room.name, "other"), "--port", str(first.port))
        self.addCleanup(other.stop)
        second = self.start()
        self.assertNotEqual(second.port, first.port)
        self.assertEqual(second.token, first.token)
        self.assertEqual(other.ask("GET", "/api/state", headers={
            "X-RLS2-Token": second.token}).status, 403)

    def test_token_that_others_could_know(self):
        first = self.start()
        first.stop()
        last = first.token
        for spoil in (lambda: os.chmod(self.file, 0o644),
                      lambda: os.link(self.file, os.path.join(self.room.name, "second")),
                      lambda: self.write(b"0" * 64),
                      lambda: self.write(b"0" * 63 + b" 80\n"),
                      lambda: self.write(b"0" * 64 + b" 99999\n"),
                      lambda: self.write(b"")):
            spoil()
            server = self.start()
            self.assertNotIn(server.token, (last, "0" * 64))
            last = server.token
            server.stop()
            self.assertEqual(stat.S_IMODE(os.stat(self.file).st_mode), 0o600)

    def write(self, content):
        os.remove(self.file)
        with os.fdopen(os.open(self.file, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(content)

    def test_link_is_not_followed(self):
        first = self.start()
        first.stop()
        elsewhere = os.path.join(self.room.name, "elsewhere")
        os.rename(self.file, elsewhere)
        os.symlink(elsewhere, self.file)
        server = self.start()
        self.assertNotEqual(server.token, first.token)
        self.assertFalse(os.path.islink(self.file))
        with open(elsewhere) as file:
            self.assertIn(first.token, file.read())

    # ---- the proof ----

    def test_proof(self):
        server = self.start()
        told = server.ask("GET", f"/api/proof?of={CHALLENGE}", token=False)
        wanted = hmac.new(server.token.encode(), f"{server.port} {CHALLENGE}".encode(),
                          hashlib.sha256).hexdigest()
        self.assertEqual(told.json(), {"proof": wanted})
        self.assertEqual(told.headers["Connection"].lower(), "close")
        for text in ("", CHALLENGE[1:], CHALLENGE + "0", CHALLENGE[1:] + "G", "%00" * 64):
            self.assertEqual(server.ask("GET", f"/api/proof?of={text}", token=False).status, 400)
        self.assertEqual(server.ask("GET", f"/api/proof?of={CHALLENGE}", headers={
            "Sec-Fetch-Site": "cross-site"}, token=False).status, 403)

    # ---- each other ----

    def test_lists(self):
        server = self.start()
        connection = server.connect()
        connection.request("GET", "/api/events", headers={"X-RLS2-Token": server.token})
        reply = connection.getresponse()
        self.addCleanup(connection.close)

        def next_edition():
            while not (line := reply.readline()).startswith(b"data:"):
                self.assertTrue(line, "the stream has ended")
            return json.loads(line[5:])["edition"]

        def told_of(change):
            """Within a second, where the machine is free."""
            nonlocal last
            begun = time.monotonic()
            made = change()
            now = next_edition()
            self.assertGreater(now, last)
            self.assertLess(time.monotonic() - begun, 20 * PATIENCE)
            last = now
            return made

        last = next_edition()
        data = told_of(lambda: server.upload("t.csv", ROWS)).json()["id"]
        run = told_of(lambda: server.start_run({"data": data, "target": ["y"],
                                                "kernels": "linear", "select": "none"}))
        server.wait(run)
        while last < (now := self.edition(server)):
            last = next_edition()
        self.assertEqual(last, now)
        told_of(lambda: server.post(f"/api/runs/{run}/name", {"name": "another"}))
        told_of(lambda: server.ask("DELETE", f"/api/runs/{run}"))
        told_of(lambda: server.ask("DELETE", f"/api/data/{data}"))

    def test_lists_in_the_stream_of_a_run(self):
        """A tab that follows a run needs no second stream."""
        server = self.start()
        data = server.upload("t.csv", ROWS).json()["id"]
        run = server.run({"data": data, "target": ["y"], "kernels": "linear", "select": "none"})
        alone = server.get(f"/api/runs/{run}/events").body.decode()
        self.assertNotIn("event: changed", alone)
        both = server.get(f"/api/runs/{run}/events?lists=1").body.decode()
        self.assertIn("event: changed", both)
        self.assertIn("event: status", both.strip().split("\n\n")[-1])

    def edition(self, server):
        """What a client that comes now is told first."""
        connection = server.connect()
        connection.request("GET", "/api/events", headers={"X-RLS2-Token": server.token})
        reply = connection.getresponse()
        while not (line := reply.readline()).startswith(b"data:"):
            pass
        connection.close()
        return json.loads(line[5:])["edition"]

    def test_lists_need_the_token(self):
        self.assertEqual(self.start().ask("GET", "/api/events", token=False).status, 403)


if __name__ == "__main__":
    main()
