"""What is known of a run before it ends, and what remains of one that does not reach its end."""
import json
import math
import os
import signal
import tempfile
import unittest

from server import Server, main
from test_life import long_table

# each lambda takes a while, folds longer
SLOW = {
    "kernels": "rbf(1e-3:1e3:6)@each", "baselines": False, "lambdas": "1e-4:10:40",
    "features": "standardize"}


class Stream:
    """Events of a run, read as they come."""

    def __init__(self, server, run):
        self.connection = server.connect()
        self.connection.request("GET", f"/api/runs/{run}/events", headers={
            "X-RLS2-Token": server.token})
        self.reply = self.connection.getresponse()

    def __iter__(self):
        name = None
        for line in self.reply:
            if line.startswith(b"event: "):
                name = line[7:].decode().strip()
            elif line.startswith(b"data: "):
                yield name, json.loads(line[6:])

    def until(self, wanted):
        """The first event that is wanted; None if the run ended before."""
        for name, data in self:
            if wanted(name, data):
                return data
        return None

    def close(self):
        self.connection.close()


class Live(unittest.TestCase):
    def setUp(self):
        self.room = tempfile.TemporaryDirectory()
        self.folder = os.path.join(self.room.name, "rls2")
        self.servers = []
        self.server = self.start()

    def tearDown(self):
        ends = [server.stop() for server in self.servers]
        self.room.cleanup()
        for code, said in ends:
            self.assertIn(code, (0, -signal.SIGKILL), said)
            self.assertNotIn("ERROR", said)
            self.assertNotIn("runtime error", said)

    def start(self):
        self.servers.append(Server(self.folder))
        return self.servers[-1]

    def begin(self, rows=700, **settings):
        data = self.server.upload("long.csv", long_table(rows)).json()["id"]
        return self.server.start_run({"data": data, "target": ["y"], **SLOW, **settings})

    def wait_for(self, run, wanted):
        stream = Stream(self.server, run)
        found = stream.until(wanted)
        stream.close()
        self.assertIsNotNone(found, "the run ended before")
        return found

    def begin_endless(self, rows=700, **settings):
        """So many values of lambda that nobody is too late to stop it on the path."""
        return self.begin(rows, **{"lambdas": "1e-4:10:2000", **settings})

    def in_path(self, run, points=5):
        """Waits until so many values of lambda are finished."""
        self.wait_for(
            run, lambda name, data: name == "points" and data["points"][-1]["index"] >= points - 1)

    def in_splits(self, run):
        self.wait_for(run,
                      lambda name, data: name == "progress" and data["stage"] == "cross-validation")

    def stop(self, run):
        self.assertEqual(self.server.post(f"/api/runs/{run}/stop", {}).status, 200)
        return self.server.wait(run)

    # ---- what is told ----

    def test_every_lambda_is_told_of_once_and_in_order(self):
        run = self.begin(300, folds=3)
        told = [
            point for name, data in Stream(self.server, run) if name == "points"
            for point in data["points"]]
        self.assertEqual([point["index"] for point in told], list(range(40)))
        result = self.server.get(f"/api/runs/{run}").json()["result"]
        for live, final in zip(told, result["points"]):
            self.assertEqual(set(live), {"index", "lambda", "df", "selected", "gap", "seconds"})
            for key in ("lambda", "df", "selected", "gap", "seconds"):
                self.assertEqual(live[key], final[key], key)
            self.assertGreaterEqual(live["seconds"], 0)
        # each has its own
        self.assertLess(sum(point["seconds"] for point in told),
                        self.server.get(f"/api/runs/{run}").json()["seconds"])

    def test_who_comes_late_gets_all_points(self):
        run = self.begin()
        self.in_path(run, 7)
        stream = Stream(self.server, run)
        first = stream.until(lambda name, data: True)
        stream.close()
        self.assertEqual([point["index"] for point in first["points"]],
                         list(range(len(first["points"]))))
        self.assertGreaterEqual(len(first["points"]), 7)
        self.stop(run)

    def test_events_are_few(self):
        run = self.begin(300, folds=3)
        events = list(Stream(self.server, run))
        progress = [data for name, data in events if name == "progress"]
        stages = {at["stage"] for at in progress}
        # ten a second by the server's own clock, and where a stage begins; points come together
        # with them
        self.assertLess(len(progress), 2 * len(stages) + 2 + 10 * progress[-1]["elapsed_s"])
        self.assertLess(len(events), 2 * len(progress) + 12)

    def test_several_outputs_are_told_of_at_the_end_of_the_path(self):
        run = self.begin(200, target=["y", "a"], drop=["b"], folds=3)
        told = [
            point for name, data in Stream(self.server, run) if name == "points"
            for point in data["points"]]
        self.assertEqual([point["index"] for point in told], list(range(40)))
        self.assertEqual(self.server.status(run), "done")

    def check_progress(self, settings, stages):
        run = self.begin(400, **settings)
        progress = [data for name, data in Stream(self.server, run) if name == "progress"]
        self.assertEqual(self.server.status(run), "done")
        seen, share, elapsed = [], 0.0, 0.0
        for at in progress:
            if at["stage"] not in seen:
                seen.append(at["stage"])
            self.assertEqual((at["stage_number"], at["stage_count"]),
                             (stages.index(at["stage"]) + 1, len(stages)))
            self.assertTrue(at["eta_s"] is None or 0 <= at["eta_s"] < 1e6, at)
            self.assertTrue(0 <= at["share"] < 1)
            self.assertLessEqual(at["done"], at["total"])
            self.assertGreaterEqual(at["share"], share)
            self.assertGreaterEqual(at["elapsed_s"], elapsed)
            share, elapsed = at["share"], at["elapsed_s"]
        self.assertEqual(seen, [stage for stage in stages if stage in seen])
        return progress, self.server.get(f"/api/runs/{run}").json()["seconds"]

    def test_progress_with_folds(self):
        progress, seconds = self.check_progress({"folds": 4},
                                                ["kernels", "path", "models", "cross-validation"])
        self.assertIn("cross-validation", [at["stage"] for at in progress])
        for at in progress:  # a guess, and as good as the machine is steady
            if at["stage"] == "cross-validation" and at["done"] >= 2:
                self.assertGreaterEqual(at["eta_s"], 0)
                self.assertLessEqual(at["elapsed_s"], seconds)
        # the result of the path is there before the end, and it is said so
        self.assertFalse(progress[0]["result"])
        self.assertTrue(progress[-1]["result"])

    def test_progress_without_splits(self):
        self.check_progress({"select": "gcv"},
                            ["kernels", "path", "models"])

    def test_progress_where_the_grid_is_that_of_validation_rows_too(self):
        rows = long_table(400).decode().split("\n")
        data = self.server.upload(
            "v.csv",
            "\n".join([rows[0] + ",use"] +
                      [row + (",v" if i % 4 == 0 else ",l")
                       for i, row in enumerate(rows[1:])]).encode()).json()["id"]
        settings = {
            "data": data, "target": ["y"], **SLOW, "validation_rows": "use=v"}
        first = {"lambdas": None, "lambda_count": 30}
        for more, stages in ((first, ["cross-validation", "kernels", "path", "models"]), ({}, [
                "kernels", "path", "models", "cross-validation"])):
            run = self.server.start_run({**settings, **more})
            events = list(Stream(self.server, run))
            self.assertEqual(events[-1], ("status", {"status": "done", "result": True}))
            for name, at in events:
                if name == "progress":
                    self.assertEqual(stages[at["stage_number"] - 1], at["stage"])
            self.assertIsNotNone(
                self.server.get(f"/api/runs/{run}").json()["result"]["points"][0]["cvm"])

    def test_queued_runs_know_how_many_are_before_them(self):
        first, second, third = self.begin(), self.begin(), self.begin()
        self.in_path(first, 1)
        self.assertEqual([
            self.server.get(f"/api/runs/{run}").json().get("before")
            for run in (first, second, third)], [None, 1, 2])
        self.assertEqual(
            [run.get("before")
             for run in self.server.get("/api/state").json()["runs"]], [2, 1, None])
        stream, told = Stream(self.server, third), []
        for name, data in stream:
            told.append((name, data))
            if len(told) == 1:
                self.server.post(f"/api/runs/{second}/stop", {})
            if data.get("before") == 1:
                break
        stream.close()
        self.assertEqual(told[0], ("status", {"status": "queued", "result": False, "before": 2}))
        self.server.post(f"/api/runs/{third}/stop", {})
        self.stop(first)

    # ---- what remains ----

    def check_result(self, run, points):
        """Everything that can be asked about a result can be asked about this one."""
        found = self.server.get(f"/api/runs/{run}").json()
        result = found["result"]
        self.assertEqual(len(result["points"]), points)
        self.assertIsNotNone(found["summary"])
        last = points - 1
        for path in (f"point/{last}", "profile", f"model/{last}", "statistics.csv",
                     f"predictions/{last}", f"commands?point={last}"):
            self.assertEqual(self.server.get(f"/api/runs/{run}/{path}").status, 200, path)
        self.assertEqual(self.server.get(f"/api/runs/{run}/point/{points}").status, 404)
        self.assertEqual(len(self.server.get(f"/api/runs/{run}/profile").json()["lambdas"]), points)
        return found

    def test_stopped_on_the_path(self):
        run = self.begin_endless()
        self.in_path(run)
        found = self.stop(run)
        self.assertEqual(found["status"], "stopped")
        points = len(found["result"]["points"])
        self.assertTrue(5 <= points < 2000, points)
        self.check_result(run, points)
        self.assertEqual(found["result"]["asked"], 2000)
        self.assertIn(f"stopped after {points} of 2000 values of lambda", found["result"]["notes"])
        self.assertIn(
            "stopped before the end of the cross-validation: "
            "lambda is chosen by gcv, from the path alone",
            found["result"]["notes"])
        self.assertEqual(found["result"]["best"]["by"], "gcv")
        self.assertNotIn("cvm", found["result"]["points"][0])
        self.assertNotIn("error", found)
        # the same points as of a run that was not stopped
        whole = self.server.run({
            "data": found["data"]["id"], **found["asked"]["settings"], "select": "none",
            "lambdas": ",".join(repr(at["lambda"]) for at in found["result"]["points"])})
        for i in (0, points - 1):
            self.assertEqual(
                self.server.get(f"/api/runs/{run}/model/{i}").body,
                self.server.get(f"/api/runs/{whole}/model/{i}").body)

    def test_stopped_above_the_lambda_that_validation_rows_choose(self):
        # the grid comes from the data, so the splits come first; y follows a closely, so they
        # choose a small lambda. It has 30 values: who comes too late to stop takes more rows
        for count in (1000, 1600, 2400):
            run, found = self.stopped_above(count)
            if len(found["result"]["points"]) < 30:
                break
        result = found["result"]
        points = len(result["points"])
        self.assertLess(points, 30)
        values = [at["gcv"] for at in result["points"]]
        best = min(range(points), key=lambda i: values[
            i]) if None not in values else result["best"]["chosen"]  # there was no time for them
        self.assertEqual(result["best"], {"min": None, "one_se": None, "chosen": best, "by": "gcv"})
        self.assertIsNotNone(result["points"][0]["cvm"])
        self.assertIn(
            "the path was stopped before the lambda that cross-validation chooses: "
            "lambda is chosen by gcv, from the path alone",
            result["notes"])
        self.assertEqual((found["status"], found["summary"]["lambda"]),
                         ("stopped", result["points"][best]["lambda"]))
        # the last that is there is not the end of the grid
        self.assertTrue(best == points - 1 or None in values)
        self.check_result(run, points)

    def stopped_above(self, count):
        cells = [line.split(",") for line in long_table(count).decode().split("\n")[1:]]
        rows = [
            f"{math.sin(9 * float(c[1]))},{c[1]},{c[2]},{'vt'[i % 4 > 0]}"
            for i, c in enumerate(cells)]
        data = self.server.upload("v.csv", "\n".join(["y,a,b,part", *rows])).json()["id"]
        run = self.server.start_run({
            "data": data, "target": ["y"], **SLOW, "lambdas": None, "validation_rows": "part=v"})
        self.in_path(run, 2)
        self.server.post(f"/api/runs/{run}/stop", {})  # refused where it is too late
        return run, self.server.wait(run)

    def test_stopped_in_the_cross_validation(self):
        run = self.begin()
        self.in_splits(run)
        during = self.check_result(run, 40)
        self.assertEqual(during["status"], "running")
        self.assertIn("not cross-validated yet: lambda is chosen by gcv, from the path alone",
                      during["result"]["notes"])
        found = self.stop(run)
        self.assertEqual(found["status"], "stopped")
        self.check_result(run, 40)
        result = found["result"]
        self.assertIn(
            "stopped before the end of the cross-validation: "
            "lambda is chosen by gcv, from the path alone",
            result["notes"])
        self.assertEqual(result["best"], {
            "min": None, "one_se": None, "chosen": during["result"]["best"]["chosen"], "by": "gcv"})
        values = [point["gcv"] for point in result["points"]]
        self.assertEqual(values[result["best"]["chosen"]], min(values))
        self.assertEqual(found["summary"]["scored_on"], "train")

    def test_stopped_before_anything_was_finished(self):
        run = self.begin(3000, kernels="paper")
        self.wait_for(run, lambda name, data: name == "progress")
        found = self.stop(run)
        self.assertEqual((found["status"], found.get("result"), found["summary"]),
                         ("stopped", None, None))
        self.assertEqual(self.server.get(f"/api/runs/{run}/point/0").status, 409)

    def test_several_outputs_stopped_on_the_path(self):
        run = self.begin_endless(900, target=["y", "a"], select="gcv")
        self.wait_for(
            run,
            lambda name, data: name == "progress" and data["stage"] == "path" and data["done"] > 12)
        found = self.stop(run)
        self.assertEqual(found["status"], "stopped")
        if "result" in found:
            self.check_result(run, len(found["result"]["points"]))

    def test_ctrl_c_keeps_what_is_finished(self):
        run = self.begin_endless()
        self.in_path(run)
        code, said = self.server.stop(signal.SIGINT)
        self.assertEqual(code, 0, said)
        self.server = self.start()
        found = self.server.get(f"/api/runs/{run}").json()
        self.assertEqual(found["status"], "stopped")
        self.check_result(run, len(found["result"]["points"]))

    def test_killed_in_the_cross_validation(self):
        run = self.begin()
        self.in_splits(run)
        self.server.stop(signal.SIGKILL)
        self.server = self.start()
        found = self.check_result(run, 40)
        self.assertEqual(found["status"], "stopped")
        self.assertIn("interrupted", found["error"])

    def test_deleted_in_the_cross_validation(self):
        run = self.begin()
        self.in_splits(run)
        self.assertEqual(self.server.ask("DELETE", f"/api/runs/{run}").status, 200)
        self.assertEqual(self.server.get(f"/api/runs/{run}").status, 404)
        self.assertTrue(self.server.gone(os.path.join(self.folder, "runs", run)))

    def test_failed_in_the_cross_validation_keeps_the_path(self):
        # the only input is zero wherever the second fold is left out: there is no kernel to learn
        # with
        rows = ["a,y,fold"] + [
            f"{0 if i < 20 else i % 7},{i % 3 + 0.1 * i},{1 if i < 20 else 2}" for i in range(40)]
        data = self.server.upload("folds.csv", "\n".join(rows).encode()).json()["id"]
        run = self.server.start_run({
            "data": data, "target": ["y"], "kernels": "linear", "fold_column": "fold"})
        found = self.server.wait(run)
        self.assertEqual(found["status"], "failed", found.get("error"))
        self.assertTrue(found["error"])
        self.check_result(run, found["result"]["asked"])
        self.assertIn("the cross-validation failed: lambda is chosen by gcv, from the path alone",
                      found["result"]["notes"])


if __name__ == "__main__":
    main()
