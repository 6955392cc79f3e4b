"""PostToolUseFailure: a call was carried out and failed; what else does the model learn of it? (chapter: PostToolUseFailure)"""

from . import inputs
from .reading import read_command  # noqa: F401
from .schema import string

NAME = "PostToolUseFailure"
MATCHES_ON = "tool_name"
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {"additionalContext": string}
complete_input = inputs.absolute_file_path  # POSTFAIL-IN-01: the same `tool_input` that PostToolUse hooks see


def decide(outcome, readings, given, session):
    session.continuations = 0  # STOP-CAP-02: what has failed was a tool call
    for reading in readings:
        outcome.universal(reading, session.host)
        for text in _feedback(reading):
            outcome.say("model", text, "feedback", reading.hook)
        if "additionalContext" in reading.own:  # POSTFAIL-CTX
            outcome.context(reading, reading.own["additionalContext"])


def _feedback(reading):
    """Nothing can be blocked, so a decision is a remark like stderr: neither stands in the other's place."""
    if reading.output.get("decision") == "block" and reading.output.get("reason"):  # DECISION-TOP-01, A-06
        yield reading.output["reason"]
    if reading.blocks and reading.stderr:  # EXIT-2-EV-PostToolUseFailure
        yield reading.stderr
