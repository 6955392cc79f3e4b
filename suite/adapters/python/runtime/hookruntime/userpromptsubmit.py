"""UserPromptSubmit: does the prompt reach the model, and what with it? (chapter: UserPromptSubmit)"""

from .reading import read_command  # noqa: F401
from .schema import boolean, string

NAME = "UserPromptSubmit"
MATCHES_ON = None
TIMEOUT = 30  # TIMEOUT-DEF-04
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {"additionalContext": string, "sessionTitle": string, "suppressOriginalPrompt": boolean}


def complete_input(given, session):
    """PROMPTSUB-IN-04. A prompt is a user's input."""
    session.prompted = True
    session.turn_over()
    if session.title is not None:
        given.setdefault("session_title", session.title)


def decide(outcome, readings, given, session):
    blocking = [reading for reading in readings if _blocks(reading)]
    stopped = False
    for reading in readings:
        stopped |= outcome.universal(reading, session.host)
        if reading.timed_out:  # PROMPTSUB-07 to -09
            hook = reading.hook
            outcome.say("user", f"{hook.title} hook error\n{hook.name} timed out after {hook.timeout:g}s; "
                                "its output was dropped", "notice", hook)
        if "sessionTitle" in reading.own:  # PROMPTSUB-OUT-09
            session.title = outcome.set["session_title"] = reading.own["sessionTitle"]
    if blocking:
        _block(outcome, blocking, given)
        return
    if any(reading.ends_turn for reading in readings):  # PROMPT-RESP-05: the turn is over before the model reads anything
        outcome.fate = "prevented"
        return
    for reading in readings:
        if reading.plain:  # STDOUT-02, PROMPTSUB-OUT-02
            outcome.context(reading, reading.plain)
        if "additionalContext" in reading.own:  # CTX-05
            outcome.context(reading, reading.own["additionalContext"])
    if stopped:  # an agent that does no more work does not read the prompt
        outcome.fate = "prevented"
    else:
        session.prompt()


def _blocks(reading):
    return reading.blocks or reading.output.get("decision") == "block"


def _block(outcome, blocking, given):
    """PROMPTSUB-OUT-07, -08, -11 and PROMPTSUB-LEFT-01, -03: one message, shown to the user and to nobody else."""
    outcome.fate = "prevented"
    message = "\n".join(filter(None, map(_reason, blocking))) or "The prompt was blocked by a hook."
    if not any(reading.own.get("suppressOriginalPrompt") for reading in blocking):  # PROMPTSUB-OUT-10
        message += f"\n\nOriginal prompt: {given.get('prompt', '')}"
    outcome.say("user", message, "block")


def _reason(reading):
    """EXIT-2-05: the reason of the JSON's own block, otherwise stderr."""
    own = reading.output.get("reason", "") if reading.output.get("decision") == "block" else ""
    return own or (reading.stderr if reading.blocks else "")
