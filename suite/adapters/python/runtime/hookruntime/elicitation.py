"""Elicitation: does a hook answer an MCP server's request in the user's place? (chapter: Elicitation)"""

import json

from .inputs import as_given
from .reading import read_command  # noqa: F401
from .schema import mapping, one_of

NAME = "Elicitation"
MATCHES_ON = "mcp_server_name"
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False  # nobody is told why (ELICIT-DECL-03)
OWN_FIELDS = {"action": one_of("accept", "decline", "cancel"), "content": mapping}
complete_input = as_given


def decide(outcome, readings, given, session):
    replies = []
    for reading in readings:
        outcome.terminal_sequence(reading, session.host)  # ELICIT-OUT-07 discards the rest; TERM-14 does not
        reply = _reply(reading)
        if reply:
            replies.append(reply)
    if not replies:  # ELICIT-OUT-04
        return
    declined = [reply for reply in replies if reply["action"] == "decline"]  # PREC-ELICIT-01
    reply = (declined or replies)[-1]
    outcome.fate = "prevented"
    outcome.set["mcp_reply"] = reply
    outcome.log("Elicitation resolved by hook: " + json.dumps(reply, separators=(",", ":"), ensure_ascii=False))


def _reply(reading):
    """EXIT-2-04, ELICIT-DECL-02, ELICIT-DECL-05: exit 2 and a top-level block decline, whatever `action` says."""
    if reading.blocks or reading.output.get("decision") == "block":
        return {"action": "decline"}
    action = reading.own.get("action")
    if action == "accept" and "content" in reading.own:  # ELICIT-OUT-01
        return {"action": action, "content": reading.own["content"]}
    return {"action": action} if action else None  # ELICIT-OUT-02, -03
