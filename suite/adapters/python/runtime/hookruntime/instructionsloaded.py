"""InstructionsLoaded: a file of instructions is in the context; hooks keep a record of it. (chapter: InstructionsLoaded)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401

NAME = "InstructionsLoaded"
MATCHES_ON = "load_reason"  # MATCH-TGT-INSTR
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False  # EXIT-2-EV-InstructionsLoaded
OWN_FIELDS = {}
complete_input = as_given


def decide(outcome, readings, given, session):
    for reading in readings:  # INSTR-OUT-01: what is loaded stays as it is; EXIT-N-12
        outcome.terminal_sequence(reading, session.host)
