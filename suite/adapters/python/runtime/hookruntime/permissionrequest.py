"""PermissionRequest: does a hook answer in the place of the person who would be asked? (chapter: PermissionRequest)"""

from . import inputs, permissionupdates
from .permissions import verdict
from .reading import read_command as _read_command

NAME = "PermissionRequest"
MATCHES_ON = "tool_name"  # MATCH-TGT-TOOL
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = True

_FIELDS = {  # of a decision, by its behavior (PERMREQ-OUT-03 to -07)
    "allow": {
        "updatedInput": lambda value: isinstance(value, dict),
        "updatedPermissions": lambda value: isinstance(value, list) and all(map(permissionupdates.fits, value)),
    },
    "deny": {
        "message": lambda value: isinstance(value, str),
        "interrupt": lambda value: isinstance(value, bool),
    },
}


def _is_decision(value):
    """DECISION-PERMREQ-01. What belongs to the other behavior is not looked at (PERMREQ-OUT-10, A-39)."""
    if not isinstance(value, dict) or not isinstance(value.get("behavior"), str):
        return False
    fields = _FIELDS.get(value["behavior"])
    return fields is not None and all(fits(value[key]) for key, fits in fields.items() if key in value)


OWN_FIELDS = {"decision": ("a decision to allow or to deny", _is_decision)}


def complete_input(given, session):
    """PERMREQ-IN-01: what PreToolUse hooks get, without the id of the call."""
    given.pop("tool_use_id", None)
    inputs.absolute_file_path(given, session)


def read_command(hook, end, out, err, event):
    """PERMREQ-OUT-08: exit 2 is no block, and what it wrote is thrown away."""
    reading = _read_command(hook, end, out, err, event)
    if reading.blocks:
        reading.stderr, reading.log = "", [text for text in reading.log if text != err]
    return reading


def decide(outcome, readings, given, session):
    session.continuations = 0  # STOP-CAP-02: the model called a tool
    stopped, granted, refused = False, [], []
    for reading in readings:
        stopped |= outcome.universal(reading, session.host)
        decision = reading.own.get("decision")
        if decision:  # beside any exit code
            (granted if decision["behavior"] == "allow" else refused).append((reading.hook, decision))
    if refused:  # the strictest counts
        _refuse(outcome, refused)
    elif granted:
        _grant(outcome, [decision for _, decision in granted], given, session)


def _refuse(outcome, refused):
    outcome.fate = "prevented"
    for hook, decision in refused:
        if decision.get("message"):  # PERMREQ-OUT-06
            outcome.say("model", decision["message"], "refusal", hook)
        if decision.get("interrupt"):  # PERMREQ-OUT-07
            outcome.agent = "stops"


def _grant(outcome, decisions, given, session):
    inputs_given = [decision["updatedInput"] for decision in decisions if "updatedInput" in decision]
    tool_input = inputs_given[-1] if inputs_given else given.get("tool_input")  # PERMREQ-OUT-03, A-72
    rule = verdict(session.host["permissions"], given.get("tool_name"), tool_input)  # PERMREQ-OUT-02, -04
    if rule == "deny":
        outcome.fate = "prevented"
    elif rule != "ask":  # an ask rule leaves the question where it was
        outcome.fate = "proceeds"
    if inputs_given and outcome.fate != "prevented":
        outcome.set["tool_input"] = tool_input
    before = session.host["permission_mode"]
    entries = [entry for decision in decisions for entry in decision.get("updatedPermissions", ())]
    done = [entry for entry in entries if permissionupdates.carry_out(entry, session)]  # PERMREQ-OUT-05
    if done:
        outcome.set["permissions"] = done
    after = session.host["permission_mode"]
    if after != before and (before, after) != ("manual", "default"):  # PERMUPD-06
        outcome.set["permission_mode"] = after
