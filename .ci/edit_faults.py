"""Kills `ovlint reshape` at random moments; no file may be damaged.

    edit_faults.py OVLINT FOLDER [KILLS]
"""

import random
import subprocess
import sys
import time
from pathlib import Path

tool, folder, kills = sys.argv[1], Path(sys.argv[2]) / "kills", int(sys.argv[3]) if len(sys.argv) > 3 else 300
folder.mkdir()
sample = Path("ir-samples/models/detector.xml")
xml, weights = sample.read_bytes(), sample.with_suffix(".bin").read_bytes() + bytes(3_000_000)
model = folder / "m.xml"
SHAPE = ["--shape", "images[1,3,32,32]"]


def start(arguments):
    return subprocess.Popen([tool, "reshape", model, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def files():
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".ovlint-")}


def fresh():
    for path in folder.iterdir():
        path.unlink()
    model.write_bytes(xml)
    model.with_suffix(".bin").write_bytes(weights)


ways = [[*SHAPE, "--in-place"], [*SHAPE, "-o", folder / "n.xml"], [*SHAPE, "-o", folder / "n.xml", "--bin", "link"]]
wanted, longest = [], []
for way in ways:
    fresh()
    before = time.monotonic()
    assert start(way).wait() == 0
    longest.append(time.monotonic() - before)
    wanted.append(files())
rng, damaged, finished, left = random.Random(1), 0, 0, 0
for number in range(kills):
    way = number % len(ways)
    fresh()
    process = start(ways[way])
    time.sleep(rng.random() * longest[way] * 1.1)
    process.kill()
    process.wait()
    found = files()
    left += any(path.name.startswith(".ovlint-") for path in folder.iterdir())
    for name, data in found.items():
        old = {"m.xml": xml, "m.bin": weights}.get(name)
        if data not in (old, wanted[way].get(name)):
            damaged += 1
            print(f"kill {number}: {name} is damaged")
    # A new model is never there without its weights.
    if "n.xml" in found and "n.bin" not in found:
        damaged += 1
        print(f"kill {number}: n.xml has no weights")
    finished += found == wanted[way]
print(f"{kills} kills: {damaged} files damaged, {finished} runs were done before, {left} left a temporary file")
sys.exit(bool(damaged))
