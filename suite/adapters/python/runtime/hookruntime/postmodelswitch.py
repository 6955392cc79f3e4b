"""PostModelSwitch: the session has another model; what does it have to know? (chapter: PostModelSwitch)"""

from .inputs import as_given
from .models import matcher_target  # noqa: F401
from .outcome import Outcome
from .reading import read_command  # noqa: F401
from .schema import string

NAME = "PostModelSwitch"
MATCHES_ON = "to_model"  # MATCH-TGT-MODEL
TIMEOUT = 30  # TIMEOUT-DEF-06
PERMISSION_MODE = IN_A_TURN = False
SHOWS_ERRORS = True
OWN_FIELDS = {"additionalContext": string}
complete_input = as_given


def decide(outcome, readings, given, session):
    later = Outcome()
    for reading in readings:  # POSTMODEL-01B: the switch stands
        outcome.universal(reading, session.host)
        outcome.notice_of_exit_2(reading)
        for text in (reading.plain, reading.own.get("additionalContext")):  # POSTMODEL-OUT-01
            if text:
                later.context(reading, text)
    session.for_model = later.said  # POSTMODEL-OUT-03: in the place of what an earlier switch left
