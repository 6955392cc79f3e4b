"""What one handler said: its exit code (or HTTP status) and its output, taken together.

Chapters: exit code output, timeouts, HTTP response handling, MCP tool results. What it then comes to is each event's own matter.
"""

from dataclasses import dataclass, field

from . import evaluators, schema, stdout
from .texts import first_line, to_str, trim

NON_BLOCKING = "Failed with non-blocking status code: "


@dataclass
class Reading:
    hook: object
    output: dict = field(default_factory=dict)  # the JSON output, if it is valid
    plain: str = ""           # plain stdout of a command that exited with 0
    blocks: bool = False      # it exited with 2
    stderr: str = ""
    problem: str = ""         # it failed without blocking: what a notice says
    timed_out: bool = False
    log: list = field(default_factory=list)
    did: list = field(default_factory=list)  # what else it left in the world
    objection: object = None  # an evaluator's `ok: false`
    ends_turn: bool = False   # and nobody goes on with it

    @property
    def own(self):
        return self.output.get("hookSpecificOutput") or {}

    @property
    def succeeded(self):
        return not (self.blocks or self.problem or self.timed_out)


def read(hook, result, event):
    """The reading of a result as the case gives it; a result left out is success and silence."""
    end = result.get("end", {"http": {"status": 200}, "command": {"exit": 0}}.get(hook.kind, "answered"))
    reading = _read_end(hook, end, result, event)
    reading.did = result.get("did", [])
    return reading


def _read_end(hook, end, result, event):
    if end == "timed_out":  # TIMEOUT-01, TIMEOUT-02: nothing of its output counts, not even for the log
        return Reading(hook, timed_out=True, log=[f"cancelled after {hook.timeout:g}s"])
    out, err = to_str(result.get("out", "")), to_str(result.get("err", ""))
    if hook.kind == "http":
        return _read_response(hook, end, out, event)
    if hook.kind != "command":
        end = "answered" if end == {"exit": 0} else end  # as a result is written that tells no end
        return (_read_tool if hook.kind == "mcp_tool" else _read_verdict)(hook, end, out, event)
    return event.read_command(hook, end, out, err, event)


def read_command(hook, end, out, err, event):
    """A command hook of an event that reads stdout as JSON output."""
    reading = Reading(hook, stderr=err)
    if end == "not_started":  # EXIT-N-14: no different from a shell's exit 127
        return _fail(reading, NON_BLOCKING + first_line(err))
    code = end.get("exit")  # None: a signal, which is neither 0 nor 2
    kind, value = stdout.read(out, event)
    if kind == "object":
        kind, value = _validate(reading, value, event)
    reading.blocks = code == 2
    if reading.blocks:  # EXIT-2-01, EXIT-2-03, EXIT-2-07, STDOUT-PARSE-11
        if kind == "error":
            reading.log.append(value)
    elif kind == "error":  # SCHEMA-01 to -03, STDOUT-PARSE-08, -09
        _fail(reading, value)
    elif kind == "object" or code == 0:  # EXIT-N-02 to -04: valid JSON outweighs the exit code
        reading.plain = value if kind == "plain" and trim(value) else ""
        reading.log += [text for text in (out, err) if text]  # STDOUT-01, EXIT-0-02
    else:  # EXIT-N-08, EXIT-N-09
        _fail(reading, NON_BLOCKING + first_line(err))
    return reading


def _read_tool(hook, end, text, event):
    """MCPHOOK-04: the text is read as a command's stdout. MCPHOOK-05, -08: an error lets everything go on."""
    if end == "answered":
        return event.read_command(hook, {"exit": 0}, text, "", event)
    reading = Reading(hook, log=[text] if text else [])
    problem = f"the tool {hook.name} of {hook.spec['server']} returned an error"
    if end != "tool_error":
        problem = f"the MCP server {hook.spec['server']} is not connected"
    if event.NAME == "WorktreeRemove":  # there, what counts is a command's code, and a tool has none
        reading.log.append(problem)
        return reading
    return _fail(reading, problem)


def _read_verdict(hook, end, text, event):
    """PROMPT-RESP-01. An answer that is no verdict is an error, and no objection."""
    if event.NAME == "PermissionDenied":  # PERMDEN-OUT-05
        return Reading(hook)
    if end != "answered":
        return _fail(Reading(hook), "no verdict was given")
    objection, wrong = evaluators.read(text)
    reading = Reading(hook, objection=objection, log=[text] if text else [])
    return _fail(reading, wrong) if wrong else reading


def _read_response(hook, end, body, event):
    """HTTP-03 to HTTP-12. A body is JSON output or nothing; plain text in it is an error."""
    reading = Reading(hook)
    if not isinstance(end, dict):
        return _fail(reading, "HTTP request failed: " + ("connection refused" if end == "refused" else "no response"))
    status = end.get("status", 0)
    if not 200 <= status < 300:
        return _fail(reading, f"{NON_BLOCKING}HTTP {status}")
    text = trim(body)
    if not text:
        return reading
    try:
        value = stdout.parse(text)
    except ValueError as problem:
        return _fail(reading, f"HTTP body is not JSON: {problem}")
    if not isinstance(value, dict):
        return _fail(reading, "HTTP body is not a JSON object")
    kind, value = _validate(reading, value, event)
    reading.log.append(body)
    return _fail(reading, value) if kind == "error" else reading


def _validate(reading, value, event):
    """Puts a valid object into the reading; an invalid one becomes an error."""
    wrong = schema.check(value, event)
    if wrong:
        return "error", wrong
    reading.output = value
    unknown = schema.unrecognized(value, event)
    if unknown:
        reading.log.append("unrecognized keys: " + ", ".join(unknown))
    return "object", value


def _fail(reading, problem):
    reading.problem = problem
    if reading.stderr:
        reading.log.append(reading.stderr)  # EXIT-N-10
    return reading
