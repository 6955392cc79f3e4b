"""PermissionDenied: auto mode has refused a call; may the model make it again? (chapter: PermissionDenied)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401
from .schema import boolean

NAME = "PermissionDenied"
MATCHES_ON = "tool_name"  # MATCH-TGT-TOOL
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = True
SHOWS_ERRORS = False  # EXIT-2-EV-PermissionDenied: exit codes and stderr are ignored
OWN_FIELDS = {"retry": boolean}
complete_input = as_given

# PERMDEN-IN-03: how a reason begins where nothing was decided about the call
_UNDECIDED = "Auto mode could not evaluate this action " + "and is blocking it for safety"


def decide(outcome, readings, given, session):
    session.continuations = 0  # STOP-CAP-02: the model called a tool, if in vain
    undecided = str(given.get("reason", "")).startswith(_UNDECIDED)
    for reading in readings:  # PERMDEN-OUT-02: the call stays refused
        outcome.universal(reading, session.host)  # its section drops none of them
        if not reading.own.get("retry") or "retry_allowed" in outcome.set:
            continue
        if undecided:  # PERMDEN-OUT-04
            outcome.log("retry ignored: there was no verdict", reading.hook)
        else:  # PERMDEN-OUT-01: once, however many hooks say so
            outcome.set["retry_allowed"] = True
            outcome.say("model", f"The call of {given.get('tool_name')} may be tried once more.", by=reading.hook)
