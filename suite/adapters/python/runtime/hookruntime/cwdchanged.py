"""CwdChanged: the session works in another directory now; which files are watched there? (chapter: CwdChanged)"""

from .reading import read_command  # noqa: F401
from .schema import strings
from .watching import decide  # noqa: F401

NAME = "CwdChanged"
MATCHES_ON = None  # MATCH-PAT-07
TIMEOUT = 600
PERMISSION_MODE = False
IN_A_TURN = SHOWS_ERRORS = True  # a command of the conversation went there (CWD-01)
OWN_FIELDS = {"watchPaths": strings}


def complete_input(given, session):
    """CWD-IN-01: `cwd` is the new directory already, here and for all hooks that follow (INPUT-CWD-01)."""
    if isinstance(given.get("new_cwd"), str):
        given["cwd"] = session.host["cwd"] = given["new_cwd"]
