"""The server's folder: what it will use, what it deletes, and how much it may take. Victims' files
survive.
"""
import os
import signal
import subprocess
import tempfile
import unittest

from server import COMMAND, PATIENCE, Server, asked, main

TABLE = b"a,y\n1,2\n2,3\n4,4\n5,4\n"
QUICK = {
    "target": ["y"], "kernels": "linear", "select": "none", "lambdas": "1,0.1"}
ID = "abcdefghijkl"


def write(path, text=""):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


class Folder(unittest.TestCase):
    def setUp(self):
        self.room = tempfile.TemporaryDirectory()
        self.folder = os.path.join(self.room.name, "rls2")
        self.victim = os.path.join(self.room.name, "victim")
        # names that the server makes itself, where one that follows links would find them
        self.precious = [
            os.path.join(self.victim, name)
            for name in ("photo.jpg", "about.json.AbCdEf", ".rls2-new-1", f"{ID}/thesis.tex",
                         f".rls2-new-{ID}/thesis.tex", f".rls2-old-{ID}/thesis.tex")]
        for path in self.precious:
            write(path, "precious")
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            server.stop(signal.SIGKILL)
        for path in self.precious:
            self.assertTrue(os.path.exists(path), path)
        self.room.cleanup()

    def start(self, *options):
        self.servers.append(Server(self.folder, *options))
        return self.servers[-1]

    def make(self):
        """A folder with a table and a run in it: their ids."""
        server = self.start()
        data = server.upload("t.csv", TABLE).json()["id"]
        run = server.run({"data": data, **QUICK})
        self.assertEqual(server.stop()[0], 0)
        return data, run

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def refused(self, *words, folder=None, **options):
        done = subprocess.run([COMMAND, "gui", "--no-browser", "--folder", folder or self.folder],
                              capture_output=True, text=True, timeout=20 * PATIENCE, **options)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    # ---- links ----

    def replace_by_link(self, *parts):
        os.rename(self.path(*parts), os.path.join(self.room.name, "away"))
        os.symlink(self.victim, self.path(*parts))

    def test_folder_is_a_link(self):
        os.symlink(self.victim, self.folder)
        for spelling in (self.folder, self.folder + "/", self.folder + "//"):
            self.refused("symbolic link", self.folder, folder=spelling)

    def test_link_to_a_folder_of_ours(self):
        self.make()
        link = os.path.join(self.room.name, "link")
        os.symlink(self.folder, link)
        self.refused("symbolic link", folder=link + "/")

    def test_links_above_are_those_of_the_system(self):
        os.symlink(self.room.name, os.path.join(self.room.name, "home"))
        self.servers.append(Server(os.path.join(self.room.name, "home", "rls2")))
        self.assertTrue(os.path.isdir(self.path("runs")))

    def test_part_is_a_link(self):
        for part in ("data", "runs", "uploads"):
            self.make()
            self.replace_by_link(part)
            self.refused("symbolic link", self.path(part))
            os.unlink(self.path(part))
            os.rename(os.path.join(self.room.name, "away"), self.path(part))

    def test_table_or_run_is_a_link(self):
        data, run = self.make()
        for parts in (("data", data), ("runs", run), ("runs", "bbbbbbbbbbbb")):
            if os.path.exists(self.path(*parts)):
                self.replace_by_link(*parts)
            else:
                os.symlink(self.victim, self.path(*parts))
            self.refused("symbolic link", self.path(*parts))
            os.unlink(self.path(*parts))
            if os.path.exists(os.path.join(self.room.name, "away")):
                os.rename(os.path.join(self.room.name, "away"), self.path(*parts))

    def test_marked_names_that_are_links(self):
        self.make()
        for part in ("data", "runs"):
            for mark in (".rls2-new-", ".rls2-old-"):
                os.symlink(self.victim, self.path(part, mark + ID))
        self.start()

    def test_links_made_while_the_server_runs(self):
        server = self.start()
        data = server.upload("t.csv", TABLE).json()["id"]
        run = server.run({"data": data, **QUICK})
        self.replace_by_link("runs", run)
        self.assertEqual(server.ask("DELETE", f"/api/runs/{run}").status, 200)
        os.rename(os.path.join(self.room.name, "away"), os.path.join(self.room.name, "run"))
        self.replace_by_link("data")
        self.assertEqual(server.ask("DELETE", f"/api/data/{data}").status, 200)
        self.assertGreaterEqual(server.upload("t.csv", TABLE).status, 400)
        os.rename(os.path.join(self.room.name, "away"), os.path.join(self.room.name, "tables"))
        self.replace_by_link("uploads")
        self.assertGreaterEqual(server.upload("t.csv", TABLE).status, 400)
        self.assertEqual(
            sorted(os.listdir(self.victim)),
            sorted([
                "photo.jpg", "about.json.AbCdEf", ".rls2-new-1", ID, f".rls2-new-{ID}",
                f".rls2-old-{ID}"]))

    def test_file_that_is_a_link_is_not_read(self):
        data, run = self.make()
        secret = os.path.join(self.room.name, "secret")
        write(secret, '{"secret": 1}')
        for parts, path in ((("runs", run, "model-0.rls2"), f"runs/{run}/model/0"),
                            (("runs", run, "result.json"), f"runs/{run}/statistics.json"),
                            (("data", data, "bytes"), f"data/{data}/rows")):
            os.unlink(self.path(*parts))
            os.symlink(secret, self.path(*parts))
            server = self.start()
            answer = server.get("/api/" + path)
            self.assertGreaterEqual(answer.status, 400)
            self.assertNotIn(b"secret\": 1", answer.body)
            server.stop()
        server = self.start()
        self.assertEqual(server.ask("DELETE", f"/api/runs/{run}").status, 200)
        self.assertFalse(os.path.exists(self.path("runs", run)))
        self.assertTrue(os.path.exists(secret))

    # ---- owners and modes ----

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files away")
    def test_other_owner(self):
        data, run = self.make()
        for parts in ((), ("data",), ("runs",), ("uploads",), ("data", data), ("runs", run)):
            os.chown(self.path(*parts), 12345, 12345)
            self.refused("belongs to another user", self.path(*parts).rstrip("/"))
            os.chown(self.path(*parts), 0, 0)
        self.start()

    def test_others_can_write(self):
        data, run = self.make()
        for mode in (0o777, 0o770, 0o702, 0o720):
            for parts in ((), ("data",), ("runs",), ("uploads",), ("data", data), ("runs", run)):
                os.chmod(self.path(*parts), mode)
                self.refused("written to by others", f"{mode:04o}", "chmod go-w",
                             self.path(*parts).rstrip("/"))
                os.chmod(self.path(*parts), 0o700)
        self.start()

    def test_everybody_can_move_it(self):
        open_place = os.path.join(self.room.name, "open")
        os.mkdir(open_place)
        os.chmod(open_place, 0o777)
        self.folder = os.path.join(open_place, "a", "rls2")
        self.refused("everybody", "open")
        os.chmod(open_place, 0o1777)  # as /tmp: each moves what is theirs
        self.start()

    # ---- whose it is ----

    def test_half_made_ones_are_deleted(self):
        data, run = self.make()
        for part in ("data", "runs"):
            for mark in (".rls2-new-", ".rls2-old-"):
                write(self.path(part, mark + ID, "bytes"), "half")
        write(self.path("runs", run, ".rls2-new-0123456789abcdef"), "half")
        write(self.path("uploads", ".rls2-new-0123456789abcdef"), "half")
        server = self.start()
        self.assertEqual([os.listdir(self.path(name)) for name in ("data", "runs", "uploads")],
                         [[data], [run], []])
        self.assertFalse([
            name for name in os.listdir(self.path("runs", run)) if name.startswith(".")])
        self.assertEqual(server.status(run), "done")

    def test_what_is_not_marked_stays(self):
        self.make()
        kept = [
            self.path(*parts)
            for parts in (("runs", ID, "notes.txt"), ("data", "bbbbbbbbbbbb", "table.abcdef"),
                          ("data", "not-an-id", "x"), ("uploads", "mine"), ("uploads", "AbCdEf"),
                          ("data", f".rls2-new-{ID}x", "x"), ("photo.jpg", ))]
        for path in kept:
            write(path, "kept")
        self.start().stop()
        self.start().stop()
        for path in kept:
            self.assertTrue(os.path.exists(path), path)

    def test_folder_within_a_half_made_one_stays(self):
        self.make()
        write(self.path("runs", f".rls2-old-{ID}", "mine", "photo.jpg"))
        self.start()
        self.assertTrue(os.path.exists(self.path("runs", f".rls2-old-{ID}", "mine", "photo.jpg")))

    def as_of_version_0_5(self):
        data, run = self.make()
        for name in (".rls2-gui", "token"):
            os.unlink(self.path(name))
        return data, run

    def test_folder_of_version_0_5(self):
        data, run = self.as_of_version_0_5()
        for parts in (("uploads", "AbCdEf"), ("uploads", ID), ("runs", run, "result.json.AbCdEf"),
                      ("runs", run, ".model-0.rls2.rls2-abcdef")):
            write(self.path(*parts), "half")
        write(self.path("runs", ID, "nothing"), "")
        server = self.start()
        self.assertEqual([entry["id"] for entry in server.get("/api/state").json()["runs"]], [run])
        self.assertEqual([entry["id"] for entry in server.get("/api/state").json()["data"]], [data])
        self.assertEqual(server.get(f"/api/runs/{run}/point/1").status, 200)
        self.assertEqual(os.listdir(self.path("uploads")), [])
        self.assertFalse([
            name for name in os.listdir(self.path("runs", run))
            if "AbCdEf" in name or name.startswith(".")])
        self.assertTrue(os.path.exists(self.path("runs", ID,
                                                 "nothing")))  # nothing says whose it is
        server.stop()
        self.assertTrue(os.path.exists(self.path(".rls2-gui")))
        self.assertEqual(self.start().status(run), "done")

    def test_a_lock_alone_says_nothing(self):
        write(self.path("lock"))
        write(self.path("uploads", "AbCdEf"), "kept")
        write(self.path("mail"), "kept")
        self.refused("not of 'rls2 gui'")
        os.unlink(self.path("mail"))
        write(self.path("lock"), "4711")  # another program's
        self.refused("not of 'rls2 gui'")
        self.assertTrue(os.path.exists(self.path("uploads", "AbCdEf")))

    def test_later_layout(self):
        self.make()
        write(self.path(".rls2-gui"), "rls2 gui, layout 2\n")
        self.refused("later version")

    def test_mark_or_lock_that_is_a_link(self):
        self.make()
        for name in (".rls2-gui", "lock"):
            os.rename(self.path(name), os.path.join(self.room.name, name))
            os.symlink(os.path.join(self.room.name, name), self.path(name))
            self.refused(self.folder)
            os.unlink(self.path(name))
            os.rename(os.path.join(self.room.name, name), self.path(name))

    # ---- how much ----

    def bytes_kept(self):
        return sum(
            os.path.getsize(os.path.join(folder, name))
            for part in ("data", "runs", "uploads")
            for folder, _, names in os.walk(self.path(part))
            for name in names)

    def assert_full(self, status, message):
        self.assertEqual(status, 507)
        for word in ("--quota", "Delete", self.folder, "no room"):
            self.assertIn(word, message)

    def test_quota_of_uploads(self):
        server = self.start("--quota", "100K")
        table = b"a,b\n" + b"1,2\n" * 10000
        data = server.upload("t.csv", table).json()["id"]
        self.assertEqual(server.upload("t.csv", table).status, 200)
        answer = server.upload("t.csv", table)
        self.assert_full(answer.status, answer.error["message"])
        answer = server.ask("POST", "/api/data?name=t.csv",
                            iter([table]))  # in chunks, without a length
        self.assert_full(answer.status, answer.error["message"])
        answer = server.ask("POST", f"/api/data/{data}/reread?header=no")
        self.assert_full(answer.status, answer.error["message"])
        self.assertEqual(os.listdir(self.path("uploads")), [])
        self.assertLess(self.bytes_kept(), 100 << 10)
        # refusals cost nothing, and what is deleted makes room
        self.assertEqual(server.ask("DELETE", f"/api/data/{data}").status, 200)
        self.assertEqual(server.upload("t.csv", table).status, 200)

    def test_quota_of_runs(self):
        server = self.start("--quota", "40K")
        data = server.upload("t.csv", TABLE).json()["id"]
        many = {**QUICK, "lambdas": "0.001:1:30"}
        found = server.wait(server.start_run({"data": data, **many}))
        self.assertEqual(found["status"], "failed")
        self.assert_full(507, found["error"])
        self.assertLess(self.bytes_kept(), 42 << 10)  # that it failed is written down in any case
        self.assertEqual(server.stop()[0], 0)
        server = self.start("--quota", "1K")  # less than there is
        answer = server.post("/api/runs", asked({"data": data, **QUICK}))
        self.assert_full(answer.status, answer.error["message"])
        self.assertEqual(server.get(f"/api/runs/{found['id']}").json()["status"], "failed")
        self.assertEqual(server.ask("DELETE", f"/api/runs/{found['id']}").status, 200)
        server.stop()
        self.assertEqual(self.start("--quota", "none").upload("t.csv", TABLE).status, 200)

    def test_quota_that_is_no_size(self):
        for text in ("x", "-1", "0", ""):
            done = subprocess.run(
                [COMMAND, "gui", "--no-browser", "--folder", self.folder, "--quota", text],
                capture_output=True, text=True, timeout=20 * PATIENCE)
            self.assertEqual((done.returncode, done.stdout), (2, ""), text)


if __name__ == "__main__":
    main()
