"""TaskCompleted: is the task marked as completed? (chapter: TaskCompleted)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401

NAME = "TaskCompleted"
MATCHES_ON = None
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {}
complete_input = as_given


def decide(outcome, readings, given, session):
    turn_ends = "turn_ends" in session.host["facts"]  # TASKDONE-02; otherwise TaskUpdate is what completes it (TASKDONE-01)
    if not turn_ends:
        session.continuations = 0  # STOP-CAP-02
    for reading in readings:
        outcome.universal(reading, session.host, may_stop=turn_ends)  # TASKDONE-OUT-02, -03
        if reading.blocks:  # TASKDONE-OUT-01, -04
            outcome.fate = "prevented"
            if reading.stderr:
                outcome.say("model", reading.stderr, "feedback", reading.hook)
