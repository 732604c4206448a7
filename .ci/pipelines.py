"""Compares the verdicts of ovlint on folders with a planted fault with those of openvino.genai.

    pipelines.py OVLINT SAMPLES EXPORTS WORK [PART OF A NAME]

Each folder is run in a process of its own, and one that ends without an answer counts as refused. Which faults are planted, and in
which folder of their kind, follows from their names.
"""

import json
import multiprocessing
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from zlib import crc32

sys.dont_write_bytecode = True
import pipeline_faults  # noqa: E402
import pipeline_run  # noqa: E402

LIMIT = 60  # seconds

# Errors about folders that run with the same result: rows 25 and 32 of the checks.
RIGHTLY = [
    (r"^vlm .*: output (wider|narrower)$", "row 25: the picture has no meaning for the language model"),
    (r"(lang_to_id|suppress_tokens|no_timestamps_token_id).*(outside|-1|500000000)", "row 32: memory beside the logits is read or written"),
]

# Folders that fail and have no error.
KNOWN = [
    (r"^llm (no tokenizer and no detokenizer|openvino_tokenizer removed)$", "a caller may bring tokens: a warning"),
    (r"^(embed|rerank|t2i) .*openvino_detokenizer: a further", "only decoded with if a special token has an id and no text"),
    (r"chat_template.jinja does not parse$", "templates are not parsed"),
    (r"norm_(mean|std) is a number$", "one number is right for `image_mean`"),
    (r"1 training step$", "a caller chooses the number of steps"),
    (r"config.json: (sub_GN|image_grid_pinpoints|model_type) is a list", "values of one family; a list in the place of one value"),
    (r"position_ids (renamed|dropped)$", "models with rotary embeddings run without them: a warning"),
    (r"model_type qwen3$", "the vocabulary has no `yes`: what a vocabulary holds is not read"),
]


def forked(call):
    """What a process prints that makes this call, and whether it ends well within the limit."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        os.dup2(writes, 1)
        os.dup2(writes, 2)
        try:
            call()
            sys.stdout.flush()
            os._exit(0)
        except BaseException as error:
            print(type(error).__name__, error, flush=True)
            os._exit(1)
    os.close(writes)
    printed, end = b"", time.monotonic() + LIMIT
    while select.select([reads], [], [], max(0, end - time.monotonic()))[0]:
        more = os.read(reads, 1 << 16)
        if not more:
            break
        printed += more
    else:
        os.kill(child, signal.SIGKILL)
    os.close(reads)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return status == 0, printed.decode(errors="replace")


def judged(job):
    """The name of a fault, what openvino.genai does with the folder, and what ovlint says."""
    tool, kind, name, good, folder = job
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(good, folder)
    if name:
        is_planted, printed = forked(lambda: pipeline_faults.KINDS[kind][0][name](folder))
        if not is_planted:
            shutil.rmtree(folder)
            is_absent = printed.startswith(pipeline_faults.Absent.__name__)
            return job, {"verdict": "absent" if is_absent else "unplanted", "out": printed}, []
    ends, printed = forked(lambda: pipeline_run.main(kind, str(folder)))
    answer = json.loads(printed.splitlines()[-1]) if ends else {"verdict": "fails", "out": ""}
    run = subprocess.run([tool, "check", str(folder), "--for", "genai", "--format", "json"], capture_output=True, text=True)
    models = json.loads(run.stdout)["models"]
    errors = [f"{one['rule']}: {one['message']}" for model in models for one in model["findings"] if one["severity"] == "error"]
    shutil.rmtree(folder)
    return job, answer, errors


def jobs(tool, samples, exports, work, part):
    for kind, (faults, sample, more) in pipeline_faults.KINDS.items():
        goods = [samples / sample, *(exports / name for name in more if (exports / name).exists())]
        for good in goods:
            yield tool, kind, "", good, work / f"{kind}-{good.name}"
        for name in faults:
            number = crc32(f"{kind} {name}".encode())
            if part not in name or not os.environ.get("ALL") and not part and number % 3:
                continue
            for index, good in enumerate(goods):
                if os.environ.get("ALL") or index == number // 3 % len(goods):
                    yield tool, kind, name, good, work / f"{number}-{index}"


def reason(rows, kind, name):
    return next((why for pattern, why in rows if re.search(pattern, f"{kind} {name}")), None)


def main(tool, samples, exports, work, part=""):
    todo = list(jobs(tool, Path(samples), Path(exports), Path(work), part))
    with multiprocessing.Pool(os.cpu_count()) as pool:
        done = pool.map(judged, todo, chunksize=4)
    good = {job[3]: answer for job, answer, _ in done if not job[2]}
    counts = dict.fromkeys(["planted", "fail", "missed", "same", "false", "other", "absent"], 0)
    wrong = []
    for (_, kind, name, folder, _), answer, errors in done:
        about = f"{kind} {folder.name}: {name or 'untouched'}"
        verdict = answer["verdict"]
        if not name:
            if verdict != "ok" or errors:
                wrong.append(f"{about}: {answer} {errors}")
            continue
        if verdict in ("absent", "unplanted"):
            counts["absent"] += 1
            if verdict == "unplanted":
                wrong.append(f"{about}: not planted: {answer['out']}")
            continue
        counts["planted"] += 1
        if verdict != "ok":
            counts["fail"] += 1
            if not errors:
                counts["missed"] += 1
                why = reason(KNOWN, kind, name)
                print(f"fails without an error: {about}: {why or answer['out'][-150:]!r}")
                if why is None:
                    wrong.append(f"{about}: fails without an error, for no reason that is known")
        elif answer["out"] != good[folder]["out"]:
            counts["other"] += 1
        else:
            counts["same"] += 1
            if errors:
                counts["false"] += 1
                why = reason(RIGHTLY, kind, name)
                print(f"runs with the same result, and has an error: {about}: {why or errors}")
                if why is None:
                    wrong.append(f"{about}: {errors[0]}, and it runs with the same result")
    print(counts)
    if not part and (counts["planted"] < 150 or counts["missed"] > 0.03 * counts["fail"]):
        wrong.append(f"{counts['planted']} faults, of which {counts['missed']} are missed")
    for line in wrong:
        print("wrong:", line)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
