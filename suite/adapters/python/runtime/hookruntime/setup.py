"""Setup: the program is launched to prepare something. (chapter: Setup)

Neither a code nor an output is of any consequence here (SETUP-OUT-01, SETUP-OUT-02). Only commands run (SETUP-OUT-05), which
`settings.py` sees to.
"""

from .inputs import as_given
from .reading import read_command  # noqa: F401
from .schema import string

NAME = "Setup"
MATCHES_ON = "trigger"  # MATCH-TGT-SETUP
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False  # EXIT-2-EV-Setup
OWN_FIELDS = {"additionalContext": string}
complete_input = as_given


def decide(outcome, readings, given, session):
    for reading in readings:  # EXIT-N-12; it is always without a screen, so that nothing is written
        outcome.terminal_sequence(reading, session.host)
