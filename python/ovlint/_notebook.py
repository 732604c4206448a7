"""What notebooks show: tables and texts, of which a long rest is folded. Everything is escaped, and colours fit light and dark
themes."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._finding import Finding

_ROWS, _MOST = 10, 500
"""Findings that are in view, and those that are there when the rest is unfolded."""

_LINES = 40
"""Lines of a text that are in view."""

# The colours of the page of `ovlint report`. A theme of a notebook may differ from that of the browser.
_LIGHT = "--error:#c4211c;--warning:#96600a;--info:#3b6a8c"
_DARK = "--error:#ff8a80;--warning:#f0b65a;--info:#8fbfe0"
_STYLE = (
    f"<style>.ovlint{{{_LIGHT}}}@media(prefers-color-scheme:dark){{.ovlint{{{_DARK}}}}}"
    f"[data-jp-theme-light=true] .ovlint,.vscode-light .ovlint{{{_LIGHT}}}"
    f"[data-jp-theme-light=false] .ovlint,.vscode-dark .ovlint,[theme=dark] .ovlint{{{_DARK}}}"
    ".ovlint th,.ovlint td{text-align:left!important;vertical-align:top}.ovlint td:last-child{white-space:normal}"
    ".ovlint summary{cursor:pointer}.ovlint b{font-weight:600}"
    ".ovlint .error{color:var(--error)}.ovlint .warning{color:var(--warning)}.ovlint .info{color:var(--info)}</style>"
)


def of_report(title: str, findings: Sequence[Finding]) -> str:
    """The table of findings."""
    parts = [_table(findings[:_ROWS]), folded(_table(findings[_ROWS:_MOST]), len(findings) - _ROWS, "finding")]
    if len(findings) > _MOST:
        parts.append(f"<p>The table has the first {_MOST}: see <code>findings</code> for all.</p>")
    return f'<div class="ovlint">{_STYLE}<p>{html.escape(title)}</p>{"".join(parts)}</div>'


def of_text(text: str) -> str:
    """The text of an answer."""
    lines = text.splitlines()
    first, rest = (html.escape("\n".join(part)) for part in (lines[:_LINES], lines[_LINES:]))
    return f"<pre>{first}</pre>" + folded(f"<pre>{rest}</pre>", len(lines) - _LINES, "line")


def folded(content: str, count: int, noun: str) -> str:
    """The rest of a list; nothing if there is none."""
    return f"<details><summary>{count} more {noun}{'' if count == 1 else 's'}</summary>{content}</details>" if count > 0 else ""


def _table(findings: Sequence[Finding]) -> str:
    if not findings:
        return ""
    head = "".join(f"<th>{title}</th>" for title in ("", "rule", "layer", "line", "message"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(map(_row, findings))}</tbody></table>"


def _row(finding: Finding) -> str:
    layer, severity = finding.layer, html.escape(finding.severity)
    place = "" if layer is None else f"{layer.name} ({layer.type})"
    cells = [f'<b class="{severity}">{severity}</b>', *map(_escaped, (str(finding.rule), place, str(finding.line or "")))]
    message, more = _escaped(finding.message), [*finding.notes, *([finding.help] if finding.help else [])]
    if more:
        message = f"<details><summary>{message}</summary>{'<br>'.join(map(_escaped, more))}</details>"
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in [*cells, message])}</tr>"


def _escaped(text: str) -> str:
    return html.escape(plain(text))


def plain(text: str) -> str:
    """The text with what nobody sees spelled out."""
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text)
