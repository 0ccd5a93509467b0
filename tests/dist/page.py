#!/usr/bin/env python3
"""The page of an installed command: page.py COMMAND [ARGUMENT ...]; '--no-browser' and a folder for
it are added. Passes where the page is served, and is not the placeholder."""

import re
import subprocess
import sys
import urllib.request

FOLDER = "/tmp/rls2-gui-check"
LEAST_BYTES = 400_000

server = subprocess.Popen([*sys.argv[1:], "gui", "--no-browser", "--folder", FOLDER],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
try:
    for line in server.stdout:
        if address := re.search(r"http://127\.0\.0\.1:\d+/", line):
            break
    else:
        sys.exit("the server ended without an address")
    with urllib.request.urlopen(address[0], timeout=30) as answer:
        page = answer.read()
finally:
    server.terminate()
    server.wait()
if len(page) < LEAST_BYTES or b"<title>" not in page:
    sys.exit(f"not the page: {len(page)} bytes")
print(f"the page: {len(page)} bytes")
