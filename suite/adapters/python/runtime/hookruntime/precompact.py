"""PreCompact: does the compaction take place? (chapter: Compaction)"""

from .reading import read_command  # noqa: F401

NAME = "PreCompact"
MATCHES_ON = "trigger"  # MATCH-TGT-COMPACT
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False
OWN_FIELDS = {}


def complete_input(given, session):
    """PRECOMPACT-IN-01: null where nobody wrote instructions, and for every automatic compaction."""
    if given.get("trigger") == "auto" or not given.get("custom_instructions"):
        given["custom_instructions"] = None


def decide(outcome, readings, given, session):
    for reading in readings:
        outcome.terminal_sequence(reading, session.host)  # PRECOMPACT-06 discards the rest; TERM-14 does not
        decides = reading.output.get("decision") == "block"
        if not (reading.blocks or decides):
            continue
        outcome.fate = "prevented"  # PRECOMPACT-02
        if reading.blocks and reading.stderr and given.get("trigger") == "manual":  # PRECOMPACT-03
            outcome.say("user", reading.stderr, "block", reading.hook)
        elif reading.blocks and reading.stderr:  # PRECOMPACT-04: the conversation just goes on
            outcome.log(reading.stderr, reading.hook)
        if decides and reading.output.get("reason") and given.get("trigger") == "manual":
            outcome.say("user", reading.output["reason"], "block", reading.hook)
