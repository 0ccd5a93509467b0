"""How often inputs and kernels are selected, as the page is told, is what the command says."""
import json
import os
import subprocess
import tempfile
import unittest

from server import COMMAND, ROOT, ServerTest, main

SETTINGS = {"target": ["lpsa"], "drop": ["train"], "kernels": "linear; rbf(1)@each; rbf(0.1)@all",
            "folds": 4, "lambdas": "0.001:1:5", "baselines": False, "stability": 10}


def told_by_command():
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "m.model")
        subprocess.run([COMMAND, "train", os.path.join(ROOT, "data", "prostate.csv"), "-t", "lpsa",
                        "--drop", "train", "-k", SETTINGS["kernels"], "--folds", "4", "--lambdas",
                        "0.001:1:5", "--no-baselines", "--stability", "10", "-q", "-o", model],
                       check=True, stdout=subprocess.DEVNULL)
        shown = subprocess.run([COMMAND, "show", model, "--json", "--top", "0"], check=True,
                               capture_output=True, text=True)
    return json.loads(shown.stdout)


class Stability(ServerTest):
    def test_page_and_command_agree(self):
        run = self.server.run({"data": self.server.builtin("prostate"), **SETTINGS})
        result = self.server.get(f"/api/runs/{run}").json()["result"]
        told = told_by_command()
        about = result["stability"]
        self.assertEqual(about["halves"], 20)
        for name in ("halves", "rows", "limit", "mean", "threshold", "errors", "likely_errors"):
            self.assertEqual(about[name], told["stability"][name])
        self.assertEqual({i["name"]: i["selected"] for i in about["selected"]},
                         {i["input"]: i["selected_in"] for i in told["stability"]["inputs"]})
        self.assertEqual([i["name"] for i in about["selected"] if i["selected"] >= about["least"]],
                         told["stability"]["stable"])
        at = result["best"]["chosen"]
        output = self.server.get(f"/api/runs/{run}/point/{at}").json()["outputs"][0]
        splits = {k["name"]: k["splits"] for k in output["left_out"]}
        self.assertEqual({len(signs) for signs in splits.values()}, {4})
        listed = {k["kernel"]: k["selected_in"]
                  for k in told["selected"] + told["selected_by_splits"]}
        self.assertEqual({name: signs.count("1") for name, signs in splits.items()},
                         {name: n for name, n in listed.items() if n > 0})

    def test_without_it_nothing_is_told(self):
        wanted = {name: value for name, value in SETTINGS.items() if name != "stability"}
        run = self.server.run({"data": self.server.builtin("prostate"), **wanted})
        self.assertNotIn("stability", self.server.get(f"/api/runs/{run}").json()["result"])


if __name__ == "__main__":
    main()
