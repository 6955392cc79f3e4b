"""Does a group's matcher match? (chapter: matcher patterns)"""

import re

from . import ecma

# MATCH-PAT-02: a matcher of these characters alone is a name or a list of names. Letters are ASCII.
_EXACT = re.compile(r"[A-Za-z0-9_\- ,|]*")


# MATCH-PAT-06: on these events a name has fewer characters, and `|` alone separates names.
_BARS_ONLY = dict.fromkeys(("FileChanged", "StopFailure"), re.compile(r"[A-Za-z0-9_|]*"))


def matches(matcher, target, event=None):
    """Whether `matcher` selects `target` on an event. Raises ecma.InvalidPattern where it is no regular expression."""
    if matcher is None or matcher in ("", "*"):  # MATCH-PAT-01
        return True
    if not isinstance(matcher, str):
        return False
    if _BARS_ONLY.get(event, _EXACT).fullmatch(matcher):  # MATCH-PAT-03, MATCH-PAT-04, MATCH-MCP-02
        names = (name.strip(" ") for name in re.split(r"[|,]", matcher))
        return target in [name for name in names if name]
    # MATCH-PAT-05: found anywhere, case-sensitive.
    return ecma.compile_pattern(matcher).search(ecma.units(target)) is not None
