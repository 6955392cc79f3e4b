"""A handler's `if`: one permission rule on the call (chapter: matchers, MATCH-IF-01 to -08, MATCH-IF-BASH-01 to -06).

The rest of the grammar of permission rules is not in the contract (A-97). Where this runtime is not sure, the handler runs.
"""

import fnmatch
import posixpath
import re

TOOL_EVENTS = ("PreToolUse", "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure")
FILE_TOOLS = ("Read", "Write", "Edit")

_RULE = re.compile(r"([^()]+)(?:\((.*)\))?", re.DOTALL)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_FILLED_IN = re.compile(r"`|\$[A-Za-z_({]")
# The words of the shell that begin a construct of several parts; what such an input runs is not worked out.
_KEYWORDS = {"if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "select", "function", "time",
             "!", "{"}


class Unclear(Exception):
    """It cannot be told which commands the input runs."""


def holds(spec, event_name, given):
    """Whether the handler may run, as far as its `if` goes."""
    if "if" not in spec:
        return True
    rule = spec["if"]
    if event_name not in TOOL_EVENTS or not isinstance(rule, str):  # MATCH-IF-02
        return False
    found = _RULE.fullmatch(rule.strip())
    tool, pattern = (found[1].strip(), found[2]) if found else (rule.split("(")[0].strip(), None)
    if tool != given.get("tool_name"):  # MATCH-IF-06
        return False
    tool_input = given.get("tool_input")
    argument = tool_input.get("command" if tool == "Bash" else "file_path") if isinstance(tool_input, dict) else None
    if pattern is None or not isinstance(argument, str):
        return True
    if tool == "Bash":
        return _bash(pattern, argument)
    return tool not in FILE_TOOLS or _is_below(pattern, argument, given.get("cwd", "/"))


def _bash(pattern, line):
    try:
        found = commands(line)
    except (Unclear, RecursionError):  # MATCH-IF-BASH-06
        return True
    wanted = _glob(pattern)
    if any(wanted.fullmatch(text) for text in (line.strip(), *found)):  # MATCH-IF-BASH-01 to -03
        return True
    # MATCH-IF-BASH-04, -05
    return " " in _name_of(pattern).strip() and _FILLED_IN.search(line) is not None


def _name_of(pattern):
    """The pattern without the wildcard for all arguments, which can be written in two ways."""
    return re.sub(r"(?: |:)\*\Z", "", pattern)


def _glob(pattern):
    name = _name_of(pattern)
    parts = ".*".join(map(re.escape, name.split("*")))
    return re.compile(parts + ("(?: .*)?" if name != pattern else ""), re.DOTALL)


def commands(line):
    """The simple commands of a Bash input, those in substitutions too, without assignments in front (MATCH-IF-BASH-01)."""
    found = []
    _scan(line, 0, None, found)
    return [command for command in map(_without_assignments, found) if command]


def _scan(line, at, closing, found):
    """Collects the commands from here to the closing character; tells where it stands (or the end of the line)."""
    start, word_begins = at, True
    while at < len(line):
        c, rest = line[at], line[at + 1:at + 2]
        if c == closing:
            found.append(line[start:at])
            return at
        if c in "&|" and (line[at - 1:at] == ">" or c + rest == "&>"):
            pass  # 2>&1, &>file, >|file
        elif c in ";&|\n":
            found.append(line[start:at])
            start = at + 1
        elif c == "(" and not line[start:at].strip():  # a group
            at = start = _close(line, at + 1, ")", found)
            continue
        elif c in "()" or c + rest == "<<":
            raise Unclear
        elif c == "#" and word_begins:
            newline = line.find("\n", at)
            found.append(line[start:at])
            at = start = len(line) if newline < 0 else newline
            continue
        else:
            at = _skip(line, at, found)
            word_begins = False
            if c in " \t":
                word_begins = True
            continue
        word_begins = True
        at += 1
    if closing is not None:
        raise Unclear
    found.append(line[start:])
    return at


def _close(line, at, closing, found):
    """Reads commands up to the closing character and tells what comes after it."""
    return _scan(line, at, closing, found) + 1


def _skip(line, at, found):
    """Where the next character, quotation or substitution ends."""
    c = line[at]
    if c == "\\":
        if at + 1 == len(line):
            raise Unclear
        return at + 2
    if c == "'":
        end = line.find("'", at + 1)
        if end < 0:
            raise Unclear
        return end + 1
    if c == "`":
        return _close(line, at + 1, "`", found)
    if line.startswith("$(", at):
        return _close(line, at + 2, ")", found)
    if c != '"':
        return at + 1
    at += 1
    while at < len(line) and line[at] != '"':
        at = at + 1 if line[at] == "'" else _skip(line, at, found)
    if at >= len(line):
        raise Unclear
    return at + 1


def _without_assignments(command):
    command = command.strip()
    while _ASSIGNMENT.match(command):
        at = 0
        while at < len(command) and not command[at].isspace():
            at = _skip(command, at, [])
        command = command[at:].strip()
    name = command.split(None, 1)[0] if command else ""
    if name in _KEYWORDS or set("$`'\"\\") & set(name):
        raise Unclear
    return command


def _is_below(pattern, path, cwd):
    """MATCH-IF-04, -05, -08: patterns are taken from the working directory; a single name may lie at any depth."""
    path = posixpath.normpath(posixpath.join(cwd, path))
    root = "/" if pattern.startswith("//") else posixpath.normpath(cwd)
    root = root.rstrip("/") + "/"
    if not path.startswith(root):
        return False
    wanted = [part for part in pattern.split("/") if part not in ("", ".")]
    if len(wanted) == 1:
        wanted.insert(0, "**")
    return _fits(wanted, path[len(root):].split("/"))


def _fits(wanted, parts):
    """Whether the parts of a path fit, where `**` stands for any number of them. Goes by how many can be used up so far."""
    reached = {0}
    for part in wanted:
        if part == "**":
            reached = set(range(min(reached), len(parts) + 1)) if reached else reached
        else:
            reached = {n + 1 for n in reached if n < len(parts) and _name_fits(part, parts[n])}
    return len(parts) in reached


def _name_fits(pattern, name):
    return fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))
