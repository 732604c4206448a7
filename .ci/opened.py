"""Opens dimensions of the inputs of invalid models, so that some of their faults can no longer be seen before they run.

    opened.py --seed N --in DIR --out DIR

Of each `*-neg.xml`, three files are written: half of the dimensions of its Parameters are `?`, all of them, and half of them
where some Parameters have no rank.
"""

import argparse
import random
import re
import shutil
from pathlib import Path

LAYER = re.compile(r'<layer [^>]*type="Parameter"[^>]*>\s*<data [^>]*>')
SHAPE = re.compile(r'shape="([^"]*)"')
OPEN = {"half": (0.5, 0.0), "all": (1.0, 0.0), "rank": (0.5, 0.35)}


def opened(text, rng, of_dimensions, of_ranks):
    def shape(match):
        if rng.random() < of_ranks:
            return 'shape="..."'
        dims = match[1].split(",") if match[1] else []
        return f'shape="{",".join("?" if rng.random() < of_dimensions else dim for dim in dims)}"'

    return LAYER.sub(lambda match: SHAPE.sub(shape, match[0]), text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--in", dest="source", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(args.seed)
    for path in sorted(args.source.glob("*-neg.xml")):
        text = path.read_bytes().decode("latin-1")
        for name, chances in OPEN.items():
            other = opened(text, rng, *chances)
            if other == text:
                continue
            target = args.out / f"{path.stem}-{name}.xml"
            target.write_bytes(other.encode("latin-1"))
            weights = path.with_suffix(".bin")
            if weights.exists():
                shutil.copyfile(weights, target.with_suffix(".bin"))


if __name__ == "__main__":
    main()
