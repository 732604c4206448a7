"""Asks old releases of OpenVINO whether they read the files that `ovlint info` says they read, and prints a table.

    old_releases.py TOOL FOLDER.. -- RELEASE=PYTHON..

PYTHON is an interpreter with that release. Exits with 1 if less than 99.5 % of the verdicts of a release agree.
"""

import json
import subprocess
import sys
from pathlib import Path

from messages import BATCH, messages

LEAST = 0.995


def main(tool, folders, releases):
    paths = sorted(str(path) for folder in folders for path in Path(folder).rglob("*.xml"))
    # What OpenVINO wrongly refuses, as docs/differences.md shows, is left out.
    paths = [path for path in paths if "openvino-defects" not in path]
    said = {path: one for at in range(0, len(paths), BATCH) for path, one in spoken(tool, paths[at : at + BATCH]).items()}
    print(f"{len(paths)} files\nrelease  refused  false refusal  missed  undecided  agree")
    is_low = False
    for release, python in releases:
        answers = messages(paths, python=python)
        false, missed, undecided, refused = [], [], 0, 0
        for path in paths:
            openvino, needs_library = said.get(path, (None, False))
            if needs_library:
                continue
            reads, is_read = verdict(openvino, release), answers[path] is None
            refused += not is_read
            if reads == "undecided":
                undecided += 1
            elif is_read and reads == "rejects":
                false.append(path)
            elif not is_read and reads == "reads":
                missed.append((path, answers[path]))
        share = 1 - (len(false) + len(missed)) / max(len(paths), 1)
        is_low |= share < LEAST
        print(f"{release:8} {refused:7} {len(false):14} {len(missed):7} {undecided:10}  {share:.2%}")
        for path in false:
            print(f"  {path}: reads it")
        for path, message in missed:
            print(f"  {path}: {message[-200:]}")
    return is_low


def spoken(tool, paths):
    """By file, what the tool says of all releases; nothing of a file that is no IR."""
    command = [tool, "info", "--format", "json", *paths]
    models = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)["models"]
    return {model["path"]: (model["openvino"], bool(model["extensions"])) for model in models}


def verdict(openvino, release):
    """What was said of a release; a file that is no IR is rejected."""
    number = tuple(map(int, release.split(".")[:2]))
    spans = openvino["releases"] if openvino else []
    inside = (span["read"] for span in spans if as_number(span["from"]) <= number <= as_number(span["to"]))
    return next(inside, "rejects")


def as_number(release):
    return tuple(map(int, release.split(".")))


if __name__ == "__main__":
    arguments = sys.argv[1:]
    end = arguments.index("--")
    pairs = [pair.split("=", 1) for pair in arguments[end + 1 :]]
    sys.exit(main(arguments[0], arguments[1:end], pairs))
