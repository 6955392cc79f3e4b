"""Sharp assertions on events whose hooks only look on, or nearly so: python3 -m unittest"""

import json
import unittest

from hookruntime import play
from test_runtime import command, fire, group, heard, layer, own, ran

TWO = {"end": {"exit": 2}, "err": "ERR-1"}
FIELDS = {"continue": False, "stopReason": "STOP-1", "systemMessage": "MSG-1", "decision": "block", "reason": "WHY-1"}
ENDS = ({"exit": 0}, {"exit": 1}, {"exit": 2}, "timed_out", "not_started")
BELL = {"out": '{"terminalSequence":"\\u0007"}'}


def is_untouched(outcome):
    """Whether nothing happened but in the debug log."""
    return (outcome["fate"], outcome.get("agent"), outcome.get("set"), {said["to"] for said in outcome.get("said", [])} - {"debug"}) == (
        "proceeds", None, None, set())


class OnlyLookingOn(unittest.TestCase):
    GIVEN = {
        "Setup": {"trigger": "init"},
        "Notification": {"message": "NOTE-1", "notification_type": "idle_prompt"},
        "InstructionsLoaded": {"file_path": "/work/project/RULES.md", "memory_type": "Project", "load_reason": "include"},
    }

    def test_nothing_that_they_say_is_heard(self):
        for event, given in self.GIVEN.items():
            fields = {**FIELDS, **json.loads(own(event, additionalContext="CTX-1"))}
            for out in ("", "OUT-1", "{broken}", '{"reason":5}', json.dumps(fields)):
                for end in ENDS:
                    self.assertTrue(is_untouched(fire(event, given, {"h": {"out": out, "end": end, "err": "ERR-1"}})), (event, out, end))

    def test_the_terminal_is_written_to_where_there_is_one(self):
        for event, given in self.GIVEN.items():
            for end in ENDS[:3]:
                self.assertEqual(heard(fire(event, given, {"h": {**BELL, "end": end}}), "terminal"), ["\x07"], event)
            self.assertTrue(is_untouched(fire(event, given, {"h": BELL}, host={"surface": "print"})), event)

    def test_matchers_select_and_what_is_given(self):
        for event, field, value, matcher, runs in (
                ("Setup", "trigger", "init", "init", True), ("Setup", "trigger", "maintenance", "init", False),
                ("Setup", "trigger", "init", "ini", False), ("Notification", "notification_type", "idle_prompt", "a|idle_prompt", True),
                ("Notification", "notification_type", "elicitation_dialog", "elicitation", False),
                ("InstructionsLoaded", "load_reason", "nested_traversal", "path_glob_match|nested_traversal", True),
                ("InstructionsLoaded", "load_reason", "session_start", "path_glob_match|nested_traversal", False)):
            outcome = fire(event, {field: value}, layers=[layer(event, group(command("h"), matcher=matcher))])
            self.assertEqual(ran(outcome), ["h"] if runs else [], (event, matcher))
        for event, given in self.GIVEN.items():
            entry = fire(event, given, {"h": {}})["ran"][0]["given"]
            self.assertEqual((entry["timeout"], "permission_mode" in entry["input"]), (600, False))
            self.assertEqual({key: entry["input"][key] for key in given}, given)

    def test_only_commands_set_up(self):
        layers = [layer("Setup", group({"type": "http", "url": "http://h"}, command("h")))]
        self.assertEqual(ran(fire("Setup", {"trigger": "init"}, layers=layers)), ["h"])


class SessionEnd(unittest.TestCase):
    def fire(self, *results):
        return fire("SessionEnd", {"reason": "other"}, {f"h{n}": result for n, result in enumerate(results)})

    def test_stderr_of_exit_2_is_for_the_user_alone(self):
        outcome = self.fire({**TWO, "err": "ERR-1\nERR-2"}, {}, {**TWO, "out": '{"reason":5}', "err": "ERR-3"})
        self.assertEqual((outcome["fate"], heard(outcome, "user")), ("proceeds", ["ERR-1\nERR-2", "ERR-3"]))
        self.assertEqual(heard(outcome, "model"), [])

    def test_nothing_else_is_heard(self):
        for out in ("", "OUT-1", "{broken}", json.dumps(FIELDS)):
            for end in ({"exit": 0}, {"exit": 1}, "timed_out", "not_started"):
                self.assertTrue(is_untouched(self.fire({"out": out, "end": end, "err": "ERR-1"})), (out, end))
        self.assertEqual(heard(self.fire({**BELL, **TWO}), "terminal"), ["\x07"])

    def test_matchers_select_the_reason(self):
        for matcher, reason, runs in (("clear|logout", "logout", True), ("prompt", "prompt_input_exit", False), ("", "other", True)):
            layers = [layer("SessionEnd", group(command("h"), matcher=matcher))]
            self.assertEqual(ran(fire("SessionEnd", {"reason": reason}, layers=layers)), ["h"] if runs else [], matcher)

    def times(self, *layers, variable=None):
        host = {"env": {"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": variable}} if variable is not None else {}
        outcome = fire("SessionEnd", {"reason": "other"}, layers=list(layers), host=host)
        return [entry["given"]["timeout"] for entry in outcome["ran"]]

    def hooks(self, *times, source="user"):
        named = [command(f"{source}{n}", **({} if time is None else {"timeout": time})) for n, time in enumerate(times)]
        return layer("SessionEnd", group(*named), source=source)

    def test_a_hook_has_a_second_and_a_half_or_its_own_time(self):
        self.assertEqual(self.times(self.hooks(None, 10, 1, 60, 90)), [1.5, 10, 1, 60, 60])

    def test_a_plugin_has_what_settings_files_leave_it(self):
        plugin = self.hooks(10, None, 1, source={"plugin": "p"})
        self.assertEqual(self.times(plugin), [1.5, 1.5, 1])
        self.assertEqual(self.times(plugin, self.hooks(5)), [5, 1.5, 1, 5])

    def test_the_variable_sets_the_budget_in_milliseconds(self):
        for variable, given in (("5000", [5, 3, 5]), ("90000", [90, 3, 10]), ("500", [0.5, 0.5, 0.5]), ("x", [1.5, 3, 10]), ("", [1.5, 3, 10]),
                                ("0", [1.5, 3, 10])):
            self.assertEqual(self.times(self.hooks(None, 3, 10), variable=variable), given, variable)

    def test_what_comes_after_belongs_to_another_session(self):
        layers = [layer("SessionEnd", group(command("h"))), layer("PreCompact", group(command("p")))]
        steps = [{"happen": "new_prompt"}, {"fire": {"event": "SessionEnd", "input": {"reason": "clear"}}}, {"fire": {"event": "PreCompact"}}]
        _, end, after = play({"settings": layers, "steps": steps})
        self.assertIn("prompt_id", end["ran"][0]["given"]["input"])
        self.assertNotIn("prompt_id", after["ran"][0]["given"]["input"])


class MessageDisplay(unittest.TestCase):
    PIECE = {"index": 0, "final": True, "delta": "DELTA-1\n"}

    def fire(self, *results, **more):
        return fire("MessageDisplay", self.PIECE, {f"h{n}": result for n, result in enumerate(results)}, **more)

    def shows(self, text, **more):
        return {"out": own("MessageDisplay", displayContent=text), **more}

    def test_another_text_is_shown_and_nobody_else_reads_it(self):
        for surface in ("terminal", "print", "sdk"):
            for text in ("SHOWN-1", ""):
                outcome = self.fire(self.shows(text), host={"surface": surface})
                self.assertEqual((outcome["fate"], outcome["set"]), ("proceeds", {"display": text}))
                self.assertEqual({said["to"] for said in outcome["said"]}, {"debug"})

    def test_a_hook_that_fails_leaves_the_original_and_the_log_alone_tells(self):
        for end in ENDS[1:]:
            self.assertTrue(is_untouched(self.fire(self.shows("SHOWN-1", end=end, err="ERR-1"))), end)
        for out in ("", "OUT-1", "{broken}", "{}", own("MessageDisplay", displayContent=5), own("Stop", displayContent="SHOWN-1")):
            self.assertTrue(is_untouched(self.fire({"out": out, "err": "ERR-1"})), out)
        for end in ({"status": 500}, "refused", "timed_out"):
            layers = [layer("MessageDisplay", group({"type": "http", "url": "h0"}))]
            self.assertTrue(is_untouched(self.fire(self.shows("SHOWN-1", end=end), layers=layers)), end)

    def test_neither_silence_nor_failure_takes_a_text_back(self):
        for other in ({}, self.shows("SHOWN-2", end={"exit": 2}), self.shows("SHOWN-2", end={"exit": 1})):
            for results in ((self.shows("SHOWN-1"), other), (other, self.shows("SHOWN-1"))):
                self.assertEqual(self.fire(*results)["set"], {"display": "SHOWN-1"}, other)

    def test_universal_fields_are_dropped_but_for_the_terminal(self):
        self.assertTrue(is_untouched(self.fire({"out": json.dumps(FIELDS)})))
        self.assertEqual(heard(self.fire(BELL), "terminal"), ["\x07"])

    def test_what_is_given(self):
        outcome = self.fire(layers=[layer("MessageDisplay", group(command("h"), matcher="nothing"))])
        given = outcome["ran"][0]["given"]
        self.assertEqual((given["timeout"], "permission_mode" in given["input"]), (10, False))
        self.assertEqual({key: given["input"][key] for key in self.PIECE}, self.PIECE)


class WorktreeRemove(unittest.TestCase):
    PATH = {"worktree_path": "/work/trees/a"}

    def fire(self, *results, **more):
        return fire("WorktreeRemove", self.PATH, {f"h{n}": result for n, result in enumerate(results)}, **more)

    def gone(self, path="/work/trees/a", **more):
        return {"did": [{"removed_directory": path}], **more}

    def test_every_failure_counts_while_the_directory_is_there(self):
        for end in (*ENDS[1:], {"exit": 3}, {"signal": 9}):
            for out in ("", "OUT-1", "{broken}", '{"reason":5}', json.dumps(FIELDS)):
                outcome = self.fire({"end": end, "out": out, "err": "ERR-1"})
                self.assertEqual((outcome["fate"], outcome.get("agent")), ("prevented", None), (end, out))
                self.assertEqual((heard(outcome, "user"), heard(outcome, "model")), ([], []))
        log = heard(self.fire({"end": {"exit": 1}, "err": "ERR-1\nERR-2"}), "debug")
        self.assertIn("WorktreeRemove hook h0 exited 1\nERR-1\nERR-2", log)

    def test_a_directory_that_is_gone_makes_up_for_a_failure(self):
        for end in ENDS:
            for path in ("/work/trees/a", "/work/trees/a/", "/work"):
                self.assertTrue(is_untouched(self.fire(self.gone(path, end=end, err="ERR-1"))), (end, path))
        for path in ("/work/trees/ab", "/work/trees/a/b"):
            self.assertEqual(self.fire(self.gone(path, end={"exit": 1}))["fate"], "prevented", path)

    def test_success_is_believed_and_nothing_that_is_printed_is_heard(self):
        for out in ("", "OUT-1", "{broken}", '{"reason":5}', json.dumps(FIELDS)):
            self.assertTrue(is_untouched(self.fire({"out": out, "err": "ERR-1"})), out)
        self.assertEqual(heard(self.fire(BELL), "terminal"), ["\x07"])

    def test_where_git_would_fail_a_hook_can_succeed(self):
        for results, fate in (((), "prevented"), (({},), "proceeds"), ((self.gone(end={"exit": 1}),), "proceeds")):
            self.assertEqual(self.fire(*results, otherwise="prevented")["fate"], fate)

    def test_one_failure_of_several_is_enough_unless_another_hook_removed_it(self):
        failed = {"end": {"exit": 1}}
        for results in ((failed, {}), ({}, failed), (failed, failed)):
            self.assertEqual(self.fire(*results)["fate"], "prevented")
        self.assertTrue(is_untouched(self.fire(self.gone(), failed)))

    def test_who_deletes_a_session_in_the_background_learns_how_the_hook_ended(self):
        for code in (1, 2):
            outcome = self.fire({"end": {"exit": code}, "err": "ERR-1\n" + "x" * 500 + "ERR-2"}, host={"surface": "background"})
            shown, = heard(outcome, "user")
            self.assertTrue(f"exited {code}" in shown and "ERR-1" in shown and "ERR-2" not in shown, shown)
        self.assertTrue(is_untouched(self.fire(self.gone(end={"exit": 1}), host={"surface": "background"})))

    def test_a_server_that_fails_fails_the_removal(self):
        layers = [layer("WorktreeRemove", group({"type": "http", "url": "h0"}))]
        for end, fate in (({"status": 200}, "proceeds"), ({"status": 500}, "prevented"), ("refused", "prevented")):
            self.assertEqual(self.fire({"end": end}, layers=layers)["fate"], fate, end)

    def test_matchers_are_ignored_and_the_path_is_given(self):
        outcome = self.fire(layers=[layer("WorktreeRemove", group(command("h"), matcher="nothing"))])
        given = outcome["ran"][0]["given"]
        self.assertEqual((given["timeout"], "permission_mode" in given["input"], given["input"]["worktree_path"]), (600, False, "/work/trees/a"))


if __name__ == "__main__":
    unittest.main()
