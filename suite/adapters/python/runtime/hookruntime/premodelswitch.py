"""PreModelSwitch: does the session go over to the model that somebody asks for? (chapter: PreModelSwitch)"""

from .inputs import as_given
from .models import matcher_target  # noqa: F401
from .reading import read_command  # noqa: F401
from .schema import one_of, string

NAME = "PreModelSwitch"
MATCHES_ON = "to_model"  # MATCH-TGT-MODEL
TIMEOUT = 30  # TIMEOUT-DEF-05
PERMISSION_MODE = IN_A_TURN = False
SHOWS_ERRORS = True
OWN_FIELDS = {"permissionDecision": one_of("allow", "deny", "ask"), "permissionDecisionReason": string}
complete_input = as_given


def decide(outcome, readings, given, session):
    host = session.host
    votes = {"deny": [], "ask": [], "allow": []}  # PREC-PREMODEL-01: the first that has anyone
    for reading in readings:
        outcome.universal(reading, host)  # PREMODEL-OUT-07
        decision = "deny" if _blocks(reading) else reading.own.get("permissionDecision")
        if decision:
            votes[decision].append(reading)
    if votes["deny"]:
        _refuse(outcome, votes["deny"], host)
    elif votes["ask"] and host["surface"] == "terminal" and "model_command" in host["facts"]:
        outcome.fate = "asked"  # PREMODEL-OUT-05
        for reading in votes["ask"]:  # PREMODEL-OUT-06C
            outcome.say("user", _reason(reading) or "A hook asks to confirm this.", "prompt", reading.hook)
    elif votes["ask"]:  # PREMODEL-OUT-05B
        _refuse(outcome, votes["ask"], host)
    elif votes["allow"]:  # PREMODEL-OUT-03; its reason is nobody's (PREMODEL-OUT-06D)
        outcome.fate = "proceeds"


def _blocks(reading):
    """PREMODEL-OUT-01, TIMEOUT-04: no answer in time is a block here."""
    return reading.blocks or reading.timed_out or reading.output.get("decision") == "block"


def _refuse(outcome, readings, host):
    outcome.fate = "prevented"
    for reading in readings:
        reason, report = _reason(reading), _report(reading)
        if "set_model" in host["facts"]:  # PREMODEL-OUT-06B: it is the error of the request
            outcome.say("caller", reason or report, "block", reading.hook)
        elif reason:  # PREMODEL-OUT-06, EXIT-2-05
            outcome.say("user", reason, "block", reading.hook)
        if not reason:  # EXIT-2-EV-PreModelSwitch
            outcome.say("user", report, "block", reading.hook)


def _report(reading):
    """What is told of a hook that gives no reason itself. Its stderr counts beside exit 2 alone (EXIT-0-02)."""
    if reading.timed_out:
        return "A hook did not answer in time."
    return (reading.blocks and reading.stderr) or "A hook refused the switch."


def _reason(reading):
    """The reason of the hook's own refusal or question, whichever form it has; else empty."""
    own, output = reading.own, reading.output
    asks = own.get("permissionDecision") == "ask" and not _blocks(reading)
    reasons = [own.get("permissionDecisionReason") if asks or own.get("permissionDecision") == "deny" else None,
               output.get("reason") if output.get("decision") == "block" else None]
    return "\n".join(reason for reason in reasons if reason)
