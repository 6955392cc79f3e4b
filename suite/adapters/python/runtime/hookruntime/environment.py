"""What hooks hand on to Bash commands: the file that CLAUDE_ENV_FILE names to them (chapters: SessionStart, Setup, CwdChanged,
FileChanged).

Each of these hooks has a file of its own here, so that none can spoil another's (A-152); a command finds what all of them hold.
"""

from .texts import to_str

# Only hooks of these events have such a file (ENV-FILE-04, ENV-FILE-05).
FOR_THE_SESSION = ("SessionStart", "Setup")        # ENV-FILE-02, SETUP-OUT-04
FOR_THE_DIRECTORY = ("CwdChanged", "FileChanged")  # up to the next change of directory: CWD-02, FILECHG-09B


class Environment:
    def __init__(self):
        self.files = []  # (event, variables), in the order in which they were written

    def after(self, event, readings):
        """An event is over. Other types of handlers than commands have no environment, and so no file."""
        if event.NAME == "CwdChanged":  # whether it has hooks or not
            self.files = [file for file in self.files if file[0] in FOR_THE_SESSION]
        if event.NAME in FOR_THE_SESSION + FOR_THE_DIRECTORY:
            self.files += [(event.NAME, _exported(read.did)) for read in readings if read.hook.kind == "command"]

    def variables(self):
        """Of several values of a name the last one written counts."""
        return {name: value for _, variables in self.files for name, value in variables.items()}


def _exported(deeds):
    written = "\n".join(to_str(deed["wrote_environment"]) for deed in deeds if "wrote_environment" in deed)
    exports = (line.strip()[len("export "):] for line in written.splitlines() if line.strip().startswith("export "))
    return {name.strip(): value for name, is_set, value in (export.partition("=") for export in exports) if is_set}
