"""Sharp assertions on directories, watched files, and the switch of models: python3 -m unittest"""

import json
import unittest

from test_events import BLOCK, STOP, TWO, told
from test_runtime import command, fire, group, heard, layer, own, play, ran


class Watching(unittest.TestCase):
    EVENTS = ("CwdChanged", "FileChanged")
    INPUT = {"old_cwd": "/w", "new_cwd": "/w/a", "file_path": "/w/a/.env", "event": "change"}

    def fire(self, event, *results, **more):
        return fire(event, self.INPUT, {f"h{n}": result for n, result in enumerate(results)}, **more)

    def test_what_is_watched_is_what_hooks_name(self):
        for event in self.EVENTS:
            for named, watched in (((["/w/x", "/w/y"],), ["/w/x", "/w/y"]), (([],), []), ((["/w/x"], ["/w/x", "y"]), ["/w/x"])):
                results = [{"out": own(event, watchPaths=paths)} for paths in named]
                self.assertEqual(self.fire(event, *results, {})["set"], {"watch_paths": watched}, event)
            for result in ({}, {"out": '{"watchPaths":["/w/x"]}'}, {"out": own(event, watchPaths=[5])}, BLOCK):
                outcome = self.fire(event, result)
                self.assertEqual((outcome["fate"], outcome.get("set")), ("proceeds", None), result)

    def test_stderr_of_exit_2_is_the_users(self):
        for event in self.EVENTS:
            self.assertEqual(told(self.fire(event, TWO, {})), ("proceeds", None, [], ["ERR-1"]), event)

    def test_messages_are_for_a_terminal_and_nobody_stops(self):
        out = json.dumps({**json.loads(STOP["out"]), "systemMessage": "MSG-1"})
        for event in self.EVENTS:
            for surface, shown in (("terminal", ["MSG-1"]), ("sdk", []), ("print", [])):
                outcome = self.fire(event, {"out": out}, host={"surface": surface})
                self.assertEqual(told(outcome), ("proceeds", None, [], shown), (event, surface))

    def test_the_base_name_selects(self):
        for matcher, runs in ((".env", True), (".envrc|.env", True), ("^.env$", True), ("env", False), ("^/w", False), ("a|b", False)):
            layers = [layer("FileChanged", group(command("h"), matcher=matcher))]
            self.assertEqual(ran(self.fire("FileChanged", layers=layers)), ["h"] if runs else [], matcher)
        for matcher, runs in (("x|Makefile", True), ("x, Makefile", False), ("Make", False)):
            layers = [layer("FileChanged", group(command("h"), matcher=matcher))]
            self.assertEqual(ran(fire("FileChanged", {"file_path": "/w/Makefile"}, layers=layers)), ["h"] if runs else [], matcher)

    def test_the_directory_is_the_new_one_from_then_on(self):
        layers = [layer("CwdChanged", group(command("h"), matcher="Nothing")), layer("Stop", group(command("h")), source="project")]
        steps = [{"fire": {"event": "CwdChanged", "input": self.INPUT}}, {"fire": {"event": "Stop"}}]
        outcomes = play({"host": {"cwd": "/w"}, "settings": layers, "steps": steps})
        self.assertEqual([outcome["ran"][0]["given"]["input"]["cwd"] for outcome in outcomes], ["/w/a", "/w/a"])


class Later(unittest.TestCase):
    """What hooks of DirectoryAdded and PostModelSwitch say reaches the model with a later request."""

    def play(self, *steps, results=None, matcher="", **host):
        """Steps are happenings or inputs; which event an input is of is told by its fields."""
        event = next("DirectoryAdded" if "source" in step else "PostModelSwitch" for step in steps if isinstance(step, dict))
        steps = [{"fire": {"event": event, "input": step}} if isinstance(step, dict) else {"happen": step} for step in steps]
        layers = [layer(event, group(*map(command, results or {"h": {}}), matcher=matcher))]
        return play({"host": host, "settings": layers, "results": results or {}, "steps": steps})

    def told(self, *steps, **more):
        return [len(heard(outcome, "model")) for outcome in self.play(*steps, **more)]

    def test_a_message_about_a_directory_waits_for_the_next_turn(self):
        results = {"h": {"out": json.dumps({**json.loads(STOP["out"]), "systemMessage": "MSG-1"})}}
        steps = ("model_request", "new_prompt", "model_request", "model_request")
        self.assertEqual(self.told({"source": "slash_command"}, *steps, results=results), [0, 0, 0, 1, 0])
        self.assertEqual(self.told({"source": "register_repo_root"}, *steps, results=results), [0] * 5)
        for source in ("slash_command", "register_repo_root"):
            outcome = self.play({"source": source}, results=results)[0]
            self.assertEqual(told(outcome), ("proceeds", None, [], []))
            self.assertTrue("MSG-1" in "".join(heard(outcome, "debug")))

    def test_failures_are_counted_where_a_person_added_it(self):
        results = {"a": TWO, "b": {"end": {"exit": 1}, "err": "ERR-2"}, "c": {"out": "{broken}"}, "d": {}}
        for source, shown in (("slash_command", ["3 DirectoryAdded hooks failed"]), ("register_repo_root", [])):
            outcome = self.play({"source": source}, results=results)[0]
            self.assertEqual(heard(outcome, "user"), shown)
            log = "".join(heard(outcome, "debug"))
            self.assertTrue("ERR-1" in log and "ERR-2" in log)

    def test_how_it_was_added_selects(self):
        for source, runs in (("slash_command", ["h"]), ("register_repo_root", [])):
            self.assertEqual(ran(self.play({"source": source}, matcher="slash_command")[0]), runs)

    def test_what_a_model_must_know_comes_with_its_first_request(self):
        results = {"a": {"out": "TEXT-1"}, "b": {"out": own("PostModelSwitch", additionalContext="CTX-1")}, "c": {"out": "{broken}"}}
        one = {"to_model": "m"}
        self.assertEqual(self.told(one, "model_request", "model_request", results=results), [0, 2, 0])
        self.assertEqual(self.told(one, one, "model_request", results=results), [0, 0, 2])
        self.assertEqual(len(heard(self.play(one, results=results)[0], "user", "notice")), 1)

    def test_a_switch_that_is_made_stands(self):
        outcome = self.play({"to_model": "m"}, results={"h": {**TWO, "out": BLOCK["out"]}})[0]
        self.assertEqual(told(outcome)[:3], ("proceeds", None, []))
        self.assertTrue("ERR-1" in heard(outcome, "user", "notice")[0])
        self.assertEqual(outcome["ran"][0]["given"]["timeout"], 30)

    def test_the_canonical_name_selects(self):
        for matcher, model, runs in (("claude-opus-5", "opus", True), ("claude-opus-5", "opus[1m]", True), ("opus", "opus", False),
                                     ("claude-opus", "claude-opus-5", False), (".*opus.*", "claude-opus-5", True),
                                     ("claude-sonnet-5|claude-opus-5", "claude-opus-5[1m]", True), ("other", "my-model", True)):
            outcome = self.play({"to_model": model}, matcher=matcher, models={"opus": "claude-opus-5"})[0]
            self.assertEqual(ran(outcome), ["h"] if runs else [], (matcher, model))


def switch(decision, **more):
    out = own("PreModelSwitch", permissionDecision=decision, permissionDecisionReason=f"{decision.upper()}-WHY")
    return {"out": out, **more}


class PreModelSwitch(unittest.TestCase):
    def fire(self, *results, facts=("model_command",), surface="terminal", otherwise="proceeds"):
        results = {f"h{n}": result for n, result in enumerate(results)}
        host = {"facts": list(facts), "surface": surface}
        return fire("PreModelSwitch", {"to_model": "claude-opus-5"}, results, host=host, otherwise=otherwise)

    def test_the_strongest_decision_counts(self):
        for decisions, fate, shown in ((("deny", "ask", "allow"), "prevented", ["DENY-WHY"]), (("ask", "allow"), "asked", ["ASK-WHY"]),
                                       (("allow", "deny"), "prevented", ["DENY-WHY"]), (("allow",), "proceeds", [])):
            outcome = self.fire(*map(switch, decisions), {})
            self.assertEqual(told(outcome), (fate, None, [], shown), decisions)

    def test_exit_2_a_block_and_a_timeout_refuse(self):
        for result, shown in ((TWO, "ERR-1"), (BLOCK, "WHY-1"), ({**TWO, **switch("allow")}, "ERR-1"), ({**TWO, "out": "{broken}"}, "ERR-1"),
                              ({**TWO, **switch("deny")}, "DENY-WHY"), ({"end": "timed_out", **switch("allow")}, "in time")):
            outcome = self.fire(result, switch("allow"))
            self.assertEqual(outcome["fate"], "prevented", result)
            self.assertIn(shown, "".join(heard(outcome, "user")))
        reasonless = {"out": own("PreModelSwitch", permissionDecision="deny"), "err": "ERR-1"}
        self.assertFalse("ERR-1" in "".join(heard(self.fire(reasonless), "user")))

    def test_only_a_command_in_the_terminal_can_be_asked(self):
        for facts, surface in (((), "terminal"), (("model_command",), "print"), (("set_model",), "sdk")):
            self.assertEqual(self.fire(switch("ask"), facts=facts, surface=surface)["fate"], "prevented")

    def test_a_request_gets_the_reason_as_its_error(self):
        outcome = self.fire(switch("deny"), facts=("set_model",), surface="sdk")
        self.assertEqual((heard(outcome, "caller"), heard(outcome, "user")), (["DENY-WHY"], []))

    def test_an_allow_alone_skips_the_confirmation(self):
        self.assertEqual(self.fire(switch("allow"), otherwise="asked")["fate"], "proceeds")
        for result in ({}, {"end": {"exit": 1}}, {"out": "OUT-1"}, switch("defer"), {"out": '{"decision":"approve"}'}):
            self.assertEqual(self.fire(result, otherwise="asked")["fate"], "asked", result)
        outcome = self.fire({"out": json.dumps({**json.loads(BLOCK["out"]), "systemMessage": "MSG-1"})})
        self.assertEqual(heard(outcome, "user", "warning"), ["MSG-1"])
