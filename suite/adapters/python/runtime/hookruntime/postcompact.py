"""PostCompact: the compaction is done; who hears of hooks that have something against it? (chapter: PostCompact)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401

NAME = "PostCompact"
MATCHES_ON = "trigger"  # MATCH-TGT-COMPACT
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False
OWN_FIELDS = {}
complete_input = as_given


def decide(outcome, readings, given, session):
    for reading in readings:  # POSTCOMPACT-OUT-01: whatever they say, the summary stays as it is
        outcome.terminal_sequence(reading, session.host)  # POSTCOMPACT-02 discards the rest; TERM-14 does not
        if reading.blocks and reading.stderr:  # EXIT-2-EV-PostCompact
            outcome.say("user", reading.stderr, by=reading.hook)
