"""TeammateIdle: does the teammate go idle, work on, or stop altogether? (chapter: TeammateIdle)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401

NAME = "TeammateIdle"
MATCHES_ON = None
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {}
complete_input = as_given


def decide(outcome, readings, given, session):
    for reading in readings:
        outcome.universal(reading, session.host)  # TEAMIDLE-OUT-02
        if reading.blocks:  # TEAMIDLE-OUT-01; beside a continue:false both take effect
            outcome.fate = "prevented"
            if reading.stderr:
                outcome.say("model", reading.stderr, "feedback", reading.hook)
