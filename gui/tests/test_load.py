"""Many clients at once, for RLS2_LOAD_SECONDS: no error, no growth of memory, and a run goes on
meanwhile.
"""
import http.client
import os
import threading
import time

from server import PATIENCE, ServerTest, main

CLIENTS = 50
SECONDS = float(os.environ.get("RLS2_LOAD_SECONDS", "10"))


class Load(ServerTest):
    def client(self, number, end, run, errors, counts):
        """A page that is looked at: events in one, requests in the others."""
        paths = [
            "/api/state", f"/api/data/{self.data}", f"/api/data/{self.data}/rows",
            f"/api/runs/{run}", f"/api/runs/{run}/point/3", f"/api/runs/{run}/profile",
            f"/api/runs/{run}/commands", f"/api/runs/{run}/predictions/1",
            f"/api/runs/{run}/model/2"]
        headers = {"X-RLS2-Token": self.server.token}
        try:
            connection = self.server.connect()
            while time.monotonic() < end:
                path = paths[(number + counts[number]) % len(paths)]
                connection.request("GET", path, headers=headers)
                reply = connection.getresponse()
                body = reply.read()
                if reply.status != 200 or not body:
                    errors.append((path, reply.status, body[:200]))
                counts[number] += 1
            connection.close()
        except (OSError, http.client.HTTPException) as error:
            errors.append((number, counts[number], repr(error)))

    def listener(self, run, texts):
        texts.append(self.server.get(f"/api/runs/{run}/events").body)

    def burst(self, run, seconds):
        errors, counts = [], [0] * CLIENTS
        end = time.monotonic() + seconds
        threads = [
            threading.Thread(target=self.client, args=(i, end, run, errors, counts))
            for i in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        return sum(counts)

    def test_fifty_clients(self):
        self.data = self.server.builtin("prostate")
        quick = {
            "data": self.data, "target": ["lpsa"], "drop": ["train"], "kernels": "linear",
            "select": "none"}
        run = self.server.run(quick)
        self.burst(run, SECONDS / 2)
        before = self.server.memory()
        answered = self.burst(run, SECONDS)
        after = self.server.memory()
        print(f"{answered} answers to {CLIENTS} clients in {SECONDS:g} s; "
              f"memory {before >> 20} -> {after >> 20} MiB")
        if not os.environ.get("RLS2_SANITIZED"):  # sanitizers keep what was freed
            self.assertLess(after - before, 16 << 20)
        self.assertEqual(self.server.status(self.server.run(quick)), "done")

    def test_fifty_listeners(self):
        data = self.server.builtin("housing")
        run = self.server.start_run({
            "data": data, "target": ["MEDV"], "features": "standardize",
            "kernels": "linear; rbf(1)@all,each", "baselines": False})
        texts = []
        threads = [
            threading.Thread(target=self.listener, args=(run, texts)) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        self.assertEqual(self.server.get("/api/state").status, 200)
        for thread in threads:
            thread.join()
        self.assertEqual(len(texts), CLIENTS)
        for text in texts:
            self.assertTrue(
                text.endswith(b'event: status\ndata: {"status":"done","result":true}\n\n'),
                text[-200:])

    def test_tables_that_come_and_go(self):
        """A few tables stay loaded: not all that ever were, but those that a run is using."""
        table = b"a,b,y\n" + b"\n".join(b"%d,%d,%d" % (i % 97, i % 31, i % 11)
                                        for i in range(200000))
        used = self.server.builtin("housing")
        run = self.server.start_run({
            "data": used, "target": ["MEDV"], "features": "standardize",
            "kernels": "linear; rbf(1)@all", "test_data": self.server.builtin("housing")})
        seen = []
        for i in range(40):
            about = self.server.upload("t.csv", table).json()
            self.assertEqual(
                self.server.get(f"/api/data/{about['id']}/rows?count=1").json()["rows"],
                [["0", "0", "0"]])
            seen.append(self.server.memory())
            self.assertEqual(
                self.server.ask("DELETE", f"/api/data/{about['id']}").status if i % 8 == 7 else 200,
                200)
        self.assertEqual(self.server.wait(run)["status"], "done")
        if not os.environ.get("RLS2_SANITIZED"):
            self.assertLess(seen[-1] - seen[9], 64 << 20, [value >> 20 for value in seen])

    def test_too_many_listeners(self):
        # whatever listens, there is a connection left to stop the run; who came too late is told
        run = self.server.start_run({"data": self.server.builtin("housing"), "target": ["MEDV"]})
        headers = {"X-RLS2-Token": self.server.token}
        connections, answers = [], []
        for _ in range(70):
            connection = self.server.connect()
            connection.request("GET", f"/api/runs/{run}/events", headers=headers)
            connections.append(connection)
            answers.append(connection.getresponse().status)
        self.assertEqual((answers[:56], set(answers[56:])), ([200] * 56, {503}))
        self.assertEqual(self.server.post(f"/api/runs/{run}/stop", {}).status, 200)
        for connection in connections:
            connection.close()
        end = time.monotonic() + 120 * PATIENCE
        while time.monotonic() < end and self.server.get(f"/api/runs/{run}/events").status != 200:
            time.sleep(0.1)
        self.assertEqual(self.server.get(f"/api/runs/{run}/events").status, 200)

    def listen(self, run, count):
        """The statuses that so many listeners are answered with, who then leave."""
        connections = []
        for _ in range(count):
            connection = self.server.connect()
            connection.request("GET", f"/api/runs/{run}/events", headers={
                "X-RLS2-Token": self.server.token})
            connections.append(connection)
        answers = [connection.getresponse().status for connection in connections]
        for connection in connections:
            connection.close()
        return answers

    def test_listeners_that_leave(self):
        # more in all than there may be at once: places are free again when they have left
        run = self.server.start_run({"data": self.server.builtin("housing"), "target": ["MEDV"]})
        end = time.monotonic() + 120 * PATIENCE
        for _ in range(3):
            while self.listen(run, 40) != [200] * 40:
                self.assertLess(time.monotonic(), end, "no places become free")
                time.sleep(0.1)
        self.server.ask("DELETE", f"/api/runs/{run}")


if __name__ == "__main__":
    main()
