"""Runs with other losses than the square one: scores, predictions, probabilities and shares are
those of the loss, and the command of the page makes the same model.
"""
import csv
import io
import json
import math
import os
import random
import shlex
import subprocess

from server import COMMAND, ServerTest, main

LEVELS = (0.05, 0.5, 0.95)


def made_table():
    """Counts, two classes, three classes and numbers that depend on two inputs."""
    draw = random.Random(3)
    lines = ["x,z,count,label,kind,resp"]
    for _ in range(90):
        x, z = draw.uniform(-2, 2), draw.gauss(0, 1)
        left, count = math.exp(0.5 + 0.8 * x), 0
        while (left := left - draw.expovariate(1)) > 0:
            count += 1
        label = "yes" if draw.random() < 1 / (1 + math.exp(-2 * x - z)) else "no"
        kind = "uvw"[min(2, max(0, round(1 + x / 2 + draw.gauss(0, 0.4))))]
        lines.append(f"{x:.4f},{z:.4f},{count},{label},{kind},{x * x + z + draw.gauss(0, 1):.4f}")
    return "\n".join(lines) + "\n"


TABLE = made_table()
ROWS = list(csv.DictReader(io.StringIO(TABLE)))
TARGETS = ["count", "label", "kind", "resp"]
COMMON = {"kernels": "linear; rbf(0.3|1)@each", "lambdas": "0.003:1:5", "folds": 5}


def rows_of(answer):
    return list(csv.DictReader(io.StringIO(answer.body.decode())))


def mean(values):
    values = list(values)
    return sum(values) / len(values)


class Losses(ServerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = cls.server.upload("made.csv", TABLE.encode()).json()["id"]
        cls.logistic = cls.learn("label", loss="logistic", test_share=0.2)
        cls.poisson = cls.learn("count", loss="poisson")
        cls.quantiles = cls.learn("resp", loss="quantile(0.05,0.5,0.95)")

    @classmethod
    def learn(cls, target, **settings):
        return cls.server.run({
            "data": cls.data, "target": [target], "drop": [t for t in TARGETS if t != target],
            **COMMON, **settings})

    def result(self, run):
        return self.server.get(f"/api/runs/{run}").json()["result"]

    def chosen(self, run):
        return self.result(run)["best"]["chosen"]

    def point(self, run, i):
        return self.server.get(f"/api/runs/{run}/point/{i}").json()

    def predictions(self, run, i):
        return rows_of(self.server.get(f"/api/runs/{run}/predictions/{i}"))

    def check_shares(self, run, i):
        """Of the variance of the predictions, all of it."""
        for output in self.point(run, i)["outputs"]:
            self.assertAlmostEqual(sum(k["share"] for k in output["left_out"]), 1)

    def check_command(self, run):
        """Chosen or not, the model of the page and that of the command are the same bytes; so are
        their predictions."""
        folder = os.path.join(self.room.name, "there")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "made.csv"), "w") as file:
            file.write(TABLE)
        chosen = self.chosen(run)
        for query, i in (("", chosen), ("?point=1", 1)):
            line = self.server.get(f"/api/runs/{run}/commands{query}").json()["command"]
            done = subprocess.run([COMMAND, *shlex.split(line)[1:], "-q"], cwd=folder,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, line + done.stderr)
            with open(os.path.join(folder, "model.rls2"), "rb") as file:
                model = file.read()
            self.assertEqual(self.server.get(f"/api/runs/{run}/model/{i}").body, model, line)
            options = ["--probability"] if self.result(run)["probabilities"] else []
            expected = subprocess.run(
                [COMMAND, "predict", "model.rls2", "made.csv", "-q", *options], cwd=folder,
                capture_output=True, text=True).stdout
            said = self.server.post(f"/api/runs/{run}/predict/{i}?name=new.csv", TABLE.encode())
            self.assertEqual(said.body.decode(), expected)

    # ---- logistic ----

    def test_logistic_result(self):
        about = self.server.get(f"/api/runs/{self.logistic}").json()
        result = about["result"]
        self.assertEqual(
            (result["loss"], result["losses"], result["probabilities"], result["intercept_rule"],
             result["measure"], result["rises"]),
            ("logistic", ["logistic"], True, "free", "log-loss", False))
        self.assertEqual(about["name"], "label from made.csv, linear; rbf(0.3|1)@each, logistic")
        self.assertEqual((about["summary"]["loss"], about["summary"]["measure"]),
                         ("logistic", "log-loss"))
        for point in result["points"]:
            self.assertEqual(set(point["train"]),
                             {"accuracy", "balanced-accuracy", "auc", "errors", "log-loss",
                              "brier"})
            self.assertIsNone(point["gcv"])  # of squared errors
            self.assertIsNotNone(point["aic"])
        best = min(range(5), key=lambda i: result["points"][i]["cvm"])
        self.assertEqual(result["best"]["min"], best)

    def test_logistic_probabilities(self):
        i = self.chosen(self.logistic)
        scores = self.result(self.logistic)["points"][i]
        detail = self.point(self.logistic, i)
        self.assertEqual((detail["losses"], detail["intercept_free"]), (["logistic"], True))
        for part, value in (("train", "fitted"), ("test", "fitted"), ("left_out", "predicted")):
            rows = detail[part]
            self.assertNotIn("weights", rows)
            for t, no, yes in zip(rows[value][0], *rows["probabilities"]):
                self.assertAlmostEqual(yes, 1 / (1 + math.exp(-t)))
                self.assertAlmostEqual(no + yes, 1)
            if part != "left_out":
                log_loss = mean(-math.log(yes if a > 0 else no) for a, no, yes in zip(
                    rows["actual"][0], *rows["probabilities"]))
                self.assertAlmostEqual(log_loss, scores[part]["log-loss"])
        self.assertEqual(len(detail["left_out"]["actual"][0]), 72)
        self.assertEqual(sum(map(sum, detail["confusion"]["left_out"])), 72)
        self.check_shares(self.logistic, i)

    def test_logistic_files(self):
        i = self.chosen(self.logistic)
        table = self.predictions(self.logistic, i)
        self.assertEqual(list(table[0]), [
            "row", "part", "actual", "prediction", "left_out", "score", "probability_no",
            "probability_yes", "left_out_probability_no", "left_out_probability_yes"])
        for row in table:
            self.assertEqual(row["actual"], ROWS[int(row["row"]) - 1]["label"])
            yes = float(row["probability_yes"])
            self.assertEqual(row["prediction"], "yes" if yes >= 0.5 else "no")
            if row["part"] == "test":
                self.assertEqual(row["left_out_probability_yes"], "NA")
            else:
                left = float(row["left_out_probability_yes"])
                self.assertEqual(row["left_out"], "yes" if left >= 0.5 else "no")
        self.check_command(self.logistic)

    def test_rows_with_empty_cells(self):
        run = self.learn("label", loss="logistic", missing="drop")
        said = rows_of(self.server.post(f"/api/runs/{run}/predict/2?name=new.csv&cells=1",
                                        b"x,z\n1,\n,\n1,2\n"))
        self.assertEqual(len(said), 3)
        for row in said:
            self.assertAlmostEqual(
                float(row["probability_no"]) + float(row["probability_yes"]), 1)

    def test_three_classes(self):
        """Each against the rest, and together, with one set of kernel weights."""
        for outputs, loss in (("separate", "logistic"), ("shared", "multinomial")):
            run = self.learn("kind", probability=True, outputs=outputs)
            result = self.result(run)
            self.assertEqual((result["losses"], result["measure"], result["probabilities"]),
                             ([loss] * 3, "log-loss", True))
            i = result["best"]["chosen"]
            left = self.point(run, i)["left_out"]
            for p in zip(*left["probabilities"]):
                self.assertAlmostEqual(sum(p), 1)
            self.assertEqual(len(left["probabilities"]), 3)
            self.check_command(run)

    def test_hinge(self):
        run = self.learn("label", loss="hinge")
        result = self.result(run)
        self.assertEqual((result["loss"], result["measure"], result["probabilities"]),
                         ("hinge", "accuracy", False))
        self.assertNotIn("probabilities", self.point(run, 0)["train"])
        self.assertNotIn("log-loss", result["points"][0]["train"])
        self.check_command(run)

    # ---- counts ----

    def test_poisson(self):
        result = self.result(self.poisson)
        self.assertEqual((result["loss"], result["measure"], result["rises"]),
                         ("poisson", "deviance", False))
        i = result["best"]["chosen"]
        detail = self.point(self.poisson, i)
        train, left = detail["train"], detail["left_out"]
        self.assertEqual(train["actual"][0], [float(row["count"]) for row in ROWS])
        self.assertGreater(min(train["fitted"][0] + left["predicted"][0]), 0)
        # with a free intercept rates add up to the counts
        self.assertAlmostEqual(mean(train["fitted"][0]), mean(train["actual"][0]), places=2)
        deviance = mean(
            2 * ((y * math.log(y / rate) if y else 0) - y + rate)
            for y, rate in zip(train["actual"][0], train["fitted"][0]))
        self.assertAlmostEqual(deviance, result["points"][i]["train"]["deviance"])
        squares = mean((y - rate)**2 for y, rate in zip(train["actual"][0], train["fitted"][0]))
        self.assertAlmostEqual(squares, result["points"][i]["train"]["mse"])
        table = self.predictions(self.poisson, i)
        self.assertEqual(list(table[0]), ["row", "part", "actual", "prediction", "left_out"])
        for row, rate, out in zip(table, train["fitted"][0], left["predicted"][0]):
            self.assertAlmostEqual(float(row["prediction"]), rate)
            self.assertAlmostEqual(float(row["left_out"]), out)
        self.check_shares(self.poisson, i)
        self.check_command(self.poisson)

    # ---- quantiles ----

    def test_quantiles(self):
        result = self.result(self.quantiles)
        self.assertEqual((result["loss"], result["losses"], result["outputs"], result["measure"]),
                         ("quantile(0.05,0.5,0.95)", [f"quantile({a})" for a in LEVELS],
                          [f"q{a}" for a in LEVELS], "pinball"))
        i = result["best"]["chosen"]
        self.assertIsNone(result["points"][i]["df"])
        detail = self.point(self.quantiles, i)
        for part, value in (("train", "fitted"), ("left_out", "predicted")):
            for low, middle, high in zip(*detail[part][value]):
                self.assertLessEqual(low, middle)
                self.assertLessEqual(middle, high)
        self.assertEqual(detail["train"]["actual"][2], [float(row["resp"]) for row in ROWS])
        inside = mean(low <= y <= high for y, low, high in zip(
            detail["left_out"]["actual"][0], detail["left_out"]["predicted"][0],
            detail["left_out"]["predicted"][2]))
        self.assertGreater(inside, 0.7)
        table = self.predictions(self.quantiles, i)
        self.assertEqual(list(table[0]), [
            "row", "part", "actual", "prediction_q0.05", "prediction_q0.5", "prediction_q0.95",
            "left_out_q0.05", "left_out_q0.5", "left_out_q0.95"])
        self.check_shares(self.quantiles, i)
        self.check_command(self.quantiles)

    # ---- choosing, checking ----

    def test_without_folds(self):
        """AIC of a likelihood; a loss that is none has no criterion."""
        run = self.learn("count", loss="poisson", select="aic")
        points = self.result(run)["points"]
        self.assertEqual(self.chosen(run), min(range(5), key=lambda i: points[i]["aic"]))
        answer = self.server.check({"data": self.data, "target": ["resp"], "loss": "absolute",
                                    "select": "gcv"})
        self.assertEqual((answer.status, answer.error["field"]), (400, "select"))

    def test_checked(self):
        def check(**settings):
            return self.server.check({"data": self.data, "drop": ["kind"], **settings})
        said = check(target=["resp"], loss="quantile(0.1)").json()
        self.assertEqual((said["loss"], said["measure"]), ("quantile(0.1)", "pinball"))
        self.assertRegex(check(target=["resp"], loss="huber").json()["loss"], r"^huber\(0\.\d+\)$")
        self.assertEqual(check(target=["label"]).json()["loss"], "square")
        self.assertEqual(check(target=["label"], probability=True).json()["loss"], "logistic")
        for target, loss in (("label", "poisson"), ("resp", "logistic"), ("resp", "quantile(2)"),
                             ("resp", "huber(0)"), ("resp", "poisson"), ("resp", "nonsense")):
            answer = check(target=[target], loss=loss)
            self.assertEqual((answer.status, answer.error["field"]), (400, "loss"), loss)

    def test_weights(self):
        run = self.learn("label", loss="logistic", row_weights="count", drop=["kind", "resp"])
        left = self.point(run, 0)["left_out"]
        self.assertEqual(len(left["weights"]), len(left["actual"][0]))

    def test_numbers_are_numbers(self):
        """JSON has no NaN, whatever is not defined."""
        for run in (self.logistic, self.poisson, self.quantiles):
            for path in ("", "/point/0", "/profile", "/statistics.json"):
                json.loads(self.server.get(f"/api/runs/{run}{path}").body,
                           parse_constant=lambda word: self.fail(word))


if __name__ == "__main__":
    main()
