"""fuzz-keep.py CONTROL-FILE FOLDER MOST: copies into FOLDER the inputs, MOST at most, that reach
most.

libFuzzer's record of a merge says which features each input has: eight for each edge, by how often
it is taken. Those that lie in FOLDER already are kept; to them is added, one after another, the
input with the most edges that none of those kept reaches, the smallest where several are as good.
"""
import hashlib
import os
import sys

control, folder, most = sys.argv[1], sys.argv[2], int(sys.argv[3])

with open(control, errors="replace") as file:
    lines = file.read().split("\n")
paths = lines[2 : 2 + int(lines[0])]
edges: dict[int, set[int]] = {}
for line in lines[2 + len(paths) :]:
    words = line.split()
    if words and words[0] == "FT":
        edges.setdefault(int(words[1]), set()).update(int(word) // 8 for word in words[2:])

reached: set[int] = set()
for number, found in edges.items():
    if os.path.dirname(paths[number]) == folder:
        reached |= found
others = {n: found for n, found in edges.items() if os.path.dirname(paths[n]) != folder}
size = {n: os.path.getsize(paths[n]) for n in others}
kept = 0
while others and kept < most:
    best = max(others, key=lambda n: (len(others[n] - reached), -size[n]))
    if not others[best] - reached:
        break
    with open(paths[best], "rb") as file:
        data = file.read()
    with open(os.path.join(folder, "found-" + hashlib.sha1(data).hexdigest()[:12]), "wb") as file:
        file.write(data)
    reached |= others.pop(best)
    kept += 1
print(f"{os.path.basename(folder)}: {kept} added, {len(reached)} edges")
