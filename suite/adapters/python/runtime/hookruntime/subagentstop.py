"""SubagentStop: does the subagent stop, or go on working? (chapters: SubagentStop, Stop)

What it is decided by is what Stop is decided by (SUBSTOP-OUT-01); what is remembered is each subagent's own.
"""

from . import stop
from .inputs import SESSION_FOLDER, stop_arrays
from .reading import read_command  # noqa: F401
from .schema import string
from .texts import trim

NAME = "SubagentStop"
MATCHES_ON = "agent_type"  # MATCH-TGT-SUBAGENT; it is empty for agents that the runtime itself uses (SUBSTOP-IN-05)
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {"additionalContext": string}


def complete_input(given, session):
    """SUBSTOP-IN-01 to -07, STOP-IN-01."""
    given.setdefault("agent_id", "agent-0")
    given.setdefault("agent_type", "")
    given.setdefault("agent_transcript_path", f"{SESSION_FOLDER}/subagents/{given['agent_id']}.jsonl")
    given.setdefault("last_assistant_message", "")
    given["stop_hook_active"] = given["agent_id"] in session.kept_at_work or given.get("stop_hook_active") is True
    stop_arrays(given)


def decide(outcome, readings, given, session):
    stopped = any([outcome.universal(reading, session.host) for reading in readings])
    blocking = [r for r in readings if r.blocks or (r.output.get("decision") == "block" and not stopped)]
    feeding = [r for r in readings if trim(r.own.get("additionalContext", "")) and not stopped]
    stop.tell(outcome, blocking, feeding, "SubagentStop hook feedback: ")
    outcome.fate = "prevented" if blocking or feeding else "proceeds"
    if stopped:  # STOP-OUT-07; an exit 2 still stands
        outcome.agent = "stops"
    else:  # no limit is established here (STOP-CAP-SUB)
        outcome.agent = "goes_on" if blocking or feeding else "ends_turn"
    if outcome.agent == "goes_on":
        session.kept_at_work.add(given["agent_id"])
    else:
        session.kept_at_work.discard(given["agent_id"])
        session.subagents.stop(given)  # CONFIG-SKILL-03
