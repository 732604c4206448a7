"""Asks the installed OpenVINO what tests/data/answers.toml says of it; fails if an answer is another.

    answers.py
"""

import os
import shutil
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from defects import measured, shows

ROOT = Path(__file__).parent.parent


def main():
    rows = [row for row in tomllib.loads((ROOT / "tests/data/answers.toml").read_text())["answer"] if "model" in row]
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(os.cpu_count()) as pool:
        models = [edited(row, Path(work, str(at))) for at, row in enumerate(rows)]
        steps = [(row, model, *step) for row, model in zip(rows, models) for step in row["steps"]]
        answers = list(pool.map(lambda step: measured(step[1], step[2]), steps))
    changed = 0
    for (row, _, step, wanted), answer in zip(steps, answers):
        if not shows(wanted, answer):
            changed += 1
            print(f"{row['page']}: {row['says']}\n  {row['model']}: {step}\n  noted {wanted}\n  now   {answer}")
    print(f"{len(rows)} sentences about OpenVINO, {len(steps)} steps: {changed} are no longer true")
    return bool(changed)


def edited(row, folder):
    """The model of a row in a folder of its own, with its weights."""
    model = ROOT / "ir-samples" / row["model"]
    text = model.read_text()
    for old, new in row.get("edits", ()):
        text = text.replace(old, new, 1)
    folder.mkdir()
    weights = model.with_suffix(".bin")
    if weights.exists():
        shutil.copy(weights, folder)
    (folder / model.name).write_text(text)
    return str(folder / model.name)


if __name__ == "__main__":
    sys.exit(main())
