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

    def refused(self, **settings):
        return self.message(self.server.post("/api/check", settings), 400)

    def test_ids_in_settings(self):
        self.assertIn("no data with the id", self.refused(data=NOBODY))
        for text in (*NOT_IDS, "../" + "a" * 9, ".." * 6, "aaaaaa/aaaaa", "aaaaaa\u0000aaaaa", ""):
            self.assertNotIn("no data with the id", self.refused(data=text), text)

    def test_words(self):
        for field, words in (("solver", ("n", "newto", "newtons", "newton|alternate", "|", "")),
                             ("rule", ("1s", "1see", "mi", "min "))):
            for word in words:
                self.assertIn(f"{field} should be one of ", self.refused(**{field: word}), word)

    def test_fields_inside(self):
        for part in ("test", "splits"):
            said = self.refused(**{part: {"kind": "none", "kinds": "none"}})
            self.assertEqual(said, f"{part} has no field 'kinds'")

    def test_ends_of_ranges(self):
        for share in (0, 1):
            said = self.refused(splits={"kind": "random", "share": share})
            self.assertIn("must lie between 0 and 1", said)
        self.assertIn("must be above 0", self.refused(gap_tol=0))
        for count in (0, 1001):
            said = self.refused(splits={"kind": "folds", "repeats": count})
            self.assertIn("from 1 to 1000", said)


if __name__ == "__main__":
    main()
