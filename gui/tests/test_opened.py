"""Model files that are opened: checked, described, asked about rows, deleted."""
import csv
import io
import json
import os
import subprocess
import tempfile
import unittest

from server import COMMAND, ROOT, Server, ServerTest, main

DATA = os.path.join(ROOT, "data")


def rls2(*words):
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


class Opened(ServerTest):
    def trained(self, table, *options):
        """The bytes of a model file of the command."""
        path = os.path.join(self.room.name, "made.model")
        rls2("train", os.path.join(DATA, table), "-q", "-o", path, *options)
        with open(path, "rb") as file:
            return file.read()

    def opened(self, table, *options):
        answer = self.server.post("/api/models?name=made.model", self.trained(table, *options))
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json()["id"]

    def rows(self, model, body, name="new.csv"):
        answer = self.server.post(f"/api/models/{model}/rows?name={name}", body)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json()

    def bytes_of(self, table):
        with open(os.path.join(DATA, table), "rb") as file:
            return file.read()

    def add_up(self, told):
        """Base and parts of each output sum to what is said of each row."""
        self.assertGreater(len(told["numbers"]), 0)
        for output, said in zip(told["parts"], told["said"], strict=True):
            for i, value in enumerate(said):
                total = output["base"] + sum(part["values"][i] for part in output["parts"])
                self.assertAlmostEqual(total, value, delta=1e-9 * max(1, abs(value)))

    def test_it_says_what_it_learned(self):
        model = self.opened("prostate.csv", "-t", "lpsa", "-k", "linear@each", "--test-rows",
                            "train=F")
        about = self.server.get(f"/api/models/{model}").json()
        self.assertEqual((about["name"], about["targets"], about["task"]),
                         ("made.model", ["lpsa"], "regression"))
        self.assertEqual((about["n"], about["m"]), (67, 8))
        self.assertEqual(about["left_out"]["measure"], "rmse")
        shown = json.loads(rls2("show", os.path.join(self.room.name, "made.model"), "--json"))
        self.assertAlmostEqual(about["lambda"], shown["lambda"])
        self.assertEqual({k["name"] for k in about["learned"][0]["kernels"]},
                         {k["kernel"] for k in shown["selected"] if k["weight"] > 0})
        listed = self.server.get("/api/state").json()["models"]
        self.assertIn(model, [m["id"] for m in listed])

    def test_rows_are_those_of_the_command(self):
        model = self.opened("prostate.csv", "-t", "lpsa", "--test-rows", "train=F")
        told = self.rows(model, self.bytes_of("prostate.csv"))
        self.add_up(told)
        path = os.path.join(self.room.name, "made.model")
        said = json.loads(rls2("predict", path, os.path.join(DATA, "prostate.csv"), "--json",
                               "-q"))
        self.assertEqual(told["predicted"], 97)
        self.assertAlmostEqual(told["score"]["scores"]["rmse"], said["score"]["rmse"])
        self.assertEqual(told["score"]["rows"], said["score"]["rows"])
        table = list(csv.DictReader(io.StringIO(
            rls2("predict", path, os.path.join(DATA, "prostate.csv"), "-q"))))
        for line, value in zip(table, told["fitted"][0], strict=True):
            self.assertAlmostEqual(float(line["prediction"]), value)
        file = self.server.post(f"/api/models/{model}/predict?name=prostate.csv",
                                self.bytes_of("prostate.csv"))
        self.assertEqual(len(file.body.decode().strip().split("\n")), 98)

    def test_classes_with_probabilities(self):
        model = self.opened("heart.csv", "-t", "class", "--loss", "logistic", "-k",
                            "linear@each; rbf(0.1)@all")
        told = self.rows(model, self.bytes_of("heart.csv"))
        self.add_up(told)
        self.assertEqual(len(told["probabilities"]), 2)
        for one, other in zip(*told["probabilities"]):
            self.assertAlmostEqual(one + other, 1)
        said = json.loads(rls2("predict", os.path.join(self.room.name, "made.model"),
                               os.path.join(DATA, "heart.csv"), "--json", "-q"))
        for measure in ("log-loss", "accuracy"):
            self.assertAlmostEqual(told["score"]["scores"][measure], said["score"][measure])
        counts = told["confusion"]["counts"]
        right = counts[0][0] + counts[1][1]
        self.assertAlmostEqual(right / 270, told["score"]["scores"]["accuracy"])

    def test_strange_labels_are_wrong(self):
        model = self.opened("heart.csv", "-t", "class", "-k", "linear@each")
        lines = self.bytes_of("heart.csv").decode().strip().split("\n")[:11]
        head = lines[0].split(",")
        at = head.index("class")
        cells = lines[1].split(",")
        cells[at] = "7"
        told = self.rows(model, "\n".join([lines[0], ",".join(cells), *lines[2:]]))
        self.assertEqual((told["score"]["rows"], told["score"]["strangers"]), (10, 1))
        self.assertEqual([values[0] for values in told["actual"]], [None])
        self.assertLessEqual(told["score"]["scores"]["accuracy"], 0.9)

    def test_three_classes(self):
        model = self.opened("auto-mpg.csv", "-t", "origin", "--task", "classification", "--drop",
                            "car_name", "-k", "linear@each")
        told = self.rows(model, self.bytes_of("auto-mpg.csv"))
        self.assertEqual(len(told["parts"]), 3)
        self.add_up(told)
        self.assertEqual(set(told["labels"]), {"1", "2", "3"})

    def test_indicators_of_a_text_column_are_one_input(self):
        model = self.opened("servo.csv", "-t", "rise_time", "-k", "linear@each", "--plain")
        told = self.rows(model, self.bytes_of("servo.csv"))
        self.add_up(told)
        inputs = [part["inputs"] for part in told["parts"][0]["parts"]]
        self.assertIn(["motor"], inputs)
        self.assertEqual(len(inputs), len({tuple(names) for names in inputs}))
        explained = self.server.get(f"/api/models/{model}/explanation").json()
        names = [i["name"] for i in explained["inputs"]]
        self.assertEqual(len(names), len(set(names)))
        self.assertTrue(set(names) <= {"motor", "screw", "pgain", "vgain"}, names)
        motor = next(i["index"] for i in explained["inputs"] if i["name"] == "motor")
        effect = self.server.get(f"/api/models/{model}/effect/{motor}").json()
        levels = {p["level"] for p in effect["points"]}  # those of no kernel are one
        self.assertTrue({"A", "B", "D", "E"} <= levels <= set("ABCDE") | {"others"}, levels)

    def test_a_model_of_a_run_is_asked_the_same(self):
        data = self.server.builtin("servo")
        run = self.server.run({"data": data, "target": ["rise_time"], "kernels": "linear@each"})
        about = self.server.get(f"/api/runs/{run}/about/3").json()
        self.assertEqual((about["run"], about["data"]["id"]), (run, data))
        told = self.server.post(f"/api/runs/{run}/rows/3?name=new.csv",
                                self.bytes_of("servo.csv")).json()
        self.add_up(told)
        self.assertEqual(self.server.get(f"/api/runs/{run}/about/9999").status, 404)

    def test_rows_that_lack_cells(self):
        model = self.opened("servo.csv", "-t", "rise_time", "-k", "linear@each")
        told = self.rows(model, "motor,screw,pgain,vgain\n,Z,,2\n")
        self.assertEqual((told["predicted"], told["imputed"], told["unseen"]), (1, 2, 1))
        self.assertNotIn("score", told)
        answer = self.server.post(f"/api/models/{model}/rows?name=new.csv", "a,b\n1,2\n")
        self.assertEqual(answer.status, 400)
        self.assertIn("column", answer.error["message"])

    def test_many_rows_are_cut_and_scored_all(self):
        model = self.opened("servo.csv", "-t", "rise_time", "-k", "linear@each")
        lines = self.bytes_of("servo.csv").decode().strip().split("\n")
        told = self.rows(model, "\n".join([lines[0], *(lines[1:] * 12)]))
        self.assertEqual((told["predicted"], len(told["numbers"])), (167 * 12, 1000))
        self.assertEqual(told["score"]["rows"], 167 * 12)

    def test_hostile_files_are_refused(self):
        good = self.trained("servo.csv", "-t", "rise_time", "-k", "linear@each")
        for bad in (b"", b"not a model", good[:-3], good[:200] + b"x" + good[201:],
                    good[:8] + b"[" + good[9:], b"\xff" * 9, good + b"more"):
            answer = self.server.post("/api/models?name=bad.model", bad)
            self.assertEqual((answer.status, answer.error["field"]), (400, "model"), bad[:12])
            self.assertIn("bad.model", answer.error["message"])
        uploads = os.path.join(self.folder, "uploads")
        self.assertEqual(os.listdir(uploads), [])

    def test_a_file_that_is_too_large_is_refused_before_it_is_sent(self):
        connection = self.server.connect()
        connection.putrequest("POST", "/api/models?name=large.model")
        connection.putheader("X-RLS2-Token", self.server.token)
        connection.putheader("Content-Length", str((256 << 20) + 1))
        connection.endheaders()
        answer = connection.getresponse()
        self.assertEqual(answer.status, 413)
        self.assertIn("256 MiB", json.loads(answer.read())["error"]["message"])
        connection.close()

    def test_deleted_ones_are_gone(self):
        model = self.opened("servo.csv", "-t", "rise_time", "-k", "linear@each")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "models", model, "bytes")))
        self.assertEqual(self.server.ask("DELETE", f"/api/models/{model}").status, 200)
        self.assertTrue(self.server.gone(os.path.join(self.folder, "models", model)))
        for answer in (self.server.get(f"/api/models/{model}"),
                       self.server.ask("DELETE", f"/api/models/{model}")):
            self.assertEqual(answer.status, 404)


class Restarted(unittest.TestCase):
    def test_models_are_there_again_and_checked_again(self):
        with tempfile.TemporaryDirectory() as room:
            path, folder = os.path.join(room, "servo.model"), os.path.join(room, "rls2")
            rls2("train", os.path.join(DATA, "servo.csv"), "-t", "rise_time", "-k", "linear@each",
                 "-q", "-o", path)
            with open(path, "rb") as file:
                made = file.read()
            server = Server(folder)
            model = server.post("/api/models?name=../servo.model", made).json()["id"]
            server.stop()
            server = Server(folder)
            self.assertEqual([m["name"] for m in server.get("/api/state").json()["models"]],
                             ["servo.model"])
            self.assertEqual(server.get(f"/api/models/{model}").status, 200)
            server.stop()
            with open(os.path.join(folder, "models", model, "bytes"), "r+b") as file:
                file.seek(len(made) - 4)
                file.write(b"\0\1\2\3")
            server = Server(folder)
            answer = server.get(f"/api/models/{model}")
            self.assertEqual(answer.status, 400)
            server.stop()


if __name__ == "__main__":
    main()
