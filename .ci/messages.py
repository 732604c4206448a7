"""Compares what ovlint says of OpenVINO's answers with the answers of the installed one; fails if a sentence is untrue.

    messages.py TOOL FOLDER...

A finding whose runtime is `rejects` promises that `read_model` refuses the file, `not-compiled` that `compile_model` does,
which the CPU is asked, and a note `OpenVINO .. reads this file` that it takes the file. A sample of a rule whose findings are
all `accepts` is read. A note `OpenVINO says: ".."` quotes the
message of the reader, and one that ends `calls the layer` and a name gives a part of it. `ovlint explain` is given every message
by which a file with such a finding is refused: it is to name a rule that rejects the file for at least 9 of 10. Models are read
in processes of their own.
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SECONDS = 60
EXPLAINED = 0.9
MEMORY = 6 << 30
BATCH = 300
QUOTE = re.compile(r'OpenVINO says: "(.*)"', re.DOTALL)
READ = re.compile(r"OpenVINO .*reads this file")
CALLED = re.compile(r"OpenVINO .* rejects? this file and calls? the layer `(\w+_)<n>`.*")


def main(tool, folders):
    paths = sorted(str(path) for folder in folders for path in Path(folder).rglob("*.xml"))
    batches = [paths[at : at + BATCH] for at in range(0, len(paths), BATCH)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = dict(pair for batch in pool.map(messages, batches) for pair in batch.items())
    untrue, passed, quotes, refused, promised, uncompiled = [], [], 0, 0, 0, {}
    causes = []
    for batch in batches:
        for path, findings in checked(tool, batch):
            message = answers[path]
            rejects = [finding for finding in findings if finding["runtime"] == "rejects"]
            refused += message is not None
            promised += message is not None and bool(rejects)
            if message and rejects:
                causes.append((message, {finding["rule"] for finding in rejects}))
            if message and not any(finding["runtime"] in ("rejects", "unknown") for finding in findings):
                passed.append((path, message))
            if rejects and message is None:
                untrue.append((path, rejects[0]["message"], "OpenVINO reads the file"))
            # Mutants may have faults besides, the samples of rules have none.
            accepted = findings and all(finding["runtime"] == "accepts" for finding in findings)
            if accepted and message is not None and "bad" in Path(path).parts:
                untrue.append((path, f"{findings[0]['rule']} is accepted", message))
            late = [finding for finding in findings if finding["runtime"] == "not-compiled"]
            if late and message is None:
                uncompiled[path] = late[0]["message"]
            for note in (note for finding in findings for note in finding["notes"] or ()):
                if READ.match(note) and message is not None:
                    untrue.append((path, note, message))
                match = QUOTE.fullmatch(note) or CALLED.fullmatch(note)
                quotes += match is not None
                # A process that ended left no message.
                if match and message != "" and not says(message or "", match[1]):
                    untrue.append((path, note, message))
    for path, answer in messages(list(uncompiled), "--compile").items():
        if answer is None:
            untrue.append((path, uncompiled[path], "OpenVINO compiles the file for the CPU"))
    for path, said, answer in untrue:
        print(f"{path}\n  said {said}\n  real {answer}")
    for path, message in passed:
        print(f"{path}\n  refused without a word: {message}")
    print(
        f"{len(paths)} files, {refused} refused, {promised} of them promised; {len(uncompiled)} said to be read and not"
        f" compiled; {quotes} quotes; {len(passed)} refused without a word, {len(untrue)} untrue"
    )
    return bool(untrue) or not explained(tool, causes)


def explained(tool, causes):
    """Whether `explain` names a rule that rejects the file for most messages; prints the others, and how many phrases occur."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda cause: explain(tool, cause[0]), causes))
    missed = [(message, rules) for (message, rules), (_, named) in zip(causes, answers) if not rules & named]
    for message, rules in missed:
        print(f"not explained by {', '.join(sorted(rules))}: {message[-200:]}")
    phrases = len({phrase for phrase, _ in answers if phrase})
    print(f"{len(causes) - len(missed)} of {len(causes)} messages explained, by {phrases} phrases")
    return len(missed) <= (1 - EXPLAINED) * len(causes)


def explain(tool, message):
    """The phrase that `explain` finds in a message, and the rules that it names."""
    done = subprocess.run([tool, "explain", "-", "--format", "json"], capture_output=True, text=True, input=message)
    answer = json.loads(done.stdout or "{}")
    return answer.get("phrase"), {rule["name"] for rule in answer.get("rules", ())}


def says(message, quote):
    """Whether a message holds a quote, in which a long name ends in three dots."""
    parts = [re.escape(" ".join(part.split())) for part in quote.split("...")]
    return re.search(r".*?".join(parts), message) is not None


def checked(tool, paths):
    """The findings of each file, with no file left out."""
    command = [tool, "check", "--isolated", "--max-findings", "0", "--format", "json", *paths]
    done = subprocess.run(command, capture_output=True, text=True)
    return [(model["path"], model["findings"]) for model in json.loads(done.stdout)["models"]]


def messages(paths, step="--read", python=sys.executable):
    """By file, the message with which OpenVINO refuses it, in one line: `None` if it takes the file, empty if the process ended."""
    answers, left = {}, list(paths)
    while left:
        environment = {**os.environ, "MALLOC_PERTURB_": "85"}
        command = [python, __file__, step, *left]
        try:
            output = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=environment).stdout
        except subprocess.TimeoutExpired as error:
            output = (error.stdout or b"").decode()
        lines = [json.loads(line) for line in output.splitlines() if line.endswith("]")]
        answers.update(lines)
        left = [path for path in left if path not in answers]
        if left and not lines:
            answers[left.pop(0)] = ""  # The process ended at the first of them.
    return answers


def take(paths, compiles):
    """Reads, and compiles. Runs in the process that may end."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.modules["openvino_telemetry"] = None
    try:
        from openvino import Core
    except ImportError:  # before 2023.0
        from openvino.runtime import Core

    core = Core()
    for path in paths:
        try:
            model = core.read_model(path)
            if compiles:
                core.compile_model(model, "CPU")
            answer = None
        except RuntimeError as error:
            answer = " ".join(str(error).split())
        print(json.dumps([path, answer]), flush=True)


if __name__ == "__main__":
    step = sys.argv[1]
    sys.exit(take(sys.argv[2:], step == "--compile") if step in ("--read", "--compile") else main(step, sys.argv[2:]))
