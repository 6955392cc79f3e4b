"""Stop: does the agent stop, or go on working? (chapter: Stop)"""

from .inputs import stop_arrays
from .reading import read_command  # noqa: F401
from .schema import string
from .texts import trim

NAME = "Stop"
MATCHES_ON = None
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {"additionalContext": string}

CAP = 8  # STOP-CAP-01


def complete_input(given, session):
    """STOP-IN-01 to -04. The case may say that the turn already goes on because of a stop hook."""
    given["stop_hook_active"] = session.continuing or given.get("stop_hook_active") is True
    given.setdefault("last_assistant_message", "")
    stop_arrays(given)


def decide(outcome, readings, given, session):
    stopped = [outcome.universal(reading, session.host) for reading in readings]
    blocking = [r for r in readings if r.blocks or (r.output.get("decision") == "block" and not any(stopped))]
    feeding = [r for r in readings if trim(r.own.get("additionalContext", "")) and not any(stopped)]
    if any(stopped):  # STOP-OUT-07: continue:false outranks a decision; an exit 2 still stands
        tell(outcome, blocking, [])
        outcome.fate, outcome.agent = "prevented" if blocking else "proceeds", "stops"
        session.turn_over()
    elif (blocking or feeding) and session.continuations < _cap(session.host):
        session.continuations += 1  # STOP-CAP-04: both kinds count
        session.continuing = True
        outcome.fate, outcome.agent = "prevented", "goes_on"
        tell(outcome, blocking, feeding)
    else:
        if blocking or feeding:
            outcome.log(f"stop hooks made this turn continue {session.continuations} times; it ends now")
        outcome.fate, outcome.agent = "proceeds", "ends_turn"
        session.turn_over()


def tell(outcome, blocking, feeding, label="Stop hook feedback: "):
    """A block shows as an error of the hook, feedback under a label."""
    for reading in blocking:  # STOP-OUT-02, STOP-OUT-04, STOP-OUT-BLOCKSHOWN
        reason = _reason(reading)
        outcome.say("model", reason, "feedback", reading.hook)
        outcome.say("user", f"{reading.hook.title} hook error\n{reason}", "notice", reading.hook)
    for reading in feeding:  # STOP-OUT-03, STOP-OUT-06
        text = reading.own["additionalContext"]
        outcome.context(reading, text)
        outcome.say("user", text, by=reading.hook, prefix=label, limited=True)


def _reason(reading):
    """EXIT-2-05: the reason of the JSON's own block, otherwise stderr."""
    own = reading.output.get("reason", "") if reading.output.get("decision") == "block" else ""
    return own or (reading.stderr if reading.blocks else "") or "A stop hook asks to go on."


def _cap(host):
    """STOP-CAP-03: the variable raises the limit. What does not raise it is ignored."""
    value = str(host["env"].get("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", ""))
    return max(CAP, int(value)) if value.isascii() and value.isdigit() else CAP
