"""Prints the sessions and modules of a page as one module, for the type checker."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

for language, text in re.findall(r"^```(pycon|python)\n(.*?)^```$", Path(sys.argv[1]).read_text(), re.DOTALL | re.MULTILINE):
    if language == "pycon":
        text = "".join(example.source for example in doctest.DocTestParser().get_examples(text))
    print(text)
