"""The keywords by which models are checked, and what is wrong with others."""

from __future__ import annotations

import difflib
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any, Literal, Optional, TypedDict, TypeVar, Union

from . import _native

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

Shape: TypeAlias = "Sequence[Union[int, str, None]]"
"""The lengths of a shape: a number, a range such as `"1..8"`, or `None` or -1 for any length."""

Level: TypeAlias = Literal["error", "warning", "info", "off"]
"""The severity of a rule."""

Recipe: TypeAlias = Literal["genai", "optimum", "triton", "ovms"]
"""What loads a model."""

Format: TypeAlias = Literal["text", "concise", "json", "ndjson", "sarif", "github", "junit", "gitlab", "md"]
"""A format of findings."""


class Options(TypedDict, total=False):
    """How models are checked: the keywords that `check` and its relatives take.

    `config`: an `ovlint.toml` or `pyproject.toml` with rules, severities, ignores, contracts and weights. None is looked for.

    `shape`: shapes that inputs have instead of those declared: `"images[1,3,640,640]"`, `{"images": [1, 3, 640, 640]}`, or
    `[1, 3, 640, 640]` for a single input. What ports declare is then not compared.

    `target`: report what these releases of OpenVINO cannot read: `"2024.6"`, `"2023.3..2026.4"` or a list with commas.

    `device`: the device that is to run the model: `"CPU"`, `"GPU"` or `"NPU"`.

    `profile`: the rules to start from: `"runtime"`, `"default"` or `"pedantic"`.

    `select`: check only these rules and groups.

    `extend_select`: check these rules and groups as well.

    `ignore`: do not check these rules and groups.

    `severity`: other severities for rules and groups: `"error"`, `"warning"`, `"info"` or `"off"`.

    `recipes`: what loads the model, whose demands are checked: `"genai"`, `"optimum"`, `"triton"` or `"ovms"`. The command
    calls it `--for`.

    `infer`: whether shapes are inferred, `True` by default. Without, only the structure is checked.

    `symbolic`: whether dynamic dimensions are expressed by those of the inputs, for `Tensor.symbolic`.

    `max_fetched`: the bytes of a model to fetch from a server or a store, those of its XML included; 100 MB by default.
    """

    config: Optional[Union[str, os.PathLike[str]]]
    shape: Optional[Union[str, Shape, Mapping[str, Shape]]]
    target: Optional[str]
    device: Optional[Literal["CPU", "GPU", "NPU"]]
    profile: Optional[Literal["runtime", "default", "pedantic"]]
    select: Sequence[str]
    extend_select: Sequence[str]
    ignore: Sequence[str]
    severity: Mapping[str, Level]
    recipes: Sequence[Recipe]
    infer: bool
    symbolic: bool
    max_fetched: Optional[int]


Function = TypeVar("Function", bound=Callable[..., Any])


def takes_options(function: Function) -> Function:
    """Shows the options in the signature of a function, as `help` and editors print it."""
    signature = inspect.signature(function)
    own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS.get(name), annotation=_shown(kind))
        for name, kind in Options.__annotations__.items()
        if name not in signature.parameters
    ]
    function.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
    _KEYWORDS[function.__code__] = [one.name for one in [*own, *more]]
    return function


_KEYWORDS: dict[CodeType, list[str]] = {}
"""The keywords of each function that takes options."""


def _keywords() -> list[str]:
    """The keywords of the function that was called: of those on the stack, the outermost."""
    frame, keywords = inspect.currentframe(), list(Options.__annotations__)
    while frame is not None:
        keywords = _KEYWORDS.get(frame.f_code, keywords)
        frame = frame.f_back
    return keywords


def _shown(kind: Any) -> Any:
    return getattr(kind, "__forward_arg__", kind)


def native_options(options: Options) -> _native.Options:
    """The options as the native part takes them. A keyword that there is not and a value of a wrong type are a `TypeError`."""
    rest: dict[str, Any] = dict(options)
    for name, value in rest.items():
        _check(name, value)
    rest["severity"] = list(options.get("severity", {}).items())
    if rest.get("shape") is not None:
        rest["shape"] = shape_text(rest["shape"])
    return _native.Options(**rest)


def shape_text(shape: Union[None, str, Shape, Mapping[str, Shape]]) -> str:
    """Shapes of inputs in the syntax of the command."""
    _check("shape", shape)
    return "" if shape is None else shape if isinstance(shape, str) else _shapes(shape)


def _shapes(shape: Union[Shape, Mapping[str, Shape]]) -> str:
    if isinstance(shape, Mapping):
        return ",".join(name + _shapes(lengths) for name, lengths in shape.items())
    return "[" + ",".join("?" if length is None or str(length) == "-1" else str(length) for length in shape) + "]"


_DEFAULTS: dict[str, object] = {
    "select": (), "extend_select": (), "ignore": (), "severity": {}, "recipes": (), "infer": True, "symbolic": False
}  # fmt: skip

_ELSEWHERE = {
    "for_": "recipes", "no_infer": "infer=False", "shapes": "shape", "format": "Report.render", "baseline": "a configuration, given by config",
    "extension_ops": "a configuration, given by config", "max_findings": "Report.findings, which has all",
}  # fmt: skip
"""What other keywords, and flags of the command, are called here."""


def _check(name: str, value: object) -> None:
    if name not in Options.__annotations__:
        if name in _ELSEWHERE:
            raise TypeError(f"there is no keyword `{name}`; use {_ELSEWHERE[name]}")
        near = difflib.get_close_matches(name, _keywords(), 1)
        raise TypeError(f"there is no keyword `{name}`" + (f"; did you mean `{near[0]}`?" if near else ""))
    wanted, fits = _WANTED[name]
    if not fits(value):
        raise TypeError(f"`{name}` is {value!r}, wanted {wanted}" + _instead(name, value))


def _instead(name: str, value: object) -> str:
    if name in _LISTS and isinstance(value, str):
        return f": {name}={value.split(',')!r}"
    if name == "severity" and isinstance(value, str) and "=" in value:
        return f": severity={dict(pair.split('=', 1) for pair in value.split(',') if '=' in pair)!r}"
    return ""


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_list(value: object) -> bool:
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        return False
    return all(isinstance(one, str) for one in value)


def _is_map(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(one, str) for pair in value.items() for one in pair)


def _is_path(value: object) -> bool:
    return value is None or isinstance(value, (str, os.PathLike))


def _is_size(value: object) -> bool:
    return value is None or isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_shape(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(isinstance(name, str) and _is_shape(one) and one is not None for name, one in value.items())
    return value is None or isinstance(value, (str, Sequence)) or hasattr(value, "__iter__")


_RULES = "a list of rules and groups"
_LISTS = ("select", "extend_select", "ignore", "recipes")
_WANTED: dict[str, tuple[str, Callable[[object], bool]]] = {
    "config": ("the path of a configuration", _is_path),
    "shape": ('shapes, such as "images[1,3,640,640]", {"images": [1, 3, 640, 640]} or [1, 3, 640, 640]', _is_shape),
    "target": ('a release, such as "2024.6"', _is_text),
    "device": ('"CPU", "GPU" or "NPU"', _is_text),
    "profile": ('"runtime", "default" or "pedantic"', _is_text),
    "select": (_RULES, _is_list),
    "extend_select": (_RULES, _is_list),
    "ignore": (_RULES, _is_list),
    "severity": ('severities of rules and groups, such as {"declared": "warning"}', _is_map),
    "recipes": ('a list of "genai", "optimum", "triton" and "ovms"', _is_list),
    "infer": ("True or False", _is_flag),
    "symbolic": ("True or False", _is_flag),
    "max_fetched": ("a number of bytes", _is_size),
}
