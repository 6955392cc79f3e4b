"""Is it JSON or plain text? (chapter: exit code 0, STDOUT-PARSE-01 to -09)"""

import json
import math

from . import schema
from .texts import trim


def read(text, event):
    """("plain", text), ("object", object) or ("error", message). The object is not yet checked against the schema."""
    trimmed = trim(text)
    if not (trimmed.startswith("{") and trimmed.endswith("}")):
        return "plain", text  # STDOUT-PARSE-01, -05, -06
    try:
        return "object", parse(trimmed)
    except ValueError as problem:
        message = str(problem)
    # STDOUT-PARSE-03, -04: several documents are plain text if none of them means anything to a hook.
    documents = _documents(trimmed)
    if documents and not any(schema.sets_a_field(document, event) for document in documents):
        return "plain", text
    return "error", message


def _documents(trimmed):
    """The values of two or more lines that each parse on their own; else None."""
    lines = [line for line in map(trim, trimmed.split("\n")) if line]
    if len(lines) < 2:
        return None
    try:
        return [parse(line) for line in lines]
    except ValueError:
        return None


def parse(text):
    """JSON.parse: strict, the last of equal keys wins (A-13, A-21)."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_number, parse_int=_integer)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _number(digits):
    """A number too large for JavaScript is Infinity there, and null when it is written again."""
    value = float(digits)
    return value if math.isfinite(value) else None


def _integer(digits):
    return int(digits) if len(digits) < 300 else _number(digits)


def _refuse(constant):
    raise ValueError(f"Unexpected token {constant}")
