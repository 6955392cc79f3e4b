"""ElicitationResult: does the user's answer reach the MCP server, or another in its place? (chapter: ElicitationResult)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401
from .schema import mapping, one_of

NAME = "ElicitationResult"
MATCHES_ON = "mcp_server_name"  # MATCH-TGT-ELICIT
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False  # nobody sees why (ELICIT-DECL-03)
OWN_FIELDS = {"action": one_of("accept", "decline", "cancel"), "content": mapping}
complete_input = as_given
DECLINE = {"action": "decline"}  # never with values (ELICITRES-OUT-03, ELICITRES-BLOCK-VALUES)


def decide(outcome, readings, given, session):
    for reading in readings:
        outcome.terminal_sequence(reading, session.host)  # ELICITRES-OUT-07 discards the rest; TERM-14 does not
        answer = _answer(reading, given)
        if answer is None:  # ELICITRES-OUT-01, -05
            continue
        outcome.fate = "prevented"
        if outcome.set.get("mcp_reply") != DECLINE:  # a block holds, whoever finishes later; else the last counts
            outcome.set["mcp_reply"] = answer
        outcome.log(f"answer to the MCP server: {answer['action']}", reading.hook)


def _answer(reading, given):
    """What the server would get if this hook were the only one; None leaves the user's answer alone."""
    action, content = reading.own.get("action"), reading.own.get("content")
    if reading.blocks or reading.output.get("decision") == "block" or action == "decline":  # EXIT-2-04, ELICIT-DECL-02, -05
        return DECLINE
    if action == "cancel":  # ELICITRES-OUT-04: strange, but what the user filled in goes along
        content = given.get("content")
    if action is None:
        return None
    return {"action": action} if content is None else {"action": action, "content": content}  # ELICITRES-OUT-02, A-163
