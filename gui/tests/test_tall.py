"""A run above 3,000 rows: rows are counted, and models do not keep them."""
import math
import unittest

from server import ServerTest, main

ROWS = 3050


def table(rows, classes):
    """Numbers and a text, by a generator of its own."""
    state, lines = 12345, ["a,b,kind,y"]
    for _ in range(rows):
        numbers = []
        for _ in range(4):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            numbers.append((state >> 33) / 2**31)
        a, b, kind = numbers[0], math.floor(9 * numbers[1]), "xyz"[math.floor(3 * numbers[2])]
        y = math.sin(6 * a) + 0.2 * b + (kind == "x") + numbers[3]
        name = ("low", "mid", "high")[min(max(int(y), 0), 2)]
        lines.append(f"{a:.6g},{b},{kind},{name if classes else y}")
    return ("\n".join(lines) + "\n").encode()


class Tall(ServerTest):
    def look_at(self, rows, classes, **settings):
        """Everything the page asks of a run that has ended."""
        data = self.server.upload("tall.csv", table(rows, classes)).json()["id"]
        run = self.server.run({"data": data, "target": ["y"], "lambdas": "0.01:1:3", "folds": 2,
                               **settings})
        for path in ("point/2", "profile", "effect/2/0", "function/2/0", "predictions/2",
                     "statistics.csv", "statistics.json", "commands?point=2&target=y", "table.csv"):
            answer = self.server.get(f"/api/runs/{run}/{path}")
            self.assertLess(answer.status, 500, path)
            self.assertEqual(answer.status, 200, (path, answer.body[:300]))
        point = self.server.get(f"/api/runs/{run}/point/2").json()
        self.assertIs(point["certificate"]["binned"], True)  # a has more values than knots
        model = self.server.get(f"/api/runs/{run}/model/2")
        self.assertEqual(model.status, 200)
        self.assertLess(len(model.body), 200_000)  # made rows alone
        new = self.server.ask("POST", f"/api/runs/{run}/predict/2", table(50, classes),
                              {"X-RLS2-Name": "new.csv"})
        self.assertEqual(new.status, 200, new.body[:300])

    def test_regression(self):
        self.look_at(ROWS, False)

    def test_classes(self):
        self.look_at(600, True, method="tall", kernels="poly(1..2)@each; delta@kind")


if __name__ == "__main__":
    main()
