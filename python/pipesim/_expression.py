# SPDX-License-Identifier: BSD-3-Clause
"""Expressions as tuning files have them, in Python's words. They are worked out without running any code."""

import ast
import math
import operator
from typing import Any, Callable, Dict, Mapping

from ._library import Error

# As many values as a range may have, and as large as a power's exponent may be.
_MOST_VALUES = 1 << 20
_MOST_EXPONENT = 64


def _range(*bounds: int) -> Any:
    values = range(*bounds)
    if len(values) > _MOST_VALUES:
        raise ValueError("a range of more than a million values")
    return list(values)


def _power(base: Any, exponent: Any) -> Any:
    if abs(exponent) > _MOST_EXPONENT:
        raise ValueError("an exponent above %d" % _MOST_EXPONENT)
    return base**exponent


_BINARY: Dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: _power, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}
_UNARY: Dict[type, Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_}
_FUNCTIONS: Dict[str, Callable[..., Any]] = {
    "max": max, "min": min, "abs": abs, "int": int, "float": float, "round": round, "ceil": math.ceil,
    "floor": math.floor, "list": list, "range": _range, "len": len, "sum": sum,
}


def _compare(node: ast.Compare, names: Mapping[str, Any]) -> bool:
    left = _value(node.left, names)
    for kind, other in zip(node.ops, node.comparators):
        right = _value(other, names)
        if not _BINARY[type(kind)](left, right):
            return False
        left = right
    return True


def _call(node: ast.Call, names: Mapping[str, Any]) -> Any:
    if not isinstance(node.func, ast.Name) or node.keywords:
        raise KeyError
    return _FUNCTIONS[node.func.id](*(_value(each, names) for each in node.args))


def _logic(node: ast.BoolOp, names: Mapping[str, Any]) -> bool:
    every = isinstance(node.op, ast.And)
    for each in node.values:
        if bool(_value(each, names)) != every:
            return not every
    return every


def _value(node: Any, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, names), _value(node.right, names)
        if isinstance(node.op, ast.Mult) and not (isinstance(left, (int, float)) and isinstance(right, (int, float))):
            raise KeyError
        return _BINARY[type(node.op)](left, right)
    if isinstance(node, ast.UnaryOp):
        return _UNARY[type(node.op)](_value(node.operand, names))
    if isinstance(node, ast.BoolOp):
        return _logic(node, names)
    if isinstance(node, ast.Compare):
        return _compare(node, names)
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(each, names) for each in node.elts]
    if isinstance(node, ast.Subscript):
        index = node.slice if isinstance(node.slice, ast.expr) else node.slice.value
        return _value(node.value, names)[_value(index, names)]
    if isinstance(node, ast.Call):
        return _call(node, names)
    raise KeyError


def evaluate(what: str, text: str, names: Mapping[str, Any]) -> Any:
    """The value of the text, with these names. Raises Error, which begins with what, where it has none."""
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, names)
    except (SyntaxError, ValueError, TypeError, ArithmeticError, LookupError, RecursionError, MemoryError) as error:
        raise Error("%s: '%s' has no value: %s" % (what, text, error or "it is no expression of numbers")) from None
