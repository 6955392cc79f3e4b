"""PostToolBatch: every call of a batch is done; is the model asked again, and with what? (chapter: PostToolBatch)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401
from .schema import string

NAME = "PostToolBatch"
MATCHES_ON = None  # MATCH-TGT-NONE
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {"additionalContext": string}
complete_input = as_given


def decide(outcome, readings, given, session):
    session.continuations = 0  # STOP-CAP-02: a batch is made of tool calls
    for reading in readings:
        stopped = outcome.universal(reading, session.host)  # tells `stopReason` to both, as POSTBATCH-OUT-04 wants it
        if "additionalContext" in reading.own:  # CTX-06, POSTBATCH-OUT-01
            outcome.context(reading, reading.own["additionalContext"])
        blocked = reading.blocks or reading.output.get("decision") == "block"
        if blocked:
            _explain(outcome, reading)
        if blocked or stopped or reading.ends_turn:  # POSTBATCH-OUT-02, PROMPT-RESP-05: no further request
            outcome.fate = "prevented"
            outcome.agent = outcome.agent or "ends_turn"


def _explain(outcome, reading):
    """POSTBATCH-OUT-03, EXIT-2-05: the reason of a blocking object, or else the stderr of exit 2."""
    by_json = reading.output.get("reason") if reading.output.get("decision") == "block" else None
    message = by_json or (reading.blocks and reading.stderr)
    if message:
        for audience in ("user", "model"):  # POSTBATCH-OUT-04: a warning that also stays in the conversation
            outcome.say(audience, message, "block", reading.hook)
