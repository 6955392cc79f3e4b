"""The outcome of one step, collected while the hooks' answers are carried out."""

from .spill import spill
from .terminal import is_allowed
from .texts import first_line, well_formed


class Outcome:
    def __init__(self):
        self.ran, self.said, self.set = [], [], {}
        self.fate = self.agent = None

    def say(self, to, text, how=None, by=None, prefix="", limited=False):
        """`limited` texts are spilled when they are long; the prefix is this runtime's own and does not count."""
        shown, whole = spill(text) if limited else (text, None)
        said = {"to": to, "text": well_formed(prefix + shown)}
        if how:
            said["how"] = how
        if by:
            said["by"] = by.name
        if whole is not None:
            said["spill"] = {"content": well_formed(whole)}
        self.said.append(said)

    def log(self, text, by=None):
        self.say("debug", text, by=by)

    def context(self, reading, text):
        """CTX-01, PROMPTSUB-OUT-05: a system reminder of its own that begins with the hook's name."""
        self.say("model", text, "context", reading.hook, f"{reading.hook.title} hook: ", limited=True)

    def report(self, reading, notices):
        """The log of one hook and, on events that show it, its failure (EXIT-N-09, SCHEMA-02, STDOUT-PARSE-09)."""
        for text in reading.log:
            self.log(text, reading.hook)
        if reading.problem and notices:
            self.say("user", f"{reading.hook.title} hook error\n{reading.problem}", "notice", reading.hook)
        elif reading.problem:
            self.log(reading.problem, reading.hook)

    def notice_of_exit_2(self, reading):
        """EXIT-2-NOTICE-01: where there is nothing to block, it is told in the manner of a non-blocking error."""
        if reading.blocks:
            self.say("user", f"{reading.hook.title} hook error\n{first_line(reading.stderr)}", "notice", reading.hook)
            if reading.stderr:
                self.log(reading.stderr, reading.hook)

    def terminal_sequence(self, reading, host):
        """TERM-01, TERM-15, TERM-16: only where an interface is on the screen; all of it or nothing."""
        sequence = reading.output.get("terminalSequence")
        if not sequence or host["surface"] != "terminal":
            return
        if is_allowed(sequence):
            self.say("terminal", sequence, by=reading.hook)
        else:
            self.log("terminalSequence ignored: not on the allowlist", reading.hook)

    def universal(self, reading, host, may_stop=True, shows_messages=True):
        """The universal fields, on events that discard none of them, or `continue` alone. Tells whether the agent is to stop."""
        self.terminal_sequence(reading, host)
        if shows_messages and "systemMessage" in reading.output:  # JSON-SYSMSG-01
            self.say("user", reading.output["systemMessage"], "warning", reading.hook, limited=True)
        if not may_stop or reading.output.get("continue") is not False:  # JSON-STOPREASON-03
            return False
        self.agent = "stops"  # JSON-CONT-01
        if "stopReason" in reading.output:  # JSON-STOPREASON-01, -02: it stays in the conversation
            self.say("user", reading.output["stopReason"], "block", reading.hook)
            self.say("model", reading.output["stopReason"], "block", reading.hook)
        return True

    def to_json(self):
        places = {"ran": self.ran, "fate": self.fate, "agent": self.agent, "said": self.said, "set": self.set}
        return {place: value for place, value in places.items() if value}
