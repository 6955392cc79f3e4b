"""The types of handlers: what names one, where it runs, how long it may take, and what it is given besides the input.

Chapters: HTTP hook fields, MCP tool hook fields, prompt and agent hook fields.
"""

import json
import re

# What a handler of each type runs, which is also its name.
TEXT = {"command": "command", "http": "url", "mcp_tool": "tool", "prompt": "prompt", "agent": "prompt"}

SECONDS = {"prompt": 30, "agent": 60}  # TIMEOUT-DEF-03; the other types have the event's default

# PROMPT-SUP-01; a `prompt` is asked on PermissionRequest too (PROMPT-SUP-02), though nobody listens (PROMPT-RESP-09).
_EVALUATED = {
    "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionDenied", "UserPromptSubmit",
    "UserPromptExpansion", "Stop", "SubagentStop", "TaskCreated", "TaskCompleted", "TeammateIdle",
}

_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))", re.ASCII)
_REFERENCE = re.compile(r"\$\{([^}]*)\}")
_PLACE = re.compile(r"\\\$|\$ARGUMENTS")


def name(spec):
    """The text that a handler runs, or None if it lacks what its type needs (CONFIG-HANDLER-01)."""
    kind = spec.get("type")
    if not isinstance(kind, str) or kind not in TEXT or (kind == "mcp_tool" and not isinstance(spec.get("server"), str)):
        return None
    text = spec.get(TEXT[kind])
    return text if isinstance(text, str) else None


def runs(kind, event, given):
    """Whether handlers of this type run on this occurrence (PROMPT-SUP-01 to -04, SETUP-OUT-05, SESSTART-02)."""
    if kind in ("prompt", "agent"):
        return event.NAME in _EVALUATED or (kind == "prompt" and event.NAME == "PermissionRequest")
    if event.NAME == "Setup":
        return kind == "command"
    if event.NAME == "SessionStart":  # MCPHOOK-12, -13: at launch, and so when one is resumed, no server can be reached
        return kind == "command" or (kind == "mcp_tool" and given.get("source") in ("clear", "compact"))
    return True


def passed_over(kind, event):
    """MCPHOOK-11: what the log says of a handler that does not run here, if anything."""
    if kind == "mcp_tool":
        return f"mcp_tool hooks are not available for the '{event.NAME}' hook event (no MCP client context)"
    return None


def besides(hook, given, env, allowed):
    """What the handler gets besides input and time. `allowed` is the settings' list of variables, or None without one."""
    if hook.kind == "http":
        return {"headers": _headers(hook.spec, env, allowed)}
    if hook.kind == "mcp_tool":
        return {"arguments": _filled(hook.spec.get("input", {}), given)}
    if hook.kind in ("prompt", "agent"):
        return {"prompt": _prompt(hook.name, given)}
    if "shell" in hook.spec and "args" not in hook.spec:  # CONFIG-CMD-02, -03
        return {"shell": hook.spec["shell"]}
    return {}


def _headers(spec, env, allowed):
    """HTTP-REQ-03, -04, CONFIG-HTTPALLOW-02: both lists must name a variable; one that they do not, or unset, is empty."""
    own = spec.get("allowedEnvVars")
    named = {item for item in own if isinstance(item, str)} if isinstance(own, list) else set()
    if allowed is not None:
        named &= allowed
    headers = spec.get("headers")
    return {
        key: _VARIABLE.sub(lambda found: env.get(found[1] or found[2], "") if (found[1] or found[2]) in named else "", text)
        for key, text in (headers.items() if isinstance(headers, dict) else ()) if isinstance(text, str)
    }


def _filled(value, given):
    """MCPHOOK-03: references in strings are replaced, at any depth, and once; everything else is passed on."""
    if isinstance(value, str):
        return _REFERENCE.sub(lambda found: _text_at(given, found[1]), value)
    if isinstance(value, list):
        return [_filled(item, given) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item, given) for key, item in value.items()}
    return value


def _text_at(given, path):
    """What a reference stands for: a string itself, anything else as JSON, and nothing for what is not there."""
    value = given
    for step in path.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isascii() and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return ""
    return value if isinstance(value, str) else _json(value)


def _prompt(text, given):
    """PROMPT-CONF-02 to -04: the input is put in its place, or at the end where none is marked; `\\$` is a dollar sign."""
    written = _json(given)
    marks = []

    def put(found):
        marks.append(found[0])
        return "$" if found[0] == "\\$" else written

    filled = _PLACE.sub(put, text)
    return filled if "$ARGUMENTS" in marks else f"{filled}\n\n{written}"


def _json(value):
    return json.dumps(value, ensure_ascii=False)
