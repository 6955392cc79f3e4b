"""The schema of a hook's JSON output (chapter: JSON output; SCHEMA-TYPE-01 to -06).

Each event says in its module which fields `hookSpecificOutput` may have there. A field is described by a check: what it
must be, and a function that tells whether it is. Every field may be left out; null is not leaving out (A-32).
"""

boolean = ("a boolean", lambda value: isinstance(value, bool))
string = ("a string", lambda value: isinstance(value, str))
mapping = ("an object", lambda value: isinstance(value, dict))
strings = ("an array of strings", lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value))
anything = ("anything", lambda value: True)


def one_of(*values):
    return "one of " + ", ".join(values), lambda value: isinstance(value, str) and value in values


UNIVERSAL = {
    "continue": boolean,
    "suppressOutput": boolean,  # JSON-SUPPRESS-01: accepted, and that is all
    "stopReason": string,
    "systemMessage": string,
    "terminalSequence": string,
    "decision": one_of("approve", "block"),
    "reason": string,
    "hookSpecificOutput": mapping,
}


def check(output, event):
    """What is wrong with the object, or None. The message names fields and never repeats their values."""
    wrong = _first_wrong(output, UNIVERSAL, "")
    own = output.get("hookSpecificOutput")
    if wrong or own is None:
        return wrong
    if own.get("hookEventName") != event.NAME:  # JSON-07, A-34
        return f"Hook JSON output validation failed: hookSpecificOutput.hookEventName: expected {event.NAME}"
    return _first_wrong(own, event.OWN_FIELDS, "hookSpecificOutput.")


def prune(output, event):
    """Takes the fields of the wrong type out of the object and names them. A value that is not listed is another matter."""
    wrong = _take_wrong_types(output, UNIVERSAL, "")
    own = output.get("hookSpecificOutput")
    return wrong + (_take_wrong_types(own, event.OWN_FIELDS, "hookSpecificOutput.") if own else [])


def _take_wrong_types(fields, known, path):
    wrong = [key for key, (expected, fits) in known.items() if key in fields and not fits(fields[key])
             and not (isinstance(fields[key], str) and expected.startswith("one of "))]
    for key in wrong:
        del fields[key]
    return [path + key for key in wrong]


def _first_wrong(fields, known, path):
    for key, (expected, fits) in known.items():
        if key in fields and not fits(fields[key]):
            return f"Hook JSON output validation failed: {path}{key}: expected {expected}"
    return None


def unrecognized(output, event):
    """The keys that the schema does not know, for the debug log (SCHEMA-TYPE-05)."""
    own = output.get("hookSpecificOutput") or {}
    return [key for key in output if key not in UNIVERSAL] + [
        f"hookSpecificOutput.{key}" for key in own if key != "hookEventName" and key not in event.OWN_FIELDS
    ]


def sets_a_field(document, event):
    """Whether one line of several is a hook's output (A-14): it fits the schema and has a key that the schema knows."""
    return isinstance(document, dict) and check(document, event) is None and any(key in UNIVERSAL for key in document)
