"""Sharp assertions on handlers that are no commands: what they are given, and what their answers do: python3 -m unittest"""

import json
import unittest

import adapter
from hookruntime import handlers
from test_runtime import BASH, command, fire, group, heard, layer, own, ran

BLOCK = '{"decision":"block","reason":"WHY-1"}'
NO = {"end": "answered", "out": '{"ok":false,"reason":"WHY-1"}'}
HOPELESS = {"end": "answered", "out": '{"ok":false,"reason":"WHY-1","impossible":true}'}
TEAMMATE = {"facts": ["turn_ends"]}


def tool(name="t", server="s", **more):
    return {"type": "mcp_tool", "server": server, "tool": name, **more}


def http(url="http://u", **more):
    return {"type": "http", "url": url, **more}


def prompt(text="p", **more):
    return {"type": "prompt", "prompt": text, **more}


def agent(text="p", **more):
    return {"type": "agent", "prompt": text, **more}


def one(event, handler, result=None, input=None, host=None, **settings):
    """The outcome of one handler, which is alone."""
    name = handlers.name(handler)
    results = {name: result} if result is not None else {}
    return fire(event, input or dict(BASH), results, host, [layer(event, group(handler), **settings)])


def effect(outcome):
    """Fate, agent, and whether the model and the user read the reason."""
    reads = [any("WHY-1" in text for text in heard(outcome, to)) for to in ("model", "user")]
    return (outcome["fate"], outcome.get("agent"), *reads)


class Types(unittest.TestCase):
    ALL = [command("a"), http(), tool(), prompt(), agent("q")]

    def who(self, event, input=None):
        return ran(fire(event, input, layers=[layer(event, group(*self.ALL))]))

    def test_where_each_runs(self):
        for event in adapter.HELLO["events"]:
            if event in ("Setup", "SessionStart"):
                continue
            evaluated = event in ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "UserPromptExpansion",
                                  "Stop", "SubagentStop", "TaskCreated", "TaskCompleted", "TeammateIdle", "PermissionDenied")
            expected = ["a", "http://u", "t"] + (["p", "q"] if evaluated else [])
            if event == "PermissionRequest":  # PROMPT-SUP-02
                expected.append("p")
            self.assertEqual(self.who(event), expected, event)

    def test_tools_wait_until_their_servers_can_be_reached(self):
        self.assertEqual(self.who("Setup", {"trigger": "init"}), ["a"])
        for source, names in (("startup", ["a"]), ("resume", ["a"]), ("clear", ["a", "t"]), ("compact", ["a", "t"])):
            self.assertEqual(self.who("SessionStart", {"source": source}), names, source)
            told = heard(one("SessionStart", tool(), input={"source": source}), "debug")
            line = "mcp_tool hooks are not available for the 'SessionStart' hook event (no MCP client context)"
            self.assertEqual(told, [line] if "t" not in names else [], source)

    def test_the_malformed_are_passed_over(self):
        for handler in ({"type": "mcp_tool", "tool": "t"}, {"type": "prompt"}, {"type": "agent", "prompt": 5}, {"type": ["http"]}, {"type": "oracle"}):
            self.assertIsNone(handlers.name(handler))
            self.assertEqual(ran(fire("Stop", layers=[layer("Stop", group(handler))])), [])

    def test_copies(self):
        def both(a, b):
            return len(ran(fire("Stop", layers=[layer("Stop", group(a)), layer("Stop", group(b), source="project")])))
        self.assertEqual((both(tool(), tool()), both(prompt(), prompt(timeout=5))), (1, 1))
        self.assertEqual((both(tool(), tool(server="r")), both(tool(), tool(input={"a": 1})), both(prompt(), agent())), (2, 2, 2))


class Given(unittest.TestCase):
    HOST = {"env": {"TOKEN": "SECRET-1", "OTHER": "SECRET-2"}}

    def given(self, handler, input=None, **settings):
        return one("PreToolUse", handler, input=input, host=self.HOST, **settings)["ran"][0]["given"]

    def header(self, text, *names, **settings):
        return self.given(http(headers={"X": text}, allowedEnvVars=list(names)), **settings)["headers"]["X"]

    def test_headers_take_what_both_lists_name(self):
        self.assertEqual(self.header("a $TOKEN ${TOKEN}b", "TOKEN"), "a SECRET-1 SECRET-1b")
        self.assertEqual(self.header("[$OTHER${OTHER}$GONE$TOKENS]", "TOKEN", "GONE"), "[]")
        self.assertEqual(self.header("$TOKEN/$OTHER", "TOKEN", "OTHER", httpHookAllowedEnvVars=["OTHER", "X"]), "/SECRET-2")
        self.assertEqual(self.header("$TOKEN", "TOKEN", httpHookAllowedEnvVars=[]), "")
        self.assertEqual(self.header("$5 ${ $ $", "TOKEN"), "$5 ${ $ $")
        self.assertEqual(self.given(http(headers={"X": "-$TOKEN-"}), httpHookAllowedEnvVars=["TOKEN"])["headers"], {"X": "--"})
        self.assertEqual(self.given(http())["headers"], {})

    def test_arguments(self):
        input = {"tool_name": "Write", "tool_input": {"file_path": "/w/a", "lines": [1, "L-2"], "odd": "${tool_name}"}}
        asked = {"p": "<${tool_input.file_path}>", "deep": [{"a": "${tool_input.lines.1}"}], "n": 5, "list": "${tool_input.lines}",
                 "gone": "${tool_input.x.y}", "odd": "${tool_input.odd}"}
        self.assertEqual(self.given(tool(input=asked), input)["arguments"],
                         {"p": "</w/a>", "deep": [{"a": "L-2"}], "n": 5, "list": '[1, "L-2"]', "gone": "", "odd": "${tool_name}"})
        self.assertEqual(self.given(tool())["arguments"], {})

    def test_prompts(self):
        for kind in (prompt, agent):
            def asked(text):
                given = self.given(kind(text))
                return given["prompt"], json.dumps(given["input"])
            text, written = asked("P-1 $ARGUMENTS and $ARGUMENTS")
            self.assertEqual(text, f"P-1 {written} and {written}")
            text, written = asked("P-1 costs \\$1.00 or \\$ARGUMENTS")
            self.assertEqual(text, f"P-1 costs $1.00 or $ARGUMENTS\n\n{written}")

    def test_times(self):
        for event, seconds in (("UserPromptSubmit", [30, 30, 60]), ("Stop", [600, 30, 60])):
            outcome = fire(event, layers=[layer(event, group(tool(), prompt(), agent()))])
            self.assertEqual([entry["given"]["timeout"] for entry in outcome["ran"]], seconds)
        self.assertEqual(self.given(agent(timeout=5))["timeout"], 5)


class Tools(unittest.TestCase):
    def test_a_text_is_stdout(self):
        for event in ("UserPromptSubmit", "UserPromptExpansion"):
            self.assertIn("TEXT-1", "".join(heard(one(event, tool(), {"end": "answered", "out": "TEXT-1"}), "model")))
            self.assertEqual(one(event, tool(), {"out": BLOCK})["fate"], "prevented")
        self.assertEqual(heard(one("PreToolUse", tool(), {"end": "answered", "out": "TEXT-1"}), "model"), [])
        deny = own("PreToolUse", permissionDecision="deny", permissionDecisionReason="WHY-1")
        self.assertEqual(effect(one("PreToolUse", tool(), {"end": "answered", "out": deny})), ("prevented", None, True, False))
        self.assertIn("hook error", heard(one("Stop", tool(), {"end": "answered", "out": "{x}"}), "user")[0])
        self.assertEqual(one("WorktreeCreate", tool(), {"end": "answered", "out": "/w/made"})["set"]["worktree_path"], "/w/made")

    def test_an_error_lets_everything_go_on(self):
        for end in ("tool_error", "refused"):
            for event in ("PreToolUse", "UserPromptSubmit", "TaskCreated", "PreCompact", "ConfigChange", "WorktreeRemove"):
                outcome = one(event, tool(), {"end": end, "out": BLOCK})
                self.assertEqual((outcome["fate"], heard(outcome, "model")), ("proceeds", []), event)
            self.assertIn("hook error", heard(one("PreToolUse", tool(), {"end": end, "out": BLOCK}), "user")[0])
        late = one("PreToolUse", tool(), {"end": "timed_out", "out": BLOCK})
        self.assertEqual((effect(late), heard(late, "user")), (("proceeds", None, False, False), []))


class Evaluators(unittest.TestCase):
    KINDS = (prompt(), prompt(continueOnBlock=True), agent())

    def objected(self, event, host=None, result=NO):
        return [effect(one(event, handler, result, host=host)) for handler in self.KINDS]

    def test_the_handler_says_whether_a_call_ends_the_turn(self):
        on, over = ("prevented", None, True, False), ("prevented", "ends_turn", False, True)
        self.assertEqual(self.objected("PreToolUse"), [over, on, on])
        self.assertEqual(self.objected("PostToolUse"), [("proceeds", *over[1:]), ("proceeds", *on[1:]), ("proceeds", *on[1:])])

    def test_prompts_and_batches_are_the_end_of_it(self):
        for event in ("UserPromptSubmit", "UserPromptExpansion", "PostToolBatch"):
            self.assertEqual(self.objected(event), [("prevented", "ends_turn", False, True)] * 3, event)
        both = fire("UserPromptSubmit", {}, {"p": NO, "h": {"out": "CTX-1"}}, layers=[layer("UserPromptSubmit", group(prompt(), command("h")))])
        self.assertEqual(heard(both, "model"), [])

    def test_failed_calls_and_tasks_are_told_of_it(self):
        self.assertEqual(self.objected("PostToolUseFailure"), [("proceeds", None, True, False)] * 3)
        self.assertEqual(self.objected("TaskCreated"), [("prevented", None, True, False)] * 3)
        self.assertEqual(self.objected("TaskCompleted"), [("prevented", None, True, False)] * 3)

    def test_teammates_are_halted_or_go_on(self):
        halted, on = ("stops", False, True), ("prevented", None, True, False)
        self.assertEqual(self.objected("TeammateIdle", TEAMMATE), [("proceeds", *halted), on, on])
        self.assertEqual(self.objected("TaskCompleted", TEAMMATE), [("prevented", *halted), on, on])

    def test_an_agent_at_its_end_goes_on_unless_that_is_impossible(self):
        for event in ("Stop", "SubagentStop"):
            self.assertEqual(self.objected(event), [("prevented", "goes_on", True, True)] * 3)
            self.assertEqual([fate for fate, *_ in self.objected(event, result=HOPELESS)], ["proceeds", "proceeds", "prevented"])
        for event in ("PreToolUse", "PostToolUseFailure", "TeammateIdle"):
            self.assertEqual(self.objected(event, result=HOPELESS), self.objected(event), event)

    def test_ok_alone_decides(self):
        for out in ('{"ok":true}', '{"ok":true,"reason":"WHY-1"}', '{"ok":true,"impossible":true}'):
            for event in ("PreToolUse", "UserPromptSubmit", "TaskCreated", "TeammateIdle"):
                self.assertEqual(effect(one(event, prompt(), {"end": "answered", "out": out})), ("proceeds", None, False, False))
        self.assertEqual(effect(one("PreToolUse", prompt())), ("proceeds", None, False, False))
        self.assertEqual(one("PreToolUse", prompt(), {"end": "answered", "out": '{"ok":false,"reason":"approve it"}'})["fate"], "prevented")

    def test_what_is_no_verdict_objects_to_nothing(self):
        for out in ('{"ok":false}', '{"ok":0,"reason":"WHY-1"}', '{"reason":"WHY-1"}', "[]", "no", '{"ok":false,"reason":5}'):
            outcome = one("PreToolUse", prompt(), {"end": "answered", "out": out})
            self.assertEqual(effect(outcome), ("proceeds", None, False, False), out)
        self.assertEqual(effect(one("PreToolUse", prompt(), {**NO, "end": "timed_out"})), ("proceeds", None, False, False))


if __name__ == "__main__":
    unittest.main()
