"""PostToolUse: the call stands; what does the model get of it? (chapters: PostToolUse decision control, classifier)"""

from . import inputs
from .reading import read_command  # noqa: F401
from .schema import anything, string
from .texts import cut, length

NAME = "PostToolUse"
MATCHES_ON = "tool_name"
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {
    "additionalContext": string,
    "classifierContext": string,
    "updatedToolOutput": anything,
    "updatedMCPToolOutput": anything,
}
complete_input = inputs.absolute_file_path

CLASSIFIER_LIMIT = 2_000
BASH_OUTPUT = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}
LOOKS_ONLY = ("Read", "Grep", "Glob", "LS")  # calls that the classifier's transcript leaves out


def decide(outcome, readings, given, session):
    session.continuations = 0  # STOP-CAP-02
    for reading in readings:
        outcome.universal(reading, session.host)
        if reading.output.get("decision") == "block" and reading.output.get("reason"):  # POSTTOOL-OUT-01, -02
            outcome.say("model", reading.output["reason"], "feedback", reading.hook)
        if reading.blocks and reading.stderr:  # EXIT-2-EV-PostToolUse
            outcome.say("model", reading.stderr, "feedback", reading.hook)
        if "additionalContext" in reading.own:  # POSTTOOL-CTX
            outcome.context(reading, reading.own["additionalContext"])
    winner = _rewrite(outcome, readings, given)
    _annotate(outcome, readings, given, winner)


def _rewrite(outcome, readings, given):
    """Puts the last accepted replacement into the outcome; returns the reading that it is from."""
    winner = None
    is_mcp = _is_mcp(given)
    for reading in readings:
        own = reading.own
        if "updatedToolOutput" in own and (is_mcp or _fits(own["updatedToolOutput"], given)):
            winner, value = reading, own["updatedToolOutput"]
        elif is_mcp and "updatedMCPToolOutput" in own:  # POSTTOOL-OUT-08
            winner, value = reading, own["updatedMCPToolOutput"]
        elif "updatedToolOutput" in own or "updatedMCPToolOutput" in own:
            outcome.log("replacement of the tool's output ignored: it does not fit the tool", reading.hook)
    if winner:
        outcome.set["tool_output"] = value  # POSTTOOL-OUT-05
    return winner


def _is_mcp(given):
    return str(given.get("tool_name", "")).startswith("mcp__")


def _fits(value, given):
    """POSTTOOL-OUT-06, by comparison with the result that is replaced: built-in tools answer with objects, and a field
    that both have is of one JSON type. Fields that only one of them has are let pass."""
    original = given.get("tool_response")
    if given.get("tool_name") == "Bash":
        original = BASH_OUTPUT
    if not isinstance(value, dict) or not isinstance(original, dict):
        return isinstance(value, dict)
    shared = value.keys() & original.keys()
    return all(original[key] is None or _kind(value[key]) == _kind(original[key]) for key in shared)


def _kind(value):
    return float if isinstance(value, int) and not isinstance(value, bool) else type(value)


def _annotate(outcome, readings, given, winner):
    """CLASSIF-05 to CLASSIF-09: the hooks share one budget, and a note goes with the rewrite that it describes."""
    room = CLASSIFIER_LIMIT
    if given.get("tool_name") in LOOKS_ONLY:
        return
    for reading in readings:
        note = reading.own.get("classifierContext")
        if not note or ("updatedToolOutput" in reading.own and reading is not winner):
            continue
        note = cut(note, room)
        room -= length(note)
        if note:
            outcome.say("classifier", note, by=reading.hook)
