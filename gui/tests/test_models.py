"""What the page makes is what the command makes: the command of /commands writes the same model,
byte by byte.
"""
import ast
import os
import shlex
import subprocess
import unittest

from server import COMMAND, ROOT, ServerTest, main


def table(name):
    with open(os.path.join(ROOT, "data", name), "rb") as file:
        return file.read()


FEW = {"lambdas": "0.001:1:5"}
PLAIN = {"baselines": False, **FEW}

# name of the table, settings
CASES = {
    "folds": ("housing", {
        "target": ["MEDV"], "features": "standardize", "baselines": False,
        "kernels": "linear; rbf(0.1)@each"}),
    "one standard error": ("prostate", {
        "target": ["lpsa"], "drop": ["train"], "kernels": "linear", "rule": "1se", "folds": 5,
        "repeats": 2, "seed": 3}),
    "stack": ("servo", {
        "target": ["rise_time"], "stack": True, "folds": 4,
        "kernels": "rbf(0.01:1:3)@all,each; linear", **PLAIN}),
    "stability": ("prostate", {
        "target": ["lpsa"], "drop": ["train"], "kernels": "linear; rbf(1)@each", "stability": 6,
        "stability_errors": 2, "folds": 4, **PLAIN}),
    "stability by a criterion": ("heart", {
        "target": ["class"], "kernels": "linear", "stability": 3, "select": "gcv", **FEW}),
    "learned widths": ("servo", {
        "target": ["rise_time"], "folds": 4, "stack": True,
        "kernels": "rbf(learn|learn*4)@all; matern(2.5,learn)@all; linear", **PLAIN}),
    "marked test rows": ("prostate", {
        "target": ["lpsa"], "features": "standardize", "kernels": "linear; poly(2)@each",
        "test_rows": "train=F", **PLAIN}),
    "transductive": ("prostate", {
        "target": ["lpsa"], "features": "standardize", "transductive": True, "kernels": "linear",
        "test_rows": "train=F", "select": "gcv", **FEW}),
    "transductive features": ("prostate", {
        "target": ["lpsa"], "features": "standardize", "transductive_features": True,
        "kernels": "linear", "select": "bic", "test_rows": "train=F", **FEW}),
    "drawn test rows": ("housing", {
        "target": ["MEDV"], "features": "unit", "kernels": "rbf(1)@each", "seed": 5,
        "test_share": 0.4, "select": "loo", **FEW}),
    "shuffled": ("liver", {
        "target": ["selector"], "shuffle": True, "seed": 2, "features": "center",
        "kernels": "linear", "class_weights": "balanced", **PLAIN}),
    "shuffled and drawn": ("servo", {
        "target": ["rise_time"], "shuffle": True,
        "kernels": "delta@each; linear", "examples": "none", "test_share": 0.25,
        "categorical": ["pgain"], "splits": 4, "share": 0.6, **PLAIN}),
    "classes by the Fisher rule": ("heart", {
        "target": ["class"], "task": "classification", "scaling": "fisher",
        "features": "standardize", "kernels": "linear", "measure": "auc", **PLAIN}),
    "weights and groups": ("cpu", {
        "target": ["ERP"], "row_weights": "CHMIN", "drop": ["PRP", "vendor", "model"],
        "group": "memory=MMIN,MMAX", "kernels": "rbf(1e-6)@group:memory; linear", **PLAIN}),
    "fold column": ("auto-mpg", {
        "target": ["mpg"], "drop": ["car_name", "name"], "fold_column": "origin",
        "features": "standardize",
        "kernels": "linear; spline", **PLAIN}),
    "validation rows": ("prostate", {
        "target": ["lpsa"], "kernels": "linear", "features": "standardize",
        "validation_rows": "train=F", "baselines": False}),
    "centred, alternate": ("prostate", {
        "target": ["lpsa"], "drop": [
            "train"], "center": True, "solver": "alternate", "delta": 0.001,
        "max_iter": 50, "kernels": "rbf(0.1|1)@each", "intercept": "none", "select": "aic", **FEW}),
    "alternate, folds": ("housing", {
        "target": ["MEDV"], "features": "standardize", "solver": "alternate",
        "kernels": "rbf(0.1|1)@each", "baselines": False, "folds": 3}),
    "several targets": ("prostate", {
        "target": ["lpsa", "lcavol"], "drop": ["train"], "kernels": "linear", "measure": "mae",
        **PLAIN}),
    "a grid from the data, rows as they are": ("liver", {
        "target": ["selector"], "kernels": "rbf(1e-4:1e-2:3)@all,each", "baselines": False,
        "folds": 4}),
    "validation rows, given grid": ("prostate", {
        "target": ["lpsa"], "kernels": "rbf(0.1)@each", "validation_rows": "train=F", **PLAIN}),
    "listed lambdas": ("prostate", {
        "target": ["lpsa"], "drop": ["train"], "kernels": "linear", "gap_tol": 1e-4,
        "lambdas": "0.5,0.1,0.02"}), }


class Models(ServerTest):
    def settings_for(self, name, settings):
        data = self.server.builtin(name)
        columns = [c["name"] for c in self.server.get(f"/api/data/{data}").json()["columns"]]
        settings = {"data": data, **settings}
        if "drop" in settings:
            settings["drop"] = [c for c in settings["drop"] if c in columns]
        return settings

    def model_of_command(self, run, query, data):
        """What the command that the page shows writes, in a folder that has the files it names."""
        answer = self.server.get(f"/api/runs/{run}/commands{query}").json()
        folder = os.path.join(self.room.name, "there")
        os.makedirs(folder, exist_ok=True)
        words = shlex.split(answer["command"])
        self.assertEqual(words[0], "rls2")
        divided = answer["table"] and words[2] == answer["file"]
        with open(os.path.join(folder, words[2]), "wb") as file:
            file.write(self.server.get(answer["table"]).body if divided else data)
        done = subprocess.run([COMMAND, *words[1:], "--quiet"], cwd=folder, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, answer["command"] + "\n" + done.stderr)
        with open(os.path.join(folder, "model.rls2"), "rb") as file:
            return answer["command"], file.read()

    def check(self, name, settings):
        run = self.server.run(self.settings_for(name, settings))
        result = self.server.get(f"/api/runs/{run}").json()["result"]
        chosen = result["best"]["chosen"]
        command, expected = self.model_of_command(run, "", table(name + ".csv"))
        self.assertEqual(self.server.get(f"/api/runs/{run}/model/{chosen}").body, expected, command)
        other = 1 if chosen != 1 else 2
        command, expected = self.model_of_command(run, f"?point={other}", table(name + ".csv"))
        self.assertEqual(self.server.get(f"/api/runs/{run}/model/{other}").body, expected, command)


def add_case(title, name, settings):
    def case(self):
        self.check(name, settings)
    setattr(Models, "test_" + title.replace(" ", "_").replace(",", ""), case)


for title, (name, settings) in CASES.items():
    add_case(title, name, settings)


class Widths(ServerTest):
    """What a model says of widths that it learned."""

    def test_relevance(self):
        run = self.server.run({
            "data": self.server.builtin("servo"), "target": ["rise_time"], "folds": 4,
            "kernels": "rbf(learn)@all", **PLAIN})
        told = self.server.get(f"/api/runs/{run}/point/1").json()["relevance"]
        self.assertEqual({t["input"] for t in told}, {"motor", "screw", "pgain", "vgain"})
        shares = [t["share"] for t in told]
        self.assertEqual(told[0]["input"], "pgain")
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertAlmostEqual(sum(shares), 1)


class Reading(ServerTest):
    """A file that has to be told how it is read."""

    def test_decimal_commas(self):
        rows = table("prostate.csv").decode().splitlines()[1:]
        body = "\n".join(row.replace(",", ";").replace(".", ",")
                         for row in rows) + "\nNA;?;1;1;1;1;1;1;1;T\n"
        about = self.server.ask(
            "POST", "/api/data?name=it%27s.txt&delimiter=;&decimal=,&header=no&na=NA&na=%3F",
            body.encode()).json()
        run = self.server.run({
            "data": about["id"], "target": ["x9"], "drop": ["x10"], "kernels": "linear", **PLAIN})
        answer = self.server.get(f"/api/runs/{run}/commands?point=2").json()
        with open(os.path.join(self.room.name, "it's.txt"), "w") as file:
            file.write(body)
        done = subprocess.run([COMMAND, *shlex.split(answer["command"])[1:]], cwd=self.room.name,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, answer["command"] + done.stderr)
        with open(os.path.join(self.room.name, "model.rls2"), "rb") as file:
            self.assertEqual(
                self.server.get(f"/api/runs/{run}/model/2").body, file.read(), answer["command"])
        # Python reads the rows as the library understood them
        self.assertIn(
            'pandas.read_csv("it\'s-training.csv", float_precision="round_trip", '
            'keep_default_na=False, na_values=[""])\n', answer["python"])
        compile(answer["python"], "python", "exec")
        rows = self.server.get(answer["table"]).body.decode().splitlines()
        self.assertEqual(rows[0], ",".join(f"x{i + 1}" for i in range(10)))
        self.assertEqual(rows[1], table("prostate.csv").decode().splitlines()[1])
        self.assertEqual(rows[-1], ",,1,1,1,1,1,1,1,T")

    def test_names_that_command_a_terminal(self):
        """What is copied from the page into a terminal is not obeyed by it, and means the same
        names.
        """
        names = ["it's \x1b[201~\ntouch owned\n", "\\\x07\u202eb\"\u009b"]
        lines = table("prostate.csv").decode().splitlines()
        head = ",".join('"' + name.replace('"', '""') + '"' for name in names)
        body = "\n".join([
            head + lines[0][lines[0].index(",", lines[0].index(",") + 1):], *lines[1:]]).encode()
        data = self.server.upload("t.csv", body).json()["id"]
        run = self.server.run({
            "data": data, "target": ["lpsa"], "drop": ["train", *names], "kernels": "linear",
            "select": "gcv", **PLAIN})
        answer = self.server.get(f"/api/runs/{run}/commands?point=2").json()
        for text in (answer["command"], answer["python"]):
            self.assertEqual([c for c in text if c != "\n" and not c.isprintable()], [], text)
        self.assertNotIn("\n", answer["command"].strip())
        texts = [
            node.value
            for node in ast.walk(ast.parse(answer["python"]))
            if isinstance(node, ast.Constant)]
        for name in names:
            self.assertIn(name, texts)
        with open(os.path.join(self.room.name, "t.csv"), "wb") as file:
            file.write(body)
        done = subprocess.run(
            ["bash", "-c", f"rls2() {{ {shlex.quote(COMMAND)} \"$@\"; }}\n" + answer["command"]],
            cwd=self.room.name, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, answer["command"] + done.stderr)
        with open(os.path.join(self.room.name, "model.rls2"), "rb") as file:
            self.assertEqual(
                self.server.get(f"/api/runs/{run}/model/2").body, file.read(), answer["command"])


class OtherTables(ServerTest):
    """Test rows, and validation rows, of tables of their own."""

    def test_test_table(self):
        lines = table("prostate.csv").decode().splitlines()
        first = "\n".join(lines[:70]).encode()
        second = "\n".join(lines[:1] + lines[70:]).encode()
        a = self.server.upload("a.csv", first).json()["id"]
        b = self.server.upload("b%20b.csv", second).json()["id"]
        for settings in ({"test_data": b}, {"validation_data": b}):
            run = self.server.run({
                "data": a, "target": ["lpsa"], "drop": ["train"], "kernels": "linear", **PLAIN,
                **settings})
            answer = self.server.get(f"/api/runs/{run}/commands").json()
            for name, body in (("a.csv", first), ("b b.csv", second)):
                with open(os.path.join(self.room.name, name), "wb") as file:
                    file.write(body)
            done = subprocess.run([COMMAND, *shlex.split(answer["command"])[1:]],
                                  cwd=self.room.name, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, answer["command"] + done.stderr)
            chosen = self.server.get(f"/api/runs/{run}").json()["result"]["best"]["chosen"]
            with open(os.path.join(self.room.name, "model.rls2"), "rb") as file:
                self.assertEqual(
                    self.server.get(f"/api/runs/{run}/model/{chosen}").body, file.read(),
                    answer["command"])


if __name__ == "__main__":
    main()
