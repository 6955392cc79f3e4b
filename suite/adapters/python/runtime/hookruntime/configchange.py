"""ConfigChange: does the session take up a configuration that has changed? (chapter: ConfigChange)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401

NAME = "ConfigChange"
MATCHES_ON = "source"  # MATCH-TGT-CONFIG
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False
OWN_FIELDS = {}
complete_input = as_given


def decide(outcome, readings, given, session):
    managed = given.get("source") == "policy_settings"
    for reading in readings:
        outcome.terminal_sequence(reading, session.host)  # CONFCHG-OUT-04 discards the rest; TERM-14 does not
        if not (reading.blocks or reading.output.get("decision") == "block"):
            continue
        if not managed:  # CONFCHG-OUT-01; CONFCHG-OUT-03: what an organization manages always takes effect
            outcome.fate = "prevented"
        verb = "not blocked, for it is managed" if managed else "blocked"  # CONFCHG-OUT-05: the log alone hears of it
        outcome.log(f"change of {given.get('source')} {verb}: {_why(reading)}", reading.hook)


def _why(reading):
    return reading.output.get("reason") or reading.stderr or "no reason given"
