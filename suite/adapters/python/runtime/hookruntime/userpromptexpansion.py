"""UserPromptExpansion: does a typed command become a prompt, and what goes with it? (chapter: UserPromptExpansion)"""

from .reading import read_command  # noqa: F401
from .schema import string

NAME = "UserPromptExpansion"
MATCHES_ON = "command_name"  # MATCH-TGT-EXPANSION
TIMEOUT = 600  # the short time of prompts is UserPromptSubmit's alone (TIMEOUT-DEF-02)
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {"additionalContext": string}


def complete_input(given, session):
    """INPUT-PROMPTID-01: who types a command has given input. That a turn begins with it is not said."""
    session.prompted = True


def decide(outcome, readings, given, session):
    stopped = [reading for reading in readings if outcome.universal(reading, session.host)]
    messages = [(reading, _why(reading)) for reading in readings if _refuses(reading)]
    for reading, why in messages:  # PROMPTEXP-OUT-03, -05: for who typed the command
        outcome.say("user", f"/{given.get('command_name', '')} was blocked. {why}".rstrip(), "block", reading.hook)
    over = any(reading.ends_turn for reading in readings)  # PROMPT-RESP-05
    if not (messages or over):
        _add_context(outcome, readings)
    if messages or over or stopped:  # PROMPTEXP-OUT-02, EXIT-2-EV-UserPromptExpansion; A-183
        outcome.fate = "prevented"


def _refuses(reading):
    return reading.blocks or reading.output.get("decision") == "block"


def _why(reading):
    """EXIT-2-05, EXIT-2-06: a reason counts where the object itself blocks. Otherwise, or if it is empty, stderr (A-52)."""
    if reading.output.get("decision") == "block" and reading.output.get("reason"):
        return reading.output["reason"]
    return reading.stderr if reading.blocks else ""


def _add_context(outcome, readings):
    """STDOUT-02, PROMPTEXP-CTX. Beside a block there is no prompt that it could go with (A-20, A-57)."""
    for reading in readings:
        for text in (reading.plain, reading.own.get("additionalContext")):
            if text:
                outcome.context(reading, text)
