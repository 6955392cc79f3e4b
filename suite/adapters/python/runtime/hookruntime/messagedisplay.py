"""MessageDisplay: what appears on the screen for a piece of the assistant's message? (chapter: MessageDisplay)"""

from . import reading as general
from .inputs import as_given
from .schema import string
from .texts import first_line

NAME = "MessageDisplay"
MATCHES_ON = None  # MATCH-TGT-NONE
TIMEOUT = 10  # TIMEOUT-DEF-07
PERMISSION_MODE = SHOWS_ERRORS = False  # MSGDISP-10
IN_A_TURN = True
OWN_FIELDS = {"displayContent": string}
complete_input = as_given


def read_command(hook, end, out, err, event):
    reading = general.read_command(hook, end, out, err, event)
    if end != {"exit": 0} and reading.succeeded:  # valid JSON does not make up for the code
        reading.problem = general.NON_BLOCKING + first_line(err)
    return reading


def decide(outcome, readings, given, session):
    for reading in readings:
        outcome.terminal_sequence(reading, session.host)  # MSGDISP-OUT-03 drops the rest; JSON-UNIV-02 does not
        text = reading.own.get("displayContent")
        if text is not None and reading.succeeded:  # MSGDISP-03, EXIT-2-EV-MessageDisplay
            outcome.set["display"] = text  # MSGDISP-05, -05B: for the eye alone
