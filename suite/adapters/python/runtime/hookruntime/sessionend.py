"""SessionEnd: the session is over; hooks tidy up, within a short time. (chapter: SessionEnd)"""

from dataclasses import replace

from .inputs import as_given
from .reading import read_command  # noqa: F401
from .settings import FILES

NAME = "SessionEnd"
MATCHES_ON = "reason"  # MATCH-TGT-SESSEND
TIMEOUT = 1.5  # SESSEND-BUDGET-01
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False
OWN_FIELDS = {}
complete_input = as_given

LONGEST = 60  # to which settings files can raise the budget
VARIABLE = "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS"


def limit_times(hooks, host):
    """The same hooks, none with more time than all of them have together (SESSEND-BUDGET-01 to -06, -OWN)."""
    usual, budget = TIMEOUT, TIMEOUT
    stated = host["env"].get(VARIABLE, "")
    if stated.isascii() and stated.isdigit() and int(stated) > 0:  # -05, -06: for those without a time of their own, too
        usual = budget = int(stated) / 1000
    else:  # -02, -03, -04: what plugins bring raises nothing, and nobody else gets more by it
        budget = min(LONGEST, max([budget] + [hook.timeout for hook in hooks if hook.source in FILES and _has_own_time(hook)]))
    return [replace(hook, timeout=min(hook.timeout if _has_own_time(hook) else usual, budget)) for hook in hooks]


def _has_own_time(hook):
    own = hook.spec.get("timeout")
    return isinstance(own, (int, float)) and own == hook.timeout  # anything else counts as none


def decide(outcome, readings, given, session):
    for reading in readings:  # SESSEND-OUT-01, -01B
        outcome.terminal_sequence(reading, session.host)
        if reading.blocks and reading.stderr:  # EXIT-2-EV-SessionEnd
            outcome.say("user", reading.stderr, by=reading.hook)
    session.begin()  # what comes after belongs to another one
