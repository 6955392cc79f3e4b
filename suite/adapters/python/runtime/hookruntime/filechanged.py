"""FileChanged: a watched file is another one now; which files are watched from now on? (chapter: FileChanged)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401
from .schema import strings
from .watching import decide  # noqa: F401

NAME = "FileChanged"
MATCHES_ON = "file_path"
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = False
SHOWS_ERRORS = True
OWN_FIELDS = {"watchPaths": strings}
complete_input = as_given


def matcher_target(given, host):
    """FILECHG-04: the base name alone. That the matcher also names files to be watched does not matter any more here."""
    return str(given.get("file_path", "")).rpartition("/")[2]
