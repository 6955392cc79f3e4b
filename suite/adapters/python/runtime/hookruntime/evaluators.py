"""Verdicts: what a `prompt` or an `agent` hook answers, and what its `ok: false` does on each event.

Chapters: prompt-based hooks, agent-based hooks.
"""

from dataclasses import dataclass

from . import stdout
from .texts import trim

_STOPPING = ("Stop", "SubagentStop")
# Where an objection is over with the turn unless the handler has the agent go on with it (PROMPT-RESP-03, -04, -08).
_UP_TO_THE_HANDLER = ("PreToolUse", "PostToolUse", "TeammateIdle")
# Where it always is (PROMPT-RESP-05).
_ALWAYS_THE_END = ("PostToolBatch", "UserPromptSubmit", "UserPromptExpansion")
# Where exit 2 is the only thing that counts, so that an objection is put in its place.
_ONLY_EXIT_2 = ("TaskCompleted", "TeammateIdle")


@dataclass(frozen=True)
class Objection:
    reason: str
    impossible: bool


def read(text):
    """(objection or None, what is wrong or None). PROMPT-RESP-01, -12: `ok` decides, whatever the reason says."""
    if not trim(text):
        return None, None
    try:
        verdict = stdout.parse(trim(text))
    except ValueError as problem:
        return None, f"the verdict is not JSON: {problem}"
    ok = verdict.get("ok") if isinstance(verdict, dict) else None
    if ok is True:
        return None, None
    if ok is not False or not isinstance(verdict.get("reason"), str):
        return None, "the answer is no verdict: it lacks `ok` or a `reason`"
    return Objection(verdict["reason"], verdict.get("impossible") is True), None


def weigh(reading, event, host):
    """Says of an objection what a command would have to say for the same, or that it ends the turn."""
    objection, name = reading.objection, event.NAME
    if objection is None or name in ("PermissionRequest", "PermissionDenied"):  # PROMPT-RESP-09, -10
        return
    if name in _STOPPING and objection.impossible and reading.hook.kind == "prompt":  # PROMPT-RESP-02, -11; AGENT-03
        return
    reading.ends_turn = name in _ALWAYS_THE_END or (_by_itself_the_end(name, host) and not _goes_on(reading.hook))
    reason = "" if reading.ends_turn else objection.reason
    if name == "PreToolUse":  # PROMPT-RESP-03, -13
        reading.output = {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": reason}}
    elif name in _ONLY_EXIT_2:  # PROMPT-RESP-07, -08
        reading.blocks, reading.stderr = not (reading.ends_turn and name == "TeammateIdle"), reason
    elif not reading.ends_turn:  # PROMPT-RESP-02, -04, -06
        reading.output = {"decision": "block", "reason": reason}


def _by_itself_the_end(name, host):
    """PROMPT-RESP-07: a task that a teammate's end completes is like the teammate's going idle."""
    return name in _UP_TO_THE_HANDLER or (name == "TaskCompleted" and "turn_ends" in host["facts"])


def _goes_on(hook):
    return hook.kind == "agent" or hook.spec.get("continueOnBlock") is True  # AGENT-03


def conclude(outcome, readings, event):
    """The turn ends, or the teammate is halted, and the user reads why."""
    for reading in readings:
        if reading.ends_turn:
            outcome.say("user", reading.objection.reason, "warning", reading.hook, f"{reading.hook.title} hook: ")
            if event.NAME in _ONLY_EXIT_2:
                outcome.agent = "stops"
            else:
                outcome.agent = outcome.agent or "ends_turn"
