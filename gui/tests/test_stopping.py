"""Long runs are stopped at random moments, wherever they are: by the command's signals and by the
page's Stop and Delete, after which the queue goes on.

By itself this is short, and a machine that is busy with other things has time. For the whole of it
(`make bench-large`): RLS2_STOP_ROWS=20000 RLS2_STOP_MOMENTS=10 RLS2_STOP_SPAN=120 (seconds within
which the moments lie) RLS2_STOP_WITHIN=1 (seconds it may take). RLS2_STOP_SEED repeats a run.
"""
import json
import math
import os
import random
import signal
import subprocess
import threading
import time

from server import COMMAND, PATIENCE, ServerTest, main

ROWS = int(os.environ.get("RLS2_STOP_ROWS", "6000"))
MOMENTS = int(os.environ.get("RLS2_STOP_MOMENTS", "2"))
SPAN = float(os.environ.get("RLS2_STOP_SPAN", "4"))
# without a word on it only what does not answer for long is a failure
WITHIN = float(os.environ.get("RLS2_STOP_WITHIN", str(20 * PATIENCE)))
SEED = int(os.environ.get("RLS2_STOP_SEED", str(random.SystemRandom().randrange(10 ** 6))))
STRICT = "RLS2_STOP_WITHIN" in os.environ
COLUMNS, MEMORY = 20, "3G"
# many kernels, which are at work for long; and few, behind which the path is soon reached
KERNELS = ("paper", "linear@each; poly(2)@each; rbf(0.1|1)@all")


def table(rows):
    """A function of five columns, with noise; fifteen more say nothing."""
    draw = random.Random(1).gauss
    lines = [",".join([f"x{j}" for j in range(COLUMNS)] + ["y"])]
    for _ in range(rows):
        x = [draw(0, 1) for _ in range(COLUMNS)]
        y = (10 * math.sin(math.pi * x[0] * x[1]) + 2 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4]
             + draw(0, 1))
        lines.append(",".join(f"{value:.6g}" for value in [*x, y]))
    return "\n".join(lines) + "\n"


class Stopping(ServerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        print(f"{ROWS} rows, {MOMENTS} moments, RLS2_STOP_SEED={SEED}", flush=True)
        cls.random = random.Random(SEED)
        cls.file = os.path.join(cls.room.name, "many.csv")
        with open(cls.file, "w") as file:
            file.write(table(ROWS))

    def moment(self):
        return self.random.uniform(0.2, SPAN)

    def judge(self, what, moment, where, took):
        print(f"{what} after {moment:.1f} s, {where}: {took:.2f} s", flush=True)
        self.assertLess(took, WITHIN, f"{what} after {moment:.1f} s, {where}")

    # ---- the command ----

    def stop_command(self, name, kernels, number):
        process = subprocess.Popen(
            [COMMAND, name, self.file, "-t", "y", "-k", kernels, "--memory", MEMORY],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        moment = self.moment()
        try:
            process.communicate(timeout=moment)
            self.fail(f"{name} ended within {moment:.1f} s: more rows are needed")
        except subprocess.TimeoutExpired:
            pass
        begun = time.monotonic()
        process.send_signal(number)
        try:
            process.communicate(timeout=WITHIN + 60)
        finally:
            process.kill()
        # what comes while the file is read ends the process as any other
        self.assertIn(process.returncode, (130, -number))
        self.judge(f"{name}, {signal.Signals(number).name}", moment, "wherever it was",
                   time.monotonic() - begun)

    def test_command(self):
        for i in range(MOMENTS):
            self.stop_command("path" if i % 2 else "train", KERNELS[i // 2 % 2],
                              (signal.SIGINT, signal.SIGTERM)[i % 2])

    # ---- the page ----

    def listen(self, run, heard):
        """Times at which something was told of the run, and the last stage."""
        connection = self.server.connect(600)
        connection.request("GET", f"/api/runs/{run}/events",
                           headers={"X-RLS2-Token": self.server.token})
        reply = connection.getresponse()
        while line := reply.readline():
            if line.startswith(b"data:"):
                heard.append((time.monotonic(), line[5:].strip().decode()))
        connection.close()

    def stop_run(self, data, other, kernels, how):
        run = self.server.start_run(
            {"data": data, "target": ["y"], "kernels": kernels, "memory": MEMORY})
        next_run = self.server.start_run(other)
        heard, moment = [(time.monotonic(), "")], self.moment()
        listener = threading.Thread(target=self.listen, args=(run, heard))
        listener.start()
        time.sleep(moment)
        self.assertEqual(self.server.status(run), "running", "more rows are needed")
        begun = time.monotonic()
        pauses = [b[0] - a[0] for a, b in zip(heard, [*heard[1:], (begun, "")])]
        last = json.loads(heard[-1][1] or "{}")
        where = f"{last.get('stage')} {last.get('done')}/{last.get('total')}"
        if how == "stop":
            self.assertEqual(self.server.post(f"/api/runs/{run}/stop", {}).status, 200)
        else:
            self.assertEqual(self.server.ask("DELETE", f"/api/runs/{run}").status, 200)
        while self.server.status(next_run) == "queued" and time.monotonic() - begun < WITHIN + 60:
            time.sleep(0.01)
        took = time.monotonic() - begun
        self.judge(how, moment, f"{where}, silent for {max(pauses):.1f} s at most", took)
        self.assertEqual(self.server.wait(next_run)["status"], "done")
        if how == "stop":
            self.assertEqual(self.server.status(run), "stopped")
        listener.join()
        if STRICT:
            self.assertLess(max(pauses), 1.0, "nothing was told meanwhile")

    def test_page(self):
        with open(self.file, "rb") as file:
            data = self.server.upload("many.csv", file.read()).json()["id"]
        other = {"data": self.server.builtin("prostate"), "target": ["lpsa"], "drop": ["train"],
                 "kernels": "linear", "select": "none"}
        for i in range(MOMENTS):
            self.stop_run(data, other, KERNELS[(i + 1) // 2 % 2], ("stop", "delete")[i % 2])


if __name__ == "__main__":
    main()
