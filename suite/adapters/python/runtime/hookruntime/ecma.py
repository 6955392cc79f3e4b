"""JavaScript regular expressions (no flags) on top of Python's `re` (MATCH-PAT-05, A-91).

The pattern is translated piece by piece, because the two dialects share their look and differ in detail: `$` and `.`
know other line ends, `\\s` another white space, `{,3}` is literal, `[]` and `[^]` are classes, a reference to a group
that took no part matches nothing rather than failing, and text is a sequence of UTF-16 units.

Not covered: a look-behind of variable width (Python has none). Such a pattern counts as invalid.
"""

import re
from functools import lru_cache

from .texts import WHITE_SPACE

_LINE_ENDS = r"\n\r\u2028\u2029"
_SPACE = "".join(f"\\u{ord(c):04x}" for c in WHITE_SPACE)
_QUANTIFIER = re.compile(r"\{([0-9]+)(,([0-9]*))?\}")
_GROUP_NAME = re.compile(r"\(\?<([A-Za-z_$][\w$]*)>")
_CONTROLS = {"f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class InvalidPattern(ValueError):
    """The pattern is none in JavaScript, or one that this translation cannot express."""


@lru_cache(maxsize=4096)
def compile_pattern(pattern):
    """A compiled pattern whose `search` does what RegExp.prototype.test does on `units(text)`."""
    try:
        return re.compile(_Translator(units(pattern)).run(), re.ASCII)
    except (re.error, OverflowError, RecursionError) as problem:
        raise InvalidPattern(str(problem)) from None


def units(text):
    """The text as UTF-16 units: each character beyond U+FFFF as its two surrogates."""
    if text.isascii():
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[i] | data[i + 1] << 8) for i in range(0, len(data), 2))


def _not_space():
    """The complement of white space as ranges, for use inside a class."""
    ranges, low = [], 0
    for code in sorted(map(ord, WHITE_SPACE)) + [0x10000]:
        if low < code:
            ranges.append(f"\\u{low:04x}-\\u{code - 1:04x}")
        low = code + 1
    return "".join(ranges)


_NOT_SPACE = _not_space()


class _Translator:
    def __init__(self, pattern):
        self.pattern, self.at, self.out = pattern, 0, []
        self.open, self.closed, self.numbered = [], set(), 0
        self.total, self.names = self._survey()

    def run(self):
        repeatable = False
        while self.at < len(self.pattern):
            repeatable = self._piece(repeatable)
        if self.open:
            raise InvalidPattern("unterminated group")
        return "".join(self.out)

    def _survey(self):
        """How many groups there are, and their names: a reference may come before its group."""
        total, names, in_class, at = 0, {}, False, 0
        while at < len(self.pattern):
            c = self.pattern[at]
            if c == "\\":
                at += 1
            elif c == "[":
                in_class = True
            elif c == "]":
                in_class = False
            elif c == "(" and not in_class:
                named = _GROUP_NAME.match(self.pattern, at)
                if named or self.pattern[at + 1 : at + 2] != "?":
                    total += 1
                if named:
                    names[named[1]] = total
            at += 1
        return total, names

    def _piece(self, repeatable):
        """Translates one piece; tells whether a quantifier may follow it."""
        c = self.pattern[self.at]
        if c in "*+?{":
            return self._quantifier(c, repeatable)
        self.at += 1
        if c == "\\":
            return self._escape()
        if c == "[":
            self.out.append(self._class())
        elif c == "(":
            self._open_group()
            return False
        elif c == ")":
            return self._close_group()
        elif c == "|":
            self.out.append(self.open[-1][1] if self.open else "|")
            return False
        elif c == "^":
            self.out.append("^")
            return False
        elif c == "$":
            self.out.append(r"\Z")
            return False
        else:
            self.out.append(f"[^{_LINE_ENDS}]" if c == "." else re.escape(c))
        return True

    def _quantifier(self, c, repeatable):
        text = c
        if c == "{":
            found = _QUANTIFIER.match(self.pattern, self.at)
            if not found:  # a brace that counts nothing is a brace
                self.at += 1
                self.out.append(r"\{")
                return True
            text = found[0]
            if found[3] and int(found[3]) < int(found[1]):
                raise InvalidPattern("numbers out of order in quantifier")
        if not repeatable:
            raise InvalidPattern("nothing to repeat")
        self.at += len(text)
        if self.pattern.startswith("?", self.at):
            self.at += 1
            text += "?"
        self.out.append(text)
        return False  # `a++` and `a{2}{3}` are errors

    def _open_group(self):
        """`open` holds, for each open group: its number, what a `|` in it becomes, what ends it, and its kind."""
        rest = self.pattern[self.at - 1 :]
        named = _GROUP_NAME.match(rest)
        if named or not rest.startswith("(?"):
            self.numbered += 1
            self.at += len(named[0]) - 1 if named else 0
            self.out.append("(")
            self.open.append((self.numbered, "|", ")", "group"))
        elif rest.startswith("(?:") or rest.startswith("(?=") or rest.startswith("(?!"):
            self.at += 2
            self.out.append(rest[:3])
            self.open.append((None, "|", ")", "group"))
        elif rest.startswith("(?<=") or rest.startswith("(?<!"):
            # Alternatives of different width are one look-behind each.
            self.at += 3
            join = ")|(?<=" if rest[3] == "=" else ")(?<!"
            self.out.append("(?:" + rest[:4])
            self.open.append((None, join, "))", "behind"))
        else:
            raise InvalidPattern("invalid group")

    def _close_group(self):
        if not self.open:
            raise InvalidPattern("unmatched ')'")
        number, _, end, kind = self.open.pop()
        if number:
            self.closed.add(number)
        self.out.append(end)
        return kind == "group"

    def _escape(self):
        c = self._next("\\ at end of pattern")
        if c in "bB":
            self.out.append(r"\b" if c == "b" else r"(?!\b)")  # Python's \B does not match in an empty text
            return False
        if c in "dDwW":
            self.out.append("\\" + c)
        elif c in "sS":
            self.out.append(f"[{'^' if c == 'S' else ''}{_SPACE}]")
        elif c in "123456789" and self._reference(c):
            pass
        elif c == "k" and self.names:
            self._named_reference()
        else:
            self.out.append(_code(self._character(c)))
        return True

    def _reference(self, digit):
        digits = re.compile(r"[0-9]+").match(self.pattern, self.at - 1)[0]
        if int(digits) > self.total:
            return False
        self.at += len(digits) - 1
        self._refer(int(digits))
        return True

    def _named_reference(self):
        found = re.compile(r"<([^>]*)>").match(self.pattern, self.at)
        if not found or found[1] not in self.names:
            raise InvalidPattern("invalid named reference")
        self.at += len(found[0])
        self._refer(self.names[found[1]])

    def _refer(self, number):
        """A group that took no part (yet) matches the empty string."""
        self.out.append(f"(?:(?({number})\\{number}|))" if number in self.closed else "(?:)")

    def _character(self, c):
        """The character that an escape outside the class escapes stands for; `c` is already read."""
        if c in _CONTROLS:
            return _CONTROLS[c]
        if c in "xu":
            size = 2 if c == "x" else 4
            found = re.compile(r"[0-9A-Fa-f]{%d}" % size).match(self.pattern, self.at)
            if found:
                self.at += size
                return chr(int(found[0], 16))
        if c == "c":
            letter = self.pattern[self.at : self.at + 1]
            if letter.isascii() and letter.isalpha():
                self.at += 1
                return chr(ord(letter) % 32)
            self.at -= 1  # the backslash stands for itself
            return "\\"
        if c in "01234567":
            octal = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?").match(self.pattern, self.at - 1)[0]
            self.at += len(octal) - 1
            return chr(int(octal, 8))
        return c

    def _class(self):
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        parts = []
        while not self.pattern.startswith("]", self.at):
            low = self._class_atom()
            if self.pattern.startswith("-", self.at) and not self.pattern.startswith("-]", self.at):
                self.at += 1
                parts.append(_range(low, self._class_atom()))
            else:
                parts.append(low if len(low) != 1 else _code(low))
        self.at += 1
        if not parts:
            return r"[\s\S]" if negated else "(?!)"
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def _class_atom(self):
        """One character as itself, or a set (more than one character of pattern text)."""
        c = self._next("unterminated character class")
        if c != "\\":
            return c
        c = self._next("\\ at end of pattern")
        if c in "dDwW":
            return "\\" + c
        if c in "sS":
            return _SPACE if c == "s" else _NOT_SPACE
        return "\b" if c == "b" else self._character(c)

    def _next(self, otherwise):
        if self.at >= len(self.pattern):
            raise InvalidPattern(otherwise)
        self.at += 1
        return self.pattern[self.at - 1]


def _code(character):
    return f"\\u{ord(character):04x}"


def _range(low, high):
    if len(low) == 1 and len(high) == 1:
        if low > high:
            raise InvalidPattern("range out of order in character class")
        return f"{_code(low)}-{_code(high)}"
    return "".join(part if len(part) > 1 else _code(part) for part in (low, "-", high))
