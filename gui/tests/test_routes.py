"""Every route with good and bad input."""
import csv
import gzip
import io
import json
import os
import re
import socket
import statistics
import struct
import subprocess
import tempfile
import time

from server import COMMAND, PATIENCE, ROOT, ServerTest, asked, main

NOBODY = "abcdefghijkl"


def sample(name):
    with open(os.path.join(ROOT, "data", name), "rb") as file:
        return file.read()


def rows_of(answer):
    return list(csv.reader(io.StringIO(answer.body.decode())))


class Guard(ServerTest):
    """Who is answered."""

    def test_page_needs_token(self):
        # the page itself is no secret, so that it can be loaded again without one in its address
        for token in (False, True):
            page = self.server.ask("GET", "/", token=token)
            self.assertEqual((page.status, page.headers["Connection"]), (200, "close"))
            self.assertNotIn(self.server.token.encode(), page.body)
        self.assertEqual(self.server.ask("GET", "/?token=" + "0" * 64, token=False).status, 403)
        self.assertEqual(
            self.server.ask("GET", "/?token=" + self.server.token[:-1], token=False).status, 403)
        page = self.server.ask("GET", f"/?token={self.server.token}", token=False)
        self.assertEqual(page.status, 200)
        self.assertIn(b"<html", page.body)

    def test_page_headers(self):
        pages = [
            self.server.ask("GET", f"/?token={self.server.token}", headers={
                "Accept-Encoding": "gzip"}) for _ in range(2)]
        policies = [page.headers["Content-Security-Policy"] for page in pages]
        self.assertNotEqual(*policies)  # a nonce is used once
        for page, policy in zip(pages, policies):
            text = gzip.decompress(page.body).decode()
            nonce = policy.split("'nonce-")[1].split("'")[0]
            self.assertIn(f'nonce="{nonce}"', text)
            self.assertNotIn("{{nonce}}", text)
            self.assertIn("default-src 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(page.headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(page.headers["Referrer-Policy"], "no-referrer")
            self.assertEqual(page.headers["Cache-Control"], "no-store")

    def test_token(self):
        self.assertEqual(self.server.ask("GET", "/api/state", token=False).status, 403)
        other = "0" if self.server.token[-1] != "0" else "1"
        for wrong in ("", "x", "0" * 64, self.server.token[:-1] + other, self.server.token + "0",
                      self.server.token[:-1], self.server.token.upper() + " "):
            answer = self.server.ask("GET", "/api/state", headers={"X-RLS2-Token": wrong})
            self.assertEqual(answer.status, 403, wrong)
            self.assertIn("token", answer.error["message"])
        self.assertEqual(
            self.server.ask("GET", f"/api/state?token={self.server.token}", token=False).status,
            200)
        # a wrong header is not made good by the query
        self.assertEqual(
            self.server.ask("GET", f"/api/state?token={self.server.token}", headers={
                "X-RLS2-Token": "x"}).status, 403)

    def test_host(self):
        for host in ("example.com", f"example.com:{self.server.port}", "127.0.0.1", "127.0.0.1:1",
                     f"127.0.0.1:{self.server.port}.evil.org",
                     f"localhost.evil.org:{self.server.port}", f"[::1]:{self.server.port}", ""):
            self.assertEqual(
                self.server.ask("GET", "/api/state", headers={"Host": host}).status, 403, host)
            self.assertEqual(
                self.server.ask("GET", f"/?token={self.server.token}",
                                headers={"Host": host}).status, 403, host)
        for host in (f"localhost.:{self.server.port}", f"LOCALHOST:{self.server.port}",
                     f"127.0.0.1:{self.server.port} ,evil.org", f"127.1:{self.server.port}",
                     f"2130706433:{self.server.port}", f"user@127.0.0.1:{self.server.port}",
                     f"127.0.0.1:0{self.server.port}"):
            self.assertEqual(
                self.server.ask("GET", "/api/state", headers={"Host": host}).status, 403, host)
        self.assertEqual(
            self.server.ask("GET", "/api/state",
                            headers={"Host": f"localhost:{self.server.port}"}).status, 200)

    def test_every_route_is_guarded(self):
        """The token, the host and the origin are asked for before anything else is looked at."""
        for method, path in routes():
            path = path.replace(":id", NOBODY).replace(":n", "0")
            query = "?token=" + self.server.token if path == "/" else ""
            for headers in ({"X-RLS2-Token": "0" * 64}, {"Host": "evil.org"}, {
                    "Origin": "http://evil.org"}, {"Origin": "null"}, {
                        "Sec-Fetch-Site": "cross-site"}):
                wrong = "?token=" + "0" * 64 if path == "/" and "X-RLS2-Token" in headers else query
                answer = self.server.ask(method, path + wrong, headers=headers)
                self.assertEqual(answer.status, 403, (method, path, headers))
                self.assertTrue(answer.error["message"])
            self.assertEqual(
                self.server.ask(method, path, token=False).status, 200 if path == "/" else 403)
            self.assertNotEqual(self.server.status_of(method, path + query), 403)

    def test_forms_of_other_pages(self):
        # what a browser sends without asking first: the token is not in it
        for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                     "text/plain"):
            for path in ("/api/runs", "/api/data?name=x.csv", f"/api/runs/{NOBODY}/stop"):
                answer = self.server.ask("POST", path, "token=" + self.server.token,
                                         {"Content-Type": kind}, token=False)
                self.assertEqual(answer.status, 403, (kind, path))
        asked_first = self.server.ask(
            "OPTIONS", "/api/state", headers={
                "Origin": "http://evil.org", "Access-Control-Request-Method": "POST"})
        self.assertEqual(asked_first.status, 403)
        for answer in (asked_first, self.server.get("/api/state")):
            self.assertFalse([
                name for name in answer.headers if name.lower().startswith("access-control")])

    def test_headers_of_every_answer(self):
        for path in ("/", f"/?token={self.server.token}", "/api/state", "/api/nothing",
                     f"/api/runs/{NOBODY}/events"):
            headers = self.server.get(path).headers
            for name, value in (("X-Content-Type-Options", "nosniff"),
                                ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
                                ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options",
                                                                                  "DENY")):
                self.assertEqual(headers[name], value, (path, name))

    def test_origin(self):
        for origin in ("http://example.com", "null", f"https://127.0.0.1:{self.server.port}",
                       "http://127.0.0.1", f"http://127.0.0.1:{self.server.port}.evil.org"):
            self.assertEqual(
                self.server.ask("GET", "/api/state", headers={"Origin": origin}).status, 403,
                origin)
        for origin in (f"http://127.0.0.1:{self.server.port}",
                       f"http://localhost:{self.server.port}"):
            self.assertEqual(
                self.server.ask("GET", "/api/state", headers={"Origin": origin}).status, 200,
                origin)

    def test_site(self):
        for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200),
                             ("none", 200), ("", 403)):
            self.assertEqual(
                self.server.ask("GET", "/api/state", headers={"Sec-Fetch-Site": site}).status,
                status, site)

    def test_only_this_machine(self):
        with open("/proc/net/tcp") as file:
            listening = [line.split()[1] for line in file if line.split()[3] == "0A"]
        mine = [
            address for address in listening if int(address.split(":")[1], 16) == self.server.port]
        self.assertEqual(mine, [f"0100007F:{self.server.port:04X}"])

    def test_unknown_addresses(self):
        for path in ("/x", "/api", "/api/", "/api/state/", "/api/runs/../state",
                     "/api/data/../../etc/passwd", "/api/data/%2e%2e/rows",
                     "/api/data/..%2f..%2f..%2fetc%2fpasswd", "/../../../etc/passwd",
                     "/api/data/ABCDEFGHIJKL", "/api/data/abcdefghijkl.", "/api/data/abcdefghijk",
                     "/api/runs/abcdefghijkl/model/-1", "/api/runs/abcdefghijkl/model/0x1",
                     "/api/runs/abcdefghijkl/model/1/2", "/api/runs/abcdefghijkl/about.json",
                     "/api/runs/" + "a" * 3000, "//api/state",
                     "/api/runs/abcdefghijkl/point/9999999999", "/%01", "/index.html"):
            answer = self.server.ask("GET", path)
            self.assertIn(answer.status, (403, 404), path)
            self.assertIn("message", answer.error)

    def test_unknown_ids(self):
        for path in ("", "/events", "/point/0", "/profile", "/function/0/0", "/effect/0/0",
                     "/explanation/0", "/model/0", "/predictions/0", "/statistics.csv",
                     "/statistics.json", "/commands", "/table.csv"):
            self.assertEqual(self.server.get(f"/api/runs/{NOBODY}{path}").status, 404, path)
        for path in ("", "/rows"):
            self.assertEqual(self.server.get(f"/api/data/{NOBODY}{path}").status, 404, path)
        for path in ("stop", "name"):
            self.assertEqual(self.server.post(f"/api/runs/{NOBODY}/{path}", {}).status, 404)
        self.assertEqual(
            self.server.post(f"/api/runs/{NOBODY}/predict/0?name=x.csv", b"a\n1\n").status, 404)
        for path in (f"/api/runs/{NOBODY}", f"/api/data/{NOBODY}"):
            self.assertEqual(self.server.ask("DELETE", path).status, 404)

    def test_methods(self):
        for method, path in (("POST", "/api/state"), ("GET", "/api/check"), ("PUT", "/api/runs"),
                             ("DELETE", "/api/runs"), ("GET", "/api/data"), ("PATCH",
                                                                             f"/api/data/{NOBODY}"),
                             ("HEAD", "/api/state"), ("OPTIONS", "/api/state"),
                             ("TRACE", "/api/state"), ("NONSENSE", "/api/state"), ("get",
                                                                                   "/api/state")):
            self.assertEqual(self.server.ask(method, path).status, 405, path)

    def test_broken_json(self):
        for path in ("/api/check", "/api/runs", "/api/data/builtin"):
            for body in ("", "{", "nonsense", '{"data":', "[1,2", '{"a":1}{"b":2}', '"\\u0000"',
                         b"\xff\xfe", '{"data":1,"data":2}', "[" * 5000):
                answer = self.server.post(path, body)
                self.assertEqual(answer.status, 400, (path, body))
                self.assertTrue(answer.error["message"])
        twice = '{"data": "%s", "settings": {"target": "lpsa", "seed": 1, "seed": 2}}'
        twice %= self.server.builtin("prostate")
        self.assertIn("duplicate", self.server.post("/api/check", twice).error["message"])
        for path in ("/api/check", "/api/runs", "/api/data/builtin"):
            for body in ("[]", "1", "null", '"text"'):
                self.assertEqual(self.server.post(path, body).status, 400, (path, body))


def routes():
    """(method, path) as the server's own table has them."""
    with open(os.path.join(ROOT, "gui", "server", "routes.c")) as file:
        return re.findall(r'\{"([A-Z]+)", "(/[^"]*)"', file.read())


class Bodies(ServerTest):
    """Clients that send too much, too slowly, or not all."""

    def raw(self, head, body=b""):
        connection = socket.create_connection(("127.0.0.1", self.server.port),
                                              timeout=60 * PATIENCE)
        text = (head + f"\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                f"X-RLS2-Token: {self.server.token}\r\n")
        connection.sendall(text.encode() + body)
        return connection

    def uploads(self):
        return os.listdir(os.path.join(self.folder, "uploads"))

    def test_huge_upload_is_refused_before_it_is_sent(self):
        with self.raw("POST /api/data?name=x.csv HTTP/1.1",
                      f"Content-Length: {10**12}\r\n\r\n".encode()) as connection:
            self.assertIn(b" 413 ", connection.recv(4096).split(b"\r\n")[0])
        with self.raw("POST /api/check HTTP/1.1",
                      f"Content-Length: {2**20 + 1}\r\n\r\n".encode()) as connection:
            self.assertIn(b" 413 ", connection.recv(4096).split(b"\r\n")[0])
        with self.raw("GET /api/state HTTP/1.1", b"Content-Length: 5\r\n\r\n") as connection:
            self.assertIn(b" 413 ", connection.recv(4096).split(b"\r\n")[0])

    def test_endless_body(self):
        with self.raw("POST /api/check HTTP/1.1",
                      b"Transfer-Encoding: chunked\r\n\r\n") as connection:
            piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
            with self.assertRaises(OSError):
                for _ in range(10000):
                    connection.sendall(piece)
        self.assertEqual(self.server.get("/api/state").status, 200)

    def read_all(self, connection):
        connection.shutdown(socket.SHUT_WR)
        text = b""
        while piece := connection.recv(65536):
            text += piece
        return text

    def test_sizes_to_the_byte(self):
        self.assertEqual(self.server.post("/api/check", b" " * 2**20).status,
                         400)  # no JSON, but read
        for path, size, status in (("check", 2**20, b"100 Continue"), ("check", 2**20 + 1, b"413 "),
                                   ("data?name=x.csv", 512 << 20, b"100 Continue"),
                                   ("data?name=x.csv", (512 << 20) + 1, b"413 ")):
            body = f"Expect: 100-continue\r\nContent-Length: {size}\r\n\r\n".encode()
            with self.raw(f"POST /api/{path} HTTP/1.1", body) as connection:
                self.assertIn(status, connection.recv(4096).split(b"\r\n")[0])
        for text in ("1" * 30, "0x5", "5 5", "+5"):
            with self.raw("POST /api/check HTTP/1.1",
                          f"Content-Length: {text}\r\n\r\n".encode()) as connection:
                self.assertNotIn(b" 200 ", connection.recv(4096).split(b"\r\n")[0])

    def test_chunks(self):
        # a body of unknown length is as good as any other
        pieces = b"8\r\na,b\n1,2\n\r\n4\r\n3,4\n\r\n0\r\n\r\n"
        with self.raw(
                "POST /api/data?name=x.csv HTTP/1.1",
                b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + pieces) as connection:
            head, body = self.read_all(connection).split(b"\r\n\r\n", 1)
            self.assertIn(b" 200 ", head.split(b"\r\n")[0])
            self.assertEqual(json.loads(body)["rows"], 2)
        with self.raw("GET /api/state HTTP/1.1",
                      b"Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n") as connection:
            self.assertNotIn(b" 200 ", self.read_all(connection).split(b"\r\n")[0])

    def test_no_host(self):
        for version in ("1.0", "1.1"):
            with socket.create_connection(("127.0.0.1", self.server.port),
                                          timeout=60 * PATIENCE) as connection:
                connection.sendall(f"GET /api/state?token={self.server.token} HTTP/{version}\r\n"
                                   "Connection: close\r\n\r\n".encode())
                self.assertIn(self.read_all(connection).split(b" ")[1], (b"403", b"400"), version)

    def test_other_ways_to_ask(self):
        absolute = f"GET http://127.0.0.1:{self.server.port}/api/state HTTP/1.1"
        for head in (absolute, "GET /api/state%00x HTTP/1.1", "GET * HTTP/1.1",
                     "GET /api/" + "a" * 30000 + " HTTP/1.1", "GET /api/state HTTP/1.0"):
            with self.raw(head, b"Connection: close\r\n\r\n") as connection:
                self.assertIn(
                    self.read_all(connection).split(b" ")[1],
                    (b"200", b"403", b"404", b"414", b"400"), head)
        self.assertEqual(self.server.get("/api/state").status, 200)

    def test_upload_cut_off(self):
        before = self.server.get("/api/state").json()["data"]
        with self.raw("POST /api/data?name=x.csv HTTP/1.1",
                      b"Content-Length: 100000\r\n\r\na,b\n1,2\n") as connection:
            end = time.monotonic() + 120 * PATIENCE
            while not self.uploads() and time.monotonic() < end:
                time.sleep(0.02)
            self.assertEqual(len(self.uploads()), 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end = time.monotonic() + 120 * PATIENCE
        while self.uploads() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(self.uploads(), [])
        self.assertEqual(self.server.get("/api/state").json()["data"], before)

    def test_slow_client_is_let_go(self):
        # in the middle of a head, and in the middle of a body
        heads = [
            self.raw("GET /api/state HTTP/1.1"),
            self.raw("POST /api/check HTTP/1.1", b"Content-Length: 10\r\n\r\n{")]
        for connection in heads:
            connection.settimeout(120 * PATIENCE)
            try:
                while connection.recv(4096):
                    pass
            except ConnectionResetError:
                pass
            connection.close()

    def test_nonsense(self):
        for text in (b"\x00" * 100, b"GET\r\n\r\n", b"G" * 100000, b"GET / HTTP/9.9\r\n\r\n",
                     b"GET /api/state HTTP/1.1\r\nHost\r\n\r\n",
                     b"POST /api/check HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                     b"POST /api/check HTTP/1.1\r\nContent-Length: 1e9\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", self.server.port),
                                          timeout=60) as connection:
                try:
                    connection.sendall(text)
                    connection.shutdown(socket.SHUT_WR)
                    answer = connection.recv(4096)
                    self.assertNotIn(b" 200 ", answer.split(b"\r\n")[0])
                except OSError:
                    pass
        self.assertEqual(self.server.get("/api/state").status, 200)


class Data(ServerTest):
    def test_state(self):
        state = self.server.get("/api/state").json()
        version = subprocess.run([COMMAND, "--version"], capture_output=True,
                                 text=True).stdout.split()[1]
        self.assertEqual(state["version"], version)
        self.assertGreaterEqual(state["threads"], 1)
        self.assertEqual(len(state["builtin"]), 11)
        for entry in state["builtin"]:
            about = self.server.post("/api/data/builtin", {"name": entry["name"]}).json()
            self.assertEqual((about["rows"], about["column_count"]),
                             (entry["rows"], entry["columns"]), entry["name"])
            self.assertEqual(about["target"], entry["target"])
            self.assertIn(entry["target"], [c["name"] for c in about["columns"]])
            check = self.server.check({"data": about["id"], "target": [about["target"]]})
            self.assertEqual(check.status, 200, check.body)
            self.assertEqual(check.json()["task"], entry["task"], entry["name"])
        for name in ("nothing", "../prostate", "", None, 5):
            answer = self.server.post("/api/data/builtin", {"name": name})
            self.assertEqual((answer.status, answer.error["field"]), (400, "name"))

    def test_about(self):
        answer = self.server.upload("my%20table.csv", b"a,b,class\n1,x,p\n2,,q\n4,x,p\n")
        about = answer.json()
        self.assertEqual((about["name"], about["format"], about["bytes"], about["rows"]),
                         ("my table.csv", "CSV", 27, 3))
        self.assertEqual((about["target"], about["task_guess"], about["marker"]),
                         ("class", "classification", None))
        a, b, target = about["columns"]
        self.assertEqual((a["kind"], a["missing"], a["distinct"], a["min"], a["max"]),
                         ("number", 0, 3, 1, 4))
        self.assertAlmostEqual(a["mean"], 7 / 3)
        self.assertAlmostEqual(a["sd"], (7 / 3) ** 0.5)
        self.assertEqual(a["histogram"], [1] + [0] * 4 + [1] + [0] * 9 + [1])
        self.assertEqual((b["kind"], b["missing"], b["values"]),
                         ("text", 1, [{"text": "x", "count": 2}]))
        self.assertEqual(target["values"], [{"text": "p", "count": 2}, {"text": "q", "count": 1}])
        self.assertEqual(self.server.get(f"/api/data/{about['id']}").json(), about)
        rows = self.server.get(f"/api/data/{about['id']}/rows?from=1&count=5").json()["rows"]
        self.assertEqual(rows, [["2", "", "q"], ["4", "x", "p"]])
        self.assertEqual(len(self.server.get(f"/api/data/{about['id']}/rows").json()["rows"]), 3)
        for query, field in (("from=-1", "from"), ("from=x", "from"), ("count=1001", "count"),
                             ("count=", "count"), ("from=1e3", "from")):
            bad = self.server.get(f"/api/data/{about['id']}/rows?{query}")
            self.assertEqual((bad.status, bad.error["field"]), (400, field), query)
        self.assertEqual(
            self.server.get(f"/api/data/{about['id']}/rows?from=100").json()["rows"], [])
        self.assertEqual(self.server.ask("DELETE", f"/api/data/{about['id']}").status, 200)
        self.assertEqual(self.server.get(f"/api/data/{about['id']}").status, 404)
        self.assertNotIn(about["id"], os.listdir(os.path.join(self.folder, "data")))

    def test_formats(self):
        tables = {
            "t.tsv": b"a\tb\n1\t2\n3\t4\n", "t.libsvm": b"1 1:0.5 2:3\n-1 1:2\n",
            "t.csv.gz": gzip.compress(b"a,b\n1,2\n3,4\n"), "t.npy": npy([[1.0, 2.0], [3.0, 4.5]])}
        for name, body in tables.items():
            about = self.server.upload(name, body).json()
            self.assertEqual(about["rows"], 2, name)
            rows = self.server.get(f"/api/data/{about['id']}/rows").json()["rows"]
            self.assertEqual(len(rows), 2)
            self.assertTrue(all(cell for row in rows for cell in row), (name, rows))

    def test_reading(self):
        about = self.server.post(
            "/api/data?name=t.csv&delimiter=;&decimal=,&header=no&na=none&na=%3F",
            b"1,5;none\n2,5;7\n2;?\n").json()
        self.assertEqual([c["name"] for c in about["columns"]], ["x1", "x2"])
        self.assertEqual((about["columns"][0]["mean"], about["columns"][1]["missing"]), (2.0, 2))
        again = self.server.post(f"/api/data/{about['id']}/reread?delimiter=;", {}).json()
        self.assertNotEqual(again["id"], about["id"])
        self.assertEqual([c["name"] for c in again["columns"]], ["1,5", "none"])
        self.assertEqual((again["name"], again["rows"], again["bytes"]),
                         ("t.csv", 2, about["bytes"]))
        self.assertEqual(
            self.server.get(f"/api/data/{about['id']}").json()["columns"], about["columns"])
        self.assertEqual(self.server.post(f"/api/data/{NOBODY}/reread", {}).status, 404)
        self.assertEqual(
            self.server.post(f"/api/data/{about['id']}/reread?decimal=x", {}).error["field"],
            "decimal")
        # the whole line is one cell, of two when a comma stands in it
        self.assertEqual(
            self.server.post(f"/api/data/{about['id']}/reread?delimiter=,", {}).status, 400)
        self.assertEqual(os.listdir(os.path.join(self.folder, "uploads")), [])
        for query, field in (("delimiter=ab", "delimiter"), ("delimiter=5", "delimiter"),
                             ("decimal=x", "decimal"), ("decimal=,&delimiter=,", "decimal")):
            answer = self.server.post("/api/data?name=t.csv&" + query, b"a,b\n1,2\n")
            self.assertEqual((answer.status, answer.error["field"]), (400, field), query)

    def test_reading_that_is_no_reading(self):
        answer = self.server.post("/api/data?name=t.csv&header=maybe", b"a,b\n1,2\n")
        self.assertEqual((answer.status, answer.error["field"]), (400, "header"))

    def test_bad_tables(self):
        for name, body in (("t.csv", b""), ("t.csv", b"a,b\n1,2,3\n"), ("t.csv", b'a,b\n"1,2\n'),
                           ("t.npy", b"\x93NUMPY nonsense"),
                           ("t.mat", b"MATLAB 5.0 MAT-file" + b"\x00" * 200),
                           ("t.csv.gz",
                            gzip.compress(b"a,b\n1,2\n")[:-9]), ("t.csv", bytes(range(256)) * 10)):
            answer = self.server.upload(name, body)
            if answer.status == 200:  # read as something
                continue
            self.assertEqual(answer.status, 400, (name, answer.body))
            self.assertEqual(answer.error["field"], "data")
        self.assertEqual(os.listdir(os.path.join(self.folder, "uploads")), [])

    def test_names(self):
        for given, kept in (("..%2f..%2fetc%2fpasswd", "passwd"), ("a%5Cb.csv", "b.csv"),
                            ("", "data.csv"), ("%0a%09x.csv", "x.csv"),
                            ("%3Cscript%3E.csv", "<script>.csv"), ("x" * 1000 + ".csv", "x" * 199)):
            about = self.server.upload(given, b"a,b\n1,2\n").json()
            self.assertEqual(about["name"], kept)
        # cut between the bytes of a character: the others stay as they are
        long = self.server.upload("x" + "%C3%A4" * 200 + ".csv", b"a,b\n1,2\n").json()["name"]
        self.assertEqual(long, "x" + "ä" * 99)
        odd = self.server.upload("%C3%A4%FF%E2%82.csv", b"a,b\n1,2\n").json()["name"]
        self.assertEqual(odd, "ä???.csv")


def npy(rows):
    head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }" % (len(rows),
                                                                               len(rows[0]))
    head += b" " * (117 - len(head)) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + b"".join(
        struct.pack("<d", v) for row in rows for v in row)


class Settings(ServerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = cls.server.builtin("prostate")
        cls.heart = cls.server.builtin("heart")

    def check(self, **settings):
        return self.server.check({"data": self.data, "target": ["lpsa"], **settings})

    def test_good(self):
        answer = self.check(test_rows="train=F",
                            kernels="linear").json()
        self.assertEqual(
            (answer["ok"], answer["rows"], answer["test_rows"], answer["task"], answer["kernels"]),
            (True, 67, 30, "regression", 8))
        self.assertEqual(answer["kernel_names"][0], "linear@lcavol")
        wide = self.check(kernels="rbf(1e-3:1e3:100)@each").json()
        self.assertGreater(wide["forecast_bytes"], 0)
        self.assertGreater(wide["forecast_seconds"], 0)
        self.assertIn(" of memory", wide["forecast"])
        self.assertEqual((wide["kernels"], len(wide["kernel_names"])), (1000, 200))
        self.assertEqual(
            self.server.check({"data": self.heart, "target": "class"}).json()["classes"], ["1",
                                                                                           "2"])

    def test_what_columns_are_taken_for(self):
        rows = "".join(f"N{i},{i % 5},7,{'pq'[i % 2]},{i * i}\n" for i in range(30))
        data = self.server.upload("t.csv", ("name,a,b,c,y\n" + rows).encode()).json()["id"]
        answer = self.server.check({"data": data, "target": ["y"]}).json()
        self.assertEqual(answer["inputs"], [{"name": "a", "kind": "number", "columns": 1},
                                            {"name": "c", "kind": "text", "columns": 2}])
        self.assertEqual({left["name"]: left["why"] for left in answer["left_out"]},
                         {"name": "only names the rows", "b": "has the same value in every row"})
        kept = self.server.check({"data": data, "target": ["y"], "columns": "all"}).json()
        self.assertEqual(([i["name"] for i in kept["inputs"]], kept["left_out"]),
                         (["name", "a", "b", "c"], []))

    def test_every_setting_wrong(self):
        wrong = {
            "target": ["nothing", ["nothing"], [5], {}, 5, ["lpsa", "lpsa"], ["lpsa", "nothing"]],
            "task": ["x", 5, "Regression", "regression|classification", ""],
            "drop": [["nothing"], 5, [{}]],
            "categorical": [["nothing"], 5],
            "row_weights": ["nothing", 5, ["age"], "lcavol"],
            "class_weights": ["balanced", "1=2", 5],
            "reference": [1, "yes"],
            "missing": ["x", 1],
            "features": ["x", 1, "centre"],
            "examples": ["x", 1],
            "shuffle": [1, "yes"],
            "transductive": [1, "yes", True],
            "transductive_features": [1, "yes", True],
            "kernels": ["rbf(", "rbf(1)@nothing", "x", 5, "given(a)", "rbf(1)@group:none", ";"],
            "scaling": ["x", "fisher", "fisher-sqrt"],
            "center": [1],
            "max_iter": [0, -1, 1.5, "x", 1e30],
            "gap_tol": [0, -1, "x"],
            "delta": [0, -1, "x"],
            "solver": ["x", 1],
            "intercept": ["x", True],
            "lambdas": ["", -5, {}, "0,1", "1:2", "x", "2:1:3", "1:2:0", "1:2:x", [1]],
            "measure": ["x", 1, "accuracy", "auc"],
            "rule": ["x", 1],
            "select": ["x"],
            "baselines": [1, "no"],
            "seed": [-1, 1.5, "x", 1e300],
            "group": [5, "a", "a=", "=age", "a=nothing", {}],
            "test_rows": [5, "train", "nothing=F", "lpsa=1", "train=X", {}],
            "test_share": [0, 1, "x"],
            "folds": [1, 2.5, "x"],
            "repeats": [0, "x"],
            "share": [1, -1, "x"],
            "fold_column": ["nothing", 5],
            "validation_rows": ["train", "nothing=F", "train=X"],
        }
        for field, values in wrong.items():
            for value in values:
                answer = self.check(**{field: value})
                self.assertEqual(answer.status, 400, (field, value, answer.body))
                self.assertEqual(answer.error["field"], field, (field, value, answer.body))
                self.assertTrue(answer.error["message"])
                wanted = asked({"data": self.data, "target": ["lpsa"], field: value})
                self.assertEqual(self.server.post("/api/runs", wanted).status, 400)

    def test_tables_wrong(self):
        for field in ("data", "test_data", "validation_data"):
            for value in (5, "x", "../../../etc", NOBODY, ["a"], ""):
                answer = self.check(**{field: value})
                self.assertEqual((answer.status, answer.error["field"]), (400, field),
                                 (field, value, answer.body))
        self.assertEqual(self.check(data=None).error["field"], "data")
        self.assertEqual(self.check(test_data=None, validation_data=None).status, 200)

    def test_null_is_the_default(self):
        names = [setting["name"] for setting in self.server.get("/api/settings").json()["settings"]]

        def answer(**settings):
            told = self.check(kernels="linear", **settings).json()
            self.assertGreaterEqual(told.pop("forecast_seconds"), 0)  # measured each time
            return told

        plain = answer()
        for name in names:
            if name not in ("target", "kernels"):
                self.assertEqual(answer(**{name: None}), plain, name)

    def test_table_of_settings(self):
        entries = self.server.get("/api/settings").json()["settings"]
        table = {entry["name"]: entry for entry in entries}
        folds, measure = table["folds"], table["measure"]
        self.assertEqual((folds["kind"], folds["default"], folds["scope"]), ("count", "10", "run"))
        self.assertIn("rmse", measure["choices"])
        self.assertEqual(table["delimiter"]["scope"], "reading")
        for entry in table.values():
            self.assertTrue(entry["label"] and entry["sentence"] and entry["section"], entry)
            self.assertNotIn("{", entry["sentence"] + entry["help"])
        # names are those of JSON; texts call other settings by their labels
        self.assertIn("class_weights", table)
        self.assertIn(f"'{table['share']['label']}'", table["splits"]["sentence"])

    def test_together(self):
        for settings, field in (({"center": True, "scaling": "none"}, "center"), ({"target": []},
                                                                                  "target"),
                                ({"target": ["lpsa", "age"], "task": "classification"}, "task"),
                                ({"validation_rows": "train=F", "repeats": 2}, "validation_rows"),
                                ({"test_rows": "train=F", "transductive": True,
                                  "row_weights": "age", "select": "none"},
                                 "transductive")):
            answer = self.check(**settings)
            self.assertEqual((answer.status, answer.error["field"]), (400, field), answer.body)

    def test_unknown_field_and_position(self):
        answer = self.check(kernel="linear")
        self.assertEqual(answer.status, 400)
        self.assertIn("'kernel'", answer.error["message"])
        answer = self.check(kernels="linear; rbf(1)@nothing")
        self.assertEqual(answer.error["position"], "linear; rbf(1)@nothing".index("nothing"))

    def test_many_at_once(self):
        """What is checked while one types is answered, whatever is typed."""
        for splits in ({"folds": 1000000, "repeats": 1000}, {"splits": 100000}):
            self.assertEqual(self.check(**splits).status, 200, splits)
        self.assertEqual(self.check(drop=[f"x{i}" for i in range(90000)]).error["field"], "drop")
        self.assertEqual(self.check(kernels="(" * 900000).error["field"], "kernels")

    def test_splits_that_no_memory_holds(self):
        rows = "\n".join(f"{i % 13},{i % 7}" for i in range(300000))
        data = self.server.upload("tall.csv", ("a,y\n" + rows).encode()).json()["id"]
        for path in ("/api/check", "/api/runs"):
            answer = self.server.post(path, asked({"data": data, "target": ["y"], "folds": 300000,
                                                   "kernels": "linear", "repeats": 10}))
            self.assertEqual((answer.status, answer.error["field"]), (400, "folds"))
            self.assertIn("memory", answer.error["message"])


class Runs(ServerTest):
    """What can be asked of a run that is done."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = cls.server.builtin("prostate")
        cls.regression = cls.server.run({
            "data": cls.data, "target": ["lpsa"], "features": "standardize",
            "kernels": "linear; rbf(0.1)@all,each", "test_rows": "train=F", "lambdas": "0.01:10:6"})
        cls.linear = cls.server.run({
            "data": cls.data, "target": ["lpsa"], "features": "standardize", "kernels": "linear",
            "drop": ["train"], "select": "none", "lambdas": "0.1,1"})
        iris = ["a,b,kind"] + [
            f"{i % 7 + 3 * (i % 3)},{(i * i) % 11 - 2 * (i % 3)},{'uvw'[i % 3]}" for i in range(60)]
        cls.three = cls.server.upload("three.csv", "\n".join(iris).encode()).json()["id"]
        cls.classes = cls.server.run({
            "data": cls.three, "target": ["kind"], "kernels": "rbf(0.1)@all; linear", "folds": 3,
            "lambdas": "0.1:10:3",
            "test_share": 0.2})

    def test_result(self):
        about = self.server.get(f"/api/runs/{self.regression}").json()
        result = about["result"]
        self.assertEqual(about["status"], "done")
        self.assertEqual((result["n"], result["test_n"], result["m"], result["task"],
                          result["measure"], result["rises"]),
                         (67, 30, 17, "regression", "rmse", False))
        self.assertEqual(len(result["points"]), 6)
        lambdas = [point["lambda"] for point in result["points"]]
        self.assertEqual(lambdas, sorted(lambdas, reverse=True))
        for point in result["points"]:
            self.assertLessEqual(point["gap"], 1e-6)
            for key in ("objective", "iterations", "factorizations", "df", "selected", "outcome",
                        "cvm", "cvsd", "nzero", "gcv", "cp", "aic", "bic", "loo", "seconds"):
                self.assertIsNotNone(point[key], key)
            self.assertEqual(set(point["train"]), {"rmse", "mse", "mae", "r2"})
            self.assertAlmostEqual(point["test"]["rmse"] ** 2, point["test"]["mse"])
        best = min(range(6), key=lambda i: result["points"][i]["cvm"])
        self.assertEqual((result["best"]["min"], result["best"]["chosen"]), (best, best))
        self.assertLessEqual(result["best"]["one_se"], best)
        self.assertEqual(set(result["baselines"]), {"uniform", "alignment", "single", "ridge"})
        self.assertEqual(about["summary"]["score"], result["points"][best]["cvm"])
        self.assertIn(self.regression,
                      [run["id"] for run in self.server.get("/api/state").json()["runs"]])

    def test_coverage_is_that_of_the_command(self):
        run = self.server.run({
            "data": self.data, "target": ["lpsa"], "drop": ["train"], "kernels": "linear",
            "folds": 4, "lambdas": "0.1,1", "baselines": False, "interval": 0.8})
        result = self.server.get(f"/api/runs/{run}").json()["result"]
        words = ["cv", os.path.join(ROOT, "data/prostate.csv"), "-t", "lpsa", "--drop", "train",
                 "-k", "linear", "--folds", "4", "--lambdas", "0.1,1", "--no-baselines",
                 "--interval", "0.8", "--json", "--quiet"]
        told = json.loads(subprocess.run([COMMAND, *words], capture_output=True,
                                         text=True).stdout)["interval"]
        self.assertEqual(result["interval_level"], told["level"])
        for i, point in enumerate(result["points"]):
            self.assertEqual(point["intervals"], [{
                key: told[key][i] for key in ("coverage", "coverage_se", "width", "width_se")}])

    def test_result_is_the_path_of_the_command(self):
        words = [
            "path",
            os.path.join(ROOT, "data/prostate.csv"), "-t", "lpsa", "--standardize", "-k",
            "linear; rbf(0.1)@all,each", "--test-rows", "train=F", "--lambdas", "0.01:10:6",
            "--json", "--quiet"]
        path = json.loads(subprocess.run([COMMAND, *words], capture_output=True,
                                         text=True).stdout)["path"]
        points = self.server.get(f"/api/runs/{self.regression}").json()["result"]["points"]
        for ours, theirs in zip(points, path):
            for key in ("lambda", "objective", "gap", "df", "iterations"):
                self.assertEqual(ours[key], theirs[key], key)
            self.assertEqual(ours["selected"], len(theirs["selected"]))
            self.assertEqual(ours["test"]["rmse"], theirs["test"]["rmse"])

    def test_point(self):
        for i in (0, 5):
            point = self.server.get(f"/api/runs/{self.regression}/point/{i}").json()
            output = point["outputs"][0]
            self.assertEqual(output["name"], "lpsa")
            self.assertAlmostEqual(sum(kernel["weight"] for kernel in output["kernels"]), 1)
            self.assertAlmostEqual(sum(kernel["share"] for kernel in output["kernels"]), 1)
            self.assertLessEqual(point["certificate"]["dual"], point["certificate"]["primal"])
            self.assertEqual(len(point["train"]["actual"][0]), 67)
            self.assertEqual(len(point["test"]["fitted"][0]), 30)
            self.assertEqual(len(point["left_out"]["predicted"][0]), 67)
            pairs = zip(point["test"]["actual"][0], point["test"]["fitted"][0])
            rmse = (sum((a - b)**2 for a, b in pairs) / 30)**0.5
            listed = self.server.get(
                f"/api/runs/{self.regression}").json()["result"]["points"][i]["test"]["rmse"]
            self.assertAlmostEqual(rmse, listed, places=9)
        self.assertEqual(self.server.get(f"/api/runs/{self.regression}/point/6").status, 404)

    def test_inputs(self):
        """Kernels and rows are told by columns of the table, not by the columns made from them."""
        text = "city,size,price\n" + "".join(
            f"{'abc'[i % 3]},{i * 7 % 11},{(i % 3) * 5 + i * 7 % 11}\n" for i in range(60))
        data = self.server.upload("cities.csv", text.encode()).json()["id"]
        run = self.server.run({"data": data, "target": ["price"], "kernels": "linear; rbf(1)@all",
                               "select": "none", "lambdas": "0.001"})
        point = self.server.get(f"/api/runs/{run}/point/0").json()
        self.assertEqual([(i["name"], i["kind"], i.get("levels")) for i in point["inputs"]],
                         [("city", "text", ["a", "b", "c"]), ("size", "number", None)])
        of = {kernel["name"]: kernel["inputs"] for kernel in point["outputs"][0]["kernels"]}
        self.assertEqual(of["linear@size"], ["size"])
        self.assertEqual({tuple(inputs) for name, inputs in of.items() if "city=" in name},
                         {("city",)})
        # a row of the form: what the same row of a file gets
        path = f"/api/runs/{run}/predict/0?name=row.csv"
        rows = [self.server.post(path, body) for body in (
            b'"city","size"\n"b","4"\n', b"size,city\n4,b\n9,c\n")]
        self.assertEqual(rows_of(rows[0])[1], rows_of(rows[1])[1])
        self.assertEqual(json.loads(rows[1].headers["X-RLS2-Summary"])["predicted"], 2)

    def test_shares_on_left_out_rows(self):
        """They add up to what the left-out predictions explain of the target."""
        for i in range(6):
            point = self.server.get(f"/api/runs/{self.regression}/point/{i}").json()
            actual, predicted = point["left_out"]["actual"][0], point["left_out"]["predicted"][0]
            explained = 1 - (statistics.pvariance([a - p for a, p in zip(actual, predicted)]) /
                             statistics.pvariance(actual))
            shares = point["outputs"][0]["left_out"]
            self.assertAlmostEqual(sum(k["share"] for k in shares), explained, delta=0.03)
            for kernel in shares:
                if kernel["name"].startswith("linear@"):
                    self.assertEqual(kernel["inputs"], [kernel["name"][len("linear@"):]])
        path = self.server.get(f"/api/runs/{self.linear}/point/0").json()
        self.assertNotIn("left_out", path["outputs"][0])

    def test_effect(self):
        """Differences of what an input does are differences of predictions, as nothing else looks
        at it."""
        text = "city,size,price\n" + "".join(
            f"{'abc'[i % 3]},{i * 7 % 11},{(i % 3) * 5 + i * 7 % 11}\n" for i in range(60))
        data = self.server.upload("cities.csv", text.encode()).json()["id"]
        run = self.server.run({"data": data, "target": ["price"], "features": "standardize",
                               "kernels": "linear@city; linear@size; rbf(1)@size",
                               "select": "none", "lambdas": "0.001"})
        city, size = (self.server.get(f"/api/runs/{run}/effect/0/{j}").json() for j in (0, 1))
        new = rows_of(self.server.post(f"/api/runs/{run}/predict/0?name=new.csv",
                                       b"city,size\na,0\nb,0\nc,0\nc,10\n"))
        predicted = [float(row[0]) for row in new[1:]]
        levels = city["points"]
        self.assertEqual([(level["level"], level["value"], level["rows"]) for level in levels],
                         [("a", None, 20), ("b", None, 20), ("c", None, 20)])
        for level, value in zip(levels, predicted):
            self.assertAlmostEqual(level["effect"] - levels[0]["effect"], value - predicted[0])
        self.assertEqual((city["kind"], city["direction"]), ("text", "none"))
        first, last = size["points"][0], size["points"][-1]
        self.assertAlmostEqual(first["value"], 0)
        self.assertAlmostEqual(last["value"], 10)
        self.assertAlmostEqual(last["effect"] - first["effect"], predicted[3] - predicted[2])
        self.assertEqual((size["kind"], size["direction"]), ("number", "up"))
        self.assertEqual(self.server.get(f"/api/runs/{run}/effect/0/2").status, 404)
        self.assertEqual(
            self.server.get(f"/api/runs/{run}/effect/0/0?output=1").error["field"], "output")

    def test_explanation(self):
        """Of kernels on several columns what inputs do together, and how rows differ in it; the
        same as the command tells."""
        text = "a,b,c,y\n" + "".join(
            f"{a},{b},{i % 7},{a * b + i % 7}\n"
            for i in range(60) for a, b in [(i * 7 % 11 - 5, i * 5 % 13 - 6)])
        data = self.server.upload("together.csv", text.encode()).json()["id"]
        run = self.server.run({"data": data, "target": ["y"], "features": "standardize",
                               "kernels": "rbf(0.1)@all; linear@c", "select": "none",
                               "lambdas": "0.0001"})
        told = self.server.get(f"/api/runs/{run}/explanation/0").json()
        self.assertEqual((told["pairs"][0]["first"], told["pairs"][0]["second"]), ("a", "b"))
        self.assertGreater(told["pairs"][0]["share"], 5 * told["pairs"][1]["share"])
        self.assertEqual((told["rows"], told["interacting"], told["compared"]), (60, 3, 3))
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "m")
            with open(model, "wb") as file:
                file.write(self.server.get(f"/api/runs/{run}/model/0").body)
            shown = json.loads(subprocess.run([COMMAND, "show", model, "--json"], check=True,
                                              capture_output=True).stdout)["explanation"]
        self.assertEqual([(i["name"], i["share"], i["interaction"]) for i in told["inputs"]],
                         [(i["input"], i["share"], i["interaction"]) for i in shown["inputs"]])
        self.assertEqual(told["pairs"], shown["pairs"])
        first = self.server.get(f"/api/runs/{run}/effect/0/0").json()["points"][0]
        self.assertLess(first["lower"], first["effect"])
        self.assertLess(first["effect"], first["upper"])
        self.assertEqual(self.server.get(f"/api/runs/{run}/explanation/7").status, 404)
        self.assertEqual(
            self.server.get(f"/api/runs/{run}/explanation/0?output=1").error["field"], "output")

    def test_coefficients(self):
        point = self.server.get(f"/api/runs/{self.linear}/point/1").json()
        lines = subprocess.run([
            COMMAND, "train", "data/prostate.csv", "-t", "lpsa", "--drop", "train", "--standardize",
            "-k", "linear", "--lambdas", "1,0.1", "--lambda", "0.1", "--json", "-q"], cwd=ROOT,
                               capture_output=True, text=True).stdout
        printed = json.loads(lines)
        expected = printed["path"][0]["coefficients"] if "path" in printed else None
        found = {c["name"]: c["value"] for c in point["outputs"][0]["coefficients"] if c["value"]}
        if expected:
            self.assertEqual(found, {name: value for name, value in expected.items() if value})
        # in the units of the table they predict the same
        rows = self.server.get(f"/api/data/{self.data}/rows?count=97").json()["rows"]
        names = [c["name"] for c in self.server.get(f"/api/data/{self.data}").json()["columns"]]
        guess = [
            sum(c["original"] * float(row[names.index(c["name"])])
                for c in point["outputs"][0]["coefficients"])
            for row in rows]
        shift = [f - g for f, g in zip(point["train"]["fitted"][0], guess)]
        self.assertLess(max(shift) - min(shift), 1e-9)

    def test_classes(self):
        result = self.server.get(f"/api/runs/{self.classes}").json()["result"]
        self.assertEqual((result["classes"], result["outputs"], result["measure"], result["rises"]),
                         (["u", "v", "w"], ["u", "v", "w"], "accuracy", True))
        point = self.server.get(f"/api/runs/{self.classes}/point/1").json()
        confusion = point["confusion"]
        self.assertEqual(confusion["classes"], ["u", "v", "w"])
        self.assertEqual(sum(map(sum, confusion["train"])), 48)
        self.assertEqual(sum(map(sum, confusion["test"])), 12)
        self.assertEqual([sum(row) for row in confusion["test"]], [4, 4, 4])
        self.assertEqual(sum(map(sum, confusion["left_out"])), 48)
        right = sum(confusion["train"][k][k] for k in range(3)) / 48
        self.assertAlmostEqual(right, result["points"][1]["train"]["accuracy"], places=9)
        self.assertEqual(len(point["outputs"]), 3)

    def test_profile(self):
        profile = self.server.get(f"/api/runs/{self.regression}/profile").json()
        self.assertEqual((len(profile["lambdas"]), len(profile["df"])), (6, 6))
        kernels = profile["outputs"][0]["kernels"]
        for i in range(6):
            self.assertAlmostEqual(sum(kernel["weights"][i] for kernel in kernels), 1)
        self.assertNotIn("coefficients", profile["outputs"][0])
        linear = self.server.get(
            f"/api/runs/{self.linear}/profile").json()["outputs"][0]["coefficients"]
        self.assertEqual(len(linear[0]["values"]), 2)

    def test_function(self):
        point = self.server.get(f"/api/runs/{self.regression}/point/5").json()
        table = self.server.get(f"/api/data/{self.data}").json()["columns"]
        for kernel in point["outputs"][0]["kernels"]:
            curve = self.server.get(
                f"/api/runs/{self.regression}/function/5/{kernel['index']}").json()
            self.assertEqual(curve["name"], kernel["name"])
            if len(kernel["columns"]) > 1:
                self.assertEqual(len(curve["rows"]), 67)
                continue
            column = next(c for c in table if c["name"] == curve["column"])
            self.assertEqual((len(curve["x"]), len(curve["f"]), len(curve["rug"])), (200, 200, 67))
            self.assertGreaterEqual(min(curve["x"]), column["min"] - 1e-9)
            self.assertLessEqual(max(curve["x"]), column["max"] + 1e-9)
            self.assertAlmostEqual(min(curve["rug"]), min(curve["x"]))
            if kernel["name"].startswith("linear@"):
                slopes = [(curve["f"][i + 1] - curve["f"][i]) for i in range(199)]
                self.assertAlmostEqual(min(slopes), max(slopes))
        unused = next(k for k in range(17)
                      if k not in [kernel["index"] for kernel in point["outputs"][0]["kernels"]])
        self.assertIn("unavailable",
                      self.server.get(f"/api/runs/{self.regression}/function/5/{unused}").json())
        self.assertEqual(self.server.get(f"/api/runs/{self.regression}/function/5/17").status, 404)
        self.assertEqual(self.server.get(f"/api/runs/{self.regression}/function/6/0").status, 404)
        for output in ("1", "-1", "x"):
            self.assertEqual(
                self.server.get(
                    f"/api/runs/{self.regression}/function/5/0?output={output}").error["field"],
                "output")
        self.assertEqual(
            self.server.get(f"/api/runs/{self.classes}/function/1/0?output=2").status, 200)

    def test_predictions(self):
        table = rows_of(self.server.get(f"/api/runs/{self.regression}/predictions/3"))
        self.assertEqual(table[0], ["row", "part", "actual", "prediction", "left_out"])
        self.assertEqual(sorted(int(row[0]) for row in table[1:]), list(range(1, 98)))
        self.assertEqual([row[1] for row in table[1:]], ["train"] * 67 + ["test"] * 30)
        cells = rows_of_text(sample("prostate.csv"))
        target = cells[0].index("lpsa")
        for row in table[1:]:
            self.assertEqual(float(row[2]), float(cells[int(row[0])][target]))
            self.assertEqual(row[4] == "NA", row[1] == "test")
        answer = self.server.get(f"/api/runs/{self.regression}/predictions/3")
        self.assertIn("attachment", answer.headers["Content-Disposition"])
        classes = rows_of(self.server.get(f"/api/runs/{self.classes}/predictions/0"))
        self.assertEqual(
            classes[0],
            ["row", "part", "actual", "prediction", "left_out", "score_u", "score_v", "score_w"])
        for row in classes[1:]:
            scores = list(map(float, row[5:]))
            self.assertEqual(row[3], "uvw"[scores.index(max(scores))])

    def test_validation_rows(self):
        """They are predicted from the others, and those are not left out."""
        run = self.server.run({"data": self.data, "target": ["lpsa"], "kernels": "linear",
                               "validation_rows": "train=F", "lambdas": "0.1,1"})
        table = rows_of(self.server.get(f"/api/runs/{run}/predictions/0"))
        parts = {row[1]: 0 for row in table[1:]}
        for row in table[1:]:
            parts[row[1]] += 1
            self.assertEqual(row[4] == "NA", row[1] == "train", row)
        self.assertEqual(parts, {"train": 67, "validation": 30})

    def test_predict_is_the_commands(self):
        for run, name in ((self.regression, "prostate.csv"), (self.classes, None)):
            body = sample(name) if name else b"a,b\n1,2\n5,\n7,-3\n"
            answer = self.server.post(f"/api/runs/{run}/predict/2?name=new.csv", body)
            self.assertEqual(answer.status, 200, answer.body)
            model = os.path.join(self.room.name, "a.model")
            new = os.path.join(self.room.name, "new.csv")
            saved = self.server.get(f"/api/runs/{run}/model/2").body
            for path, bytes_ in ((model, saved), (new, body)):
                with open(path, "wb") as file:
                    file.write(bytes_)
            expected = subprocess.run([COMMAND, "predict", model, new, "-q"],
                                      capture_output=True).stdout
            self.assertEqual(answer.body, expected)
        bad = self.server.post(f"/api/runs/{self.regression}/predict/2?name=new.csv",
                               b"nothing\n1\n")
        self.assertEqual((bad.status, bad.error["field"]), (400, "data"))
        self.assertEqual(
            self.server.post(f"/api/runs/{self.regression}/predict/9?name=new.csv",
                             b"a\n1\n").status, 404)

    def test_runs_of_one_table_are_told_apart(self):
        data = self.server.builtin("servo")
        ids = [
            self.server.run({
                "data": data, "target": ["rise_time"], "select": "none",
                "kernels": "linear", "lambdas": "1"}) for _ in range(3)]
        names = [self.server.get(f"/api/runs/{run}").json()["name"] for run in ids]
        self.assertEqual(names,
                         ["rise_time from servo.csv, linear" + end for end in ("", " (2)", " (3)")])

    def test_predict_beside_cells(self):
        body = b"name,a,b\n\"x, y\",1,2\n,5,\nz,7,-3\n"
        alone = rows_of(self.server.post(f"/api/runs/{self.classes}/predict/2?name=new.csv", body))
        table = rows_of(
            self.server.post(f"/api/runs/{self.classes}/predict/2?name=new.csv&cells=1", body))
        self.assertEqual([row[:3] for row in table],
                         [["name", "a", "b"], ["x, y", "1", "2"], ["", "5", ""], ["z", "7", "-3"]])
        self.assertEqual([row[3:] for row in table], alone)
        self.assertNotIn("NA", table[2])  # the empty cell is imputed

    def test_statistics(self):
        result = self.server.get(f"/api/runs/{self.regression}").json()["result"]
        self.assertEqual(
            self.server.get(f"/api/runs/{self.regression}/statistics.json").json(), result)
        table = rows_of(self.server.get(f"/api/runs/{self.regression}/statistics.csv"))
        self.assertEqual(len(table), 7)
        for row, point in zip(table[1:], result["points"]):
            named = dict(zip(table[0], row))
            self.assertEqual(float(named["lambda"]), point["lambda"])
            self.assertEqual(float(named["test_rmse"]), point["test"]["rmse"])
            self.assertEqual(named["outcome"], "converged")

    def test_commands(self):
        answer = self.server.get(f"/api/runs/{self.regression}/commands").json()
        self.assertIn("rls2 train prostate.csv --target=lpsa", answer["command"])
        self.assertIn("RLS2RegressorCV(", answer["python"])
        compile(answer["python"], "python", "exec")
        point = self.server.get(f"/api/runs/{self.regression}/commands?point=2").json()
        self.assertIn("--lambda=", point["command"])
        compile(point["python"], "python", "exec")
        self.assertIn("rls2 path",
                      self.server.get(f"/api/runs/{self.linear}/commands").json()["command"])
        compile(
            self.server.get(f"/api/runs/{self.classes}/commands").json()["python"], "python",
            "exec")
        for query, status in (("point=6", 404), ("point=x", 400), ("point=-1", 400)):
            self.assertEqual(
                self.server.get(f"/api/runs/{self.regression}/commands?{query}").status, status)

    def test_model(self):
        answer = self.server.get(f"/api/runs/{self.regression}/model/0")
        self.assertEqual(answer.headers["Content-Type"], "application/octet-stream")
        self.assertIn("attachment", answer.headers["Content-Disposition"])
        self.assertEqual(self.server.get(f"/api/runs/{self.regression}/model/6").status, 404)

    def test_events_of_a_finished_run(self):
        answer = self.server.get(f"/api/runs/{self.regression}/events")
        self.assertEqual(answer.headers["Content-Type"], "text/event-stream")
        self.assertTrue(
            answer.body.endswith(b'\n\nevent: status\ndata: {"status":"done","result":true}\n\n'))

    def test_name(self):
        path = f"/api/runs/{self.linear}/name"
        self.assertEqual(self.server.post(path, {"name": "my <b>run</b>"}).status, 200)
        self.assertEqual(
            self.server.get(f"/api/runs/{self.linear}").json()["name"], "my <b>run</b>")
        for name in ("", None, 5, "x" * 201):
            self.assertEqual(self.server.post(path, {"name": name}).error["field"], "name")

    def test_stop_of_a_finished_run(self):
        self.assertEqual(self.server.post(f"/api/runs/{self.linear}/stop", {}).status, 409)
        self.assertEqual(self.server.status(self.linear), "done")

    def test_data_gone(self):
        data = self.server.builtin("servo")
        run = self.server.run({
            "data": data, "target": ["rise_time"], "select": "none", "kernels": "linear",
            "lambdas": "1"})
        self.assertEqual(self.server.ask("DELETE", f"/api/data/{data}").status, 200)
        self.assertEqual(self.server.get(f"/api/runs/{run}/point/0").status, 409)
        self.assertEqual(self.server.get(f"/api/runs/{run}/model/0").status, 200)
        self.assertEqual(self.server.get(f"/api/runs/{run}").status, 200)
        self.assertEqual(self.server.ask("DELETE", f"/api/runs/{run}").status, 200)
        self.assertEqual(self.server.get(f"/api/runs/{run}").status, 404)
        self.assertNotIn(run, os.listdir(os.path.join(self.folder, "runs")))

    def test_failed_run(self):
        # what only shows while it is fitted: every kernel is zero
        data = self.server.upload("zero.csv", b"a,y\n" + b"0,1\n0,2\n0,4\n").json()["id"]
        run = self.server.start_run({
            "data": data, "target": ["y"], "kernels": "linear", "select": "none"})
        about = self.server.wait(run)
        self.assertEqual(about["status"], "failed")
        self.assertTrue(about["error"])


def rows_of_text(body):
    return list(csv.reader(io.StringIO(body.decode())))


if __name__ == "__main__":
    main()
