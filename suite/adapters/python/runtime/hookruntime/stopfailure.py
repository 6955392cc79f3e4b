"""StopFailure: an API error has ended the turn; hooks may take note of it, and that is all. (chapter: StopFailure)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401

NAME = "StopFailure"
MATCHES_ON = "error"  # MATCH-TGT-STOPFAIL
TIMEOUT = 600
PERMISSION_MODE = SHOWS_ERRORS = False
IN_A_TURN = True
OWN_FIELDS = {}
complete_input = as_given


def decide(outcome, readings, given, session):
    for reading in readings:  # EXIT-2-EV-StopFailure, EXIT-N-12: neither code nor output counts
        outcome.terminal_sequence(reading, session.host)
    session.turn_over()  # STOPFAIL-01: it comes in the place of Stop
