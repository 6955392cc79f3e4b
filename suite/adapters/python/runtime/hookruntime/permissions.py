"""Permission rules in the settings' syntax, as far as cases use it: `Tool` and `Tool(the exact command)`."""

import re

_RULE = re.compile(r"([^()]+)(?:\((.*)\))?", re.DOTALL)


def verdict(permissions, tool, tool_input):
    """`deny`, `ask`, `allow` or None: deny and ask rules speak whatever a hook answers (PRETOOL-OUT-07)."""
    for kind in ("deny", "ask", "allow"):
        if any(rule_matches(rule, tool, tool_input) for rule in permissions.get(kind) or ()):
            return kind
    return None


def rule_matches(rule, tool, tool_input):
    found = _RULE.fullmatch(rule) if isinstance(rule, str) else None
    if not found or found[1] != tool:
        return False
    command = tool_input.get("command") if isinstance(tool_input, dict) else None
    return found[2] in (None, "*") or found[2] == command
