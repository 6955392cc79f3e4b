"""Sharp assertions on calls that need permission, and on refused ones: python3 -m unittest"""

import unittest

from test_events import BLOCK, STOP, TWO, told
from test_runtime import command, fire, group, heard, layer, own, play, ran


class PermissionDenied(unittest.TestCase):
    RETRY = {"out": own("PermissionDenied", retry=True)}

    def fire(self, *results, reason="[R-1]"):
        results = {f"h{n}": result for n, result in enumerate(results)}
        given = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "reason": reason}
        return fire("PermissionDenied", given, results, host={"permission_mode": "auto"}, otherwise="prevented")

    def test_one_hook_is_enough_for_another_try_and_the_refusal_stands(self):
        for results in ((self.RETRY,), (self.RETRY, {}), ({**TWO, **self.RETRY},), (self.RETRY, self.RETRY)):
            outcome = self.fire(*results)
            self.assertEqual((outcome["fate"], outcome["set"]), ("prevented", {"retry_allowed": True}))
            self.assertEqual((len(heard(outcome, "model")), heard(outcome, "user")), (1, []))
        self.assertEqual(outcome["ran"][0]["given"]["input"]["permission_mode"], "auto")

    def test_nothing_else_is_heard(self):
        no = {"out": own("PermissionDenied", retry=False)}
        for result in ({}, no, TWO, {"end": {"exit": 1}, "err": "ERR-1"}, {"out": '{"retry":true}'}, {"end": "timed_out", **self.RETRY}):
            outcome = self.fire(result)
            self.assertEqual((told(outcome), outcome.get("set")), (("prevented", None, [], []), None), result)

    def test_without_a_verdict_there_is_no_other_try(self):
        reason = "Auto mode could not evaluate this action " + "and is blocking it for safety. R-1"
        self.assertEqual(told(self.fire(self.RETRY, reason=reason)), ("prevented", None, [], []))
        self.assertTrue("set" in self.fire(self.RETRY, reason="Classifier unavailable"))


def decision(behavior, **fields):
    return {"out": own("PermissionRequest", decision={"behavior": behavior, **fields})}


ALLOW, DENY = decision("allow"), decision("deny", message="WHY-1")
PLAN = {"type": "setMode", "mode": "plan", "destination": "session"}


class PermissionRequest(unittest.TestCase):
    INPUT = {"tool_name": "Bash", "tool_input": {"command": "ls", "timeout": 5}, "tool_use_id": "toolu_1"}

    def fire(self, *results, otherwise="asked", **host):
        results = {f"h{n}": result for n, result in enumerate(results)}
        return fire("PermissionRequest", self.INPUT, results, host=host, otherwise=otherwise)

    def test_a_hook_answers_for_the_person(self):
        for otherwise in ("asked", "prevented"):
            for results, fate in (((ALLOW,), "proceeds"), ((ALLOW, {}), "proceeds"), ((DENY, ALLOW), "prevented"), ((ALLOW, DENY), "prevented"),
                                  (({**TWO, **ALLOW},), "proceeds"), (({**TWO, **DENY},), "prevented"), (({},), otherwise)):
                self.assertEqual(self.fire(*results, otherwise=otherwise)["fate"], fate, results)
        self.assertEqual(told(self.fire(DENY)), ("prevented", None, ["WHY-1"], []))
        stops = decision("deny", interrupt=True)
        self.assertEqual(told(self.fire(stops)), ("prevented", "stops", [], []))

    def test_nothing_but_a_decision_of_this_event_answers(self):
        for result in (TWO, BLOCK, {**TWO, **BLOCK}, {"out": '{"decision":"approve"}'}, {"end": "timed_out", **ALLOW}, decision("ask"),
                       {"out": own("PreToolUse", permissionDecision="allow")}, {"out": own("PermissionRequest", permissionDecision="allow")},
                       decision("allow", updatedInput="ls"), {"out": own("PermissionRequest", decision={})}):
            outcome = self.fire(result)
            self.assertEqual((outcome["fate"], outcome.get("agent"), outcome.get("set")), ("asked", None, None), result)
            self.assertFalse("ERR-1" in "".join(said["text"] for said in outcome.get("said", [])), result)
        self.assertEqual(self.fire(STOP)["agent"], "stops")

    def test_rules_look_at_the_new_input(self):
        new = decision("allow", updatedInput={"command": "pwd"})
        for rules, fate in (({}, "proceeds"), ({"deny": ["Bash(pwd)"]}, "prevented"), ({"ask": ["Bash(pwd)"]}, "asked")):
            outcome = self.fire(new, permissions=rules)
            self.assertEqual((outcome["fate"], "set" in outcome), (fate, fate != "prevented"), rules)
        self.assertEqual(self.fire(new)["set"], {"tool_input": {"command": "pwd"}})

    def test_updates_of_permissions(self):
        rule = {"type": "addRules", "behavior": "deny", "destination": "session", "rules": [{"toolName": "Bash", "ruleContent": "rm"}]}
        outcome = self.fire(decision("allow", updatedPermissions=[rule, PLAN]))
        self.assertEqual(outcome["set"], {"permissions": [rule, PLAN], "permission_mode": "plan"})
        self.assertFalse("set" in self.fire(decision("allow", updatedPermissions=[PLAN]), DENY))
        for wrong in ({**PLAN, "mode": "fast"}, {**PLAN, "destination": "here"}, {**rule, "behavior": "never"}, {**rule, "rules": [{}]}, {}):
            self.assertEqual(told(self.fire(decision("allow", updatedPermissions=[wrong])))[:3], ("asked", None, []), wrong)

    def test_bypassing_must_have_been_provided_for(self):
        bypass = decision("allow", updatedPermissions=[{**PLAN, "mode": "bypassPermissions"}])
        self.assertEqual(self.fire(bypass).get("set"), None)
        self.assertEqual(self.fire(bypass, facts=["bypass_available"])["set"]["permission_mode"], "bypassPermissions")

    def test_what_has_changed_lasts(self):
        rule = {"type": "addRules", "behavior": "deny", "destination": "session", "rules": [{"toolName": "Bash"}]}
        results = {"h": decision("allow", updatedPermissions=[rule, PLAN]), "p": {"out": own("PreToolUse", permissionDecision="allow")}}
        layers = [layer("PermissionRequest", group(command("h"))), layer("PreToolUse", group(command("p")), source="project")]
        steps = [{"fire": {"event": event, "input": self.INPUT, "otherwise": "asked"}} for event in ("PermissionRequest", "PreToolUse")]
        outcomes = play({"settings": layers, "results": results, "steps": steps})
        self.assertEqual([outcome["fate"] for outcome in outcomes], ["proceeds", "prevented"])
        self.assertEqual(outcomes[1]["ran"][0]["given"]["input"]["permission_mode"], "plan")
        self.assertFalse("tool_use_id" in outcomes[0]["ran"][0]["given"]["input"])

    def test_what_was_for_the_session_ends_with_it(self):
        steps = [{"fire": {"event": "PermissionRequest", "input": self.INPUT, "otherwise": "asked"}}, {"happen": "session_ends"}]
        results = {"h": decision("allow", updatedPermissions=[PLAN])}
        outcomes = play({"settings": [layer("PermissionRequest", group(command("h")))], "results": results, "steps": steps + steps})
        self.assertEqual(outcomes[2]["ran"][0]["given"]["input"]["permission_mode"], "default")

    def test_the_tool_selects(self):
        for tool, runs in (("Bash", True), ("Write", False), ("EndConversation", False)):
            layers = [layer("PermissionRequest", group(command("h"), matcher="Bash|EndConversation"))]
            outcome = fire("PermissionRequest", {"tool_name": tool}, layers=layers, otherwise="asked")
            self.assertEqual(ran(outcome), ["h"] if runs else [], tool)
