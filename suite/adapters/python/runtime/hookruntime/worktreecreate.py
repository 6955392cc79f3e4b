"""WorktreeCreate: where is the worktree that the hook made? (chapter: WorktreeCreate)

It has a contract of its own: a command's stdout is a path and never JSON (EXIT-GEN-02), and whatever goes wrong makes the
creation fail (EXIT-N-11, HTTP-02, WTCREATE-OUT-06).
"""

import posixpath
import re

from .inputs import as_given
from .reading import NON_BLOCKING, Reading
from .schema import string
from .texts import first_line, trim

NAME = "WorktreeCreate"
MATCHES_ON = None
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False
OWN_FIELDS = {"worktreePath": string}
complete_input = as_given

# CSI sequences, OSC and other strings up to their end, and the remaining escapes of two or three characters.
_ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]"
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]"
)


class NoWorktree(Exception):
    """Why there is none."""


def read_command(hook, end, out, err, event):
    reading = Reading(hook, stderr=err)
    if end == {"exit": 0}:
        lines = [line for line in map(trim, _ANSI.sub("", out).split("\n")) if line]
        reading.plain = lines[-1] if lines else ""  # WTCREATE-OUT-02 to -04
        reading.log = [text for text in (out, err) if text]
    else:
        reading.problem = (NON_BLOCKING + first_line(err)).replace("non-blocking ", "")
        reading.log = [err] if err else []
    return reading


def decide(outcome, readings, given, session):
    if not readings:
        return
    paths = []
    try:
        for reading in readings:
            outcome.terminal_sequence(reading, session.host)  # TERM-21; a command has no JSON (TERM-17)
        for reading in sorted(readings, key=lambda reading: reading.hook.place):
            paths.append(_path(reading, session.host))
    except NoWorktree as problem:
        outcome.fate = "prevented"
        outcome.say("user", f"WorktreeCreate hook failed: {problem}", "block")
        return
    outcome.set["worktree_path"] = paths[0]  # WTCREATE-04


def _path(reading, host):
    """The directory that one hook returned, or NoWorktree."""
    if reading.timed_out:
        raise NoWorktree(f"{reading.hook.name} timed out")
    if reading.problem:
        raise NoWorktree(reading.problem)
    path = reading.own.get("worktreePath", "") or reading.plain  # WTCREATE-OUT-05
    if not path:
        raise NoWorktree(f"{reading.hook.name} returned no path")
    if path.startswith("/"):
        refused = [part for part in path.split("/") if part in (".", "..")]
        if refused:  # WTCREATE-OUT-09, -11
            raise NoWorktree(f"the path {path} contains the component {refused[0]!r}")
    else:  # WTCREATE-OUT-07
        path = posixpath.normpath(posixpath.join(host["cwd"], path))
    known = host["directories"]
    if known is not None and path.rstrip("/") not in [directory.rstrip("/") for directory in known]:
        raise NoWorktree(f"{path} is not a directory")  # WTCREATE-OUT-08
    return path
