"""What is nearly right is refused: ids, which become part of a path, words, names of fields."""
from server import ServerTest, main

# twelve characters, or nearly, of which one is wrong; percent signs as a client would send them
NOT_IDS = ("a", "a" * 11, "a" * 13, "A" * 12, "a" * 11 + "-", "a" * 11 + "_", "aaaa%2Eaaaaaaa",
           "%2E%2E%2Faaaaaaaaa", "a" * 11 + "%20", "a" * 11 + "%C3%A4")
NOBODY = "a" * 12


class Strict(ServerTest):
    """Ids are those that the server made: twelve letters or digits."""

    def message(self, answer, status):
        self.assertEqual(answer.status, status)
        return answer.error["message"]

    def test_addresses(self):
        for kind, what in (("runs", "no run with the id"), ("data", "no data with the id")):
            self.assertIn(what, self.message(self.server.get(f"/api/{kind}/{NOBODY}"), 404))
            for text in NOT_IDS:
                for path in (f"/api/{kind}/{text}", f"/api/{kind}/{text}/rows"):
                    said = self.message(self.server.get(path), 404)
                    self.assertEqual(said, "there is nothing at this address", path)
                self.assertEqual(self.server.ask("DELETE", f"/api/{kind}/{text}").status, 404, text)

    def refused(self, **wanted):
        return self.message(self.server.check(wanted), 400)

    def wrong(self, **settings):
        return self.refused(data=self.server.builtin("servo"), target="rise_time", **settings)

    def test_ids_in_settings(self):
        self.assertIn("no data with the id", self.refused(data=NOBODY))
        for text in (*NOT_IDS, "../" + "a" * 9, ".." * 6, "aaaaaa/aaaaa", "aaaaaa\u0000aaaaa", ""):
            self.assertNotIn("no data with the id", self.refused(data=text), text)

    def test_words(self):
        for field, words in (("solver", ("n", "newto", "newtons", "newton|alternate", "|", "")),
                             ("rule", ("1s", "1see", "mi", "min "))):
            for word in words:
                self.assertIn(f"{field}: '{word}' is not one of ", self.wrong(**{field: word}),
                              word)

    def test_members(self):
        data = self.server.builtin("servo")
        for body, said in (({"data": data, "target": "rise_time"}, "a run has no field 'target'"),
                           ({"data": data, "settings": []}, "settings should be a JSON object"),
                           ({"data": data, "test_data": 5}, "test_data should be the id of data")):
            self.assertEqual(self.message(self.server.post("/api/check", body), 400), said)

    def test_names_before_values(self):
        for value in (["y"], {"y": 1}, "y", None):
            self.assertEqual(self.wrong(targets=value),
                             "there is no setting 'targets'; did you mean 'target'?", value)
        for value in ({"y": 1}, [["y"]]):
            self.assertEqual(self.refused(data=self.server.builtin("servo"), target=value),
                             "target should be a text, a number, true or false", value)

    def test_ends_of_ranges(self):
        for share in (0, 1):
            self.assertIn("must be above 0 and below 1", self.wrong(splits=3, share=share))
        self.assertIn("must be positive", self.wrong(gap_tol=0))
        self.assertIn("must be at least 1", self.wrong(repeats=0))
        self.assertIn("must be at most 1000000", self.wrong(repeats=1000001))


if __name__ == "__main__":
    main()
