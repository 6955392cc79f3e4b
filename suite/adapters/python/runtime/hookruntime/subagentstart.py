"""SubagentStart: what does a subagent know when it begins, or is taken up again? (chapter: SubagentStart)"""

from .reading import read_command  # noqa: F401
from .schema import string

NAME = "SubagentStart"
MATCHES_ON = "agent_type"  # MATCH-TGT-SUBAGENT
TIMEOUT = 600
PERMISSION_MODE = False  # its sample does not have it (INPUT-PERMMODE-04)
IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {"additionalContext": string}


def complete_input(given, session):
    """SUBSTART-IN-01."""
    given.setdefault("agent_id", "agent-0")
    given.setdefault("agent_type", "")


def decide(outcome, readings, given, session):
    agent, added = given["agent_id"], False
    for reading in readings:  # DECISION-CTXONLY-01: whatever they say, the subagent begins
        outcome.universal(reading, session.host)
        outcome.notice_of_exit_2(reading)
        text = reading.own.get("additionalContext")
        if text and agent not in session.informed:  # SUBSTART-OUT-02: the first copy stays, and no other comes to it
            outcome.context(reading, text)
            added = True
    if added:
        session.informed.add(agent)
