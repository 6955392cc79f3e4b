"""DirectoryAdded: there is a further directory; who hears of what its hooks say? (chapter: DirectoryAdded)"""

from .inputs import as_given
from .outcome import Outcome
from .reading import read_command  # noqa: F401

NAME = "DirectoryAdded"
MATCHES_ON = "source"  # MATCH-TGT-DIRADD
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False
OWN_FIELDS = {}
complete_input = as_given


def decide(outcome, readings, given, session):
    typed = given.get("source") == "slash_command"
    later, failed = Outcome(), 0
    for reading in readings:  # DIRADD-OUT-01: whatever they say, the directory stays
        outcome.terminal_sequence(reading, session.host)  # TERM-14
        failed += not reading.succeeded
        if reading.blocks and reading.stderr:  # EXIT-2-EV-DirectoryAdded
            outcome.log(reading.stderr, reading.hook)
        message = reading.output.get("systemMessage")
        if message is None:
            continue
        if typed:  # DIRADD-OUT-02
            later.context(reading, message)
        else:  # DIRADD-OUT-04
            outcome.log(message, reading.hook)
    session.for_turn += later.said
    if typed and failed:  # DIRADD-OUT-03: how many, and nothing of what they wrote
        outcome.say("user", f"{failed} DirectoryAdded hook{'s' if failed > 1 else ''} failed")
