"""Tables as R, pandas, Excel and databases write them: uploaded, learned from, predicted."""
import csv
import io
import json
import math

from server import ServerTest, main


def air():
    """As R's write.csv has it: a first column without name, NA for what is missing."""
    lines = ['"","Ozone","Solar.R","Wind","Month"']
    for i in range(120):
        ozone = "NA" if i % 9 == 4 else f"{30 + 20 * math.sin(i) + i % 7:.1f}"
        solar = "NA" if i % 5 == 2 else f"{150 + 90 * math.cos(i):.0f}"
        lines.append(f'"{i + 1}",{ozone},{solar},{5 + i % 7},{5 + i // 30}')
    return "\n".join(lines) + "\n"


def cities():
    """Many categories, few rows for most of them."""
    lines = ["city,size,price"]
    for i in range(900):
        city = i % 7 if i % 3 else 10 + i // 3 % 290
        lines.append(f'c{city},{i * 37 % 101},"{10000 + 300 * (city % 7) + i * 37 % 101:,}"')
    return "\n".join(lines) + "\n"


def sales():
    """Days with points, decimal commas, and a column for which the language has a currency."""
    lines = ["day;weather;visitors;sales"]
    for i in range(150):
        visitors = f"{200 + 40 * (i % 7 > 4) + i * 13 % 17},5"
        weather = ("sun", "rain", "")[i % 3]
        lines.append(f"{1 + i % 28:02}.{1 + i // 28:02}.2023;{weather};{visitors};"
                     f"€ {1000 + 90 * (i % 7 > 4) + i * 13 % 17 + i * 7 % 11},00")
    return "\n".join(lines) + "\n"


class Tables(ServerTest):
    def upload(self, name, body):
        answer = self.server.upload(name, body if isinstance(body, bytes) else body.encode())
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json()

    def kinds(self, about):
        return {column["name"]: column["kind"] for column in about["columns"]}

    def missing(self, about):
        return {column["name"]: column["missing"] for column in about["columns"]
                if column["missing"]}

    def predict(self, run, body):
        answer = self.server.post(f"/api/runs/{run}/predict/0?name=new.csv", body.encode())
        self.assertEqual(answer.status, 200, answer.body)
        rows = list(csv.reader(io.StringIO(answer.body.decode())))
        return [row[0] for row in rows[1:]], json.loads(answer.headers["X-RLS2-Summary"])

    def learn(self, about, target, **settings):
        return self.server.run({"data": about["id"], "target": [target], "folds": 3,
                                "lambdas": "0.01", "baselines": False, **settings})

    def test_r(self):
        about = self.upload("airquality.csv", air())
        self.assertEqual(about["row_names"], "row")
        self.assertEqual(set(self.kinds(about).values()), {"number"})
        self.assertEqual(self.missing(about), {"Ozone": 13, "Solar.R": 24})
        self.assertIn("missing: NA (37 cells)", about["notes"])
        check = self.server.check({"data": about["id"], "target": ["Ozone"]}).json()
        self.assertEqual([i["name"] for i in check["inputs"]], ["Solar.R", "Wind", "Month"])
        self.assertEqual(check["rows"], 107)  # all that have the target
        self.assertTrue(set(about["notes"]) <= set(check["notes"]))
        run = self.learn(about, "Ozone")
        result = self.server.get(f"/api/runs/{run}").json()["result"]
        self.assertTrue(set(check["notes"]) <= set(result["notes"]))
        values, summary = self.predict(run, "Solar.R,Wind,Month\nNA,7,5\n190,,6\n150,7,6\n")
        self.assertEqual(summary, {"rows": 3, "predicted": 3, "imputed": 2, "unseen": 0})
        self.assertTrue(all(math.isfinite(float(value)) for value in values))

    def test_rows_that_are_left_out(self):
        about = self.upload("airquality.csv", air())
        wanted = {"data": about["id"], "target": ["Ozone"], "missing": "drop"}
        check = self.server.check(wanted).json()
        self.assertEqual(check["rows"], 86)
        self.assertTrue([n for n in check["notes"] if "Solar.R" in n], check["notes"])
        wanted["missing"] = "error"
        answer = self.server.check(wanted)
        self.assertEqual(answer.status, 400)

    def test_words_for_missing(self):
        words = ["nan", "NULL", "?", ".", "-", "N/A", "None", ""]
        lines = [f"{words[i % 40] if i % 40 < 8 else i},{i}" for i in range(80)]
        about = self.upload("t.csv", "a,y\n" + "\n".join(lines))
        self.assertEqual((self.kinds(about)["a"], self.missing(about)), ("number", {"a": 16}))
        again = self.server.post(f"/api/data/{about['id']}/reread?na=none", {}).json()
        self.assertEqual(self.kinds(again)["a"], "text")

    def test_no_header(self):
        about = self.upload("t.csv", "".join(f"{i + 5},{i * i},{i % 3}\n" for i in range(20)))
        self.assertEqual((about["rows"], list(self.kinds(about))), (20, ["x1", "x2", "x3"]))
        self.assertTrue(about["notes"])
        again = self.server.post(f"/api/data/{about['id']}/reread?header=yes", {}).json()
        self.assertEqual((again["rows"], list(self.kinds(again))), (19, ["5", "0", "0.1"]))

    def test_encodings(self):
        text = "größe,ort\n1,Köln\n2,Ärö\n3,Köln\n"
        for name in ("utf-8-sig", "utf-16", "latin-1", "cp1252"):
            about = self.upload("t.csv", text.encode(name))
            self.assertEqual(self.kinds(about), {"größe": "number", "ort": "text"}, name)
            rows = self.server.get(f"/api/data/{about['id']}/rows").json()["rows"]
            self.assertEqual(rows[0], ["1", "Köln"], name)
            self.assertEqual(bool(about["notes"]), name in ("latin-1", "cp1252"), about["notes"])

    def test_numbers_as_people_write_them(self):
        about = self.upload("t.csv", "balance,share,price,y\n" + "".join(
            f'"1,{i:03}",{i} %,"${i}.50",{i % 3}\n' for i in range(30)))
        columns = {column["name"]: column for column in about["columns"]}
        self.assertEqual({name: columns[name]["kind"] for name in columns},
                         dict.fromkeys(("balance", "share", "price", "y"), "number"))
        self.assertEqual((columns["balance"]["min"], columns["balance"]["max"]), (1000, 1029))
        self.assertEqual(columns["price"]["max"], 29.5)
        self.assertTrue([n for n in about["notes"] if "balance" in n])

    def test_not_finite(self):
        about = self.upload("t.csv", "a,y\n1,2\ninf,3\n4,5\n6,1\n")
        answer = self.server.check({"data": about["id"], "target": ["y"]})
        self.assertEqual(answer.status, 400)
        self.assertRegex(answer.error["message"], "t.csv:3: column 'a'.*inf")

    def test_workbook(self):
        body = b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml" + bytes(60) + b"xl/workbook.xml"
        answer = self.server.upload("book.xlsx", body)
        self.assertEqual(answer.status, 400)
        self.assertIn("CSV", answer.error["message"])

    def test_dates(self):
        about = self.upload("sales.csv", sales())
        self.assertEqual(self.kinds(about), {"day": "date", "weather": "text",
                                             "visitors": "number", "sales": "number"})
        day = about["columns"][0]
        self.assertEqual((day["min"], day["max"]), (19358, 19518))  # days since 1970-01-01
        self.assertEqual(day["example"], "01.01.2023")
        run = self.learn(about, "sales", kernels="rbf(1)@all")
        point = self.server.get(f"/api/runs/{run}/point/0").json()
        kinds = {i["name"]: i["kind"] for i in point["inputs"]}
        self.assertEqual((kinds["day"], kinds["visitors"]), ("date", "number"))
        index = next(i["index"] for i in point["inputs"] if i["name"] == "day")
        effect = self.server.get(f"/api/runs/{run}/effect/0/{index}").json()
        self.assertEqual(effect["kind"], "date")
        self.assertAlmostEqual(effect["points"][0]["value"], 19358)
        # one row of a form: the day in the style of the table, cells left empty, a new category
        values, summary = self.predict(
            run, '"day","weather","visitors"\n"3.2.2023","","240,5"\n"","hail",""\n')
        self.assertEqual(summary, {"rows": 2, "predicted": 2, "imputed": 3, "unseen": 1})
        self.assertTrue(all(900 < float(value) < 1300 for value in values), values)

    def test_many_categories(self):
        about = self.upload("cities.csv", cities())
        self.assertEqual(about["columns"][0]["distinct"], 297)
        check = self.server.check({"data": about["id"], "target": ["price"]}).json()
        city = next(i for i in check["inputs"] if i["name"] == "city")
        self.assertLess(city["columns"], 20)
        self.assertLess(check["kernels"], 50)
        run = self.learn(about, "price")
        point = self.server.get(f"/api/runs/{run}/point/0").json()
        for kernel in point["outputs"][0]["kernels"]:
            self.assertNotIn("city=", kernel["name"])
        index = next(i["index"] for i in point["inputs"] if i["name"] == "city")
        levels = self.server.get(f"/api/runs/{run}/effect/0/{index}").json()["points"]
        self.assertEqual(len(levels), city["columns"])
        _, summary = self.predict(run, "city,size\nc3,5\nnowhere,5\n")
        self.assertEqual((summary["predicted"], summary["unseen"]), (2, 1))

    def test_columns_nobody_means(self):
        rows = "".join(f"{i},{i % 5},{math.log(10 + i * 7 % 97)},{10 + i * 7 % 97}\n"
                       for i in range(60))
        about = self.upload("wage.csv", "id,age,logwage,wage\n" + rows)
        check = self.server.check({"data": about["id"], "target": ["wage"]}).json()
        self.assertEqual({left["name"] for left in check["left_out"]}, {"id", "logwage"})
        self.assertEqual([i["name"] for i in check["inputs"]], ["age"])

    def test_what_was_found_can_be_undone(self):
        about = self.upload("air.csv", "a;b;c\n1,5;NA;4\n2,5;x;5\n3,5;y;7\n")
        self.assertIs(about["header"], True)
        self.assertEqual(about["delimiter"], ";")
        undo = dict(zip(about["notes"], about["undo"]))
        self.assertEqual(undo["missing: NA (1 cell)"], {"na": "none"})
        decimal = next(v for k, v in undo.items() if k.startswith("column 'a'"))
        self.assertEqual(decimal, {"decimal": "."})
        self.assertEqual(self.missing(about), {"b": 1})
        way = f"/api/data/{about['id']}/reread?na=none&decimal=."
        again = self.server.post(way, {}).json()
        self.assertEqual(self.missing(again), {})
        self.assertEqual(self.kinds(again), {"a": "text", "b": "text", "c": "number"})
        bare = self.server.post(f"/api/data/{about['id']}/reread?header=no", {}).json()
        self.assertEqual(bare["rows"], about["rows"] + 1)
        self.assertIs(bare["header"], False)
        numbers = self.upload("numbers.csv", "1,2\n3,4\n5,6\n")
        self.assertEqual(numbers["undo"], [{"header": "yes"}])

    def test_columns_cost_rows(self):
        lines = ["a,b,c,y"]
        for i in range(100):
            b = "" if i < 3 else str(i * 5 % 17)
            c = "" if i in (0, 50) else str(i * 7 % 13)
            lines.append(f"{i * 7 % 31},{b},{c},{i * 3 % 23 + i % 2}")
        about = self.upload("gaps.csv", "\n".join(lines) + "\n")
        wanted = {"data": about["id"], "target": ["y"], "kernels": "linear"}
        check = self.server.check(wanted).json()
        self.assertEqual(check["missing"], {"rule": "drop", "dropped": 4, "columns": [
            {"name": "b", "rows": 3, "alone": 2}, {"name": "c", "rows": 2, "alone": 1}]})
        check = self.server.check({**wanted, "drop": ["b"]}).json()
        self.assertEqual(check["missing"]["dropped"], 2)
        check = self.server.check({**wanted, "missing": "impute"}).json()
        self.assertEqual((check["missing"]["rule"], check["missing"]["dropped"]), ("impute", 0))

    def test_columns_that_may_give_the_target_away(self):
        lines = ["low,a,y"] + [f"{int(math.sin(i) < 0)},{i * 37 % 101},{math.sin(i):.6f}"
                               for i in range(60)]
        about = self.upload("low.csv", "\n".join(lines) + "\n")
        check = self.server.check({"data": about["id"], "target": ["y"]}).json()
        self.assertEqual(check["suspects"], [
            {"name": "low", "why": "goes along with the target in every row"}])

    def test_ways_that_take_less(self):
        lines = ["a,b,c,y"] + [
            f"{math.sin(3 * i):.4f},{math.cos(7 * i):.4f},{math.sin(11 * i):.4f},"
            f"{math.sin(3 * i) * math.cos(7 * i):.5f}" for i in range(1600)]
        about = self.upload("many.csv", "\n".join(lines) + "\n")
        wanted = {"data": about["id"], "settings": {"target": ["y"]}}
        check = self.server.post("/api/check", wanted).json()
        self.assertIs(check["too_much"], False)
        self.assertIn("rbf", check["dictionary"])
        savings = self.server.post("/api/savings", wanted).json()["savings"]
        ways = {(s["setting"], s["value"]) for s in savings}
        self.assertIn(("kernels", "linear"), ways)
        self.assertIn(("test_share", "0.375"), ways)
        for saving in savings:
            self.assertTrue(saving["forecast_bytes"] < check["forecast_bytes"] or
                            saving["forecast_seconds"] < check["forecast_seconds"])
            settings = {**wanted["settings"], saving["setting"]: saving["value"]}
            with_it = self.server.post("/api/check", {**wanted, "settings": settings}).json()
            self.assertEqual(with_it["kernels"], saving["kernels"])
            self.assertEqual(with_it["rows"], saving["rows"])
        wrong = self.server.post("/api/savings", {"data": about["id"], "settings": {"folds": 1}})
        self.assertEqual((wrong.status, wrong.error["field"]), (400, "folds"))

    def test_pictures_of_the_samples(self):
        for sample in self.server.get("/api/state").json()["builtin"]:
            picture = self.server.get(f"/api/data/builtin?name={sample['name']}").json()
            self.assertGreater(len(picture["x"]), 60)
            self.assertEqual(len(picture["x"]), len(picture["y"]))
            self.assertEqual("group" in picture, sample["task"] == "classification")
        self.assertEqual(picture.get("group") and set(picture["group"]), {0, 1})
        for name in ("nobody", "", "../prostate"):
            self.assertEqual(self.server.get(f"/api/data/builtin?name={name}").status, 404)

    def test_python_reads_what_the_library_understood(self):
        about = self.upload("sales.csv", sales())
        run = self.learn(about, "sales", kernels="linear")
        answer = self.server.get(f"/api/runs/{run}/commands").json()
        self.assertIn('"sales-training.csv"', answer["python"])
        rows = self.server.get(answer["table"]).body.decode().splitlines()
        self.assertEqual(rows[:2], ["day,weather,visitors,sales", "01.01.2023,sun,200.5,1000"])
        about = self.upload("air.csv", air())
        run = self.learn(about, "Ozone", kernels="linear")
        answer = self.server.get(f"/api/runs/{run}/commands").json()
        rows = self.server.get(answer["table"]).body.decode().splitlines()
        self.assertEqual(rows[0], "Ozone,Solar.R,Wind,Month")
        self.assertNotIn("NA", "".join(rows))


if __name__ == "__main__":
    main()
