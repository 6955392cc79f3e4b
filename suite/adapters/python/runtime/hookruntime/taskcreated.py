"""TaskCreated: does the new task stay? (chapter: TaskCreated)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401

NAME = "TaskCreated"
MATCHES_ON = None
TIMEOUT = 600
PERMISSION_MODE = False  # its sample does not have it (INPUT-PERMMODE-04)
IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {}
complete_input = as_given


def decide(outcome, readings, given, session):
    session.continuations = 0  # TASKCREATE-01: TaskCreate is a tool (STOP-CAP-02)
    for reading in readings:
        outcome.universal(reading, session.host, may_stop=False)  # TASKCREATE-OUT-04
        decides = reading.output.get("decision") == "block"
        if not (reading.blocks or decides):
            continue
        outcome.fate = "prevented"
        outcome.set["task_gone"] = True  # TASKCREATE-OUT-01
        error = (decides and reading.output.get("reason")) or (reading.blocks and reading.stderr)
        if error:  # TASKCREATE-OUT-02, -03, EXIT-2-05
            outcome.say("model", error, by=reading.hook)
