"""The rules that models are checked by."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Optional

from . import _native


@dataclass(frozen=True)
class Rule:
    """A kind of problem that models are checked for. Its text is its name.

    >>> import ovlint
    >>> rule = ovlint.rule("declared-shape")
    >>> print(rule, rule.severity, rule.group)
    declared-shape error declared
    >>> rule.summary
    'declared dimension disagrees with the inferred shape'
    """

    name: str
    """The stable name."""
    group: str
    """The group that it belongs to."""
    severity: str
    """The usual severity: `error`, `warning` or `info`."""
    runtime: str
    """What OpenVINO usually does with such a file: `rejects`, `unknown`, `not-compiled`, `may-not-compile`, `accepts`, `none`."""
    fix: Optional[str]
    """The kind of fix that findings may have: `safe`, `unsafe`, or `None`."""
    is_opt_in: bool
    """Whether it is off unless asked for."""
    summary: str
    """The problem in one line."""
    explanation: str
    """What it finds, why it matters and how to fix it, in Markdown."""

    def __str__(self) -> str:
        return self.name


@functools.cache
def _rules() -> dict[str, Rule]:
    return {
        rule.name: Rule(
            rule.name,
            rule.group,
            rule.severity,
            rule.runtime,
            rule.fix,
            rule.is_opt_in,
            rule.summary,
            rule.explanation,
        )
        for rule in _native.rules()
    }


def rules() -> tuple[Rule, ...]:
    """All rules, in the order of the catalogue."""
    return tuple(_rules().values())


def rule(name: str) -> Rule:
    """The rule of this name.

    Raises `KeyError` if there is none.
    """
    return _rules()[name]
