"""SessionStart: what does a session begin with, or go on with? (chapter: SessionStart)"""

from .reading import read_command  # noqa: F401
from .schema import boolean, string, strings
from .spill import spill

NAME = "SessionStart"
MATCHES_ON = "source"  # MATCH-TGT-SESSSTART
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = False
SHOWS_ERRORS = True
OWN_FIELDS = {"additionalContext": string, "initialUserMessage": string, "sessionTitle": string, "watchPaths": strings,
              "reloadSkills": boolean}


def complete_input(given, session):
    """SESSTART-IN-04. But for a compaction, a conversation that no stop hook keeps going begins or is taken up."""
    if session.title is not None:
        given.setdefault("session_title", session.title)
    if given.get("source") != "compact":
        session.turn_over()


def decide(outcome, readings, given, session):
    for reading in readings:  # SESSTART-OUT-15: the session goes ahead
        outcome.universal(reading, session.host)
        outcome.notice_of_exit_2(reading)
        for text in (reading.plain, reading.own.get("additionalContext")):  # STDOUT-02, SESSTART-CTX
            if text:
                outcome.context(reading, text)
        _equip(outcome, reading.own, given, session)


def _equip(outcome, own, given, session):
    """What else a hook gives the session. Where several give the same thing, the last to finish does; paths add up (A-78)."""
    if "initialUserMessage" in own and session.host["surface"] == "print":  # SESSTART-OUT-02, -05
        outcome.set["first_prompt"], _ = spill(own["initialUserMessage"])  # SPILL-01, A-105
    if "sessionTitle" in own and given.get("source") in ("startup", "resume", "fork"):  # SESSTART-OUT-06, -07
        session.title = outcome.set["session_title"] = own["sessionTitle"]
    if own.get("watchPaths"):  # SESSTART-OUT-08
        known = outcome.set.setdefault("watch_paths", [])
        known.extend(path for path in own["watchPaths"] if path not in known)
    if own.get("reloadSkills"):  # SESSTART-OUT-09: once, however many ask for it
        outcome.set["skills_reloaded"] = True
