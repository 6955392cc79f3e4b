"""Sharp assertions on the parts that read texts: stdout, schema, matchers, the terminal's allowlist."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "runtime"))

from hookruntime import ecma, matcher, schema, stdout, terminal, texts  # noqa: E402
from hookruntime import pretooluse, userpromptsubmit  # noqa: E402


class Stdout(unittest.TestCase):
    def kind(self, text):
        return stdout.read(text, pretooluse)[0]

    def test_white_space_is_javascripts(self):
        self.assertEqual(self.kind('\ufeff {"continue":true}\r\n\u2028'), "object")
        self.assertEqual(self.kind('\u0085{"continue":true}'), "plain")
        self.assertEqual(self.kind('\x1f{"continue":true}'), "plain")

    def test_only_braces_at_both_ends_make_json(self):
        for text in ("[1]", '"x"', '{"a":1} done', 'note {"a":1}', "", "{", "}"):
            self.assertEqual(self.kind(text), "plain", text)
        for text in ("{not json}", '{"a":1}{"b":2}', "{'a':1}", '{"a":NaN}', '{"a":1,}'):
            self.assertEqual(self.kind(text), "error", text)

    def test_several_lines(self):
        self.assertEqual(self.kind('{"level":"info"}\n{"level":"warn"}'), "plain")
        self.assertEqual(self.kind('{}\n{}'), "plain")
        self.assertEqual(self.kind('{"level":"info"}\n7\n{"x":1}'), "plain")
        self.assertEqual(self.kind('{"level":"info"}\r\n\r\n{"continue":true}'), "error")
        self.assertEqual(self.kind('{"level":"info"}\n{"systemMessage":5}'), "plain")
        self.assertEqual(self.kind('{"level":"info"}\n{broken}'), "error")
        self.assertEqual(self.kind('{\n "level":\n "info"\n}'), "object")

    def test_the_last_of_equal_keys_wins_and_numbers_may_be_huge(self):
        self.assertEqual(stdout.read('{"a":1,"a":1e400}', pretooluse)[1], {"a": None})
        self.assertEqual(self.kind('{"a":' + "9" * 5000 + "}"), "object")
        self.assertEqual(self.kind('{"a":' + "[" * 500 + "]" * 500 + "}"), "object")


class Schema(unittest.TestCase):
    def check(self, output, event=pretooluse):
        return schema.check(output, event)

    def test_types(self):
        for wrong in ({"continue": "false"}, {"systemMessage": 5}, {"decision": "deny"}, {"stopReason": None},
                      {"hookSpecificOutput": []}, {"hookSpecificOutput": {}}):
            self.assertIn(next(iter(wrong)), self.check(wrong))
        for right in ({}, {"unknown": 5}, {"decision": "approve"}, {"permissionDecision": 5}):
            self.assertIsNone(self.check(right))

    def test_the_event_is_named(self):
        self.assertIsNone(self.check({"hookSpecificOutput": {"hookEventName": "PreToolUse"}}))
        self.assertIsNotNone(self.check({"hookSpecificOutput": {"hookEventName": "PostToolUse"}}))
        self.assertIsNotNone(self.check({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "no"}}))

    def test_a_message_repeats_no_value(self):
        self.assertNotIn("SECRET-1", self.check({"decision": "SECRET-1"}))

    def test_unknown_keys_are_listed(self):
        output = {"permissionDecision": "deny", "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "x": 1}}
        self.assertEqual(schema.unrecognized(output, userpromptsubmit), ["permissionDecision", "hookSpecificOutput.x"])


class Matcher(unittest.TestCase):
    def test_exact_names_and_lists(self):
        for pattern, target, expected in (
            ("Bash", "Bash", True), ("Bash", "BashOutput", False), ("bash", "Bash", False),
            ("Edit|Write", "Write", True), ("Edit, Write", "Write", True), ("Edit||Write,", "Write", True),
            ("code-reviewer", "senior-code-reviewer", False), ("mcp__memory", "mcp__memory__get", False),
            ("", "X", True), ("*", "X", True), (None, "X", True), (7, "X", False),
        ):
            self.assertEqual(matcher.matches(pattern, target), expected, (pattern, target))

    def test_regular_expressions_are_javascripts(self):
        for pattern, target, expected in (
            ("Edit.*", "NotebookEdit", True), ("^Edit$", "Edit", True), ("^Edit$", "Edit\n", False),
            ("mcp__.*__write.*", "mcp__fs__write_file", True), ("^[^]$", "\n", True), ("x[]", "x", False),
            ("^.$", "\u2028", False), ("^..$", "\U0001f600", True), (r"^\d$", "\u0663", False), (r"^\s$", "\ufeff", True),
            (r"^a{,2}$", "a{,2}", True), (r"^(?:(a)|b)\1$", "b", True), (r"^(?<q>a)\k<q>$", "aa", True),
            (r"^\/\u0041\x42$", "/AB", True), (r"^[\w-]+$", "a-b", True), (r"^[^\S]$", " ", True),
            ("^é$", "é", True), (r"(?<=a|bc)x", "bcx", True), (r"(?<!a|bc)x", "bcx", False), (r"^\cA\p$", "\x01p", True),
            ("(?!Bash).*", "Bash", True), (r"(?=a)*b.", "b1", True), (r"\bEdit\b.?", "Edit", True),
        ):
            self.assertEqual(matcher.matches(pattern, target), expected, (pattern, target))

    def test_invalid_patterns(self):
        for pattern in ("Bash|*", "(", ")", "[a", "a++", "a**", "(?P<n>a)", "(?>a)", "a{2,1}", "[b-a]", "{1}", "\\"):
            with self.assertRaises(ecma.InvalidPattern, msg=pattern):
                ecma.compile_pattern(pattern)


class Texts(unittest.TestCase):
    def test_forms(self):
        self.assertEqual(texts.to_str({"join": ["a", {"fill": ["b", 3]}, {"base64": "w6k="}]}), "abbbé")
        self.assertEqual(texts.to_str({"join": [{"base64": "ww=="}, {"base64": "qQ=="}]}), "é")
        self.assertEqual(texts.to_str({"base64": "/w=="}), "\ufffd")

    def test_units(self):
        self.assertEqual(texts.length("a\U0001f600"), 3)
        self.assertEqual(texts.cut("a\U0001f600b", 2), "a")
        self.assertEqual(texts.well_formed("\ud800-\ud83d\ude00"), "\ufffd-\U0001f600")


class Terminal(unittest.TestCase):
    def test_allowlist(self):
        for right in ("\x07", "\x1b]0;t\x07", "\x1b]9;4;1;50\x1b\\", "\x1b]777;notify;a;b\x07\x07", "\x1b]99;;é\x1b\\"):
            self.assertTrue(terminal.is_allowed(right), ascii(right))
        for wrong in ("", "x", "\x1b]0;t", "\x1b[31m", "\x1b]52;c;x\x07", "\x1b]8;;u\x07", "\x1b]4;1;x\x07", "\x1b]1337;x\x07",
                      "\x1b]0;t\x07 ", "\x1b]0;a\nb\x07", "\x1b]01;t\x07", "\x9d0;t\x07", "\x1b]0;t\x9c", "\x07\n"):
            self.assertFalse(terminal.is_allowed(wrong), ascii(wrong))


if __name__ == "__main__":
    unittest.main()
