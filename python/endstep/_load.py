"""Makes the classes of `results` of what a JSON report holds.

Members that a class does not have are left out: a report may get new ones (docs/json.md).
"""

from __future__ import annotations

import types
import typing
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, TypeVar

T = TypeVar("T")

_types = lru_cache(maxsize=None)(typing.get_type_hints)


def load(cls: type[T], value: Any) -> T:
    """A value of a class; TypeError if it lacks a member."""
    return typing.cast(T, _load(cls, value))


def _load(kind: Any, value: Any) -> Any:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        some = [one for one in typing.get_args(kind) if one is not type(None)]
        # Of several, all are plain values.
        return value if value is None or len(some) > 1 else _load(some[0], value)
    if origin is list:
        return [_load(typing.get_args(kind)[0], one) for one in value]
    if origin is dict:
        return {key: _load(typing.get_args(kind)[1], one) for key, one in value.items()}
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _types(kind)
        return kind(**{one.name: _load(hints[one.name], value[one.name]) for one in fields(kind) if one.name in value})
    return value
