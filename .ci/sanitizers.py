"""Runs commands over samples, hostile files and corpora with a sanitized build; fails on a report of the sanitizer, a panic,
a signal, or a command that does not end.

    sanitizers.py OVLINT [SECONDS]

Hostile files are the seeds of the fuzzers, and cases beside the repository; corpora are archives there. What is not there is left
out. Every file of the repository and every case is checked in every way, and then as many of the corpora as there is time for, in
an order that is the same for a commit.
"""

import os
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
SECONDS = 200  # for all
LONGEST = 60  # for one command
CORPUS = 600  # models at most
LARGEST = 2 << 20  # bytes of a model of a corpus
FAULT = re.compile(r"ERROR: \w+Sanitizer|internal-error|panicked at|stack overflow")
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1", "NO_COLOR": "1", "RUST_BACKTRACE": "0"}

# `{}` is the model, `{name}` one of its layers, `{work}` an empty folder.
ALL = [
    "check --deep --format json --target 2026.4 --device npu --for genai,ovms --max-findings 5 {}",
    "check --fix=all --diff {}",
    "shapes --symbolic {}",
    "inputs --format json {}",
    "info --sha256 {}",
    "why {} {name}",
    "inspect {} {name}",
    "cost {}",
    "graph --format svg {}",
    "report --output {work}/page.html {}",
    "diff {} {}",
    "run {} --output-dir {work}/parts",
    "reduce {} --output {work}/small.xml --max-candidates 20",
]
# A model of a corpus is large and mostly right.
SOME = [ALL[0], ALL[2], ALL[3], ALL[7]]
LAYER = re.compile(rb"<layer\s[^>]*?\bname\s*=\s*[\"']([^\"'<&]{1,80})[\"']")


def hostile(folder):
    """The seeds of the fuzzers and the cases. What fuzzers read or find has no ending: XML, a NUL, and weights or more XML."""
    for path in sorted([*(ROOT / "fuzz/corpus").rglob("*"), *(SHARED / "reference/cases").rglob("*")]):
        if path.suffix == ".xml":
            yield path
        elif path.is_file() and not path.suffix:
            xml, _, rest = path.read_bytes().partition(b"\0")
            made = folder / f"{path.parent.name}-{path.name}.xml"
            made.write_bytes(xml)
            made.with_suffix(".bin").write_bytes(rest)
            yield made


def corpora(folder):
    models = []
    for archive in sorted((SHARED / "corpus").glob("*.tar.xz")):
        with tarfile.open(archive) as packed:
            packed.extractall(folder / archive.stem, filter="data")
        models += [path for path in sorted((folder / archive.stem).rglob("*.xml")) if path.stat().st_size < LARGEST]
    return models


def faults_of(tool, command, path):
    """What went wrong in a run of a command, if anything did."""
    names = LAYER.findall(path.read_bytes()[: 1 << 20])
    name = names[len(names) // 2].decode("utf-8", "replace") if names else "x"
    with tempfile.TemporaryDirectory() as work:
        filled = [word.format(path, path, name=name, work=work) if "{" in word else word for word in command.split()]
        try:
            done = subprocess.run(
                [tool, *filled], capture_output=True, timeout=LONGEST, env=ENVIRONMENT, cwd=work, stdin=subprocess.DEVNULL
            )
        except subprocess.TimeoutExpired:
            return f"no end in {LONGEST} seconds"
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    if done.returncode not in (0, 1, 2, 3):
        return f"exit code {done.returncode}\n{said[-2000:]}"
    found = FAULT.search(said)
    return found and said[max(0, found.start() - 300) : found.start() + 1700]


def main(tool, seconds=SECONDS):
    tool, end = str(Path(tool).resolve()), time.monotonic() + float(seconds)
    with tempfile.TemporaryDirectory() as folder:
        samples = sorted((ROOT / "ir-samples").rglob("*.xml"))
        cases = list(hostile(Path(folder)))
        others = corpora(Path(folder) / "corpora")
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
        random.Random(head).shuffle(others)
        work = [(command, path, "samples and cases") for path in [*cases, *samples] for command in ALL]
        random.Random(head).shuffle(work)
        work += [(command, path, "corpora") for path in others[:CORPUS] for command in SOME]
        ran, bad, late = Counter(), [], Counter()

        def run(job):
            command, path, source = job
            if time.monotonic() > end:
                late[source] += 1
                return
            ran[command.split()[0]] += 1
            if wrong := faults_of(tool, command, path):
                bad.append(f"{command.format(path, path, name='NAME', work='WORK')}\n{wrong}\n")

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(run, work))
    print(*bad, sep="\n")
    print(f"{len(samples)} samples, {len(cases)} hostile files, {len(others[:CORPUS])} models of corpora: {ran.total()} runs,",
          f"{len(bad)} wrong;", ", ".join(f"{command} {count}" for command, count in sorted(ran.items())))
    print(*(f"no time was left for {count} runs of {source}" for source, count in late.items()), sep="\n")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
