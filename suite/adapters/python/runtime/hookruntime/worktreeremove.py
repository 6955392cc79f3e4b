"""WorktreeRemove: is the worktree gone? (chapter: WorktreeRemove)

Its exit code alone decides, and what it printed is not looked at (WTREMOVE-06, WTREMOVE-10), with one exception: nobody
minds a failure if the directory is no longer there (WTREMOVE-07, WTREMOVE-08).
"""

from . import reading as general
from .inputs import as_given
from .texts import cut

NAME = "WorktreeRemove"
MATCHES_ON = None  # MATCH-PAT-07
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False
OWN_FIELDS = {}
complete_input = as_given

_QUOTED = 300  # characters of stderr in agent view


def read_command(hook, end, out, err, event):
    reading = general.read_command(hook, end, out, err, event)
    reading.stderr = err
    reading.problem = "" if end == {"exit": 0} else _how_it_ended(end)
    return reading


def _how_it_ended(end):
    if end == "not_started":
        return "did not start"
    return f"exited {end['exit']}" if "exit" in end else f"was killed by signal {end['signal']}"


def _is_gone(path, readings):
    """Whether one of the hooks has removed the directory, be it with another one around it."""
    removed = [deed["removed_directory"] for reading in readings for deed in reading.did if "removed_directory" in deed]
    return any((path.rstrip("/") + "/").startswith(directory.rstrip("/") + "/") for directory in removed)


def decide(outcome, readings, given, session):
    failures = []
    for reading in readings:
        outcome.terminal_sequence(reading, session.host)  # EXIT-N-12
        if reading.problem or reading.blocks or reading.timed_out:  # HTTP-02: a server's failure is no different
            failures.append((reading, reading.problem or "timed out"))
    if not readings:
        return
    if not failures or _is_gone(given.get("worktree_path", ""), readings):
        outcome.fate = "proceeds"  # WTREMOVE-06
        return
    outcome.fate = "prevented"  # EXIT-2-EV-WorktreeRemove
    for reading, how in failures:
        outcome.log(f"WorktreeRemove hook {reading.hook.name} {how}\n{reading.stderr}", reading.hook)  # WTREMOVE-IN-02
        if session.host["surface"] == "background":  # WTREMOVE-IN-03, -03B to -03D
            outcome.say("user", f"Session not deleted: its WorktreeRemove hook {how}. {cut(reading.stderr, _QUOTED)}\n"
                        "The directory is not removed by deleting the session again.", "block", reading.hook)
