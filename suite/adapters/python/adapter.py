#!/usr/bin/env python3
"""The adapter: it lets a hook runtime written in Python be tested by hookproof.

Copy this file and replace the import of `play` by your own: it takes a case (the JSON object as the harness sends it) and
returns a list with one outcome for each step. Then say in HELLO what your runtime is and what it can do.

One JSON message a line, in and out. stdout is for the protocol alone; whatever else is printed goes to stderr.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "runtime"))
from hookruntime import play  # noqa: E402  ← yours goes here

HELLO = {
    "type": "hello",
    "protocol": 1,
    "candidate": {"name": "hookruntime-python", "version": "0.1.0", "language": "python"},
    "revision": "2.1.290",           # the revision of the contract that you keep
    "depths": ["resolve"],
    "events": [
        "PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "Elicitation", "WorktreeCreate", "PreCompact",
        "SubagentStop", "TaskCreated", "TeammateIdle", "TaskCompleted",
        "PostToolUseFailure", "UserPromptExpansion", "ConfigChange", "PostToolBatch",
        "SubagentStart", "PostCompact", "StopFailure", "ElicitationResult", "SessionStart",
        "Setup", "Notification", "MessageDisplay", "InstructionsLoaded", "WorktreeRemove", "SessionEnd",
        "PermissionRequest", "PermissionDenied", "CwdChanged", "DirectoryAdded", "FileChanged", "PreModelSwitch", "PostModelSwitch",
    ],
    "handlers": ["command", "http", "mcp_tool", "prompt", "agent"],
    # State is kept from step to step; the rest is what settings and handlers may ask for.
    "capabilities": ["session", "if", "async", "once", "agents", "trust", "policy"],
    "observes": [                    # the places that your outcomes tell about; the others are never judged
        "ran", "fate", "agent",
        "said/model", "said/user", "said/debug", "said/terminal", "said/classifier", "said/caller",
        "said/server",
        "set/tool_input", "set/tool_output", "set/session_title", "set/mcp_reply", "set/worktree_path",
        "set/prompt_label", "set/task_gone", "set/first_prompt", "set/watch_paths", "set/skills_reloaded",
        "set/display",
        "set/retry_allowed", "set/permissions", "set/permission_mode", "set/environment",
        "given/input", "given/timeout", "given/headers", "given/arguments", "given/prompt", "given/shell",
    ],
    "max_in_flight": 64,
}


def answer(line):
    """The reply to one line, or None if it is the last one."""
    case_id = None
    try:
        message = json.loads(line.decode("utf-8"))
        kind, case_id = message["type"], message.get("id")
        if kind == "bye":
            return None
        if kind == "hello":
            return HELLO
        if kind == "run" and message.get("depth", "resolve") == "resolve":
            return {"type": "outcome", "id": case_id, "steps": play(message["case"])}
        raise ValueError(f"cannot do this: {kind} at depth {message.get('depth')}")
    except Exception as problem:  # one case that fails must not end the others
        return {"type": "errored", "id": case_id, "message": f"{type(problem).__name__}: {problem}"}


def main():
    replies, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        reply = answer(line)
        if reply is None:
            break
        print(json.dumps(reply), file=replies, flush=True)  # json.dumps escapes what is not ASCII


if __name__ == "__main__":
    main()
