"""What a handler is given on stdin or in the request's body (chapter: common input fields, and each event's input)."""

import posixpath
import uuid

from .texts import cut, length

SESSION_ID = "6f1d6a52-3c0e-4e8b-9d57-0b6f3f1c2a10"
SESSION_FOLDER = f"/home/user/.claude/projects/project/{SESSION_ID}"  # with ".jsonl", the transcript
PROMPT_ID = str(uuid.uuid5(uuid.UUID(SESSION_ID), "prompt"))
_MANY = 1_000  # characters of a task's description, command or prompt
_ONLY_FOR = {  # STOP-BG-04 to -07
    "command": ("shell",), "agent_type": ("subagent",), "name": ("workflow",),
    "server": ("monitor", "MCP task"), "tool": ("monitor", "MCP task"),
}


def hook_input(event, own, session):
    """Common fields and the event's own (INPUT-COMMON-00). What is not known is absent, never null (A-154)."""
    host = session.host
    given = {
        "session_id": SESSION_ID,
        "transcript_path": f"{SESSION_FOLDER}.jsonl",
        "cwd": host["cwd"],
        "hook_event_name": event.NAME,
    }
    if event.IN_A_TURN or session.prompted:  # INPUT-PROMPTID-01
        given["prompt_id"] = PROMPT_ID
    if event.PERMISSION_MODE:  # INPUT-PERMMODE-02, -03
        mode = host["permission_mode"]
        given["permission_mode"] = "default" if mode == "manual" else mode
    given.update(own)
    event.complete_input(given, session)
    return given


def as_given(given, session):
    """Most events add nothing to what the case says."""


def absolute_file_path(given, session):
    """PRETOOL-IN-04: the file tools' path is absolute before a hook sees it."""
    tool_input = given.get("tool_input")
    if given.get("tool_name") not in ("Write", "Edit", "Read") or not isinstance(tool_input, dict):
        return
    path = tool_input.get("file_path")
    if not isinstance(path, str) or not path or path.startswith("/"):
        return
    if path == "~" or path.startswith("~/"):
        path = session.host["env"].get("HOME", "/home/user") + path[1:]
    path = posixpath.normpath(posixpath.join(session.host["cwd"], path))
    given["tool_input"] = {**tool_input, "file_path": path}


def stop_arrays(given):
    """STOP-IN-04: what still runs and what is planned, as stop hooks see it."""
    given["background_tasks"] = [_background_task(task) for task in given.get("background_tasks", [])]
    given["session_crons"] = [_cron(cron) for cron in given.get("session_crons", [])]


def _background_task(task):
    """A task as a stop hook sees it (STOP-BG-03 to -07)."""
    shown = {key: value for key, value in task.items() if task.get("type") in _ONLY_FOR.get(key, (task.get("type"),))}
    if isinstance(shown.get("description"), str):
        shown["description"] = _shortened(shown["description"])
    if isinstance(shown.get("command"), str):
        shown["command"] = cut(shown["command"], _MANY)
    return shown


def _cron(cron):
    return {**cron, "prompt": _shortened(cron["prompt"])} if isinstance(cron.get("prompt"), str) else cron


def _shortened(text):
    """At most 1,000 characters, then a marker that counts the rest (A-106)."""
    head = cut(text, _MANY)
    rest = length(text) - length(head)
    return f"{head}… [+{rest} chars]" if rest else text
