"""Those who are not known, and files that are larger than they look."""
import gzip
import io
import os
import socket
import struct
import threading
import time
import unittest
import zipfile
import zlib

from server import PATIENCE, Server, ServerTest, main


class Strangers(ServerTest):
    """However many there are, whoever has the token is answered."""

    def connect(self, text=b""):
        connection = socket.create_connection(("127.0.0.1", self.server.port),
                                              timeout=60 * PATIENCE)
        if text:
            connection.sendall(text)
        return connection

    def trickle(self, connections, over):
        """A byte to each of them, again and again; who was sent away comes back."""
        while not over.wait(0.2):
            for i, connection in enumerate(connections):
                try:
                    connection.sendall(b"a")
                except OSError:
                    connection.close()
                    connections[i] = self.connect(b"GET /api/state HTTP/1.1\r\nX-Padding: ")

    def surround(self, heads):
        """Connects, 200 times; each says the head of its own, or less."""
        return [self.connect(heads[i % len(heads)]) for i in range(200)]

    def ask_much(self):
        """Nobody is in the way of requests with the token, on new connections and on one that is
        kept.
        """
        kept = self.server.connect()
        for _ in range(20):
            self.assertEqual(self.server.get("/api/state").status, 200)
            kept.request("GET", "/api/state", headers={"X-RLS2-Token": self.server.token})
            reply = kept.getresponse()
            self.assertEqual((reply.status, bool(reply.read())), (200, True))
        self.assertEqual(
            self.server.ask("GET", f"/?token={self.server.token}", token=False).status, 200)
        kept.close()

    def test_half_requests(self):
        heads = [
            b"", b"G", b"GET /api/state HTTP/1.1\r\nX-Padding: ",
            b"POST /api/data?name=x.csv HTTP/1.1\r\nContent-Length: 100\r\n",
            b"GET /api/state HTTP/1.1\r\nX-RLS2-Token: " + b"0" * 64]
        connections = self.surround(heads)
        over = threading.Event()
        thread = threading.Thread(target=self.trickle, args=(connections, over))
        thread.start()
        try:
            self.ask_much()
        finally:
            over.set()
            thread.join()
            for connection in connections:
                connection.close()

    def test_whole_requests_without_the_token(self):
        # bodies that never come, answers that are never read
        host = b"\r\nHost: 127.0.0.1:%d\r\n" % self.server.port
        heads = [
            b"POST /api/data?name=x.csv HTTP/1.1" + host + b"Content-Length: 100000\r\n\r\n",
            b"GET / HTTP/1.1" + host + b"\r\n",
            b"POST /api/check HTTP/1.1" + host + b"Transfer-Encoding: chunked\r\n\r\n",
            b"GET /api/state?token=" + b"0" * 64 + b" HTTP/1.1" + host + b"\r\n",
            b"GET / HTTP/1.1" + host + b"\r\n" * 3]
        connections = self.surround(heads)
        try:
            self.ask_much()
        finally:
            for connection in connections:
                connection.close()

    def test_spare_connections(self):
        # browsers open some beforehand: they are as good as others
        spare = [self.server.connect() for _ in range(6)]
        for connection in spare:
            connection.connect()
        for connection in spare:
            for _ in range(2):
                connection.request("GET", "/api/state", headers={"X-RLS2-Token": self.server.token})
                reply = connection.getresponse()
                self.assertEqual((reply.status, bool(reply.read())), (200, True))
            connection.close()

    def test_strangers_are_sent_away(self):
        connections = [
            self.connect(text) for text in (b"", b"GET /api/st", b"GET / HTTP/1.1\r\n" * 10)]
        for connection in connections:
            connection.settimeout(120 * PATIENCE)
            try:
                self.assertEqual(connection.recv(100), b"")
            except ConnectionResetError:  # what it had said was not read
                pass
            connection.close()

    def test_stranger_is_told(self):
        for path, status in ((b"/api/state", b"403"), (b"/", b"200"), (b"/?token=" + b"0" * 64,
                                                                       b"403")):
            with self.connect(b"GET " + path + b" HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" %
                              self.server.port) as connection:
                text = b""
                while piece := connection.recv(65536):  # until it is closed: such a place is wanted
                    text += piece
                self.assertEqual(text.split(b" ")[1], status)

    def test_head_in_pieces(self):
        text = b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nx-rls2-TOKEN:   %s\r\n\r\n" % (
            self.server.port, self.server.token.encode())
        with self.connect() as connection:
            for at in range(0, len(text), 7):
                connection.sendall(text[at:at + 7])
            self.assertIn(b" 200 ", connection.recv(65536).split(b"\r\n")[0])

    def test_many_that_are_known(self):
        # more than there are places: they wait for one
        threads, answers = [], []
        for _ in range(100):
            threads.append(threading.Thread(
                target=lambda: answers.append(self.server.get("/api/state").status)))
            threads[-1].start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [200] * 100)


class Bombs(ServerTest):
    """A few bytes that stand for very many."""

    def refused(self, name, body):
        answer = self.server.upload(name, body)
        self.assertEqual((answer.status, answer.error["field"]), (413, "data"), answer.body)
        for word in ("512 MiB", "134217728 cells", "rls2 train", name):
            self.assertIn(word, answer.error["message"])
        self.assertEqual(os.listdir(os.path.join(self.folder, "uploads")), [])

    def test_gzip(self):
        packed = gzip.compress(b"a,b\n") + 60 * gzip.compress(b"1000000,200000000\n" *
                                                              (10**7 // 18))
        self.assertLess(len(packed), 3 << 20)
        self.refused("t.csv.gz", packed)

    def test_gzip_of_nothing_but_cells(self):
        packed = gzip.compress(b"a,b\n") + 14 * gzip.compress(b"," * (10 << 20))
        self.refused("t.csv.gz", packed)

    def test_libsvm(self):
        self.refused("t.svm", b"1 1:1\n" * 19000 + b"1 20000:1\n")
        answer = self.server.upload("t.svm", b"1 1:1 999999999:1\n")
        self.assertEqual(answer.status, 413)

    def test_npz(self):
        head = b"{'descr': '|i1', 'fortran_order': False, 'shape': (%d, 10), }" % (60 << 20)
        head += b" " * (-(len(head) + 11) % 64) + b"\n"
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            with file.open("X.npy", "w") as member:
                member.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head)
                for _ in range(600):
                    member.write(bytes(1 << 20))
        self.assertLess(len(packed.getvalue()), 4 << 20)
        self.refused("t.npz", packed.getvalue())

    def matlab(self, rows, columns):
        def element(kind, body):
            return struct.pack("<II", kind, len(body)) + body + bytes(-len(body) % 8)
        numbers = rows * columns
        start = (element(6, struct.pack("<II", 9, 0))
                 + element(5, struct.pack("<ii", rows, columns))
                 + element(1, b"X") + struct.pack("<II", 1, numbers))
        packer = zlib.compressobj(1)
        packed = packer.compress(struct.pack("<II", 14, len(start) + numbers) + start)
        for _ in range(numbers >> 20):
            packed += packer.compress(bytes(1 << 20))
        packed += packer.flush()
        head = b"MATLAB 5.0".ljust(124, b" ") + b"\x00\x01IM"
        return head + struct.pack("<II", 15, len(packed)) + packed

    def test_matlab(self):
        self.assertEqual(
            self.server.upload("t.mat", self.matlab(1 << 17, 8)).json()["rows"], 1 << 17)
        self.refused("t.mat", self.matlab(60 << 20, 10))  # bytes
        self.refused("t.mat", self.matlab(15 << 20, 10))  # cells

    def test_what_is_large_but_allowed(self):
        table = b"a,b,y\n" + b"1000000,200000000,3\n" * 200000
        self.assertEqual(
            self.server.upload("t.csv.gz", gzip.compress(table)).json()["rows"], 200000)


class Descriptors(unittest.TestCase):
    """Strangers cannot use up what a process may have open."""

    def test_few_descriptors(self):
        import resource
        import tempfile
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (100, before[1]))
        room = tempfile.TemporaryDirectory()
        try:
            server = Server(os.path.join(room.name, "rls2"))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
        connections = [
            socket.create_connection(("127.0.0.1", server.port), timeout=60 * PATIENCE)
            for _ in range(150)]
        end = time.monotonic() + 120 * PATIENCE
        status = None
        # a descriptor may be missing just when it is wanted
        while status != 200 and time.monotonic() < end:
            try:
                status = server.get("/api/state").status
            except OSError:
                pass
        self.assertEqual(status, 200)
        for connection in connections:
            connection.close()
        self.assertEqual(server.stop()[0], 0)
        room.cleanup()


if __name__ == "__main__":
    main()
