"""Sharp assertions on what begins, on what is over, and on answers to an MCP server: python3 -m unittest"""

import json
import unittest

from test_events import BLOCK, STOP, TWO, told
from test_runtime import command, fire, group, heard, layer, own, play, ran


class SubagentStart(unittest.TestCase):
    CONTEXT = {"out": own("SubagentStart", additionalContext="CTX-1")}

    def fire(self, *results, layers=None):
        results = {f"h{n}": result for n, result in enumerate(results)}
        return fire("SubagentStart", {"agent_id": "a1", "agent_type": "Explore"}, results, layers=layers)

    def told(self, *steps):
        """How many texts each start, of the subagent of this name, tells it; other words are what happens in between."""
        starts = [{"fire": {"event": "SubagentStart", "input": {"agent_id": step, "agent_type": "Explore"}}} if step[1:].isdigit()
                  else {"happen": step} for step in steps]
        layers = [layer("SubagentStart", group(command("h")))]
        return [len(heard(outcome, "model")) for outcome in play({"settings": layers, "results": {"h": self.CONTEXT}, "steps": starts})]

    def test_every_context_arrives_and_plain_text_does_not(self):
        outcome = self.fire(self.CONTEXT, {"out": "OUT-1"}, {"out": own("SubagentStart", additionalContext="CTX-2")})
        self.assertEqual([text.split()[-1] for text in heard(outcome, "model", "context")], ["CTX-1", "CTX-2"])
        self.assertEqual((outcome["fate"], heard(outcome, "user")), ("proceeds", []))

    def test_exit_2_stops_nothing_and_is_noticed_by_the_user_alone(self):
        outcome = self.fire(TWO)
        self.assertEqual(told(outcome)[:3], ("proceeds", None, []))
        notice, = heard(outcome, "user", "notice")
        self.assertTrue("hook error" in notice and "ERR-1" in notice)
        self.assertEqual(len(heard(self.fire({**TWO, **self.CONTEXT}), "model", "context")), 1)

    def test_nothing_is_decided(self):
        for result in (BLOCK, {"end": "timed_out", **self.CONTEXT}, {}, {"out": "{broken}"}):
            self.assertEqual(told(self.fire(result))[:3], ("proceeds", None, []), result)
        self.assertEqual(told(self.fire(STOP)), ("proceeds", "stops", ["STOP-1"], ["STOP-1"]))

    def test_a_copy_that_is_there_is_not_added_again(self):
        self.assertEqual(self.told("a1", "a1", "a2", "compacted", "a1", "a1"), [1, 0, 1, 0, 1, 0])

    def test_matchers_select_the_type(self):
        for matcher, runs in (("Explore", True), ("Plan, Explore", True), ("Plan", False), ("lore$", True)):
            layers = [layer("SubagentStart", group(command("h"), matcher=matcher))]
            self.assertEqual(ran(self.fire(layers=layers)), ["h"] if runs else [], matcher)
        given = self.fire({})["ran"][0]["given"]
        self.assertEqual((given["timeout"], "permission_mode" in given["input"]), (600, False))
        self.assertEqual((given["input"]["agent_id"], given["input"]["agent_type"]), ("a1", "Explore"))


class PostCompact(unittest.TestCase):
    def fire(self, *results, trigger="manual", layers=None):
        results = {f"h{n}": result for n, result in enumerate(results)}
        return fire("PostCompact", {"trigger": trigger, "compact_summary": "SUMMARY-1"}, results, layers=layers)

    def test_stderr_of_exit_2_is_the_users_and_nobody_elses(self):
        other = {"end": {"exit": 2}, "err": "ERR-2"}
        for trigger in ("manual", "auto"):
            for out in ("", "OUT-1", "{broken}", BLOCK["out"]):
                outcome = self.fire({**TWO, "out": out}, {}, other, trigger=trigger)
                self.assertEqual(told(outcome), ("proceeds", None, [], ["ERR-1", "ERR-2"]), out)

    def test_nothing_else_is_heard_or_decides(self):
        fields = {"continue": False, "stopReason": "STOP-1", "systemMessage": "MSG-1"}
        for result in ({}, {"out": "OUT-1", "err": "ERR-1"}, BLOCK, {"out": json.dumps(fields)}, {**TWO, "end": "timed_out"},
                       {"end": {"exit": 1}, "err": "ERR-1"}, {"end": "not_started", "err": "ERR-1"}, {"end": {"exit": 2}}):
            outcome = self.fire(result)
            self.assertEqual((told(outcome), outcome.get("set")), (("proceeds", None, [], []), None), result)
        self.assertEqual(heard(self.fire({"out": '{"terminalSequence":"\\u0007"}'}), "terminal"), ["\x07"])

    def test_matchers_select_the_trigger(self):
        for matcher, runs in (("manual", True), ("auto|manual", True), ("auto", False), ("Manual", False)):
            layers = [layer("PostCompact", group(command("h"), matcher=matcher))]
            self.assertEqual(ran(self.fire(layers=layers)), ["h"] if runs else [], matcher)
        given = self.fire({})["ran"][0]["given"]
        self.assertEqual((given["timeout"], "permission_mode" in given["input"]), (600, False))
        self.assertEqual((given["input"]["trigger"], given["input"]["compact_summary"]), ("manual", "SUMMARY-1"))


class StopFailure(unittest.TestCase):
    FAILURE = {"error": "rate_limit", "error_details": "DETAIL-1", "last_assistant_message": "API Error: DETAIL-1"}

    def fire(self, result, layers=None, host=None):
        return fire("StopFailure", self.FAILURE, {"h": result}, layers=layers, host=host)

    def test_neither_code_nor_output_counts(self):
        for out in ("", "OUT-1", "{broken}", BLOCK["out"], STOP["out"], '{"systemMessage":"MSG-1"}'):
            for end in ({"exit": 0}, {"exit": 1}, {"exit": 2}, "timed_out", "not_started"):
                outcome = self.fire({"out": out, "end": end, "err": "ERR-1"})
                self.assertEqual((told(outcome), outcome.get("set")), (("proceeds", None, [], []), None), (out, end))

    def test_the_terminal_is_written_to_beside_any_code(self):
        for code in (0, 1, 2):
            result = {"out": '{"terminalSequence":"\\u0007","systemMessage":"MSG-1"}', "end": {"exit": code}}
            self.assertEqual(heard(self.fire(result), "terminal"), ["\x07"], code)
            self.assertEqual(heard(self.fire(result, host={"surface": "sdk"}), "terminal"), [], code)

    def test_matchers_select_the_error_and_have_an_alphabet_of_their_own(self):
        for matcher, runs in (("rate_limit", True), ("overloaded|rate_limit", True), (None, True), ("^rate", True), ("rate", False),
                              ("overloaded,rate_limit", False), ("overloaded, rate_limit", False), (" rate_limit", False),
                              ("server_error", False)):
            layers = [layer("StopFailure", group(command("h"), matcher=matcher))]
            self.assertEqual(ran(self.fire({}, layers=layers)), ["h"] if runs else [], matcher)

    def test_what_is_given(self):
        given = self.fire({})["ran"][0]["given"]
        self.assertEqual((given["timeout"], "permission_mode" in given["input"]), (600, False))
        self.assertEqual({key: given["input"][key] for key in self.FAILURE}, self.FAILURE)

    def test_the_turn_is_over(self):
        fires = [{"fire": {"event": event}} for event in ("Stop", "StopFailure", "Stop")]
        steps = fires[:2] + [{"happen": "new_prompt"}] + fires
        outcomes = play({"settings": [layer("Stop", group(command("h")))], "results": {"h": BLOCK}, "steps": steps})
        active = [step["ran"][0]["given"]["input"]["stop_hook_active"] for step in outcomes if "ran" in step]
        self.assertEqual(active, [False, False, False])


class ElicitationResult(unittest.TestCase):
    FORM = {"mcp_server_name": "tracker", "mode": "form", "action": "accept", "content": {"a": "USER-1", "b": "USER-2"}}

    def fire(self, *results, given=None, layers=None):
        results = {f"h{n}": result for n, result in enumerate(results)}
        return fire("ElicitationResult", given or self.FORM, results, layers=layers)

    def answer(self, **fields):
        return {"out": own("ElicitationResult", **fields)}

    def reply(self, *results, **more):
        outcome = self.fire(*results, **more)
        self.assertEqual((heard(outcome, "user"), heard(outcome, "model"), heard(outcome, "server")), ([], [], []))
        self.assertEqual(outcome["fate"], "prevented" if "set" in outcome else "proceeds")
        return outcome.get("set", {}).get("mcp_reply")

    def test_what_the_server_receives(self):
        new, users = {"a": "NEW-1"}, self.FORM["content"]
        for fields, reply in (({"action": "accept", "content": new}, {"action": "accept", "content": new}),
                              ({"action": "decline", "content": new}, {"action": "decline"}),
                              ({"action": "cancel", "content": new}, {"action": "cancel", "content": users}),
                              ({"action": "cancel"}, {"action": "cancel", "content": users}),
                              ({"content": new}, None)):
            self.assertEqual(self.reply(self.answer(**fields)), reply, fields)

    def test_the_users_own_refusal_is_replaced(self):
        for action in ("decline", "cancel"):
            refused = {"mcp_server_name": "tracker", "action": action}
            accept = self.answer(action="accept", content={"a": "NEW-1"})
            self.assertEqual(self.reply(accept, given=refused), {"action": "accept", "content": {"a": "NEW-1"}})
            self.assertEqual(self.reply(self.answer(action="cancel"), given=refused), {"action": "cancel"})

    def test_a_block_declines_and_one_is_enough(self):
        accept = self.answer(action="accept", content={"a": "NEW-1"})
        both = {"out": json.dumps({"decision": "block", "reason": "WHY-1", **json.loads(accept["out"])})}
        for block in (TWO, BLOCK, both, {**accept, **TWO}, {**TWO, "out": "{broken}"}):
            for others in ((), ({},), (accept,)):
                for results in ((block, *others), (*others, block)):
                    self.assertEqual(self.reply(*results), {"action": "decline"}, results)

    def test_nothing_else_touches_the_answer(self):
        fields = {"continue": False, "stopReason": "STOP-1", "systemMessage": "MSG-1", "reason": "WHY-1"}
        for result in ({}, {"out": "OUT-1"}, {"out": json.dumps(fields)}, {"end": {"exit": 1}, "err": "ERR-1"},
                       {"end": "timed_out", **self.answer(action="decline")}, {"out": '{"decision":"approve"}'}):
            self.assertIsNone(self.reply(result), result)
            self.assertNotIn("agent", self.fire(result))
        self.assertEqual(heard(self.fire({"out": '{"terminalSequence":"\\u0007"}'}), "terminal"), ["\x07"])

    def test_matchers_select_the_server_and_the_answer_is_given(self):
        for matcher, runs in (("tracker", True), ("^track", True), ("track", False)):
            layers = [layer("ElicitationResult", group(command("h"), matcher=matcher))]
            self.assertEqual(ran(self.fire(layers=layers)), ["h"] if runs else [], matcher)
        given = self.fire({})["ran"][0]["given"]
        self.assertEqual((given["timeout"], "permission_mode" in given["input"]), (600, False))
        self.assertEqual({key: given["input"][key] for key in self.FORM}, self.FORM)


class SessionStart(unittest.TestCase):
    def fire(self, *results, source="startup", layers=None, host=None, **more):
        results = {f"h{n}": result for n, result in enumerate(results)}
        return fire("SessionStart", {"source": source, **more}, results, layers=layers, host=host)

    def gives(self, **fields):
        return {"out": own("SessionStart", **fields)}

    def test_plain_text_and_additional_context_are_context(self):
        outcome = self.fire({"out": "OUT-1"}, self.gives(additionalContext="CTX-1"), self.gives(additionalContext="CTX-2"))
        self.assertEqual([text.split()[-1] for text in heard(outcome, "model", "context")], ["OUT-1", "CTX-1", "CTX-2"])
        self.assertEqual((outcome["fate"], heard(outcome, "user")), ("proceeds", []))
        for result in ({"out": "{broken}"}, {"out": '{"additionalContext":"CTX-1"}'}, {"end": {"exit": 1}, "out": "OUT-1", "err": "ERR-1"},
                       {"end": "timed_out", "out": "OUT-1"}, {**TWO, "out": "OUT-1"}):
            self.assertEqual(heard(self.fire(result), "model"), [], result)

    def test_exit_2_stops_nothing_and_is_noticed_by_the_user_alone(self):
        outcome = self.fire({**TWO, **self.gives(reloadSkills=True)})
        self.assertEqual(told(outcome)[:3], ("proceeds", None, []))
        notice, = heard(outcome, "user", "notice")
        self.assertTrue("hook error" in notice and "ERR-1" in notice)
        self.assertEqual(outcome["set"], {"skills_reloaded": True})

    def test_nothing_is_decided_and_the_universal_fields_count(self):
        self.assertEqual(told(self.fire(BLOCK)), ("proceeds", None, [], []))
        self.assertEqual(told(self.fire(STOP)), ("proceeds", "stops", ["STOP-1"], ["STOP-1"]))
        self.assertEqual(heard(self.fire({"out": '{"systemMessage":"MSG-1"}'}), "user", "warning"), ["MSG-1"])

    def test_a_title_counts_where_a_session_begins_or_is_taken_up(self):
        for source, counts in (("startup", True), ("resume", True), ("fork", True), ("clear", False), ("compact", False)):
            title = self.gives(sessionTitle="TITLE-1")
            layers = [layer("SessionStart", group(command("h"))), layer("UserPromptSubmit", group(command("p")))]
            steps = [{"fire": {"event": "SessionStart", "input": {"source": source}}},
                     {"fire": {"event": "UserPromptSubmit", "input": {"prompt": "PROMPT-1"}}}]
            start, prompt = play({"settings": layers, "results": {"h": title}, "steps": steps})
            self.assertEqual(start.get("set"), {"session_title": "TITLE-1"} if counts else None, source)
            self.assertEqual("session_title" in prompt["ran"][0]["given"]["input"], counts, source)

    def test_a_first_message_is_for_print(self):
        first = self.gives(initialUserMessage="FIRST-1")
        self.assertEqual(self.fire(first, host={"surface": "print"})["set"], {"first_prompt": "FIRST-1"})
        for surface in ("terminal", "sdk", "background"):
            self.assertNotIn("set", self.fire(first, host={"surface": surface}))
        long = self.fire(self.gives(initialUserMessage="x" * 10_001), host={"surface": "print"})["set"]["first_prompt"]
        self.assertTrue(2_000 < len(long) < 2_200)

    def test_paths_add_up_and_skills_are_reloaded_if_anybody_asks(self):
        outcome = self.fire(self.gives(watchPaths=["/w/a", "/w/b"]), self.gives(watchPaths=["/w/b", "/w/c"], reloadSkills=True),
                            self.gives(reloadSkills=False), {})
        self.assertEqual(outcome["set"], {"watch_paths": ["/w/a", "/w/b", "/w/c"], "skills_reloaded": True})
        for flawed in ("/w/a", [5], {"a": "/w/a"}):
            outcome = self.fire(self.gives(watchPaths=flawed))
            self.assertNotIn("set", outcome)
            self.assertIn("watchPaths", heard(outcome, "user", "notice")[0])

    def test_commands_run_and_addresses_do_not(self):
        layers = [layer("SessionStart", group({"type": "http", "url": "http://h"}, command("h")))]
        self.assertEqual(ran(self.fire(layers=layers)), ["h"])

    def test_matchers_select_the_source(self):
        for matcher, source, runs in (("startup", "startup", True), ("startup|resume", "resume", True), ("resume", "fork", False),
                                      ("clear", "startup", False), ("^c", "compact", True)):
            layers = [layer("SessionStart", group(command("h"), matcher=matcher))]
            self.assertEqual(ran(self.fire(source=source, layers=layers)), ["h"] if runs else [], (matcher, source))
        given = self.fire({}, model="MODEL-1", session_title="NAME-1")["ran"][0]["given"]
        self.assertEqual((given["timeout"], "permission_mode" in given["input"], "prompt_id" in given["input"]), (600, False, False))
        self.assertEqual([given["input"][key] for key in ("source", "model", "session_title")], ["startup", "MODEL-1", "NAME-1"])


if __name__ == "__main__":
    unittest.main()
