"""Command hooks in the background: they decide nothing, and the model hears of them later (chapter: background)."""

import json

from . import reading, schema, stdout
from .outcome import Outcome
from .texts import to_str, trim

# The sections of these events throw `systemMessage` away, whenever it comes.
_DISCARDING = (
    "Setup", "InstructionsLoaded", "Notification", "MessageDisplay", "StopFailure", "ConfigChange", "DirectoryAdded",
    "PreCompact", "PostCompact", "Elicitation", "ElicitationResult", "WorktreeCreate", "WorktreeRemove", "SessionEnd",
)


def is_background(hook):
    """ASYNC-02: only commands go there, and `asyncRewake` alone is enough (ASYNC-10)."""
    return hook.kind == "command" and (hook.spec.get("async") is True or hook.spec.get("asyncRewake") is True)


def given_time(hook):
    """The timeout that the hook is told: none where none is applied any more (ASYNC-07; A-140, A-141)."""
    return {} if is_background(hook) and hook.spec.get("asyncRewake") is not True else {"timeout": hook.timeout}


def read(hook, result, event, outcome):
    """What the hook said. A field of the wrong type is missing from it, and that is all (ASYNC-06)."""
    return reading.read(hook, _without_wrong_types(hook, result, event, outcome), event)


def _without_wrong_types(hook, result, event, outcome):
    kind, output = stdout.read(to_str(result.get("out", "")), event)
    if kind != "object" or event.read_command is not reading.read_command:
        return result
    wrong = schema.prune(output, event)
    for path in wrong:
        outcome.log(f"warning: {path} has the wrong type and is left out", hook)
    return {**result, "out": json.dumps(output)} if wrong else result


def keep(read, result, event, given, session):
    """Puts aside what the model is to hear: at once if the agent is woken (ASYNC-10), otherwise in its next turn (ASYNC-05)."""
    waking, later = Outcome(), Outcome()
    if read.hook.spec.get("asyncRewake") is True and read.blocks:
        shown = [text for text in (read.stderr, to_str(result.get("out", ""))) if trim(text)]
        for text in shown[:1]:
            waking.say("model", text, by=read.hook, prefix=f"{read.hook.title} hook woke the agent: ")
    to_the_model = event.NAME == "DirectoryAdded" and given.get("source") == "slash_command"  # DIRADD-OUT-02
    if to_the_model or event.NAME not in _DISCARDING:
        for text in (read.output.get("systemMessage"), read.own.get("additionalContext")):
            if text is not None:
                later.context(read, text)
    session.for_request += waking.said
    session.for_turn += later.said
