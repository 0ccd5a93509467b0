"""From start to end: stopping, restarting, being killed, two servers on one folder."""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

from server import COMMAND, PATIENCE, ROOT, Server, asked, main

# what versions up to 0.7 did, and had no need to be asked for
FORMER_DEFAULTS = {"columns": "all", "missing": "drop", "rare": "1", "features": "none",
                   "intercept": "mean"}


def long_table(rows=1500):
    """Takes minutes with the paper's dictionary."""
    lines = ["a,b,c,d,e,f,g,h,y"]
    state = 12345
    for i in range(rows):
        cells = []
        for _ in range(9):
            state = (state * 1103515245 + 12345) % 2**31
            cells.append(f"{state / 2**31:.6f}")
        lines.append(",".join(cells))
    return "\n".join(lines).encode()


class Life(unittest.TestCase):
    def setUp(self):
        self.room = tempfile.TemporaryDirectory()
        self.folder = os.path.join(self.room.name, "a", "rls2")
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            server.stop(signal.SIGKILL)
        self.room.cleanup()

    def start(self, *options):
        self.servers.append(Server(self.folder, *options))
        return self.servers[-1]

    def long_run(self, server, wait=True, **settings):
        data = server.upload("long.csv", long_table()).json()["id"]
        run = server.start_run({"data": data, "target": ["y"], **settings})
        end = time.monotonic() + 60 * PATIENCE
        while wait and time.monotonic() < end and not self.has_progress(server, run):
            time.sleep(0.05)
        return run

    def has_progress(self, server, run):
        connection = server.connect()
        connection.request("GET", f"/api/runs/{run}/events", headers={"X-RLS2-Token": server.token})
        reply = connection.getresponse()
        line = reply.fp.readline()
        while line and not line.startswith(b"event") and not line.startswith(b"data"):
            line = reply.fp.readline()
        text = line + reply.fp.readline() + reply.fp.readline()
        connection.close()
        return b"progress" in text

    def test_ctrl_c(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            server = self.start()
            run = self.long_run(server)
            waiting = server.start_run({"data": server.builtin("servo"), "target": ["rise_time"]})
            connection = server.connect()
            connection.request("GET", f"/api/runs/{run}/events", headers={
                "X-RLS2-Token": server.token})
            code, said = server.stop(number)
            self.assertEqual(code, 0, said)
            for ended in (run, waiting):
                self.assertEqual(
                    json.loads(read(os.path.join(self.folder, "runs", ended,
                                                 "about.json")))["status"], "stopped")
            connection.close()

    def test_stop(self):
        server = self.start()
        for settings in ({}, {"select": "none"}, {
                "select": "none", "kernels": "rbf(1e-3:1e3:3)@all", "lambdas": "1e-6:1e-3:50"}):
            run = self.long_run(server, **settings)
            self.assertEqual(server.status(run), "running")
            self.assertEqual(server.post(f"/api/runs/{run}/stop", {}).status, 200)
            found = server.wait(run)
            self.assertEqual(found["status"], "stopped")
            self.assertEqual(
                server.get(f"/api/runs/{run}/point/0").status, 200 if "result" in found else 409)

    def test_queue(self):
        server = self.start()
        first = self.long_run(server)
        data = server.builtin("servo")
        quick = {
            "data": data, "target": ["rise_time"], "kernels": "linear", "select": "none"}
        second, third = server.start_run(quick), server.start_run(quick)
        self.assertEqual([server.status(run) for run in (first, second, third)],
                         ["running", "queued", "queued"])
        self.assertEqual([run["id"] for run in server.get("/api/state").json()["runs"]],
                         [third, second, first])
        self.assertEqual(server.ask("DELETE", f"/api/data/{data}").status, 409)  # it is waited for
        for use in ("test_data", "validation_data"):  # likewise as a second table
            other = server.builtin("servo")
            waiting = server.start_run({**quick, "select": "cv", use: other})
            self.assertEqual(server.ask("DELETE", f"/api/data/{other}").status, 409, use)
            self.assertEqual(server.ask("DELETE", f"/api/runs/{waiting}").status, 200)
            self.assertEqual(server.ask("DELETE", f"/api/data/{other}").status, 200, use)
        server.post(f"/api/runs/{second}/stop", {})
        self.assertEqual(server.status(second), "stopped")
        self.assertEqual(server.ask("DELETE", f"/api/runs/{first}").status, 200)  # stops it
        self.assertEqual(server.wait(third)["status"], "done")
        self.assertTrue(server.gone(os.path.join(self.folder, "runs", first)))
        self.assertTrue(server.gone(os.path.join(self.folder, "runs", ".rls2-old-" + first)))

    def test_order_of_the_queue(self):
        server = self.start()
        first = self.long_run(server)
        second = self.long_run(server, wait=False)
        third = server.start_run({
            "data": server.builtin("servo"), "target": ["rise_time"], "kernels": "linear"})
        server.post(f"/api/runs/{first}/stop", {})
        end = time.monotonic() + 120 * PATIENCE
        while server.status(second) == "queued" and time.monotonic() < end:
            self.assertEqual(server.status(third), "queued")
            time.sleep(0.01)
        self.assertEqual([server.status(run) for run in (second, third)], ["running", "queued"])

    def test_events(self):
        server = self.start()
        data = server.builtin("housing")
        run = server.start_run({
            "data": data, "target": ["MEDV"], "features": "standardize",
            "kernels": "linear; rbf(1)@all"})
        text = server.get(f"/api/runs/{run}/events").body.decode()
        events = [block.split("\n") for block in text.strip().split("\n\n")]
        self.assertEqual(events[-1], ["event: status", 'data: {"status":"done","result":true}'])
        progress = [json.loads(lines[1][6:]) for lines in events if lines[0] == "event: progress"]
        self.assertTrue(progress)
        for at in progress:
            self.assertEqual(
                set(at), {
                    "stage", "stage_number", "stage_count", "done", "total", "eta_s", "elapsed_s",
                    "share", "lambda", "gap", "result"})
            self.assertLessEqual(at["done"], at["total"])

    def test_heartbeat(self):
        server = self.start()
        self.long_run(server)
        waiting = server.start_run({"data": server.builtin("servo"), "target": ["rise_time"]})
        connection = server.connect(30)
        connection.request("GET", f"/api/runs/{waiting}/events", headers={
            "X-RLS2-Token": server.token})
        reply = connection.getresponse()
        lines = []
        while len(lines) < 20 and b": still here\n" not in lines:
            lines.append(reply.fp.readline())
        connection.close()
        self.assertIn(b'data: {"status":"queued","result":false,"before":1}\n', lines)
        self.assertIn(b": still here\n", lines)

    def test_restart_keeps_everything(self):
        server = self.start()
        data = server.builtin("prostate")
        run = server.run({
            "data": data, "target": ["lpsa"], "kernels": "linear", "drop": ["train"],
            "lambdas": "0.1,1"})
        server.post(f"/api/runs/{run}/name", {"name": "kept"})
        for _ in range(6):
            server.run({
                "data": server.builtin("servo"), "target": ["rise_time"], "kernels": "linear",
                "select": "none", "lambdas": "1"})
        listed = server.get("/api/state").json()
        before = [
            server.get(path).body for path in (f"/api/runs/{run}", f"/api/runs/{run}/point/1",
                                               f"/api/runs/{run}/model/1", f"/api/data/{data}")]
        self.assertEqual(server.stop()[0], 0)
        server = self.start()
        after = [
            server.get(path).body for path in (f"/api/runs/{run}", f"/api/runs/{run}/point/1",
                                               f"/api/runs/{run}/model/1", f"/api/data/{data}")]
        again = server.get("/api/state").json()
        for kind in ("runs", "data"):  # newest first
            self.assertEqual([entry["id"] for entry in again[kind]],
                             [entry["id"] for entry in listed[kind]])
        self.assertEqual(json.loads(before[0]), json.loads(after[0]))
        self.assertEqual(before[1:3], after[1:3])
        self.assertEqual(json.loads(before[3]), json.loads(after[3]))

    def former_run(self, server, former, **wanted):
        """A run whose file says what was asked for as versions up to 0.6 did, and its models."""
        data = server.builtin("prostate")
        run = server.run({"data": data, "target": ["lpsa"], "kernels": "linear", **FORMER_DEFAULTS,
                          **wanted})
        points = len(server.get(f"/api/runs/{run}").json()["result"]["points"])
        path = os.path.join(self.folder, "runs", run, "about.json")
        about = json.loads(read(path))
        del about["asked"], about["version"]
        about["settings"] = {"data": data, "target": ["lpsa"], "kernels": "linear",
                             "class_weights": "",
                             "measure": "auto", "baselines": False, **former}
        write(path, json.dumps(about).encode())
        return run, [server.get(f"/api/runs/{run}/model/{i}").body for i in range(points)]

    def test_runs_of_former_versions(self):
        """They are shown, and asked for again they make the same models."""
        server = self.start()
        few = {"lo": 0.01, "hi": 1, "count": 3}
        cases = [
            ({"test": {"kind": "column", "column": "train", "value": "F"}, "lambdas": few,
              "splits": {"kind": "none"}, "select": "gcv"},
             {"test_rows": "train=F", "lambdas": "0.01:1:3", "select": "gcv"}),
            ({"test": {"kind": "share", "share": 0.25}, "weights": "age", "seed": 7,
              "drop": "train",
              "splits": {"kind": "random", "count": 3, "share": 0.6}, "lambdas": {"values": [1,
                                                                                             0.1]}},
             {"test_share": 0.25, "row_weights": "age", "seed": 7, "drop": "train", "splits": 3,
              "share": 0.6, "lambdas": "1,0.1"}),
            ({"splits": {"kind": "validation", "column": "train", "value": "F"}, "lambdas": None},
             {"validation_rows": "train=F", "lambda_count": "30"}),
            ({"splits": {"kind": "column", "column": "gleason"}, "drop": ["train"], "lambdas": few,
              "groups": {"both": "age,lbph"}, "kernels": "rbf(0.1)@group:both"},
             {"fold_column": "gleason", "drop": ["train"], "lambdas": "0.01:1:3",
              "group": ["both=age,lbph"], "kernels": "rbf(0.1)@group:both"}),
        ]
        made = [self.former_run(server, former, **wanted) for former, wanted in cases]
        server.stop()
        server = self.start()
        for (run, models), (_, wanted) in zip(made, cases):
            found = server.get(f"/api/runs/{run}").json()
            self.assertEqual({name: found["asked"]["settings"].get(name) for name in wanted},
                             wanted)
            for path in ("point/1", "commands", "commands?point=1", "predictions/1"):
                self.assertEqual(server.get(f"/api/runs/{run}/{path}").status, 200, (path, wanted))
            again = server.post("/api/runs", found["asked"]).json()["id"]
            self.assertEqual(server.wait(again)["status"], "done")
            for i, model in enumerate(models):
                self.assertEqual(server.get(f"/api/runs/{again}/model/{i}").body, model, wanted)

    def test_run_of_version_0_7(self):
        """Its rows and columns are those it was learned from, whatever is the default now."""
        server = self.start()
        text = "n,a,b,y\n" + "".join(
            f"r{i},{i % 7},{'' if i % 4 == 0 else i % 5},{i % 7 + i % 5}\n" for i in range(40))
        data = server.upload("t.csv", text.encode()).json()["id"]
        run = server.run({"data": data, "target": ["y"], "drop": ["n"], "kernels": "rbf(1)@each",
                          "lambdas": "0.1", **FORMER_DEFAULTS})
        before = server.get(f"/api/runs/{run}/point/0").json()
        server.stop()
        path = os.path.join(self.folder, "runs", run, "about.json")
        about = json.loads(read(path))
        del about["version"]
        for name in FORMER_DEFAULTS:
            del about["asked"]["settings"][name]
        write(path, json.dumps(about).encode())
        server = self.start()
        self.assertEqual(server.get(f"/api/runs/{run}").json()["asked"]["settings"],
                         {"target": ["y"], "drop": ["n"], "kernels": "rbf(1)@each",
                          "lambdas": "0.1", **FORMER_DEFAULTS})
        self.assertEqual(server.get(f"/api/runs/{run}/point/0").json(), before)

    def test_killed_in_the_middle(self):
        server = self.start()
        done = server.run({
            "data": server.builtin("servo"), "target": ["rise_time"], "kernels": "linear",
            "select": "none"})
        running = self.long_run(server)
        waiting = server.start_run({"data": server.builtin("servo"), "target": ["rise_time"]})
        server.stop(signal.SIGKILL)
        with open(os.path.join(self.folder, "runs", done, "result.json.AbCdEf"), "w") as file:
            file.write("half a fi")
        server = self.start()
        self.assertEqual([server.status(run) for run in (done, running, waiting)],
                         ["done", "stopped", "stopped"])
        self.assertIn("interrupted", server.get(f"/api/runs/{running}").json()["error"])
        for run in (running, waiting):
            self.assertEqual(
                json.loads(read(os.path.join(self.folder, "runs", run, "about.json")))["status"],
                "stopped")
        self.assertFalse([
            name for name in os.listdir(os.path.join(self.folder, "runs", done))
            if name.endswith("AbCdEf")])
        again = server.run({
            "data": server.builtin("servo"), "target": ["rise_time"], "kernels": "linear",
            "select": "none"})
        self.assertEqual(server.status(again), "done")

    def test_killed_while_it_writes(self):
        # killed at many moments: whatever is there afterwards is whole
        for moment in (0.05, 0.1, 0.2, 0.3):
            server = self.start()
            data = server.builtin("servo")
            run = server.start_run({
                "data": data, "target": ["rise_time"], "kernels": "linear", "select": "none"})
            time.sleep(moment)
            server.stop(signal.SIGKILL)
            server = self.start()
            status = server.status(run)
            self.assertIn(status, ("done", "stopped"))
            if status == "done":
                self.assertEqual(server.get(f"/api/runs/{run}/point/29").status, 200)
            self.assertEqual(server.stop()[0], 0)

    def be_busy(self, server, kept, gone):
        """Makes and deletes until the server is no more; what was answered counts."""
        try:
            while True:
                data = [
                    server.upload("t.csv", b"a,y\n1,2\n2,3\n4,4\n").json()["id"] for _ in range(2)]
                kept["data"].update(data)
                run = {
                    "target": ["y"], "kernels": "linear", "select": "none", "lambdas": "1,0.1"}
                runs = [server.start_run({"data": data[0], **run}) for _ in range(3)]
                kept["runs"].update(runs)
                for kind, deleted in (("data", data[1]), ("runs", runs[1])):
                    kept[kind].discard(deleted)
                    if server.ask("DELETE", f"/api/{kind}/{deleted}").status == 200:
                        gone.add(deleted)
                server.post(f"/api/runs/{runs[0]}/name", {"name": "x" * 100})
                kept["done"].update(entry["id"]
                                    for entry in server.get("/api/state").json()["runs"]
                                    if entry["status"] == "done")
        except (OSError, http.client.HTTPException, AssertionError, KeyError, ValueError):
            pass

    def test_killed_at_any_moment(self):
        kept, gone = {"data": set(), "runs": set(), "done": set()}, set()
        for moment in (0.02, 0.05, 0.11, 0.17, 0.23, 0.31):
            server = self.start()
            busy = [
                threading.Thread(target=self.be_busy, args=(server, kept, gone)) for _ in range(2)]
            for thread in busy:
                thread.start()
            time.sleep(moment)
            server.stop(signal.SIGKILL)
            for thread in busy:
                thread.join()
            server = self.start()
            state = server.get("/api/state").json()
            there = {kind: {entry["id"] for entry in state[kind]} for kind in ("data", "runs")}
            done = {entry["id"] for entry in state["runs"] if entry["status"] == "done"}
            for kind in ("data", "runs"):
                self.assertLessEqual(kept[kind] - gone, there[kind])
                self.assertFalse(gone & there[kind])
            self.assertLessEqual((kept["done"] & there["runs"]), done)
            self.assertLessEqual({entry["status"] for entry in state["runs"]}, {"done", "stopped"})
            for run in list(done)[:5]:
                for path in ("point/1", "profile", "statistics.csv", "model/0"):
                    self.assertEqual(server.get(f"/api/runs/{run}/{path}").status, 200)
            self.assertEqual(os.listdir(os.path.join(self.folder, "uploads")), [])
            self.assertEqual(server.stop()[0], 0)

    def test_broken_files_are_passed_over(self):
        server = self.start()
        data = server.builtin("servo")
        run = server.run({
            "data": data, "target": ["rise_time"], "kernels": "linear", "select": "none"})
        server.stop()
        for path, text in (("runs/aaaaaaaaaaaa/about.json",
                            "{"), ("runs/bbbbbbbbbbbb/about.json",
                                   '{"status":5,"about":[],"asked":{}}'),
                           ("runs/cccccccccccc/nothing", ""), ("data/dddddddddddd/about.json",
                                                               "[]"), ("runs/not-an-id", None)):
            path = os.path.join(self.folder, path)
            os.makedirs(os.path.dirname(path) if text is not None else path)
            if text is not None:
                with open(path, "w") as file:
                    file.write(text)
        for part in ("data", "runs"):  # nobody will ever write into them
            os.mkdir(os.path.join(self.folder, part, "eeeeeeeeeeee"))
            os.mkfifo(os.path.join(self.folder, part, "eeeeeeeeeeee", "about.json"))
        for name in ("aaaaaaaaaaaaa", "AAAAAAAAAAAA", "aaaaaaaaaaa", "aaaaaaaaaaa."):  # no ids
            shutil.copytree(os.path.join(self.folder, "runs", run),
                            os.path.join(self.folder, "runs", name))
            shutil.copytree(os.path.join(self.folder, "data", data),
                            os.path.join(self.folder, "data", name))
        with open(os.path.join(self.folder, "runs", run, "model-3.rls2"), "r+b") as file:
            file.truncate(100)
        server = self.start()
        self.assertEqual([entry["id"] for entry in server.get("/api/state").json()["data"]], [data])
        self.assertTrue(os.path.exists(os.path.join(self.folder, "runs",
                                                    "cccccccccccc")))  # nothing says whose it is
        self.assertEqual([entry["id"] for entry in server.get("/api/state").json()["runs"]], [run])
        self.assertGreaterEqual(server.get(f"/api/runs/{run}/point/3").status, 400)
        self.assertEqual(server.get(f"/api/runs/{run}/point/4").status, 200)

    def test_files_of_the_user_are_left_alone(self):
        # names that mean something to the server: they would be taken for what a killed server left
        # behind
        precious = ("uploads/photo.jpg", "data/measurements/table.csv",
                    "runs/abcdefghijkl/notes.abcdef")
        for path in precious:
            path = os.path.join(self.folder, path)
            os.makedirs(os.path.dirname(path))
            open(path, "w").close()
        done = subprocess.run([COMMAND, "gui", "--no-browser", "--folder", self.folder],
                              capture_output=True, text=True, timeout=20 * PATIENCE)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("not of 'rls2 gui'", done.stderr)
        for path in precious:
            self.assertTrue(os.path.exists(os.path.join(self.folder, path)), path)
        self.assertEqual(sorted(os.listdir(self.folder)), ["data", "runs", "uploads"])

    def test_hostile_files(self):
        """Whatever stands in the folder: answers, and no crash."""
        server = self.start()
        data = server.builtin("servo")
        run = server.run({
            "data": data, "target": ["rise_time"], "kernels": "linear", "folds": 2, "lambdas": "1"})
        server.stop()
        files = {
            name: os.path.join(self.folder, name)
            for name in (f"data/{data}/about.json", f"runs/{run}/about.json",
                         f"runs/{run}/result.json", f"runs/{run}/left-out.f64",
                         f"data/{data}/bytes")}
        about, kept, result, left_out, table = files
        good = {name: read(path) for name, path in files.items()}
        run_asked = json.loads(good[kept])["asked"]
        settings = run_asked["settings"]
        cases = [(about, {"id": "../../etc", "reading": {"na": [5, None, {}, "x"]}}),
                 (about, {"reading": [1], "name": 5, "columns": 7, "created": []}),
                 (about, {"reading": {"delimiter": 5, "decimal": {}, "header": 5}}),
                 (about, {"name": "../../../etc/passwd"}), (about, {"bytes": 1e300}),
                 (kept, {
                     "about": {"id": "../x", "name": 5, "data": 5, "summary": [], "created": 7},
                     "status": []}), (kept, {"asked": {"data": "../../../etc"}}),
                 (kept, {"seconds": 1e300}), (kept, {"asked": {}}),
                 (kept, {"asked": {**run_asked,
                                   "settings": {**settings, "target": [5], "kernels": {}}}}),
                 (kept, {"asked": {**run_asked, "settings": {**settings, "folds": 1e300}}}),
                 (kept, {"asked": {**run_asked, "settings": [5]}})]
        former = {"data": data, "target": 5, "test": [],
                  "splits": {"kind": "validation", "column": {}}}
        cases += [(kept, {"asked": None, "settings": more}) for more in
                  ({}, former, {**former, "lambdas": {"values": [{}]}, "groups": {"a": 5}})]
        cases += [(result, text)
                  for text in (b"", b"[]", b'{"points":5}', b'{"points":[5,[],{"a":{"b":[]}}]}',
                               b'{"points":[{"a":{"b":1}},5]}', b"[" * 100000)]
        cases += [(left_out, b""), (left_out, b"1234"), (table, b""), (table, b"a\n1\n"),
                  (table, bytes(range(256)))]
        for name, change in cases:
            text = change if isinstance(change, bytes) else json.dumps({
                **json.loads(good[name]), **change}).encode()
            write(files[name], text)
            server = self.start()
            state = server.get("/api/state").json()
            self.assertEqual([[entry["id"] for entry in state[part]] for part in ("data", "runs")],
                             [[data], [run]], change)
            for path in (f"data/{data}", f"data/{data}/rows", f"runs/{run}", f"runs/{run}/events",
                         *(f"runs/{run}/{part}"
                           for part in ("point/0", "commands", "commands?point=0", "predictions/0",
                                        "statistics.csv", "statistics.json", "profile", "table.csv",
                                        "function/0/0", "model/0"))):
                self.assertIn(
                    server.get("/api/" + path).status, (200, 400, 409, 500), (change, path))
            self.assertEqual(server.stop()[0], 0, change)
            write(files[name], good[name])

    @unittest.skipIf(
        os.environ.get("RLS2_SANITIZED") == "thread", "ThreadSanitizer needs a large file itself")
    def test_files_that_cannot_be_written(self):
        """A disk that is full, played by a limit on the size of files."""
        self.servers.append(Server(self.folder, largest_file=20000))
        server = self.servers[-1]
        answer = server.upload("large.csv", b"a,b\n" + b"1,2\n" * 100000)
        self.assertEqual((answer.status, answer.error["field"]), (500, "data"))
        self.assertIn("cannot be kept", answer.error["message"])
        self.assertEqual(os.listdir(os.path.join(self.folder, "uploads")), [])
        small = server.upload("small.csv", b"a,b\n" + b"1,2\n2,3\n3,5\n" * 20).json()["id"]
        failed = server.wait(
            server.start_run({
                "data": small, "target": ["b"], "kernels": "linear", "select": "none",
                "lambdas": "0.01:1:100"}))  # a result of 100 points
        self.assertEqual(failed["status"], "failed")
        self.assertIn("File too large", failed["error"])
        left = os.listdir(os.path.join(self.folder, "runs", failed["id"]))
        self.assertFalse([name for name in left if name.startswith(".") or name == "result.json"],
                         left)
        wide = {
            "data": small, "target": ["b"], "kernels": "linear", "select": "none",
            "group": [f"g{i}=a" for i in range(3000)]}
        before = sorted(os.listdir(os.path.join(self.folder, "runs")))
        self.assertEqual(server.post("/api/runs", asked(wide)).status,
                         500)  # its settings are larger than a file may be
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "runs"))), before)
        self.assertEqual(len(server.get("/api/state").json()["runs"]), 1)
        self.assertEqual(server.stop()[0], 0)

    def test_name_that_cannot_be_saved(self):
        server = self.start()
        run = server.run({
            "data": server.builtin("servo"), "target": ["rise_time"], "kernels": "linear",
            "select": "none"})
        before = server.get(f"/api/runs/{run}").json()["name"]
        os.rename(os.path.join(self.folder, "runs", run), os.path.join(self.folder, "away"))
        self.assertEqual(server.post(f"/api/runs/{run}/name", {"name": "other"}).status, 500)
        self.assertEqual(server.get(f"/api/runs/{run}").json()["name"], before)

    def test_end_while_a_request_takes_long(self):
        server = self.start()
        rows = "\n".join(f"group {i % 2000},{i % 7},{i % 11}" for i in range(300000))
        data = server.upload("folds.csv", ("fold,a,y\n" + rows).encode()).json()["id"]
        slow = {
            "data": data, "target": ["y"], "kernels": "linear", "fold_column": "fold"}
        connection = server.connect()
        connection.request("POST", "/api/check", json.dumps(asked(slow)),
                           {"X-RLS2-Token": server.token})
        time.sleep(0.3)  # most likely it is at work then; it ends well in any case
        self.assertEqual(server.stop(signal.SIGINT)[0], 0)
        connection.close()

    def test_end_with_nobody_to_tell(self):
        # Ctrl-C also ends the program that our words go to: the run is stopped all the same
        reader, writer = os.pipe()
        process = subprocess.Popen([
            COMMAND, "gui", "--no-browser", "--folder", self.folder, "--data",
            os.path.join(ROOT, "data")], stdout=subprocess.PIPE, stderr=writer, text=True)
        os.close(writer)
        process.stdout.readline()
        os.close(reader)
        process.stdout.close()
        process.terminate()
        self.assertEqual(process.wait(timeout=20 * PATIENCE), 0)

    def test_closed_standard_files(self):
        for closed in ((1,), (0, 1, 2), (2,)):
            process = subprocess.Popen([COMMAND, "gui", "--no-browser", "--folder", self.folder],
                                       stdout=subprocess.PIPE,
                                       preexec_fn=lambda: [os.close(number) for number in closed])
            if 1 in closed:  # nowhere to say the address
                self.assertEqual(process.wait(timeout=20 * PATIENCE), 1)
            else:
                self.assertIn(b"http://", process.stdout.readline())
                process.terminate()
                self.assertEqual(process.wait(timeout=20 * PATIENCE), 0)
            process.stdout.close()
            self.assertEqual(os.path.getsize(os.path.join(self.folder, "lock")), 0)

    def test_same_port_again(self):
        server = self.start()
        self.assertEqual(server.get("/api/state").status, 200)
        self.assertEqual(server.stop()[0], 0)
        self.assertEqual(self.start("--port", str(server.port)).port, server.port)

    def test_two_servers_on_one_folder(self):
        self.start()
        done = subprocess.run([COMMAND, "gui", "--no-browser", "--folder", self.folder],
                              capture_output=True, text=True, timeout=20 * PATIENCE)
        self.assertEqual(done.returncode, 1)
        self.assertIn("in use", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_port(self):
        server = self.start()
        other = os.path.join(self.room.name, "other")
        done = subprocess.run(
            [COMMAND, "gui", "--no-browser", "--folder", other, "--port",
             str(server.port)], capture_output=True, text=True, timeout=20 * PATIENCE)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(str(server.port), done.stderr)
        for words, code in ((["--port", "70000"], 2), (["--port", "x"], 2), ([
                "--folder", "/proc/nothing"], 1), (["extra"], 2)):
            done = subprocess.run([COMMAND, "gui", "--no-browser", *words], capture_output=True,
                                  text=True, timeout=20 * PATIENCE)
            self.assertEqual(done.returncode, code, (words, done.stderr))

    def open_browser(self, path, **variables):
        """A server that opens a browser, found on that path; and its address."""
        home = os.path.join(self.room.name, "home here")
        os.makedirs(home, mode=0o700, exist_ok=True)
        process = subprocess.Popen([COMMAND, "gui", "--folder", self.folder],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "PATH": path, "HOME": home, **variables})
        return process, process.stdout.readline().strip(), home

    def fake_browser(self):
        """One that notes all that it is given, and all that others can see of it."""
        tools, noted = os.path.join(self.room.name, "tools"), os.path.join(self.room.name, "noted")
        os.mkdir(tools)
        with open(os.path.join(tools, "xdg-open"), "w") as file:
            file.write('#!/bin/sh\n{ echo "$*"; tr "\\0" " " </proc/$$/cmdline; }'
                       f" >{noted}.part\nmv {noted}.part {noted}\n")
        os.chmod(os.path.join(tools, "xdg-open"), 0o755)
        return tools + ":" + os.environ["PATH"], noted

    def wait_until(self, happens):
        end = time.monotonic() + 120 * PATIENCE
        while not happens() and time.monotonic() < end:
            time.sleep(0.02)
        self.assertTrue(happens())

    def wait_for(self, path):
        self.wait_until(lambda: os.path.exists(path))
        return read(path).decode()

    def end(self, process):
        process.terminate()
        said = process.communicate(timeout=120 * PATIENCE)[1]
        self.assertEqual(process.returncode, 0, said)
        return said

    def test_browser(self):
        path, noted = self.fake_browser()
        process, address, home = self.open_browser(path)
        given = self.wait_for(noted)
        # everybody can read command lines: there is the name of a file on it, and no secret
        place = given.split("\n")[0]
        self.assertRegex(place, r"^file:///.*/rls2-gui-\d+\.html$")
        self.assertNotRegex(given, r"[0-9a-f]{16}|ticket|token")
        file = urllib.parse.unquote(place[len("file://"):])
        self.assertEqual(os.path.dirname(file),
                         home)  # which is not hidden: browsers in a sandbox can read it
        self.assertEqual(os.stat(file).st_mode & 0o777, 0o600)
        text = read(file).decode()
        self.assertNotIn(address.split("=")[1], text)
        ticket = re.search(r"url=http://127\.0\.0\.1:(\d+)/\?ticket=([0-9a-f]{32})\"", text)
        self.check_ticket(int(ticket[1]), ticket[2], address)
        self.assertFalse(os.path.exists(file))  # it was used
        self.assertNotIn(ticket[2], self.end(process))
        self.assertEqual(os.listdir(home), [])

    def check_ticket(self, port, ticket, address):
        """It leads to the token, once, and to the page only."""
        def ask(path):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60 * PATIENCE)
            # as a browser comes from a file
            connection.request(
                "GET", path, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})
            reply = connection.getresponse()
            body = reply.read().decode()
            connection.close()
            return reply, body
        token = address.split("=")[1]
        for path in (f"/api/state?ticket={ticket}", f"/api/state?token={ticket}",
                     "/?ticket=" + "0" * 32, f"/?ticket={ticket[:-1]}", "/?ticket="):
            reply, body = ask(path)
            self.assertEqual(reply.status, 403, path)
            self.assertNotIn(token, body)
        reply, body = ask("/")  # the page is no secret, and has none
        self.assertEqual(reply.status, 200)
        self.assertNotIn(token, body)
        reply, body = ask(f"/?ticket={ticket}")
        self.assertEqual((reply.status, reply.headers["Location"], reply.headers["Referrer-Policy"],
                          reply.headers["Cache-Control"]), (200, None, "no-referrer", "no-store"))
        self.assertIn(f'name="rls2-token" content="{token}"', body)
        self.assertEqual(ask(f"/?ticket={ticket}")[0].status, 403)
        self.assertEqual(ask(f"/?token={token}")[0].status, 403)  # of another page

    def test_browser_that_is_not_there(self):
        process, address, home = self.open_browser("/nowhere")
        self.assertIn("http://127.0.0.1:", address)
        self.end(process)
        self.assertEqual(os.listdir(home), [])  # at the end the file goes, used or not

    def test_browser_where_home_will_not_do(self):
        path, noted = self.fake_browser()
        open_home = os.path.join(self.room.name, "open")
        os.mkdir(open_home)
        os.chmod(open_home, 0o777)
        process, _, _ = self.open_browser(path, HOME=open_home)
        place = urllib.parse.unquote(self.wait_for(noted).split("\n")[0])
        self.assertEqual(os.path.dirname(place), "file://" + self.folder)
        self.end(process)
        self.assertEqual(os.listdir(open_home), [])

    def test_tickets_of_servers_that_were_killed(self):
        path, noted = self.fake_browser()
        process, _, home = self.open_browser(path)
        self.wait_for(noted)
        process.kill()
        process.communicate()
        left = os.listdir(home)
        self.assertEqual(len(left), 1)
        old = os.path.join(home, "rls2-gui-1.html")
        os.rename(os.path.join(home, left[0]), old)
        mine = [os.path.join(home, name) for name in ("rls2-gui-2.html", "rls2-gui-x.html")]
        for name in mine:
            write(name, b"something else")
        for name in (old, *mine):
            os.utime(name, (0, 0))
        process, _, _ = self.open_browser("/nowhere")
        self.wait_until(
            lambda: not os.path.exists(old))  # the address is told before the browser is started
        self.end(process)
        self.assertEqual(sorted(os.listdir(home)), sorted(os.path.basename(name) for name in mine))

    def test_private_files(self):
        server = self.start()
        server.builtin("servo")
        for folder, _, files in os.walk(self.folder):
            for path in [folder, *(os.path.join(folder, name) for name in files)]:
                self.assertEqual(os.stat(path).st_mode & 0o077, 0, path)

    def test_folder_by_the_rules_of_the_desktop(self):
        for variables, where in (
                ({"XDG_DATA_HOME": os.path.join(self.room.name, "x")}, "x/rls2"),
                ({"HOME": self.room.name}, ".local/share/rls2")):
            kept = dict(os.environ)
            os.environ.pop("XDG_DATA_HOME", None)
            try:
                os.environ.update(variables)
                process = subprocess.Popen([COMMAND, "gui", "--no-browser", "--json"],
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                           text=True)
            finally:
                os.environ.clear()
                os.environ.update(kept)
            self.assertIn("http://127.0.0.1:", json.loads(read_object(process.stdout))["address"])
            process.terminate()
            process.communicate(timeout=20 * PATIENCE)
            self.assertTrue(os.path.isdir(os.path.join(self.room.name, where, "runs")))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, body):
    with open(path, "wb") as file:
        file.write(body)


def read_object(file):
    text = ""
    while not text.rstrip().endswith("}"):
        text += file.readline()
    return text


if __name__ == "__main__":
    main()
