"""No event is half there, and sharp assertions on events of few cases: python3 -m unittest"""

import json
import os
import unittest

import adapter
from hookruntime import play, session
from test_runtime import HERE, command, fire, group, heard, layer, own, ran

BLOCK = {"out": '{"decision":"block","reason":"WHY-1"}'}
TWO = {"end": {"exit": 2}, "err": "ERR-1"}


class Completeness(unittest.TestCase):
    """What must be told in several places at once when an event is added."""

    def test_the_adapter_and_its_readme_name_the_events_of_the_runtime(self):
        self.assertEqual(adapter.HELLO["events"], list(session.EVENTS))
        with open(os.path.join(HERE, "README.md"), encoding="utf-8") as readme:
            told = " ".join(readme.read().split())
        self.assertTrue(", ".join(session.EVENTS) + "." in told, "README.md, 'What the example covers', lists other events")

    def test_every_event_has_all_that_the_session_asks_of_it(self):
        for name, event in session.EVENTS.items():
            for part in ("MATCHES_ON", "TIMEOUT", "PERMISSION_MODE", "IN_A_TURN", "SHOWS_ERRORS", "OWN_FIELDS",
                         "complete_input", "read_command", "decide"):
                self.assertTrue(hasattr(event, part), f"{name} lacks {part}")

    def test_every_event_that_is_declared_runs_its_hooks(self):
        for name in adapter.HELLO["events"]:
            outcome = fire(name, results={"h": {"end": {"exit": 2}, "err": "ERR-1"}})
            self.assertEqual((ran(outcome), "fate" in outcome), (["h"], True), name)


class PreCompact(unittest.TestCase):
    def fire(self, trigger, *results, **more):
        return fire("PreCompact", {"trigger": trigger, **more}, {f"h{n}": result for n, result in enumerate(results)})

    def test_exit_2_blocks_and_tells_whoever_typed_the_command(self):
        for out in ("", "OUT-1", "{broken}", '{"continue":5}', '{"reason":"WHY-1"}'):
            outcome = self.fire("manual", {**TWO, "out": out})
            self.assertEqual((outcome["fate"], heard(outcome, "user"), heard(outcome, "model")), ("prevented", ["ERR-1"], []), out)
        outcome = self.fire("auto", TWO)
        self.assertEqual((outcome["fate"], outcome.get("agent"), heard(outcome, "user")), ("prevented", None, []))
        self.assertEqual(self.fire("manual", {"end": {"exit": 2}}).get("said"), None)

    def test_whoever_typed_the_command_is_told_the_reason_too(self):
        block = {"out": '{"decision":"block","reason":"WHY-1"}'}
        self.assertEqual(heard(self.fire("manual", block), "user"), ["WHY-1"])
        self.assertEqual(sorted(heard(self.fire("manual", {**TWO, **block}), "user")), ["ERR-1", "WHY-1"])
        self.assertEqual(heard(self.fire("auto", block), "user"), [])

    def test_a_decision_blocks_and_one_of_several_is_enough(self):
        for trigger in ("manual", "auto"):
            for results in ((BLOCK,), (BLOCK, {}), ({}, TWO), ({**BLOCK, "end": {"exit": 1}},)):
                self.assertEqual(self.fire(trigger, *results)["fate"], "prevented")
        hooks = group({"type": "http", "url": "http://h"})
        outcome = fire("PreCompact", {"trigger": "auto"}, {"http://h": BLOCK}, layers=[layer("PreCompact", hooks)])
        self.assertEqual(outcome["fate"], "prevented")

    def test_nothing_else_blocks_or_is_shown(self):
        for result in ({}, {"out": "OUT-1"}, {"out": '{"decision":"approve"}'}, {"out": '{"decision":"block","reason":5}'},
                       {"end": "timed_out", **BLOCK}, {"end": {"exit": 1}, "err": "ERR-1"}, {"end": "not_started", "err": "ERR-1"}):
            outcome = self.fire("manual", result)
            self.assertEqual((outcome["fate"], outcome.get("agent")), ("proceeds", None), result)
            self.assertEqual([said["to"] for said in outcome.get("said", []) if said["to"] != "debug"], [], result)

    def test_universal_fields_are_dropped_but_for_the_terminal(self):
        fields = {"continue": False, "stopReason": "STOP-1", "systemMessage": "MSG-1", "terminalSequence": "\x07"}
        outcome = self.fire("manual", {"out": json.dumps({**fields, **json.loads(own("PreCompact", additionalContext="CTX-1"))})})
        self.assertEqual((outcome["fate"], outcome.get("agent")), ("proceeds", None))
        self.assertEqual((heard(outcome, "user"), heard(outcome, "model"), heard(outcome, "terminal")), ([], [], ["\x07"]))

    def test_matchers_select_the_trigger(self):
        for matcher, trigger, runs in (("manual", "manual", True), ("auto", "manual", False), ("auto|manual", "auto", True)):
            layers = [layer("PreCompact", group({"type": "command", "command": "h"}, matcher=matcher))]
            self.assertEqual(ran(fire("PreCompact", {"trigger": trigger}, layers=layers)), ["h"] if runs else [])

    def test_what_is_given(self):
        for trigger, written, given in (("manual", "KEEP-1", "KEEP-1"), ("manual", "", None), ("auto", "", None), ("auto", None, None)):
            entry = self.fire(trigger, {}, custom_instructions=written)["ran"][0]["given"]
            self.assertEqual((entry["input"]["trigger"], entry["input"]["custom_instructions"]), (trigger, given))
            self.assertEqual((entry["timeout"], "permission_mode" in entry["input"]), (600, False))
        self.assertIsNone(self.fire("manual", {})["ran"][0]["given"]["input"]["custom_instructions"])


STOP = {"out": '{"continue":false,"stopReason":"STOP-1"}'}


def told(outcome):
    """What a step came to, without the debug log and the terminal."""
    return outcome["fate"], outcome.get("agent"), heard(outcome, "model"), heard(outcome, "user")


class SubagentStop(unittest.TestCase):
    def fire(self, *agents, out=BLOCK["out"], **result):
        """One step for each agent; an agent without a name is the main one."""
        ends = lambda id: {"event": "SubagentStop", "input": {"agent_id": id, "agent_type": "Explore"}}  # noqa: E731
        steps = [ends(id) if id else {"event": "Stop"} for id in agents]
        layers = [layer("SubagentStop", group(command("h"))), layer("Stop", group(command("h")), source="project")]
        return play({"settings": layers, "results": {"h": {"out": out, **result}}, "steps": [{"fire": step} for step in steps]})

    def test_it_is_kept_going_as_the_main_agent_is(self):
        for result in (BLOCK, {"out": "", "end": {"exit": 2}, "err": "WHY-1"}):
            outcome = self.fire("a1", **result)[0]
            self.assertEqual(told(outcome)[:3], ("prevented", "goes_on", ["WHY-1"]))
            self.assertIn("hook error", heard(outcome, "user", "notice")[0])
        fed = self.fire("a1", out=own("SubagentStop", additionalContext="CTX-1"))[0]
        self.assertEqual((fed["fate"], heard(fed, "user", "notice")), ("prevented", []))
        self.assertTrue(heard(fed, "model", "context")[0].endswith("CTX-1"))

    def test_it_ends_its_turn_or_is_stopped(self):
        self.assertEqual(told(self.fire("a1", out="")[0]), ("proceeds", "ends_turn", [], []))
        both = '{"continue":false,"stopReason":"STOP-1","decision":"block","reason":"WHY-1"}'
        self.assertEqual(told(self.fire("a1", out=both)[0]), ("proceeds", "stops", ["STOP-1"], ["STOP-1"]))

    def test_each_agent_learns_of_its_own_continuations(self):
        outcomes = self.fire("a1", "a2", None, "a1", None)
        active = [outcome["ran"][0]["given"]["input"]["stop_hook_active"] for outcome in outcomes]
        self.assertEqual(active, [False, False, False, True, True])

    def test_what_is_given(self):
        given = self.fire("a1")[0]["ran"][0]["given"]["input"]
        self.assertTrue(given["agent_transcript_path"].endswith("/subagents/a1.jsonl"))
        self.assertEqual((given["background_tasks"], given["session_crons"], given["permission_mode"]), ([], [], "default"))

    def test_the_type_selects(self):
        for matcher, agent, runs in (("Explore", "Explore", True), ("Explore", "Explorer", False), ("reviewer", "", False), ("", "", True),
                                     ("*", "", True), (".*", "", True), ("my:reviewer", "my:reviewer-2", True), ("^my:r$", "my:r2", False)):
            layers = [layer("SubagentStop", group(command("h"), matcher=matcher))]
            outcome = fire("SubagentStop", {"agent_id": "a1", "agent_type": agent}, layers=layers)
            self.assertEqual(ran(outcome), ["h"] if runs else [], (matcher, agent))

    def test_an_agents_own_stop_hook_is_for_its_end(self):
        layers = [layer("Stop", group(command("h")), source={"agent": "reviewer"})]
        for event, agent, runs in (("SubagentStop", "reviewer", True), ("SubagentStop", "Explore", False), ("Stop", "reviewer", False)):
            outcome = fire(event, {"agent_id": "a1", "agent_type": agent}, layers=layers)
            self.assertEqual(ran(outcome), ["h"] if runs else [], (event, agent))


class TaskCreated(unittest.TestCase):
    def fire(self, *results):
        return fire("TaskCreated", {"task_id": "7", "task_subject": "S-1"}, {f"h{n}": result for n, result in enumerate(results)})

    def test_a_refused_task_is_deleted_and_the_tool_fails(self):
        for results, error in (((BLOCK,), "WHY-1"), ((TWO,), "ERR-1"), (({**TWO, **BLOCK},), "WHY-1"), ((TWO, {}), "ERR-1")):
            outcome = self.fire(*results)
            self.assertEqual(told(outcome), ("prevented", None, [error], []))
            self.assertEqual(outcome["set"], {"task_gone": True})

    def test_nothing_else_touches_it(self):
        for result in ({}, {"end": {"exit": 1}}, {"out": '{"decision":"approve"}'}, {"end": "timed_out", **BLOCK}, STOP):
            outcome = self.fire(result)
            self.assertEqual((told(outcome)[:3], "set" in outcome), (("proceeds", None, []), False))
        self.assertEqual(heard(self.fire(STOP), "user"), [])

    def test_what_is_given(self):
        given = self.fire({})["ran"][0]["given"]["input"]
        self.assertEqual(("permission_mode" in given, "prompt_id" in given), (False, True))

    def test_it_is_a_call_to_a_tool(self):
        layers = [layer("Stop", group(command("h")))]
        steps = [{"fire": {"event": "Stop", "times": 8}}, {"fire": {"event": "TaskCreated"}}, {"fire": {"event": "Stop"}}]
        self.assertEqual(play({"settings": layers, "results": {"h": BLOCK}, "steps": steps})[-1]["fate"], "prevented")


class TeammateIdle(unittest.TestCase):
    def fire(self, result):
        return fire("TeammateIdle", {"teammate_name": "researcher"}, {"h": result})

    def test_exit_2_keeps_it_working_and_nothing_else_does(self):
        for out in ("", "OUT-1", "{broken}", '{"continue":5}', BLOCK["out"]):
            self.assertEqual(told(self.fire({**TWO, "out": out})), ("prevented", None, ["ERR-1"], []), out)
        for result in ({}, BLOCK, {"end": "timed_out"}):
            self.assertEqual(told(self.fire(result)), ("proceeds", None, [], []), result)

    def test_continue_false_stops_it(self):
        self.assertEqual(told(self.fire(STOP)), ("proceeds", "stops", ["STOP-1"], ["STOP-1"]))


class TaskCompleted(unittest.TestCase):
    def fire(self, result, *facts):
        return fire("TaskCompleted", {"task_id": "7", "task_subject": "S-1"}, {"h": result}, host={"facts": list(facts)})

    def test_exit_2_keeps_it_open_whatever_completes_it(self):
        for facts in ((), ("turn_ends",)):
            self.assertEqual(told(self.fire({**TWO, **BLOCK}, *facts)), ("prevented", None, ["ERR-1"], []))
            self.assertEqual(told(self.fire(BLOCK, *facts)), ("proceeds", None, [], []))

    def test_continue_false_stops_a_teammate_and_no_tool(self):
        self.assertEqual(told(self.fire(STOP, "turn_ends")), ("proceeds", "stops", ["STOP-1"], ["STOP-1"]))
        self.assertEqual(told(self.fire(STOP)), ("proceeds", None, [], []))
        self.assertEqual(told(self.fire({**TWO, **STOP})), ("prevented", None, ["ERR-1"], []))
class PostToolUseFailure(unittest.TestCase):
    TEST = {"tool_name": "Bash", "tool_input": {"command": "npm test"}, "error": "Exit code 1\nERROR-1"}

    def fire(self, *results, **more):
        return fire("PostToolUseFailure", {**self.TEST, **more}, {f"h{n}": result for n, result in enumerate(results)})

    def test_stderr_of_exit_2_and_a_reason_are_told_to_the_model(self):
        for results, told in (((TWO,), ["ERR-1"]), ((BLOCK,), ["WHY-1"]), (({**TWO, **BLOCK},), ["WHY-1", "ERR-1"]),
                              ((BLOCK, TWO), ["WHY-1", "ERR-1"]), (({**BLOCK, "end": {"exit": 1}},), ["WHY-1"])):
            outcome = self.fire(*results)
            self.assertEqual((outcome["fate"], outcome.get("agent")), ("proceeds", None))
            self.assertEqual((heard(outcome, "model", "feedback"), heard(outcome, "user")), (told, []))

    def test_nothing_else_is_told_to_the_model(self):
        for result in ({}, {"out": "OUT-1", "err": "ERR-1"}, {"end": "timed_out", **BLOCK}, {"end": {"exit": 1}, "err": "ERR-1"},
                       {"end": {"exit": 2}}, {"out": '{"reason":"WHY-1"}'}, {"out": '{"decision":"block","reason":5}'}):
            self.assertEqual(heard(self.fire(result), "model"), [], result)
        self.assertIn("ERR-1", heard(self.fire({"end": {"exit": 1}, "err": "ERR-1"}), "user", "notice")[0])

    def test_context_and_universal_fields(self):
        fields = {"continue": False, "stopReason": "STOP-1", "systemMessage": "MSG-1"}
        output = {**fields, **json.loads(own("PostToolUseFailure", additionalContext="CTX-1"))}
        outcome = self.fire({"end": {"exit": 2}, "err": "ERR-1", "out": json.dumps(output)})
        self.assertEqual((outcome["fate"], outcome["agent"]), ("proceeds", "stops"))
        self.assertEqual(heard(outcome, "user"), ["MSG-1", "STOP-1"])
        self.assertEqual([text.split()[-1] for text in heard(outcome, "model")], ["STOP-1", "ERR-1", "CTX-1"])

    def test_what_selects_and_what_is_given(self):
        condition = [layer("PostToolUseFailure", group({"type": "command", "command": "h", "if": "Bash"}, matcher="Bash"))]
        self.assertEqual(ran(fire("PostToolUseFailure", self.TEST, layers=condition)), ["h"])
        self.assertEqual(ran(fire("PostToolUseFailure", {**self.TEST, "tool_name": "Edit"}, layers=condition)), [])
        entry = self.fire({}, tool_name="Write", tool_input={"file_path": "a.ts"})["ran"][0]["given"]
        self.assertEqual((entry["timeout"], entry["input"]["permission_mode"]), (600, "default"))
        self.assertEqual((entry["input"]["error"], entry["input"]["tool_input"]["file_path"]),
                         ("Exit code 1\nERROR-1", "/work/project/a.ts"))


class UserPromptExpansion(unittest.TestCase):
    DEPLOY = {"expansion_type": "slash_command", "command_name": "deploy", "command_args": "", "command_source": "project",
              "prompt": "/deploy"}

    def fire(self, *results, layers=None):
        results = {f"h{n}": result for n, result in enumerate(results)}
        return fire("UserPromptExpansion", self.DEPLOY, results, layers=layers)

    def test_a_block_is_explained_to_the_user_and_one_is_enough(self):
        for results, why in (((TWO,), "ERR-1"), ((BLOCK,), "WHY-1"), (({**TWO, **BLOCK},), "WHY-1"), (({}, TWO, {}), "ERR-1"),
                             (({**BLOCK, "end": {"exit": 1}},), "WHY-1"), (({**TWO, "out": '{"continue":5}'},), "ERR-1")):
            outcome = self.fire(*results)
            self.assertEqual((outcome["fate"], outcome.get("agent"), heard(outcome, "model")), ("prevented", None, []))
            self.assertEqual(heard(outcome, "user", "block"), [f"/deploy was blocked. {why}"])
        self.assertEqual(self.fire({"end": {"exit": 2}})["fate"], "prevented")

    def test_nothing_else_blocks(self):
        for result in ({}, {"end": {"exit": 1}, "err": "ERR-1"}, {"end": "timed_out", **BLOCK}, {"out": '{"reason":"WHY-1"}'},
                       {"out": '{"decision":"approve"}'}, {"out": "{broken}"}):
            outcome = self.fire(result)
            self.assertEqual((outcome["fate"], heard(outcome, "model")), ("proceeds", []), result)

    def test_context_goes_with_the_prompt_and_not_beside_a_block(self):
        context = {"out": own("UserPromptExpansion", additionalContext="CTX-1")}
        outcome = self.fire({"out": "PLAIN-1"}, context)
        self.assertEqual([text.split()[-1] for text in heard(outcome, "model", "context")], ["PLAIN-1", "CTX-1"])
        self.assertEqual((outcome["fate"], heard(outcome, "user")), ("proceeds", []))
        self.assertEqual(heard(self.fire({"out": "PLAIN-1"}, context, TWO), "model"), [])

    def test_a_typed_command_is_input(self):
        steps = [{"fire": {"event": event, "input": {}}} for event in ("ConfigChange", "UserPromptExpansion", "ConfigChange")]
        hooks = [layer("ConfigChange", group({"type": "command", "command": "h"}))]
        outcomes = session.play({"settings": hooks, "steps": steps})
        self.assertEqual(["prompt_id" in outcome["ran"][0]["given"]["input"] for outcome in outcomes[::2]], [False, True])

    def test_continue_false_stops_and_tells_why(self):
        outcome = self.fire({"out": '{"continue":false,"stopReason":"STOP-1","systemMessage":"MSG-1"}'})
        self.assertEqual((outcome["agent"], heard(outcome, "user"), heard(outcome, "model")),
                         ("stops", ["MSG-1", "STOP-1"], ["STOP-1"]))

    def test_matchers_select_the_commands_name(self):
        for matcher, runs in (("deploy", True), ("", True), ("^dep", True), ("/deploy", False), ("review", False)):
            layers = [layer("UserPromptExpansion", group({"type": "command", "command": "h"}, matcher=matcher))]
            self.assertEqual(ran(self.fire(layers=layers)), ["h"] if runs else [], matcher)
        given = self.fire({})["ran"][0]["given"]
        self.assertEqual((given["timeout"], given["input"]["permission_mode"]), (600, "default"))
        self.assertEqual({key: given["input"][key] for key in self.DEPLOY}, self.DEPLOY)


class ConfigChange(unittest.TestCase):
    def fire(self, source, *results, layers=None):
        given = {"source": source, "file_path": "/home/me/settings.json"}
        return fire("ConfigChange", given, {f"h{n}": result for n, result in enumerate(results)}, layers=layers)

    def told(self, outcome):
        return [said["to"] for said in outcome.get("said", []) if said["to"] != "debug"]

    def test_a_block_keeps_the_change_out_and_nobody_is_told(self):
        for source in ("user_settings", "project_settings", "local_settings", "skills"):
            for results in ((TWO,), (BLOCK,), (BLOCK, {}), ({}, TWO, {}), ({**BLOCK, "end": {"exit": 1}},),
                            ({**TWO, "out": "{broken}"},), ({**TWO, "out": '{"decision":"approve"}'},)):
                outcome = self.fire(source, *results)
                self.assertEqual((outcome["fate"], outcome.get("agent"), self.told(outcome)), ("prevented", None, []))
                self.assertIn("blocked", " ".join(heard(outcome, "debug")))

    def test_managed_settings_take_effect_and_their_hooks_run(self):
        for result in (TWO, BLOCK):
            outcome = self.fire("policy_settings", result)
            self.assertEqual((outcome["fate"], ran(outcome), self.told(outcome)), ("proceeds", ["h0"], []))

    def test_nothing_else_blocks_or_is_shown(self):
        for result in ({}, {"out": "OUT-1"}, {"out": "{broken}"}, {"out": '{"decision":"block","reason":5}'},
                       {"end": "timed_out", **BLOCK}, {"end": {"exit": 1}, "err": "ERR-1"}, {"end": "not_started", "err": "ERR-1"}):
            outcome = self.fire("user_settings", result)
            self.assertEqual((outcome["fate"], outcome.get("agent"), self.told(outcome)), ("proceeds", None, []), result)

    def test_universal_fields_are_dropped_but_for_the_terminal(self):
        fields = {"continue": False, "stopReason": "STOP-1", "systemMessage": "MSG-1", "terminalSequence": "\x07"}
        outcome = self.fire("skills", {"out": json.dumps(fields)})
        self.assertEqual((outcome["fate"], outcome.get("agent"), self.told(outcome)), ("proceeds", None, ["terminal"]))

    def test_matchers_select_the_source(self):
        for matcher, runs in (("skills", True), ("user_settings|skills", True), (None, True), ("user_settings", False)):
            layers = [layer("ConfigChange", group({"type": "command", "command": "h"}, matcher=matcher))]
            self.assertEqual(ran(self.fire("skills", layers=layers)), ["h"] if runs else [], matcher)
        given = self.fire("skills", {})["ran"][0]["given"]
        self.assertEqual((given["timeout"], "permission_mode" in given["input"]), (600, False))
        self.assertEqual((given["input"]["source"], given["input"]["file_path"]), ("skills", "/home/me/settings.json"))


class PostToolBatch(unittest.TestCase):
    CALLS = [{"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_1", "tool_response": "a.ts"}]

    def fire(self, *results, layers=None):
        results = {f"h{n}": result for n, result in enumerate(results)}
        return fire("PostToolBatch", {"tool_calls": self.CALLS}, results, layers=layers)

    def test_a_block_ends_the_loop_and_both_are_told_why(self):
        for results, why in (((TWO,), "ERR-1"), ((BLOCK,), "WHY-1"), (({**TWO, **BLOCK},), "WHY-1"), (({}, BLOCK, {}), "WHY-1"),
                             (({**BLOCK, "end": {"exit": 1}},), "WHY-1"), (({**TWO, "out": "{broken}"},), "ERR-1"),
                             (({**TWO, "out": '{"decision":"approve","reason":"WHY-1"}'},), "ERR-1")):
            outcome = self.fire(*results)
            self.assertEqual((outcome["fate"], outcome["agent"]), ("prevented", "ends_turn"))
            self.assertEqual((heard(outcome, "user"), heard(outcome, "model")), ([why], [why]))

    def test_continue_false_ends_it_and_is_the_stronger_of_the_two(self):
        stop = {"out": '{"continue":false,"stopReason":"STOP-1"}'}
        for results in ((stop,), (stop, BLOCK), (BLOCK, stop)):
            outcome = self.fire(*results)
            self.assertEqual((outcome["fate"], outcome["agent"]), ("prevented", "stops"))
            self.assertIn("STOP-1", heard(outcome, "user"))
            self.assertIn("STOP-1", heard(outcome, "model"))

    def test_nothing_else_ends_it(self):
        for result in ({}, {"out": "OUT-1"}, {"out": '{"stopReason":"STOP-1","reason":"WHY-1"}'}, {"end": "timed_out", **BLOCK},
                       {"end": {"exit": 1}, "err": "ERR-1"}, {"out": '{"decision":"approve"}'}):
            outcome = self.fire(result)
            self.assertEqual((outcome["fate"], outcome.get("agent"), heard(outcome, "model")), ("proceeds", None, []), result)

    def test_every_context_arrives(self):
        outcome = self.fire(*({"out": own("PostToolBatch", additionalContext=text)} for text in ("CTX-1", "CTX-2")))
        self.assertEqual([text.split()[-1] for text in heard(outcome, "model", "context")], ["CTX-1", "CTX-2"])

    def test_matchers_have_no_effect_and_the_calls_are_given(self):
        layers = [layer("PostToolBatch", group({"type": "command", "command": "h"}, matcher="Nothing"))]
        self.assertEqual(ran(self.fire(layers=layers)), ["h"])
        given = self.fire({})["ran"][0]["given"]
        self.assertEqual((given["timeout"], given["input"]["permission_mode"]), (600, "default"))
        self.assertEqual(given["input"]["tool_calls"], self.CALLS)


if __name__ == "__main__":
    unittest.main()
